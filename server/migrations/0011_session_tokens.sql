-- A session's token is only in its cookie; here is its SHA-256. Sessions that are there stay valid.
update auth.sessions set token = encode(sha256(convert_to(token, 'UTF8')), 'hex');
