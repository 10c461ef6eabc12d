-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- connected-accounts.delete
with calendar as (delete from calendars where user_id = $1 and account_id = $2 returning *),
  gone as (delete from connected_accounts where user_id = $1 and id = $2 returning *),
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
      from calendar calendar
    ) one
    union all
    select 1 as place, 'connectedAccount.deleted' as type, one.id, one.json as before,
      null::jsonb as after
    from (
      select account.id as id,
        (
          select to_jsonb(row)
          from (
            select account.id as "id", account.kind as "kind", account.email as "email",
              iso(account.created_at) as "createdAt"
          ) row
        ) as json
      from gone account
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

-- connected-accounts.find
select id, kind, sealed_tokens as "sealedTokens"
from connected_accounts
where user_id = $1 and id = $2;

-- connected-accounts.insert
with known as (select id from connected_accounts where user_id = $1 and kind = $2 and email = $3),
  account as (
    insert into connected_accounts (user_id, id, kind, email, sealed_tokens)
    select $1, $4, $2, $3, $5
    where (select count(*) from connected_accounts where user_id = $1) < $6
      or exists (select from known)
    on conflict (user_id, kind, email) do update
    set sealed_tokens = excluded.sealed_tokens
    returning *
  ), added as (select account.* from account where not exists (select from known)), change as (
    select 0 as place, 'connectedAccount.created' as type, one.id, null::jsonb as before,
      one.json as after
    from (
      select account.id as id,
        (
          select to_jsonb(row)
          from (
            select account.id as "id", account.kind as "kind", account.email as "email",
              iso(account.created_at) as "createdAt"
          ) row
        ) as json
      from added account
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
        when user_state.history_bytes > ($8::jsonb ->> 'historyBytes')::bigint then least(
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
      change.type, change.id, change.before, change.after, $7::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select (
  select to_json(row)
  from (
    select account.id as "id", account.kind as "kind", account.email as "email",
      iso(account.created_at) as "createdAt"
  ) row
)::text as json
from account;

-- connected-accounts.list
select json_build_object(
  'kinds', $2::jsonb, 'accounts',
  (
    select coalesce(json_agg(row), '[]')
    from (
      select account.id as "id", account.kind as "kind", account.email as "email",
        iso(account.created_at) as "createdAt"
      from connected_accounts account
      where account.user_id = $1
      order by account.created_at, account.id
    ) row
  )
)::text as json;

-- connected-accounts.list-sealed
select id, sealed_tokens as sealed
from connected_accounts
where user_id = $1 and not starts_with(sealed_tokens, $2);

-- connected-accounts.replace-tokens
update connected_accounts
set sealed_tokens = $2
where user_id = $1 and id = $3 and sealed_tokens = $4;

-- connected-accounts.reseal
update connected_accounts
set sealed_tokens = $2
where user_id = $1 and id = $3 and sealed_tokens = $4;

-- connected-accounts.resume-calendars
with due as (
  update calendars
  set next_fetch_at = $2
  where user_id = $1 and next_fetch_at is null
    and account_id = (
      select id from connected_accounts where user_id = $1 and kind = $3 and email = $4
    )
  returning id
)
update user_state
set due_at = least(due_at, $2)
where user_id = $1 and exists (select from due);

-- connected-accounts.take-state
insert into user_state (user_id, used_state_until)
values ($1, $2)
on conflict (user_id) do update
set used_state_until = excluded.used_state_until
where user_state.used_state_until is null or user_state.used_state_until < excluded.used_state_until
returning user_id as "userId";
