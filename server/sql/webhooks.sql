-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- webhooks.delete
with gone as (delete from webhooks where user_id = $1 and id = $2 returning *),
  change as (
    select 0 as place, 'webhook.deleted' as type, one.id, one.json as before, null::jsonb as after
    from (
      select webhook.id as id,
        (
          select to_jsonb(row)
          from (
            select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
              webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
              webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
              iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
              iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
          ) row
        ) as json
      from gone webhook
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

-- webhooks.delivered
with log as (
  insert into webhook_deliveries (
    user_id, id, webhook_id, seq, part, type, attempt, at, status, error, duration_ms
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
)
update webhooks
set seq = $4, part = $5, attempts = 0, next_at = null
where user_id = $1 and id = $3 and (seq, part) = ($12::bigint, $13::int)
returning id;

-- webhooks.disable
with old as (select * from webhooks where user_id = $1 and id = $2 for no key update),
  webhook as (
    update webhooks webhook
    set disabled_at = $3, disabled_reason = $4, next_at = null,
      updated_at = greatest(current_timestamp, webhook.updated_at + interval '1 millisecond')
    from old
    where webhook.user_id = $1 and webhook.id = old.id and old.disabled_at is null
    returning webhook.*
  ), change as (
    select 0 as place, 'webhook.disabled' as type, new.id, old.json as before, new.json as after
    from (
      select webhook.id as id,
        (
          select to_jsonb(row)
          from (
            select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
              webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
              webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
              iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
              iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
          ) row
        ) as json
      from old webhook
    ) old
    join (
      select webhook.id as id,
        (
          select to_jsonb(row)
          from (
            select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
              webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
              webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
              iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
              iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
          ) row
        ) as json
      from webhook webhook
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
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $5::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from webhook;

-- webhooks.exists
select first_event from webhooks where user_id = $1 and id = $2;

-- webhooks.failed
with log as (
  insert into webhook_deliveries (
    user_id, id, webhook_id, seq, part, type, attempt, at, status, error, duration_ms
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
), waiting as (
  update webhooks
  set attempts = attempts + 1, next_at = $12
  where user_id = $1 and id = $3
  returning id
)
update user_state
set due_at = least(due_at, $12)
where user_id = $1 and exists (select from waiting);

-- webhooks.find-due
select url, types, secret, case when former_until > $2 then former_secret end as former_secret,
  attempts, seq, part,
  (
    coalesce(webhook.created_by ->> 'kind' = 'key', false)
    and not exists (
      select
      from api_keys key where key.user_id = $1 and key.id = (webhook.created_by ->> 'id')::uuid
        and (key.expires_at is null or key.expires_at > $2)
    )
  ) as is_key_gone
from webhooks webhook
where user_id = $1 and id = $3 and disabled_at is null and (next_at is null or next_at <= $2);

-- webhooks.insert
with webhook as (
  insert into webhooks (user_id, id, url, types, secret, created_by, first_event, seq, part)
  select $1, $2, $3, $4, $5,
    ($8::jsonb - 'reverts') || coalesce(
      (
        select jsonb_build_object('name', key.name)
        from api_keys key where key.user_id = $1 and key.id = ($8::jsonb ->> 'id')::uuid
      ),
      '{}'
    ),
    last.event, last.event,
    coalesce((select max(part) from events where user_id = $1 and seq = last.event), 0)
  from (select coalesce((select last_event from user_state where user_id = $1), 0) as event) last
  where (select count(*) from webhooks where user_id = $1) < $6
  returning *
), change as (
  select 0 as place, 'webhook.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select webhook.id as id,
      (
        select to_jsonb(row)
        from (
          select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
            webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
            webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
            iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
            iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
        ) row
      ) as json
    from webhook webhook
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
      when user_state.history_bytes > ($9::jsonb ->> 'historyBytes')::bigint then least(
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
    change.id, change.before, change.after, $8::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select json_build_object(
  'id', webhook.id, 'url', webhook.url, 'types', to_json(webhook.types), 'enabled',
  webhook.disabled_at is null, 'disabledReason', webhook.disabled_reason, 'lastEventId',
  webhook.seq || '-' || webhook.part, 'attempts', webhook.attempts, 'nextAttemptAt',
  iso(webhook.next_at), 'createdBy', webhook.created_by, 'createdAt', iso(webhook.created_at),
  'updatedAt', iso(webhook.updated_at), 'secret', $7::text
)::text as json
from webhook;

-- webhooks.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
      webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
      webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
      iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
      iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
    from webhooks webhook
    where webhook.user_id = $1
    order by webhook.created_at, webhook.id
  ) row
)::text as json;

-- webhooks.list-deliveries
select (
  select coalesce(json_agg(row), '[]')
  from (
    select delivery.id as "id", delivery.seq || '-' || delivery.part as "eventId",
      delivery.type as "type", delivery.attempt as "attempt", iso(delivery.at) as "at",
      delivery.status as "status", delivery.error as "error", delivery.duration_ms as "durationMs"
    from webhook_deliveries delivery
    where delivery.user_id = $1 and delivery.webhook_id = $2
    order by delivery.at desc, delivery.id desc
    limit 100
  ) row
)::text as json;

-- webhooks.list-sealed
select id, secret, former_secret
from webhooks
where user_id = $1 and (not starts_with(secret, $2) or not starts_with(former_secret, $2));

-- webhooks.next-messages
with asked as (
  select event.*, row_number() over place as place, sum(event.bytes) over place as bytes_so_far
  from (
    select *
    from events
    where events.user_id = $1 and (events.seq, events.part) > ($2::bigint, $3::int)
    order by events.seq asc, events.part asc
    limit 100 + 1
  ) event window place as (order by event.seq asc, event.part asc rows unbounded preceding)
), page as (select * from asked where place <= 100 and (place = 1 or bytes_so_far <= 1000000))
select event.seq, event.part, event.type,
  (
    select to_json(row)
    from (
      select event.seq || '-' || event.part as "id", iso(event.at) as "at", event.type as "type",
        event.record_id as "recordId", event.before as "before", event.after as "after",
        event.actor as "actor"
    ) row
  )::text as json
from page event
order by event.place;

-- webhooks.note
update user_state
set has_webhooks = exists (select from webhooks where user_id = $1 and disabled_at is null),
  due_at = least(due_at, current_timestamp)
where user_id = $1;

-- webhooks.pending
select webhook.id, webhook.next_at
from webhooks webhook
where webhook.user_id = $1 and webhook.disabled_at is null
  and exists (
    select
    from events event
    where event.user_id = $1 and (event.seq, event.part) > (webhook.seq, webhook.part)
  );

-- webhooks.postpone
with waiting as (update webhooks set next_at = $2 where user_id = $1 and id = $3 returning id)
update user_state
set due_at = least(due_at, $2)
where user_id = $1 and exists (select from waiting);

-- webhooks.rewind
with old as (select * from webhooks where user_id = $1 and id = $2 for no key update),
  webhook as (
    update webhooks webhook
    set seq = $3, part = greatest($4::int - 1, 0), attempts = 0, next_at = null,
      updated_at = greatest(current_timestamp, webhook.updated_at + interval '1 millisecond')
    from old
    where webhook.user_id = $1 and webhook.id = old.id
      and (webhook.seq, webhook.part) >= ($3::bigint, $4::int) and webhook.first_event < $3::bigint
    returning webhook.*
  ), change as (
    select 0 as place, 'webhook.updated' as type, new.id, old.json as before, new.json as after
    from (
      select webhook.id as id,
        (
          select to_jsonb(row)
          from (
            select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
              webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
              webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
              iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
              iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
          ) row
        ) as json
      from old webhook
    ) old
    join (
      select webhook.id as id,
        (
          select to_jsonb(row)
          from (
            select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
              webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
              webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
              iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
              iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
          ) row
        ) as json
      from webhook webhook
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
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $5::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select json_build_object(
  'id', webhook.id, 'url', webhook.url, 'types', to_json(webhook.types), 'enabled',
  webhook.disabled_at is null, 'disabledReason', webhook.disabled_reason, 'lastEventId',
  webhook.seq || '-' || webhook.part, 'attempts', webhook.attempts, 'nextAttemptAt',
  iso(webhook.next_at), 'createdBy', webhook.created_by, 'createdAt', iso(webhook.created_at),
  'updatedAt', iso(webhook.updated_at)
)::text as json
from webhook;

-- webhooks.rotate-secret
with old as (select * from webhooks where user_id = $1 and id = $2 for no key update),
  webhook as (
    update webhooks webhook
    set secret = $3, former_secret = old.secret, former_until = $4,
      disabled_at = case when old.disabled_reason = $5::text then null else old.disabled_at end,
      disabled_reason = nullif(old.disabled_reason, $5::text),
      updated_at = greatest(current_timestamp, webhook.updated_at + interval '1 millisecond')
    from old
    where webhook.user_id = $1 and webhook.id = old.id
    returning webhook.*
  ), change as (
    select 0 as place, 'webhook.updated' as type, new.id, old.json as before, new.json as after
    from (
      select webhook.id as id,
        (
          select to_jsonb(row)
          from (
            select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
              webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
              webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
              iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
              iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
          ) row
        ) as json
      from old webhook
    ) old
    join (
      select webhook.id as id,
        (
          select to_jsonb(row)
          from (
            select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
              webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
              webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
              iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
              iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
          ) row
        ) as json
      from webhook webhook
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
select json_build_object('secret', $6::text)::text as json
from webhook;

-- webhooks.seal-secrets
update webhooks set secret = $2, former_secret = $3 where user_id = $1 and id = $4 and secret = $5;

-- webhooks.skip
with skipped as (
  update webhooks
  set seq = $2, part = $3, next_at = null
  where user_id = $1 and id = $4 and (seq, part) = ($5::bigint, $6::int)
  returning id
)
update user_state
set due_at = least(due_at, $7::timestamptz)
where user_id = $1 and $7::timestamptz is not null and exists (select from skipped);

-- webhooks.update
with old as (
  select old.*, old is distinct from jsonb_populate_record(old, $2) as differs
  from webhooks old
  where user_id = $1 and id = $3
  for no key update
), webhook as (
  update webhooks webhook
  set (url, types) = (select url, types from jsonb_populate_record(webhook, $2::jsonb)),
    disabled_at = case
      when $4::boolean then null
      when not $4::boolean then coalesce(webhook.disabled_at, $5)
      else webhook.disabled_at
    end,
    disabled_reason = case when $4::boolean is null then webhook.disabled_reason end,
    attempts = case when $4::boolean then 0 else webhook.attempts end,
    next_at = case when $4::boolean then null else webhook.next_at end,
    created_by = case
      when coalesce($2::jsonb ->> 'url', webhook.url) <> webhook.url
        or ($4::boolean and webhook.disabled_at is not null) then ($6::jsonb - 'reverts') || coalesce(
          (
            select jsonb_build_object('name', key.name)
            from api_keys key where key.user_id = $1 and key.id = ($6::jsonb ->> 'id')::uuid
          ),
          '{}'
        )
      else webhook.created_by
    end,
    updated_at = greatest(current_timestamp, webhook.updated_at + interval '1 millisecond')
  from old
  where webhook.user_id = $1 and webhook.id = old.id
    and (
      old.differs or $4::boolean = (old.disabled_at is not null) or $4::boolean is not null
      and old.disabled_reason is not null or $4::boolean
      and (old.attempts > 0 or old.next_at is not null)
    )
  returning webhook.*, old.differs
), change as (
  select 0 as place, 'webhook.updated' as type, new.id, old.json as before, new.json as after
  from (
    select webhook.id as id,
      (
        select to_jsonb(row)
        from (
          select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
            webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
            webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
            iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
            iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
        ) row
      ) as json
    from old webhook
  ) old
  join (
    select webhook.id as id,
      (
        select to_jsonb(row)
        from (
          select webhook.id as "id", webhook.url as "url", to_json(webhook.types) as "types",
            webhook.disabled_at is null as "enabled", webhook.disabled_reason as "disabledReason",
            webhook.seq || '-' || webhook.part as "lastEventId", webhook.attempts as "attempts",
            iso(webhook.next_at) as "nextAttemptAt", webhook.created_by as "createdBy",
            iso(webhook.created_at) as "createdAt", iso(webhook.updated_at) as "updatedAt"
        ) row
      ) as json
    from webhook webhook
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
select json_build_object(
  'id', webhook.id, 'url', webhook.url, 'types', to_json(webhook.types), 'enabled',
  webhook.disabled_at is null, 'disabledReason', webhook.disabled_reason, 'lastEventId',
  webhook.seq || '-' || webhook.part, 'attempts', webhook.attempts, 'nextAttemptAt',
  iso(webhook.next_at), 'createdBy', webhook.created_by, 'createdAt', iso(webhook.created_at),
  'updatedAt', iso(webhook.updated_at)
)::text as json
from (select * from webhook union all select * from old where not exists (select from webhook)) webhook;
