-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- calendars.apply-reading
with old as (select * from calendars where user_id = $1 and id = $2 for no key update),
  gone as (delete from calendar_events where user_id = $1 and id = any($3::uuid[])),
  written as (
    insert into calendar_events (
      user_id, id, calendar_id, start_at, end_at, all_day, busy, tentative, title, location
    )
    select $1, given.id, $2, given."startAt", given."endAt", given."allDay", given.busy,
      given.tentative, given.title, given.location
    from jsonb_to_recordset($4) as given (
      id uuid, "startAt" timestamptz, "endAt" timestamptz, "allDay" boolean, busy boolean,
      tentative boolean, title text, location text
    )
    on conflict (user_id, id) do update
    set start_at = excluded.start_at, end_at = excluded.end_at, all_day = excluded.all_day,
      busy = excluded.busy, tentative = excluded.tentative, title = excluded.title,
      location = excluded.location
  ), calendar as (
    update calendars calendar
    set fetched_at = $5, changed_at = $5, attempted_at = $5, next_fetch_at = $6, failures = 0,
      crashes = 0, read_by = null, error = null, empty_since = null, etag = $7, last_modified = $8,
      file_hash = $9, read_on = $10, read_in_zone = $11, complete_until = $12, event_count = $13,
      skipped = $14, skipped_count = $15
    from old
    where calendar.user_id = $1 and calendar.id = old.id
    returning calendar.*
  ), change as (
    select 0 as place, 'calendar.refreshed' as type, new.id, old.json as before, new.json as after
    from (
      select calendar.id as id,
        (
          select to_jsonb(row)
          from (
            select calendar.id as "id", calendar.name as "name", calendar.color as "color",
              calendar.shown as "shown", calendar.host as "host",
              coalesce(
                calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
              ) as "kind",
              calendar.username as "username", calendar.account_id as "accountId",
              calendar.blocks as "blocks", calendar.all_day as "allDay",
              calendar.tentative_blocks as "tentativeBlocks",
              calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
              iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
              calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
              iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
              calendar.error as "error", calendar.created_by as "createdBy",
              iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
          ) row
        ) as json
      from old calendar
    ) old
    join (
      select calendar.id as id,
        (
          select to_jsonb(row)
          from (
            select calendar.id as "id", calendar.name as "name", calendar.color as "color",
              calendar.shown as "shown", calendar.host as "host",
              coalesce(
                calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
              ) as "kind",
              calendar.username as "username", calendar.account_id as "accountId",
              calendar.blocks as "blocks", calendar.all_day as "allDay",
              calendar.tentative_blocks as "tentativeBlocks",
              calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
              iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
              calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
              iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
              calendar.error as "error", calendar.created_by as "createdBy",
              iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
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
        when user_state.history_bytes > ($17::jsonb ->> 'historyBytes')::bigint then least(
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
      change.type, change.id, change.before, change.after, $16::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select
from calendar;

-- calendars.apply-reading-and-plan
with old as (select * from calendars where user_id = $1 and id = $2 for no key update),
  gone as (delete from calendar_events where user_id = $1 and id = any($3::uuid[])),
  written as (
    insert into calendar_events (
      user_id, id, calendar_id, start_at, end_at, all_day, busy, tentative, title, location
    )
    select $1, given.id, $2, given."startAt", given."endAt", given."allDay", given.busy,
      given.tentative, given.title, given.location
    from jsonb_to_recordset($4) as given (
      id uuid, "startAt" timestamptz, "endAt" timestamptz, "allDay" boolean, busy boolean,
      tentative boolean, title text, location text
    )
    on conflict (user_id, id) do update
    set start_at = excluded.start_at, end_at = excluded.end_at, all_day = excluded.all_day,
      busy = excluded.busy, tentative = excluded.tentative, title = excluded.title,
      location = excluded.location
  ), calendar as (
    update calendars calendar
    set fetched_at = $5, changed_at = $5, attempted_at = $5, next_fetch_at = $6, failures = 0,
      crashes = 0, read_by = null, error = null, empty_since = null, etag = $7, last_modified = $8,
      file_hash = $9, read_on = $10, read_in_zone = $11, complete_until = $12, event_count = $13,
      skipped = $14, skipped_count = $15
    from old
    where calendar.user_id = $1 and calendar.id = old.id
    returning calendar.*
  ), change as (
    select 0 as place, 'calendar.refreshed' as type, new.id, old.json as before, new.json as after
    from (
      select calendar.id as id,
        (
          select to_jsonb(row)
          from (
            select calendar.id as "id", calendar.name as "name", calendar.color as "color",
              calendar.shown as "shown", calendar.host as "host",
              coalesce(
                calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
              ) as "kind",
              calendar.username as "username", calendar.account_id as "accountId",
              calendar.blocks as "blocks", calendar.all_day as "allDay",
              calendar.tentative_blocks as "tentativeBlocks",
              calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
              iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
              calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
              iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
              calendar.error as "error", calendar.created_by as "createdBy",
              iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
          ) row
        ) as json
      from old calendar
    ) old
    join (
      select calendar.id as id,
        (
          select to_jsonb(row)
          from (
            select calendar.id as "id", calendar.name as "name", calendar.color as "color",
              calendar.shown as "shown", calendar.host as "host",
              coalesce(
                calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
              ) as "kind",
              calendar.username as "username", calendar.account_id as "accountId",
              calendar.blocks as "blocks", calendar.all_day as "allDay",
              calendar.tentative_blocks as "tentativeBlocks",
              calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
              iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
              calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
              iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
              calendar.error as "error", calendar.created_by as "createdBy",
              iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
          ) row
        ) as json
      from calendar calendar
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
        when user_state.history_bytes > ($17::jsonb ->> 'historyBytes')::bigint then least(
          user_state.due_at, excluded.due_at
        )
        else case
          when user_state.has_webhooks
            or user_state.publishes then least(user_state.due_at, excluded.stale_since)
          when user_state.automatic
            or user_state.recurrences_at is not null then least(user_state.due_at, excluded.due_at)
          else user_state.due_at
        end
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $16::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select
from calendar;

-- calendars.begin-reading
update calendars set read_by = $2 where user_id = $1 and id = $3 and sealed_url = $4;

-- calendars.delete
with gone as (delete from calendars where user_id = $1 and id = $2 returning *),
  change as (
    select 0 as place, 'calendar.deleted' as type, one.id, one.json as before, null::jsonb as after
    from (
      select calendar.id as id,
        (
          select to_jsonb(row)
          from (
            select calendar.id as "id", calendar.name as "name", calendar.color as "color",
              calendar.shown as "shown", calendar.host as "host",
              coalesce(
                calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
              ) as "kind",
              calendar.username as "username", calendar.account_id as "accountId",
              calendar.blocks as "blocks", calendar.all_day as "allDay",
              calendar.tentative_blocks as "tentativeBlocks",
              calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
              iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
              calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
              iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
              calendar.error as "error", calendar.created_by as "createdBy",
              iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
          ) row
        ) as json
      from gone calendar
    ) one
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
        else case
          when user_state.has_webhooks
            or user_state.publishes then least(user_state.due_at, excluded.stale_since)
          when user_state.automatic
            or user_state.recurrences_at is not null then least(user_state.due_at, excluded.due_at)
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

-- calendars.find
select (
  select to_json(row)
  from (
    select calendar.id as "id", calendar.name as "name", calendar.color as "color",
      calendar.shown as "shown", calendar.host as "host",
      coalesce(calendar.provider, case when calendar.username is null then 'file' else 'caldav' end) as "kind",
      calendar.username as "username", calendar.account_id as "accountId",
      calendar.blocks as "blocks", calendar.all_day as "allDay",
      calendar.tentative_blocks as "tentativeBlocks", calendar.padding_minutes as "paddingMinutes",
      calendar.event_count as "eventCount", iso(calendar.complete_until) as "completeUntil",
      calendar.skipped as "skipped", calendar.skipped_count as "skippedCount",
      iso(calendar.fetched_at) as "fetchedAt", iso(calendar.changed_at) as "changedAt",
      iso(calendar.next_fetch_at) as "nextFetchAt", calendar.error as "error",
      calendar.created_by as "createdBy", iso(calendar.created_at) as "createdAt",
      iso(calendar.updated_at) as "updatedAt"
  ) row
)::text as json
from calendars calendar
where calendar.user_id = $1 and calendar.id = $2;

-- calendars.find-own-threads
select coalesce(thread, id) as thread
from time_blocks
where user_id = $1 and status <> 'cancelled' and coalesce(thread, id) = any($2::uuid[])
union
select coalesce(thread, id)
from time_blocks
where user_id = $1 and status = 'cancelled' and cancelled_at > $3
  and coalesce(thread, id) = any($2::uuid[]);

-- calendars.find-subscription
select calendar.sealed_url, calendar.username,
  (
    select json_build_object(
      'id', account.id, 'kind', account.kind, 'sealedTokens', account.sealed_tokens
    )
    from connected_accounts account
    where account.user_id = $1 and account.id = calendar.account_id
  ) as account,
  calendar.sync_token, calendar.sync_tag, calendar.host, calendar.etag, calendar.last_modified,
  calendar.file_hash, calendar.read_on::text, calendar.read_in_zone, calendar.event_count,
  calendar.failures, calendar.crashes, calendar.read_by, calendar.empty_since, person.timezone,
  person.email,
  (
    select coalesce(sum(other.event_count), 0)::int
    from calendars other
    where other.user_id = $1 and other.id <> $2
  ) as others,
  (
    coalesce(calendar.created_by ->> 'kind' = 'key', false)
    and not exists (
      select
      from api_keys key where key.user_id = $1 and key.id = (calendar.created_by ->> 'id')::uuid
        and (key.expires_at is null or key.expires_at > $3)
    )
  ) as is_key_gone
from calendars calendar
join users person on person.id = $1
where calendar.user_id = $1 and calendar.id = $2 and person.disabled_at is null
  and person.jobs_stopped_at is null;

-- calendars.find-user
select timezone, email from users where id = $1;

-- calendars.insert
with calendar as (
  insert into calendars (
    user_id, id, name, color, shown, sealed_url, host, username, account_id, provider, blocks,
    all_day, tentative_blocks, padding_minutes, next_fetch_at, created_by
  )
  select $1, $2, $3, $4, $5, $6, $7, $8, $9,
    (select kind from connected_accounts where user_id = $1 and id = $9), $10, $11, $12, $13, $14,
    ($16::jsonb - 'reverts') || coalesce(
      (
        select jsonb_build_object('name', key.name)
        from api_keys key where key.user_id = $1 and key.id = ($16::jsonb ->> 'id')::uuid
      ),
      '{}'
    )
  where (select count(*) from calendars where user_id = $1) < $15
  returning *
), change as (
  select 0 as place, 'calendar.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.color as "color",
            calendar.shown as "shown", calendar.host as "host",
            coalesce(
              calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
            ) as "kind",
            calendar.username as "username", calendar.account_id as "accountId",
            calendar.blocks as "blocks", calendar.all_day as "allDay",
            calendar.tentative_blocks as "tentativeBlocks",
            calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
            iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
            calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
            iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
            calendar.error as "error", calendar.created_by as "createdBy",
            iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
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
      when user_state.history_bytes > ($17::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else least(user_state.due_at, excluded.due_at)
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $16::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select (
  select to_json(row)
  from (
    select calendar.id as "id", calendar.name as "name", calendar.color as "color",
      calendar.shown as "shown", calendar.host as "host",
      coalesce(calendar.provider, case when calendar.username is null then 'file' else 'caldav' end) as "kind",
      calendar.username as "username", calendar.account_id as "accountId",
      calendar.blocks as "blocks", calendar.all_day as "allDay",
      calendar.tentative_blocks as "tentativeBlocks", calendar.padding_minutes as "paddingMinutes",
      calendar.event_count as "eventCount", iso(calendar.complete_until) as "completeUntil",
      calendar.skipped as "skipped", calendar.skipped_count as "skippedCount",
      iso(calendar.fetched_at) as "fetchedAt", iso(calendar.changed_at) as "changedAt",
      iso(calendar.next_fetch_at) as "nextFetchAt", calendar.error as "error",
      calendar.created_by as "createdBy", iso(calendar.created_at) as "createdAt",
      iso(calendar.updated_at) as "updatedAt"
  ) row
)::text as json
from calendar;

-- calendars.lease-due
update calendars
set next_fetch_at = $2
where user_id = $1
  and (next_fetch_at <= $3 or failures = 0 and next_fetch_at > $3::timestamptz + interval '1 hour')
returning id;

-- calendars.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select calendar.id as "id", calendar.name as "name", calendar.color as "color",
      calendar.shown as "shown", calendar.host as "host",
      coalesce(calendar.provider, case when calendar.username is null then 'file' else 'caldav' end) as "kind",
      calendar.username as "username", calendar.account_id as "accountId",
      calendar.blocks as "blocks", calendar.all_day as "allDay",
      calendar.tentative_blocks as "tentativeBlocks", calendar.padding_minutes as "paddingMinutes",
      calendar.event_count as "eventCount", iso(calendar.complete_until) as "completeUntil",
      calendar.skipped as "skipped", calendar.skipped_count as "skippedCount",
      iso(calendar.fetched_at) as "fetchedAt", iso(calendar.changed_at) as "changedAt",
      iso(calendar.next_fetch_at) as "nextFetchAt", calendar.error as "error",
      calendar.created_by as "createdBy", iso(calendar.created_at) as "createdAt",
      iso(calendar.updated_at) as "updatedAt"
    from calendars calendar
    where calendar.user_id = $1
    order by calendar.created_at, calendar.id
  ) row
)::text as json;

-- calendars.list-events
select (
  select coalesce(json_agg(row), '[]')
  from (
    select event.id as "id", event.calendar_id as "calendarId", event.title as "title",
      event.location as "location", iso(event.start_at) as "startAt", iso(event.end_at) as "endAt",
      event.all_day as "allDay", event.tentative as "tentative", calendar.blocks
      and (calendar.tentative_blocks or not event.tentative)
      and case
        when event.all_day and calendar.all_day <> 'marked' then calendar.all_day = 'always'
        else event.busy
      end as "blocks"
    from calendar_events event
    join calendars calendar on calendar.user_id = $1 and calendar.id = event.calendar_id
    where event.user_id = $1 and event.end_at > $2 and event.start_at < $3
    order by event.start_at, event.end_at, event.id
    limit 5000
  ) row
)::text as json;

-- calendars.list-sealed
select id, sealed_url as sealed
from calendars
where user_id = $1 and not starts_with(sealed_url, $2);

-- calendars.list-stored-events
select coalesce(
  json_agg(
    json_build_object(
      'id', id, 'startAt', iso(start_at), 'endAt', iso(end_at), 'allDay', all_day, 'busy', busy,
      'tentative', tentative, 'title', title, 'location', location
    )
  ),
  '[]'
)::text as json
from calendar_events
where user_id = $1 and calendar_id = $2;

-- calendars.lock
select id
from calendars
where user_id = $1 and id = $2 and sealed_url = $3 and read_by = $4
for no key update;

-- calendars.mark-failed
with old as (
  select * from calendars where user_id = $1 and id = $2 and sealed_url = $3 for no key update
), calendar as (
  update calendars calendar
  set next_fetch_at = $4, failures = old.failures + 1, error = $5,
    crashes = coalesce($6, old.crashes), read_by = null, attempted_at = $7,
    empty_since = coalesce(old.empty_since, $8)
  from old
  where calendar.user_id = $1 and calendar.id = old.id
  returning calendar.*
), told as (select calendar.* from calendar, old where calendar.error is distinct from old.error), change as (
  select 0 as place, 'calendar.refreshed' as type, new.id, old.json as before, new.json as after
  from (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.color as "color",
            calendar.shown as "shown", calendar.host as "host",
            coalesce(
              calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
            ) as "kind",
            calendar.username as "username", calendar.account_id as "accountId",
            calendar.blocks as "blocks", calendar.all_day as "allDay",
            calendar.tentative_blocks as "tentativeBlocks",
            calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
            iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
            calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
            iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
            calendar.error as "error", calendar.created_by as "createdBy",
            iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from old calendar
  ) old
  join (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.color as "color",
            calendar.shown as "shown", calendar.host as "host",
            coalesce(
              calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
            ) as "kind",
            calendar.username as "username", calendar.account_id as "accountId",
            calendar.blocks as "blocks", calendar.all_day as "allDay",
            calendar.tentative_blocks as "tentativeBlocks",
            calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
            iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
            calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
            iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
            calendar.error as "error", calendar.created_by as "createdBy",
            iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $9::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select
from told;

-- calendars.mark-read
update calendars
set etag = $2, last_modified = $3, file_hash = $4, read_on = $5, read_in_zone = $6,
  complete_until = $7
where user_id = $1 and id = $8;

-- calendars.mark-unchanged
with old as (
  select * from calendars where user_id = $1 and id = $2 and sealed_url = $3 for no key update
), calendar as (
  update calendars calendar
  set fetched_at = $4, attempted_at = $4, next_fetch_at = $5, failures = 0, crashes = 0,
    error = null, empty_since = null, read_by = null
  from old
  where calendar.user_id = $1 and calendar.id = old.id
  returning calendar.*
), told as (select calendar.* from calendar, old where old.error is not null), change as (
  select 0 as place, 'calendar.refreshed' as type, new.id, old.json as before, new.json as after
  from (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.color as "color",
            calendar.shown as "shown", calendar.host as "host",
            coalesce(
              calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
            ) as "kind",
            calendar.username as "username", calendar.account_id as "accountId",
            calendar.blocks as "blocks", calendar.all_day as "allDay",
            calendar.tentative_blocks as "tentativeBlocks",
            calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
            iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
            calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
            iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
            calendar.error as "error", calendar.created_by as "createdBy",
            iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from old calendar
  ) old
  join (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.color as "color",
            calendar.shown as "shown", calendar.host as "host",
            coalesce(
              calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
            ) as "kind",
            calendar.username as "username", calendar.account_id as "accountId",
            calendar.blocks as "blocks", calendar.all_day as "allDay",
            calendar.tentative_blocks as "tentativeBlocks",
            calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
            iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
            calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
            iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
            calendar.error as "error", calendar.created_by as "createdBy",
            iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
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

-- calendars.postpone
with calendar as (
  update calendars
  set next_fetch_at = $2, read_by = null
  where user_id = $1 and id = $3 and sealed_url = $4
)
update user_state
set due_at = least(due_at, $2)
where user_id = $1;

-- calendars.request-fetch
with old as (
  select calendar.id, calendar.next_fetch_at is null
    and (
      coalesce(calendar.created_by ->> 'kind' = 'key', false)
      and not exists (
        select
        from api_keys key where key.user_id = $1 and key.id = (calendar.created_by ->> 'id')::uuid
          and (key.expires_at is null or key.expires_at > $2)
      )
    ) as is_taken_over
  from calendars calendar
  where calendar.user_id = $1 and calendar.id = $3
  for no key update
), calendar as (
  update calendars calendar
  set created_by = case
    when old.is_taken_over then ($4::jsonb - 'reverts') || coalesce(
      (
        select jsonb_build_object('name', key.name)
        from api_keys key where key.user_id = $1 and key.id = ($4::jsonb ->> 'id')::uuid
      ),
      '{}'
    )
    else calendar.created_by
  end,
    next_fetch_at = case
      when crashes > 0 or not old.is_taken_over
        and attempted_at between $2::timestamptz - case
          when failures = 0 then interval '30 seconds' else interval '15 minutes'
        end
        and $2 then next_fetch_at
      else least(next_fetch_at, $2)
    end
  from old
  where calendar.user_id = $1 and calendar.id = old.id
  returning calendar.*
), due as (
  update user_state
  set due_at = least(due_at, $2)
  where user_id = $1 and exists (select from calendar)
)
select (
  select to_json(row)
  from (
    select calendar.id as "id", calendar.name as "name", calendar.color as "color",
      calendar.shown as "shown", calendar.host as "host",
      coalesce(calendar.provider, case when calendar.username is null then 'file' else 'caldav' end) as "kind",
      calendar.username as "username", calendar.account_id as "accountId",
      calendar.blocks as "blocks", calendar.all_day as "allDay",
      calendar.tentative_blocks as "tentativeBlocks", calendar.padding_minutes as "paddingMinutes",
      calendar.event_count as "eventCount", iso(calendar.complete_until) as "completeUntil",
      calendar.skipped as "skipped", calendar.skipped_count as "skippedCount",
      iso(calendar.fetched_at) as "fetchedAt", iso(calendar.changed_at) as "changedAt",
      iso(calendar.next_fetch_at) as "nextFetchAt", calendar.error as "error",
      calendar.created_by as "createdBy", iso(calendar.created_at) as "createdAt",
      iso(calendar.updated_at) as "updatedAt"
  ) row
)::text as json
from calendar;

-- calendars.reseal
update calendars set sealed_url = $2 where user_id = $1 and id = $3 and sealed_url = $4;

-- calendars.update
with old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from calendars old
  where user_id = $1 and id = $3
  for no key update
), calendar as (
  update calendars calendar
  set (
    name, color, shown, sealed_url, host, username, account_id, provider, blocks, all_day,
    tentative_blocks, padding_minutes
  ) = (
    select name, color, shown, sealed_url, host, username, account_id, provider, blocks, all_day,
      tentative_blocks, padding_minutes
    from jsonb_populate_record(calendar, $2::jsonb)
  ),
    sync_token = case when not $2::jsonb ? 'sealed_url' then calendar.sync_token end,
    sync_tag = case when not $2::jsonb ? 'sealed_url' then calendar.sync_tag end,
    etag = case when not $2::jsonb ? 'sealed_url' then calendar.etag end,
    last_modified = case when not $2::jsonb ? 'sealed_url' then calendar.last_modified end,
    file_hash = case when not $2::jsonb ? 'sealed_url' then calendar.file_hash end,
    error = case when not $2::jsonb ? 'sealed_url' then calendar.error end,
    failures = case when $2::jsonb ? 'sealed_url' then 0 else calendar.failures end,
    crashes = case when $2::jsonb ? 'sealed_url' then 0 else calendar.crashes end,
    created_by = case
      when $2::jsonb ? 'sealed_url' then ($5::jsonb - 'reverts') || coalesce(
        (
          select jsonb_build_object('name', key.name)
          from api_keys key where key.user_id = $1 and key.id = ($5::jsonb ->> 'id')::uuid
        ),
        '{}'
      )
      else calendar.created_by
    end,
    read_by = case when not $2::jsonb ? 'sealed_url' then calendar.read_by end,
    next_fetch_at = case when $2::jsonb ? 'sealed_url' then $4 else calendar.next_fetch_at end,
    updated_at = greatest(current_timestamp, calendar.updated_at + interval '1 millisecond')
  from old
  where calendar.user_id = $1 and calendar.id = old.id and old.differs
  returning calendar.*, old.differs
), change as (
  select 0 as place, 'calendar.updated' as type, new.id, old.json as before, new.json as after
  from (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.color as "color",
            calendar.shown as "shown", calendar.host as "host",
            coalesce(
              calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
            ) as "kind",
            calendar.username as "username", calendar.account_id as "accountId",
            calendar.blocks as "blocks", calendar.all_day as "allDay",
            calendar.tentative_blocks as "tentativeBlocks",
            calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
            iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
            calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
            iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
            calendar.error as "error", calendar.created_by as "createdBy",
            iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from old calendar
  ) old
  join (
    select calendar.id as id,
      (
        select to_jsonb(row)
        from (
          select calendar.id as "id", calendar.name as "name", calendar.color as "color",
            calendar.shown as "shown", calendar.host as "host",
            coalesce(
              calendar.provider, case when calendar.username is null then 'file' else 'caldav' end
            ) as "kind",
            calendar.username as "username", calendar.account_id as "accountId",
            calendar.blocks as "blocks", calendar.all_day as "allDay",
            calendar.tentative_blocks as "tentativeBlocks",
            calendar.padding_minutes as "paddingMinutes", calendar.event_count as "eventCount",
            iso(calendar.complete_until) as "completeUntil", calendar.skipped as "skipped",
            calendar.skipped_count as "skippedCount", iso(calendar.fetched_at) as "fetchedAt",
            iso(calendar.changed_at) as "changedAt", iso(calendar.next_fetch_at) as "nextFetchAt",
            calendar.error as "error", calendar.created_by as "createdBy",
            iso(calendar.created_at) as "createdAt", iso(calendar.updated_at) as "updatedAt"
        ) row
      ) as json
    from calendar calendar
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
      when user_state.history_bytes > ($6::jsonb ->> 'historyBytes')::bigint then least(
        user_state.due_at, excluded.due_at
      )
      else least(user_state.due_at, excluded.stale_since)
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
    select calendar.id as "id", calendar.name as "name", calendar.color as "color",
      calendar.shown as "shown", calendar.host as "host",
      coalesce(calendar.provider, case when calendar.username is null then 'file' else 'caldav' end) as "kind",
      calendar.username as "username", calendar.account_id as "accountId",
      calendar.blocks as "blocks", calendar.all_day as "allDay",
      calendar.tentative_blocks as "tentativeBlocks", calendar.padding_minutes as "paddingMinutes",
      calendar.event_count as "eventCount", iso(calendar.complete_until) as "completeUntil",
      calendar.skipped as "skipped", calendar.skipped_count as "skippedCount",
      iso(calendar.fetched_at) as "fetchedAt", iso(calendar.changed_at) as "changedAt",
      iso(calendar.next_fetch_at) as "nextFetchAt", calendar.error as "error",
      calendar.created_by as "createdBy", iso(calendar.created_at) as "createdAt",
      iso(calendar.updated_at) as "updatedAt"
  ) row
)::text as json
from (select * from calendar union all select * from old where not exists (select from calendar)) calendar;
