-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- users.lock
select id from users where id = $1 for no key update;
