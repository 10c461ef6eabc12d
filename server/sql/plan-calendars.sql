-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- plan-calendars.delete
with gone as (delete from plan_calendars where user_id = $1 and id = $2 returning *),
  change as (
    select 0 as place, 'planCalendar.deleted' as type, one.id, one.json as before,
      null::jsonb as after
    from (
      select calendar.id as id,
        (
          select to_jsonb(row)
          from (
            select calendar.id as "id", calendar.name as "name", calendar.host as "host",
              calendar.username as "username", calendar.detail as "detail",
              calendar.two_way as "twoWay", calendar.removing as "removing",
              calendar.event_count as "eventCount", iso(calendar.synced_at) as "syncedAt",
              calendar.error as "error", iso(calendar.created_at) as "createdAt",
              iso(calendar.updated_at) as "updatedAt"
          ) row
        ) as json
      from gone calendar
    ) one
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at, history_bytes)
    select $1, 1, null, current_timestamp,
      sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
    from change
    having count(*) > 0
    on conflict (user_id) do update
    set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
      due_at = case
        when user_state.history_bytes > ($4::jsonb ->> 'historyBytes')::bigint then least(
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
      change.type, change.id, change.before, change.after, $3::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from gone;

-- plan-calendars.delete-published
delete from published_blocks
where user_id = $1 and plan_calendar_id = $2 and thread = any($3::uuid[]);

-- plan-calendars.find-address
select sealed_url, username from plan_calendars where user_id = $1 and id = $2;

-- plan-calendars.find-target
select calendar.sealed_url, calendar.name, calendar.creates, calendar.username, calendar.host,
  calendar.detail, calendar.two_way, calendar.removing, calendar.sync_token, calendar.sync_tag,
  calendar.next_sync_at, calendar.failures, user_state.last_event, person.timezone
from plan_calendars calendar
join user_state on user_state.user_id = $1
join users person on person.id = $1
where calendar.user_id = $1 and calendar.id = $2 and person.disabled_at is null;

-- plan-calendars.insert
with calendar as (
  insert into plan_calendars (
    user_id, id, name, sealed_url, host, username, detail, two_way, creates
  )
  select $1, $2, $3, $4, $5, $6, $7, $8, $9
  where (select count(*) from plan_calendars where user_id = $1) < $10
  returning *
), change as (
  select 0 as place, 'planCalendar.created' as type, one.id, null::jsonb as before,
    one.json as after
  from (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.host as "host",
            calendar.username as "username", calendar.detail as "detail",
            calendar.two_way as "twoWay", calendar.removing as "removing",
            calendar.event_count as "eventCount", iso(calendar.synced_at) as "syncedAt",
            calendar.error as "error", iso(calendar.created_at) as "createdAt",
            iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from calendar calendar
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, history_bytes)
  select $1, 1, null, current_timestamp,
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1, stale_since = user_state.stale_since,
    due_at = case
      when user_state.history_bytes > ($12::jsonb ->> 'historyBytes')::bigint then least(
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $11::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select (
  select to_json(row)
  from (
    select calendar.id as "id", calendar.name as "name", calendar.host as "host",
      calendar.username as "username", calendar.detail as "detail", calendar.two_way as "twoWay",
      calendar.removing as "removing", calendar.event_count as "eventCount",
      iso(calendar.synced_at) as "syncedAt", calendar.error as "error",
      iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
  ) row
)::text as json
from calendar;

-- plan-calendars.lease-due
update plan_calendars calendar
set leased_until = $2
from user_state
where calendar.user_id = $1 and user_state.user_id = $1
  and (
    select greatest(due.at, calendar.leased_until)
    from (
      select least(
        calendar.next_sync_at,
        case
          when calendar.published_event < user_state.last_event
            and calendar.failures = 0 then coalesce(
              (
                select event.at
                from events event
                where event.user_id = $1 and event.seq > calendar.published_event
                order by event.seq, event.part
                limit 1
              ),
              $3
            ) + interval '10 seconds'
        end
      ) as at
    ) due
    where due.at is not null
  ) <= $3
returning calendar.id;

-- plan-calendars.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select calendar.id as "id", calendar.name as "name", calendar.host as "host",
      calendar.username as "username", calendar.detail as "detail", calendar.two_way as "twoWay",
      calendar.removing as "removing", calendar.event_count as "eventCount",
      iso(calendar.synced_at) as "syncedAt", calendar.error as "error",
      iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
    from plan_calendars calendar
    where calendar.user_id = $1
    order by calendar.created_at, calendar.id
  ) row
)::text as json;

-- plan-calendars.list-published
select thread, etag, is_edited as "isEdited", encode(fingerprint, 'hex') as fingerprint,
  iso(start_at) as "startAt", iso(end_at) as "endAt"
from published_blocks
where user_id = $1 and plan_calendar_id = $2;

-- plan-calendars.list-sealed
select id, sealed_url as sealed
from plan_calendars
where user_id = $1 and not starts_with(sealed_url, $2);

-- plan-calendars.lock
select id from plan_calendars where user_id = $1 and id = $2 and sealed_url = $3 for no key update;

-- plan-calendars.mark-failed
with old as (
  select * from plan_calendars where user_id = $1 and id = $2 and sealed_url = $3 for no key update
), calendar as (
  update plan_calendars calendar
  set next_sync_at = $4, leased_until = null, failures = old.failures + 1, error = $5
  from old
  where calendar.user_id = $1 and calendar.id = old.id
  returning calendar.*
), told as (select calendar.* from calendar, old where calendar.error is distinct from old.error), change as (
  select 0 as place, 'planCalendar.published' as type, new.id, old.json as before, new.json as after
  from (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.host as "host",
            calendar.username as "username", calendar.detail as "detail",
            calendar.two_way as "twoWay", calendar.removing as "removing",
            calendar.event_count as "eventCount", iso(calendar.synced_at) as "syncedAt",
            calendar.error as "error", iso(calendar.created_at) as "createdAt",
            iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from old calendar
  ) old
  join (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.host as "host",
            calendar.username as "username", calendar.detail as "detail",
            calendar.two_way as "twoWay", calendar.removing as "removing",
            calendar.event_count as "eventCount", iso(calendar.synced_at) as "syncedAt",
            calendar.error as "error", iso(calendar.created_at) as "createdAt",
            iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from told calendar
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $6::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select
from told;

-- plan-calendars.mark-published
with old as (select * from plan_calendars where user_id = $1 and id = $2 for no key update),
  calendar as (
    update plan_calendars calendar
    set published_event = $3, sync_token = $4, sync_tag = $5, next_sync_at = $6,
      leased_until = null, failures = 0, error = null, synced_at = $7, event_count = $8,
      creates = false
    from old
    where calendar.user_id = $1 and calendar.id = old.id
    returning calendar.*
  ), told as (select calendar.* from calendar, old where old.error is not null), change as (
    select 0 as place, 'planCalendar.published' as type, new.id, old.json as before,
      new.json as after
    from (
      select calendar.id as id,
        (
          select to_jsonb(row)
          from (
            select calendar.id as "id", calendar.name as "name", calendar.host as "host",
              calendar.username as "username", calendar.detail as "detail",
              calendar.two_way as "twoWay", calendar.removing as "removing",
              calendar.event_count as "eventCount", iso(calendar.synced_at) as "syncedAt",
              calendar.error as "error", iso(calendar.created_at) as "createdAt",
              iso(calendar.updated_at) as "updatedAt"
          ) row
        ) as json
      from old calendar
    ) old
    join (
      select calendar.id as id,
        (
          select to_jsonb(row)
          from (
            select calendar.id as "id", calendar.name as "name", calendar.host as "host",
              calendar.username as "username", calendar.detail as "detail",
              calendar.two_way as "twoWay", calendar.removing as "removing",
              calendar.event_count as "eventCount", iso(calendar.synced_at) as "syncedAt",
              calendar.error as "error", iso(calendar.created_at) as "createdAt",
              iso(calendar.updated_at) as "updatedAt"
          ) row
        ) as json
      from told calendar
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
        when user_state.history_bytes > ($10::jsonb ->> 'historyBytes')::bigint then least(
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
      change.type, change.id, change.before, change.after, $9::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select
from told;

-- plan-calendars.note
update user_state
set publishes = exists (select from plan_calendars where user_id = $1),
  due_at = least(due_at, current_timestamp)
where user_id = $1;

-- plan-calendars.postpone
update plan_calendars set leased_until = $2 where user_id = $1 and id = $3 and sealed_url = $4;

-- plan-calendars.read-plan
select (
  select coalesce(json_agg(row), '[]')
  from (
    select block.id as "id", coalesce(block.thread, block.id) as "thread",
      block.task_id as "taskId",
      coalesce(
        (select task.title from tasks task where task.user_id = $1 and task.id = block.task_id),
        block.title
      ) as "title",
      case when block.source = 'auto' then block.explanation end as "explanation",
      iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
      iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt"
    from (
      select *
      from time_blocks
      where user_id = $1 and status <> 'cancelled' and start_at >= $2 and start_at < $3
      order by abs(extract(epoch from start_at - $4::timestamptz)), id
      limit $5
    ) block
    order by block.start_at, block.id
  ) row
) as blocks;

-- plan-calendars.reseal
update plan_calendars set sealed_url = $2 where user_id = $1 and id = $3 and sealed_url = $4;

-- plan-calendars.update
with old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from plan_calendars old
  where user_id = $1 and id = $3
  for no key update
), calendar as (
  update plan_calendars calendar
  set (name, sealed_url, detail, two_way, removing) = (
    select name, sealed_url, detail, two_way, removing
    from jsonb_populate_record(calendar, $2::jsonb)
  ),
    error = case when not $2::jsonb ? 'sealed_url' then calendar.error end, failures = 0,
    next_sync_at = $4,
    updated_at = greatest(current_timestamp, calendar.updated_at + interval '1 millisecond')
  from old
  where calendar.user_id = $1 and calendar.id = old.id and old.differs
  returning calendar.*, old.differs
), change as (
  select 0 as place, 'planCalendar.updated' as type, new.id, old.json as before, new.json as after
  from (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.host as "host",
            calendar.username as "username", calendar.detail as "detail",
            calendar.two_way as "twoWay", calendar.removing as "removing",
            calendar.event_count as "eventCount", iso(calendar.synced_at) as "syncedAt",
            calendar.error as "error", iso(calendar.created_at) as "createdAt",
            iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from old calendar
  ) old
  join (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.host as "host",
            calendar.username as "username", calendar.detail as "detail",
            calendar.two_way as "twoWay", calendar.removing as "removing",
            calendar.event_count as "eventCount", iso(calendar.synced_at) as "syncedAt",
            calendar.error as "error", iso(calendar.created_at) as "createdAt",
            iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from calendar calendar
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
      when user_state.history_bytes > ($6::jsonb ->> 'historyBytes')::bigint then least(
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $5::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select (
  select to_json(row)
  from (
    select calendar.id as "id", calendar.name as "name", calendar.host as "host",
      calendar.username as "username", calendar.detail as "detail", calendar.two_way as "twoWay",
      calendar.removing as "removing", calendar.event_count as "eventCount",
      iso(calendar.synced_at) as "syncedAt", calendar.error as "error",
      iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
  ) row
)::text as json
from (select * from calendar union all select * from old where not exists (select from calendar)) calendar;

-- plan-calendars.write-published
insert into published_blocks (
  user_id, plan_calendar_id, thread, etag, is_edited, fingerprint, start_at, end_at
)
select $1, $2, given.thread, given.etag, given."isEdited", decode(given.fingerprint, 'hex'),
  given."startAt", given."endAt"
from jsonb_to_recordset($3) as given (
  thread uuid, etag text, "isEdited" boolean, fingerprint text, "startAt" timestamptz,
  "endAt" timestamptz
)
on conflict (user_id, plan_calendar_id, thread) do update
set etag = excluded.etag, is_edited = excluded.is_edited, fingerprint = excluded.fingerprint,
  start_at = excluded.start_at, end_at = excluded.end_at;
