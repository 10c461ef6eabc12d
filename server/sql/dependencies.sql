-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- dependencies.delete
with gone as (
  delete from task_dependencies
  where user_id = $1 and task_id = $2 and depends_on_task_id = $3
  returning *
), change as (
  select 0 as place, 'dependency.deleted' as type, one.id, one.json as before, null::jsonb as after
  from (
    select dependency.id as id,
      (
        select to_jsonb(row)
        from (
          select dependency.id as "id", dependency.user_id as "userId",
            dependency.task_id as "taskId", dependency.depends_on_task_id as "dependsOnTaskId",
            iso(dependency.created_at) as "createdAt"
        ) row
      ) as json
    from gone dependency
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, dependency_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
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
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($5::jsonb ->> 'historyBytes')::bigint then least(
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
    dependency_count = case
      when excluded.dependency_count <= 0
        or (
          user_state.dependency_count + excluded.dependency_count > ($5::jsonb ->> 'dependencies')::bigint
        ) is not true then user_state.dependency_count + excluded.dependency_count
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
from gone;

-- dependencies.find
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
      from (
        select dependency.id as "id", dependency.user_id as "userId",
          dependency.task_id as "taskId", dependency.depends_on_task_id as "dependsOnTaskId",
          iso(dependency.created_at) as "createdAt",
          json_build_object('id', task.id, 'title', task.title, 'status', task.status) as "task"
        from task_dependencies dependency
        join tasks task on task.user_id = $1 and task.id = dependency.depends_on_task_id
        where dependency.user_id = $1 and dependency.task_id = $2
        order by dependency.id
      ) row
    ) as "blockedBy",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select dependency.id as "id", dependency.user_id as "userId",
            dependency.task_id as "taskId", dependency.depends_on_task_id as "dependsOnTaskId",
            iso(dependency.created_at) as "createdAt",
            json_build_object('id', task.id, 'title', task.title, 'status', task.status) as "task"
          from task_dependencies dependency
          join tasks task on task.user_id = $1 and task.id = dependency.task_id
          where dependency.user_id = $1 and dependency.depends_on_task_id = $2
          order by dependency.id
        ) row
      ) as "blocks"
  ) row
)::text as json
from tasks
where user_id = $1 and id = $2;

-- dependencies.insert
with recursive waited_for as (
  select $2::uuid as id
  union
  select link.depends_on_task_id
  from waited_for
  join task_dependencies link on link.user_id = $1 and link.task_id = waited_for.id
), held as (select id from tasks where user_id = $1 and id in ($3, $2) order by id for key share), checked as (
  select (select count(*) from held where id = $3) = 1 as task,
    (select count(*) from held where id = $2) = 1 as other,
    exists (select from waited_for where id = $3) as cycle
), dependency as (
  insert into task_dependencies (user_id, id, task_id, depends_on_task_id)
  select $1, $4, $3, $2
  from checked
  where task and other and not cycle
  on conflict (user_id, task_id, depends_on_task_id) do nothing
  returning *
), change as (
  select 0 as place, 'dependency.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select dependency.id as id,
      (
        select to_jsonb(row)
        from (
          select dependency.id as "id", dependency.user_id as "userId",
            dependency.task_id as "taskId", dependency.depends_on_task_id as "dependsOnTaskId",
            iso(dependency.created_at) as "createdAt"
        ) row
      ) as json
    from dependency dependency
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, dependency_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
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
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($6::jsonb ->> 'historyBytes')::bigint then least(
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
    dependency_count = case
      when excluded.dependency_count <= 0
        or (
          user_state.dependency_count + excluded.dependency_count > ($6::jsonb ->> 'dependencies')::bigint
        ) is not true then user_state.dependency_count + excluded.dependency_count
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
select checked.*,
  (
    select json_build_object(
      'id', dependency.id, 'userId', dependency.user_id, 'taskId', dependency.task_id,
      'dependsOnTaskId', dependency.depends_on_task_id, 'createdAt', iso(dependency.created_at)
    )::text
    from dependency
  ) as json,
  (
    select json_build_object(
      'id', dependency.id, 'userId', dependency.user_id, 'taskId', dependency.task_id,
      'dependsOnTaskId', dependency.depends_on_task_id, 'createdAt', iso(dependency.created_at)
    )::text
    from task_dependencies dependency
    where user_id = $1 and task_id = $3 and depends_on_task_id = $2
  ) as known
from checked;
