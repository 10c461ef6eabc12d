-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- notifications.at-risk-tasks
select task.id, task.title, task.due_at
from tasks task
where task.user_id = $1 and task.status < 'completed'
  and task.due_at between $2::timestamptz and $2::timestamptz + interval '24 hours'
  and not exists (
    select
    from time_blocks block
    where block.user_id = $1 and block.task_id = task.id
      and block.status in ('scheduled', 'in_progress')
      and block.start_at > $2::timestamptz - interval '24 hours' and block.end_at > $2
  )
order by task.due_at, task.id;

-- notifications.covered-tasks
select distinct jsonb_array_elements_text(metadata -> 'taskIds') as task_id
from notifications
where user_id = $1 and type = 'at_risk_deadline'
  and created_at > $2::timestamptz - interval '6 hours';

-- notifications.insert
with notification as (
  insert into notifications (user_id, id, type, title, body, metadata, once, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (user_id, type, once) do nothing
  returning *
), change as (
  select 0 as place, 'notification.created' as type, one.id, null::jsonb as before,
    one.json as after
  from (
    select notification.id as id,
      (
        select to_jsonb(row)
        from (
          select notification.id as "id", notification.user_id as "userId",
            notification.type as "type", notification.title as "title", notification.body as "body",
            notification.read as "read", notification.metadata as "metadata",
            iso(notification.created_at) as "createdAt"
        ) row
      ) as json
    from notification notification
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, notification_count, history_bytes
  )
  select $1, 1, null, current_timestamp,
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (0)
      ),
      0
    ),
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
    notification_count = case
      when excluded.notification_count <= 0
        or (
          user_state.notification_count + excluded.notification_count > (
            $10::jsonb ->> 'notifications'
          )::bigint
        ) is not true then user_state.notification_count + excluded.notification_count
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
select id
from notification;

-- notifications.list
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
      from (
        select notification.id as "id", notification.user_id as "userId",
          notification.type as "type", notification.title as "title", notification.body as "body",
          notification.read as "read", notification.metadata as "metadata",
          iso(notification.created_at) as "createdAt"
        from notifications notification
        where notification.user_id = $1
        order by notification.created_at desc, notification.id desc
        limit 50
      ) row
    ) as "notifications",
      (select count(*) from notifications where user_id = $1 and not read) as "unreadCount"
  ) row
)::text as json;

-- notifications.outlook
select (
  select coalesce(json_agg(row), '[]')
  from (
    select block.id as "id",
      coalesce(
        (select task.title from tasks task where task.user_id = $1 and task.id = block.task_id),
        block.title
      ) as "title",
      block.start_at as "start_at", block.end_at as "end_at"
    from time_blocks block
    where block.user_id = $1 and block.start_at >= $2 and block.start_at < $3
      and block.status <> 'cancelled'
    order by block.start_at, block.id
  ) row
) as planned,
  (
    select coalesce(json_agg(row), '[]')
    from (
      select task.id as "id", task.title as "title", task.due_at as "due_at"
      from tasks task
      where task.user_id = $1 and task.status < 'completed'
        and (
          task.due_at < $4::timestamptz or task.auto_schedule and task.due_at <= $5
          and task.id in (
            select jsonb_array_elements_text(run.summary #> '{result,unscheduledTaskIds}')::uuid
            from (
              select summary
              from planner_runs
              where user_id = $1 and state = 'applied'
              order by created_at desc, id desc
              limit 1
            ) run
          )
          and not exists (
            select
            from projects project
            where project.user_id = $1 and project.id = task.project_id
              and not project.auto_schedule
          )
          and coalesce(
            task.estimate_minutes, (select assumed_minutes from user_settings where user_id = $1)
          ) * interval '1 minute' > (
            select coalesce(sum(upper(part) - lower(part)), interval '0')
            from unnest(
              (
                select range_agg(tstzrange(block.start_at, block.end_at))
                from time_blocks block
                where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
              )
            ) part
          )
          or exists (
            select
            from time_blocks block
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
              and block.end_at > task.due_at
              and block.start_at > $4::timestamptz - interval '24 hours' and block.end_at > $4
          )
        )
      order by task.due_at, task.id
    ) row
  ) as at_risk;

-- notifications.read
with old as (
  select old as was, id, read
  from notifications old
  where user_id = $1 and id = $2
  for no key update
), marked as (
  update notifications notification
  set read = true
  from old
  where notification.user_id = $1 and notification.id = old.id and not old.read
  returning notification.*, old.was
), change as (
  select 0 as place, 'notification.updated' as type, notification.id as id,
    (
      select to_jsonb(row)
      from (
        select notification.id as "id", notification.user_id as "userId",
          notification.type as "type", notification.title as "title", notification.body as "body",
          notification.read as "read", notification.metadata as "metadata",
          iso(notification.created_at) as "createdAt"
        from (select (notification.was).*) notification
      ) row
    ) as before,
    (
      select to_jsonb(row)
      from (
        select notification.id as "id", notification.user_id as "userId",
          notification.type as "type", notification.title as "title", notification.body as "body",
          notification.read as "read", notification.metadata as "metadata",
          iso(notification.created_at) as "createdAt"
      ) row
    ) as after
  from marked notification
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $3::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from old;

-- notifications.read-all
with old as (
  select old as was, id
  from notifications old
  where user_id = $1 and not read
  order by id
  for no key update
), marked as (
  update notifications notification
  set read = true
  from old
  where notification.user_id = $1 and notification.id = old.id
  returning notification.*, old.was
), change as (
  select 0 as place, 'notification.updated' as type, notification.id as id,
    (
      select to_jsonb(row)
      from (
        select notification.id as "id", notification.user_id as "userId",
          notification.type as "type", notification.title as "title", notification.body as "body",
          notification.read as "read", notification.metadata as "metadata",
          iso(notification.created_at) as "createdAt"
        from (select (notification.was).*) notification
      ) row
    ) as before,
    (
      select to_jsonb(row)
      from (
        select notification.id as "id", notification.user_id as "userId",
          notification.type as "type", notification.title as "title", notification.body as "body",
          notification.read as "read", notification.metadata as "metadata",
          iso(notification.created_at) as "createdAt"
      ) row
    ) as after
  from marked notification
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $2::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select json_build_object('markedRead', (select count(*) from marked))::text as json;

-- notifications.unread
select (select count(*) from notifications where user_id = $1 and not read) as count;
