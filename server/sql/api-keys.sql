-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- api-keys.delete
with gone as (delete from api_keys where user_id = $1 and id = $2 returning *),
  active as (
    select *
    from webhooks
    where user_id = $1 and disabled_at is null
      and created_by ->> 'id' = (select gone.id::text from gone)
    order by id
    for no key update
  ), ended as (
    update webhooks webhook
    set disabled_at = $3, disabled_reason = $4, next_at = null,
      updated_at = greatest(current_timestamp, webhook.updated_at + interval '1 millisecond')
    from active
    where webhook.user_id = $1 and webhook.id = active.id
    returning webhook.*
  ), change as (
    select 0 as place, 'apiKey.deleted' as type, one.id, one.json as before, null::jsonb as after
    from (
      select key.id as id,
        (
          select to_jsonb(row)
          from (
            select key.id as "id", key.name as "name", key.prefix as "prefix",
              to_json(key.scopes) as "scopes", iso(key.expires_at) as "expiresAt",
              iso(key.created_at) as "createdAt", iso(key.last_used_at) as "lastUsedAt"
          ) row
        ) as json
      from gone key
    ) one
    union all
    select 1 as place, 'webhook.disabled' as type, new.id, old.json as before, new.json as after
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
      from active webhook
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
      from ended webhook
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
from gone;

-- api-keys.insert
with key as (
  insert into api_keys (user_id, id, name, prefix, hash, scopes, expires_at)
  select $1, $2, $3, $4, $5, $6, $7
  where (
    select count(*)
    from api_keys live
    where live.user_id = $1 and (live.expires_at is null or live.expires_at > $8)
  ) < $9
  returning *
), change as (
  select 0 as place, 'apiKey.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select key.id as id,
      (
        select to_jsonb(row)
        from (
          select key.id as "id", key.name as "name", key.prefix as "prefix",
            to_json(key.scopes) as "scopes", iso(key.expires_at) as "expiresAt",
            iso(key.created_at) as "createdAt", iso(key.last_used_at) as "lastUsedAt"
        ) row
      ) as json
    from key key
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
select json_build_object(
  'id', key.id, 'name', key.name, 'prefix', key.prefix, 'scopes', to_json(key.scopes), 'expiresAt',
  iso(key.expires_at), 'createdAt', iso(key.created_at), 'lastUsedAt', iso(key.last_used_at), 'key',
  $10::text
)::text as json
from key;

-- api-keys.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select key.id as "id", key.name as "name", key.prefix as "prefix",
      to_json(key.scopes) as "scopes", iso(key.expires_at) as "expiresAt",
      iso(key.created_at) as "createdAt", iso(key.last_used_at) as "lastUsedAt"
    from api_keys key where key.user_id = $1
    order by key.created_at desc, key.id desc
  ) row
)::text as json;
