-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- user.find
select json_build_object(
  'id', person.id, 'email', person.email, 'displayName', person.display_name, 'timezone',
  person.timezone, 'isAdmin', person.role = 'admin'
)::text as json
from users person
where id = $1;

-- user.timezone
select timezone from users where id = $1;

-- user.update
with old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from users old
  where id = $1
  for no key update
), person as (
  update users person
  set (display_name, timezone) = (
    select display_name, timezone from jsonb_populate_record(person, $2)
  ),
    updated_at = greatest(current_timestamp, person.updated_at + interval '1 millisecond')
  from old
  where person.id = $1 and old.differs
  returning person.*, old.differs
), change as (
  select 0 as place, 'user.updated' as type, new.id, old.json as before, new.json as after
  from (
    select person.id as id,
      (
        select to_jsonb(row)
        from (
          select person.id as "id", person.email as "email", person.display_name as "displayName",
            person.timezone as "timezone", person.role = 'admin' as "isAdmin",
            person.disabled_at is not null as "disabled",
            person.jobs_stopped_at is not null as "jobsStopped"
        ) row
      ) as json
    from old person
  ) old
  join (
    select person.id as id,
      (
        select to_jsonb(row)
        from (
          select person.id as "id", person.email as "email", person.display_name as "displayName",
            person.timezone as "timezone", person.role = 'admin' as "isAdmin",
            person.disabled_at is not null as "disabled",
            person.jobs_stopped_at is not null as "jobsStopped"
        ) row
      ) as json
    from person person
  ) new using (id)
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($4::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else least(user_state.due_at, excluded.stale_since)
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select json_build_object(
  'id', person.id, 'email', person.email, 'displayName', person.display_name, 'timezone',
  person.timezone, 'isAdmin', person.role = 'admin'
)::text as json
from (select * from person union all select * from old where not exists (select from person)) person;
