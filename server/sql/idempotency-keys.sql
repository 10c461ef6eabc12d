-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- idempotency-keys.claim
insert into idempotency_keys as claimed (user_id, key, fingerprint, created_at)
select $1, $2, $3, $4
where not exists (
  select from user_state where user_id = $1 and answer_bytes > ($6::jsonb ->> 'answerBytes')::bigint
)
on conflict (user_id, key) do update
set fingerprint = excluded.fingerprint, created_at = excluded.created_at
where claimed.created_at < $5
returning case
  when status is null then 0 else (300 + 2 * octet_length(key) + coalesce(octet_length(body), 0))
end as bytes;

-- idempotency-keys.forget-old
with old as (
  select key from idempotency_keys
  where user_id = $1 and created_at < $2
  limit 1000
  for update skip locked
), gone as (
  delete from idempotency_keys
  where user_id = $1 and key in (select key from old)
  returning (300 + 2 * octet_length(key) + coalesce(octet_length(body), 0)) as bytes
)
select coalesce(sum(bytes), 0)::bigint as bytes
from gone;

-- idempotency-keys.keep
with kept as (
  update idempotency_keys
  set status = $2, body = $3, planner_run_id = $4
  where user_id = $1 and key = $5
  returning (300 + 2 * octet_length(key) + coalesce(octet_length(body), 0)) as bytes
)
insert into user_state (user_id, answer_bytes)
select $1, kept.bytes - $6::bigint
from kept
on conflict (user_id) do update
set answer_bytes = user_state.answer_bytes + excluded.answer_bytes
returning answer_bytes > ($7::jsonb ->> 'answerBytes')::bigint as overfull;

-- idempotency-keys.list-sealed
select key, body as sealed
from idempotency_keys
where user_id = $1 and key > $2 and left(body, 1) not in ('{', '[') and not starts_with(body, $3)
order by key limit 500;

-- idempotency-keys.recall
select fingerprint, status, body, planner_run_id
from idempotency_keys
where user_id = $1 and key = $2 and created_at >= $3;

-- idempotency-keys.reseal
with changed as (
  update idempotency_keys old
  set body = given.renewed
  from jsonb_to_recordset($2::jsonb) as given (key text, sealed text, renewed text)
  where old.user_id = $1 and old.key = given.key and old.body = given.sealed
  returning octet_length(given.renewed) - octet_length(given.sealed) as added
)
update user_state
set answer_bytes = answer_bytes + (select coalesce(sum(added), 0) from changed)
where user_id = $1;

-- idempotency-keys.shed
with sized as (
  select key, octet_length(body) as bytes,
    sum(
      (300 + 2 * octet_length(key) + coalesce(octet_length(body), 0)) - coalesce(
        octet_length(body), 0
      )
    ) over () + sum(coalesce(octet_length(body), 0)) over (
      order by created_at desc, key desc rows unbounded preceding
    ) as with_newer
  from idempotency_keys
  where user_id = $1 and created_at >= $2
), gone as (
  update idempotency_keys old
  set body = null
  from sized
  where old.user_id = $1 and old.key = sized.key and old.body is not null
    and sized.with_newer > $3::bigint
  returning sized.bytes
)
update user_state
set answer_bytes = answer_bytes - (select coalesce(sum(bytes), 0) from gone)
where user_id = $1;
