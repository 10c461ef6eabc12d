-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- auth.account-by-email
select id from auth.users where email = $1;

-- auth.claim-instance
update auth.instance set first_user_id = $1 where first_user_id is null returning first_user_id;

-- auth.end-surplus-sessions
delete from auth.sessions
where user_id = $1
  and (
    expires_at <= $2 or created_at <= $2::timestamptz - 90 * interval '1 day'
    or id in (
      select id from auth.sessions where user_id = $1 order by created_at desc, id desc offset 50
    )
  );

-- auth.give-attempt-back
update auth.attempts set whole_at = whole_at - $1 * interval '1 second' where account = $2;

-- auth.is-claimed
select first_user_id is not null as claimed from auth.instance;

-- auth.key-owner
select key.id, key.scopes, key.expires_at, key.last_used_at, person.role = 'admin' as is_admin
from api_keys key join users person on person.id = $1
where key.user_id = $1 and key.hash = $2 and person.disabled_at is null;

-- auth.key-used
update api_keys set last_used_at = $2 where user_id = $1 and id = $3;

-- auth.make-admin
with account as (update auth.users set role = 'admin' where id = $1),
  old as (select * from users where id = $1 for no key update),
  person as (
    update users person set role = 'admin' from old where person.id = $1 returning person.*
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
        when user_state.history_bytes > ($3::jsonb ->> 'historyBytes')::bigint then least(
          user_state.due_at, excluded.due_at
        )
        else case
          when user_state.has_webhooks
            or user_state.publishes then least(user_state.due_at, excluded.due_at)
          else user_state.due_at
        end
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $2::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from person;

-- auth.provide-profile
with person as (
  insert into users (id, email, display_name, timezone, role, disabled_at)
  select $1, email, name, coalesce($2, 'UTC'), role::user_role,
    case when banned then current_timestamp end
  from auth.users
  where id = $1
  on conflict (id) do nothing
  returning *
), space as (
  insert into spaces (user_id, id, name, is_default)
  select $1, $3, 'Personal', true
  from person
  returning *
), settings as (insert into user_settings (user_id) select $1 from person), change as (
  select 0 as place, 'user.created' as type, one.id, null::jsonb as before, one.json as after
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
    from person person
  ) one
  union all
  select 1 as place, 'space.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select space.id as id,
      (
        select to_jsonb(row)
        from (
          select space.id as "id", space.user_id as "userId", space.name as "name",
            space.color as "color", space.icon as "icon", space.is_default as "isDefault",
            space.sort_order as "sortOrder", iso(space.created_at) as "createdAt",
            iso(space.updated_at) as "updatedAt",
            space.schedule_preference_id as "schedulePreferenceId"
        ) row
      ) as json
    from space space
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, space_count, history_bytes)
  select $1, 1, null, current_timestamp,
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (1)
      ),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
    due_at = case
      when user_state.history_bytes > ($5::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else case
        when user_state.has_webhooks
          or user_state.publishes then least(user_state.due_at, excluded.due_at)
        else user_state.due_at
      end
    end,
    space_count = case
      when excluded.space_count <= 0
        or (user_state.space_count + excluded.space_count > ($5::jsonb ->> 'spaces')::bigint) is not true then user_state.space_count + excluded.space_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from person;

-- auth.replace-secret
update auth.instance set secret = default;

-- auth.secret
select secret from auth.instance;

-- auth.session-owner
select session.user_id,
  least(session.expires_at, session.created_at + 90 * interval '1 day') as expires_at,
  person.role = 'admin' as is_admin, person.disabled_at is not null as disabled
from auth.sessions session
left join users person on person.id = session.user_id
where session.token = $1;

-- auth.set-password
with ended as (delete from auth.sessions where user_id = $1)
update auth.accounts
set password = $2, updated_at = $3
where user_id = $1 and provider_id = 'credential'
returning user_id;

-- auth.take-attempt
with past as (
  delete from auth.attempts
  where account in (
    select account
    from auth.attempts
    where whole_at < $1 and account <> $2
    limit 100
    for update skip locked
  )
)
insert into auth.attempts as known (account, whole_at)
values ($2, $1::timestamptz + $3 * interval '1 second')
on conflict (account) do update
set whole_at = greatest(known.whole_at, $1) + $3 * interval '1 second'
where greatest(known.whole_at, $1) + $3 * interval '1 second' <= $1::timestamptz + $3 * $4 * interval '1 second'
returning account;
