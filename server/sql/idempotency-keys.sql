-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- idempotency-keys.claim
insert into idempotency_keys as claimed (user_id, key, fingerprint, created_at)
values ($1, $2, $3, $4)
on conflict (user_id, key) do update
set fingerprint = excluded.fingerprint, created_at = excluded.created_at
where claimed.created_at < $5
returning coalesce(octet_length(body), 0) as bytes;

-- idempotency-keys.forget-old
with old as (
  select key from idempotency_keys where user_id = $1 and created_at < $2 for update skip locked
), gone as (
  delete from idempotency_keys
  where user_id = $1 and key in (select key from old)
  returning octet_length(body) as bytes
)
select coalesce(sum(bytes), 0)::bigint as bytes
from gone;

-- idempotency-keys.keep
with kept as (
  update idempotency_keys
  set status = $2, body = $3, planner_run_id = $4
  where user_id = $1 and key = $5
  returning octet_length(body) as bytes
)
insert into user_state (user_id, answer_bytes)
select $1, kept.bytes - $6::bigint
from kept
on conflict (user_id) do update
set answer_bytes = user_state.answer_bytes + excluded.answer_bytes
returning answer_bytes > ($7::jsonb ->> 'answerBytes')::bigint as overfull;

-- idempotency-keys.recall
select fingerprint, status, body, planner_run_id
from idempotency_keys
where user_id = $1 and key = $2 and created_at >= $3;

-- idempotency-keys.shed
with sized as (
  select key, octet_length(body) as bytes,
    sum(octet_length(body)) over (order by created_at desc, key desc rows unbounded preceding) as with_newer
  from idempotency_keys
  where user_id = $1 and created_at >= $2 and body is not null
), gone as (
  update idempotency_keys old
  set body = null
  from sized
  where old.user_id = $1 and old.key = sized.key and sized.with_newer > $3::bigint
  returning sized.bytes
)
update user_state
set answer_bytes = answer_bytes - (select coalesce(sum(bytes), 0) from gone)
where user_id = $1;
