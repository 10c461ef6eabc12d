-- The rows of Idempotency-Keys count, not only their responses: a key of 240 characters takes more than a kilobyte.

update user_state state
   set answer_bytes = (select coalesce(sum(300 + 2 * octet_length(key) + coalesce(octet_length(body), 0)), 0)
                         from idempotency_keys where user_id = state.user_id);
