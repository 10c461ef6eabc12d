-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- feeds.delete
with gone as (delete from feeds where user_id = $1 and id = $2 returning *),
  change as (
    select 0 as place, 'feed.deleted' as type, one.id, one.json as before, null::jsonb as after
    from (
      select feed.id as id,
        (
          select to_jsonb(row)
          from (
            select feed.id as "id", feed.name as "name", feed.detail as "detail",
              iso(feed.created_at) as "createdAt", iso(feed.last_read_at) as "lastReadAt"
          ) row
        ) as json
      from gone feed
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

-- feeds.find
select feed.id, feed.name, feed.detail, feed.last_read_at,
  coalesce((select last_event from user_state where user_id = $1), 0) as last_event
from feeds feed
join users person on person.id = $1
where feed.user_id = $1 and feed.hash = $2 and person.disabled_at is null;

-- feeds.insert
with feed as (
  insert into feeds (user_id, id, name, detail, hash)
  select $1, $2, $3, $4, $5
  where (select count(*) from feeds where user_id = $1) < $6
  returning *
), change as (
  select 0 as place, 'feed.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select feed.id as id,
      (
        select to_jsonb(row)
        from (
          select feed.id as "id", feed.name as "name", feed.detail as "detail",
            iso(feed.created_at) as "createdAt", iso(feed.last_read_at) as "lastReadAt"
        ) row
      ) as json
    from feed feed
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
  'id', feed.id, 'name', feed.name, 'detail', feed.detail, 'createdAt', iso(feed.created_at),
  'lastReadAt', iso(feed.last_read_at), 'path', $7::text
)::text as json
from feed;

-- feeds.list
select (
  select coalesce(json_agg(row), '[]')
  from (
    select feed.id as "id", feed.name as "name", feed.detail as "detail",
      iso(feed.created_at) as "createdAt", iso(feed.last_read_at) as "lastReadAt"
    from feeds feed
    where feed.user_id = $1
    order by feed.created_at desc, feed.id desc
  ) row
)::text as json;

-- feeds.list-blocks
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

-- feeds.note-read
update feeds set last_read_at = $2 where user_id = $1 and id = $3;
