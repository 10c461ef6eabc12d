-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- admin.list-quarantine
select (
  select coalesce(json_agg(row), '[]')
  from (
    select calendar.user_id as "userId", person.email as "email", calendar.id as "calendarId",
      calendar.host as "host", calendar.crashes as "crashes", calendar.error as "error",
      iso(calendar.attempted_at) as "attemptedAt", iso(calendar.next_fetch_at) as "nextFetchAt"
    from calendars calendar
    join users person on person.id = calendar.user_id
    where calendar.crashes > 0
    order by calendar.attempted_at desc
    limit 100
  ) row
)::text as json;

-- admin.list-users
with total as (select count(*) as count from users)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
      from (
        select person.id as "id", person.email as "email", person.display_name as "displayName",
          person.role as "role", person.disabled_at is not null as "disabled",
          person.jobs_stopped_at is not null as "jobsStopped", iso(person.created_at) as "createdAt"
        from users person
        order by person.id
        limit $1::integer
        offset ($2::bigint - 1) * $1::integer
      ) row
    ) as "data",
      json_build_object(
        'page', $2::bigint, 'limit', $1::integer, 'total', total.count, 'pages',
        (total.count + $1::integer - 1) / $1::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- admin.update-user
with account as (
  update auth.users set role = coalesce($2, role), banned = coalesce($3, banned) where id = $1
), ended as (delete from auth.sessions where user_id = $1 and $3), old as (
  select * from users where id = $1 for no key update
), person as (
  update users person
  set role = coalesce($2::user_role, old.role),
    disabled_at = case
      when $3 then coalesce(old.disabled_at, $4) when $3 is null then old.disabled_at
    end,
    jobs_stopped_at = case
      when $5 then coalesce(old.jobs_stopped_at, $4) when $5 is null then old.jobs_stopped_at
    end,
    updated_at = greatest(current_timestamp, person.updated_at + interval '1 millisecond')
  from old
  where person.id = $1
  returning person.*
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
  select $1, 1, null, current_timestamp,
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
    due_at = case
      when user_state.history_bytes > ($7::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else least(user_state.due_at, excluded.due_at)
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $6::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select json_build_object(
  'id', person.id, 'email', person.email, 'displayName', person.display_name, 'role', person.role,
  'disabled', person.disabled_at is not null, 'jobsStopped', person.jobs_stopped_at is not null,
  'createdAt', iso(person.created_at)
)::text as json
from person;
