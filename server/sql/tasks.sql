-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- tasks.batch-archive
with old as (select old as was, id from tasks old where user_id = $1 and id = any($2::uuid[])),
  task as (
    update tasks task
    set status = 'archived', archived_at = coalesce(task.archived_at, $3),
      updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    from old
    where task.user_id = $1 and task.id = old.id
    returning task.*, old.was
  ), change as (
    select *
    from (
      select 0 as place, 'task.updated' as type, task.id as id,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              (
                select coalesce(json_agg(link.label_id order by link.label_id), '[]')
                from task_labels link
                where link.user_id = $1 and link.task_id = task.id
              ) as "labelIds"
            from (select (task.was).*) task
          ) row
        ) as before,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              (
                select coalesce(json_agg(link.label_id order by link.label_id), '[]')
                from task_labels link
                where link.user_id = $1 and link.task_id = task.id
              ) as "labelIds"
          ) row
        ) as after
      from task task
      offset 0
    ) edit
    where before - 'updatedAt' <> after - 'updatedAt'
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at, text_bytes, history_bytes)
    select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
      coalesce(
        sum(
          coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
            octet_length(change.before ->> 'description'), 0
          )
        ) filter (where change.place = 0),
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
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $4::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from task;

-- tasks.batch-archive-with-blocks
with old as (select old as was, id from tasks old where user_id = $1 and id = any($2::uuid[])),
  task as (
    update tasks task
    set status = 'archived', archived_at = coalesce(task.archived_at, $3),
      updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    from old
    where task.user_id = $1 and task.id = old.id
    returning task.*, old.was
  ), old_block as (
    select old as was, old.id
    from time_blocks old, task
    where old.user_id = $1 and old.task_id = task.id and task.status >= 'completed'
      and old.start_at > $3::timestamptz and old.type = 'task' and old.source = 'auto'
      and old.status = 'scheduled' and not old.locked
    order by old.id
    for no key update of old
  ), cancelled_block as (
    update time_blocks block
    set status = 'cancelled', cancelled_at = $3,
      updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
    from old_block old
    where block.user_id = $1 and block.id = old.id
    returning block.*, old.was
  ), change as (
    select *
    from (
      select 0 as place, 'task.updated' as type, task.id as id,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              (
                select coalesce(json_agg(link.label_id order by link.label_id), '[]')
                from task_labels link
                where link.user_id = $1 and link.task_id = task.id
              ) as "labelIds"
            from (select (task.was).*) task
          ) row
        ) as before,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              (
                select coalesce(json_agg(link.label_id order by link.label_id), '[]')
                from task_labels link
                where link.user_id = $1 and link.task_id = task.id
              ) as "labelIds"
          ) row
        ) as after
      from task task
      offset 0
    ) edit
    where before - 'updatedAt' <> after - 'updatedAt'
    union all
    select 1 as place, 'timeBlock.updated' as type, block.id as id,
      (
        select to_jsonb(row)
        from (
          select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
            coalesce(
              (
                select task.title
                from tasks task
                where task.user_id = $1 and task.id = block.task_id
              ),
              block.title
            ) as "title",
            block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
            block.locked as "locked", block.defended as "defended", block.source as "source",
            block.sort_order as "sortOrder", block.status as "status",
            case when block.source = 'auto' then block.explanation end as "explanation",
            iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
            block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
            iso(block.completed_at) as "completedAt"
          from (select (block.was).*) block
        ) row
      ) as before,
      (
        select to_jsonb(row)
        from (
          select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
            coalesce(
              (
                select task.title
                from tasks task
                where task.user_id = $1 and task.id = block.task_id
              ),
              block.title
            ) as "title",
            block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
            block.locked as "locked", block.defended as "defended", block.source as "source",
            block.sort_order as "sortOrder", block.status as "status",
            case when block.source = 'auto' then block.explanation end as "explanation",
            iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
            block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
            iso(block.completed_at) as "completedAt"
        ) row
      ) as after
    from cancelled_block block
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, time_block_count, text_bytes, history_bytes
    )
    select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
      coalesce(
        sum(
          coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
            (change.before ->> 'source' = 'manual')::int, 0
          )
        ) filter (where change.place in (1)),
        0
      ),
      coalesce(
        sum(
          coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
            octet_length(change.before ->> 'description'), 0
          )
        ) filter (where change.place = 0),
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
      time_block_count = case
        when excluded.time_block_count <= 0
          or (
            user_state.time_block_count + excluded.time_block_count > ($5::jsonb ->> 'timeBlocks')::bigint
          ) is not true then user_state.time_block_count + excluded.time_block_count
      end,
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $4::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from task;

-- tasks.batch-complete
with old as (select old as was, id from tasks old where user_id = $1 and id = any($2::uuid[])),
  task as (
    update tasks task
    set status = 'completed', archived_at = null, completed_at = $3,
      actual_minutes = coalesce(task.actual_minutes, task.estimate_minutes),
      updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    from old
    where task.user_id = $1 and task.id = old.id
    returning task.*, old.was
  ), change as (
    select *
    from (
      select 0 as place, 'task.updated' as type, task.id as id,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              (
                select coalesce(json_agg(link.label_id order by link.label_id), '[]')
                from task_labels link
                where link.user_id = $1 and link.task_id = task.id
              ) as "labelIds"
            from (select (task.was).*) task
          ) row
        ) as before,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              (
                select coalesce(json_agg(link.label_id order by link.label_id), '[]')
                from task_labels link
                where link.user_id = $1 and link.task_id = task.id
              ) as "labelIds"
          ) row
        ) as after
      from task task
      offset 0
    ) edit
    where before - 'updatedAt' <> after - 'updatedAt'
  ), counted as (
    insert into user_state (user_id, last_event, stale_since, due_at, text_bytes, history_bytes)
    select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
      coalesce(
        sum(
          coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
            octet_length(change.before ->> 'description'), 0
          )
        ) filter (where change.place = 0),
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
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $4::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from task;

-- tasks.batch-complete-with-blocks
with old as (select old as was, id from tasks old where user_id = $1 and id = any($2::uuid[])),
  task as (
    update tasks task
    set status = 'completed', archived_at = null, completed_at = $3,
      actual_minutes = coalesce(task.actual_minutes, task.estimate_minutes),
      updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    from old
    where task.user_id = $1 and task.id = old.id
    returning task.*, old.was
  ), old_block as (
    select old as was, old.id
    from time_blocks old, task
    where old.user_id = $1 and old.task_id = task.id and task.status >= 'completed'
      and old.start_at > $3::timestamptz and old.type = 'task' and old.source = 'auto'
      and old.status = 'scheduled' and not old.locked
    order by old.id
    for no key update of old
  ), cancelled_block as (
    update time_blocks block
    set status = 'cancelled', cancelled_at = $3,
      updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
    from old_block old
    where block.user_id = $1 and block.id = old.id
    returning block.*, old.was
  ), change as (
    select *
    from (
      select 0 as place, 'task.updated' as type, task.id as id,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              (
                select coalesce(json_agg(link.label_id order by link.label_id), '[]')
                from task_labels link
                where link.user_id = $1 and link.task_id = task.id
              ) as "labelIds"
            from (select (task.was).*) task
          ) row
        ) as before,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              (
                select coalesce(json_agg(link.label_id order by link.label_id), '[]')
                from task_labels link
                where link.user_id = $1 and link.task_id = task.id
              ) as "labelIds"
          ) row
        ) as after
      from task task
      offset 0
    ) edit
    where before - 'updatedAt' <> after - 'updatedAt'
    union all
    select 1 as place, 'timeBlock.updated' as type, block.id as id,
      (
        select to_jsonb(row)
        from (
          select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
            coalesce(
              (
                select task.title
                from tasks task
                where task.user_id = $1 and task.id = block.task_id
              ),
              block.title
            ) as "title",
            block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
            block.locked as "locked", block.defended as "defended", block.source as "source",
            block.sort_order as "sortOrder", block.status as "status",
            case when block.source = 'auto' then block.explanation end as "explanation",
            iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
            block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
            iso(block.completed_at) as "completedAt"
          from (select (block.was).*) block
        ) row
      ) as before,
      (
        select to_jsonb(row)
        from (
          select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
            coalesce(
              (
                select task.title
                from tasks task
                where task.user_id = $1 and task.id = block.task_id
              ),
              block.title
            ) as "title",
            block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
            block.locked as "locked", block.defended as "defended", block.source as "source",
            block.sort_order as "sortOrder", block.status as "status",
            case when block.source = 'auto' then block.explanation end as "explanation",
            iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
            block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
            iso(block.completed_at) as "completedAt"
        ) row
      ) as after
    from cancelled_block block
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, time_block_count, text_bytes, history_bytes
    )
    select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
      coalesce(
        sum(
          coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
            (change.before ->> 'source' = 'manual')::int, 0
          )
        ) filter (where change.place in (1)),
        0
      ),
      coalesce(
        sum(
          coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
            octet_length(change.before ->> 'description'), 0
          )
        ) filter (where change.place = 0),
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
      time_block_count = case
        when excluded.time_block_count <= 0
          or (
            user_state.time_block_count + excluded.time_block_count > ($5::jsonb ->> 'timeBlocks')::bigint
          ) is not true then user_state.time_block_count + excluded.time_block_count
      end,
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $4::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from task;

-- tasks.delete
with old_time_blocks as (
  select old as was, id
  from time_blocks old
  where user_id = $1 and task_id = any($2::uuid[])
  order by id
  for no key update
), detached_time_blocks as (
  update time_blocks block
  set task_id = null,
    title = coalesce(
      (select task.title from tasks task where task.user_id = $1 and task.id = block.task_id),
      block.title
    ),
    status = case
      when block.start_at > $3::timestamptz and block.type = 'task' and block.source = 'auto'
        and block.status = 'scheduled' and not block.locked then 'cancelled'
      else block.status
    end,
    cancelled_at = case
      when block.start_at > $3::timestamptz and block.type = 'task' and block.source = 'auto'
        and block.status = 'scheduled' and not block.locked then $3
      else block.cancelled_at
    end,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old_time_blocks old
  where block.user_id = $1 and block.id = old.id
  returning block.*, old.was
), old_tasks as (
  select old as was, id
  from tasks old
  where user_id = $1 and parent_task_id = any($2::uuid[]) and id <> all ($2::uuid[])
  order by id
  for no key update
), detached_tasks as (
  update tasks task
  set parent_task_id = null,
    updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
  from old_tasks old
  where task.user_id = $1 and task.id = old.id
  returning task.*, old.was
), items as (
  delete from checklist_items where user_id = $1 and task_id = any($2::uuid[]) returning id
), labels as (
  delete from task_labels where user_id = $1 and task_id = any($2::uuid[]) returning task_id
), documents as (
  delete from task_documents where user_id = $1 and task_id = any($2::uuid[]) returning task_id
), dependencies as (
  delete from task_dependencies
  where user_id = $1 and (task_id = any($2::uuid[]) or depends_on_task_id = any($2::uuid[]))
  returning id
), occurrences as (
  update occurrences occurrence
  set task_id = null, former_task = occurrence.task_id,
    state = case
      when occurrence.state not in ('made', 'ended') then occurrence.state
      when task.status = 'completed' then 'ended'
      else 'skipped'
    end
  from tasks task
  where occurrence.user_id = $1 and occurrence.task_id = any($2::uuid[]) and task.user_id = $1
    and task.id = occurrence.task_id
  returning occurrence.former_task
), parts as (
  select (select count(*) from items) + (select count(*) from labels) + (
    select count(*) from documents
  ) + (select count(*) from dependencies) + (select count(*) from occurrences) as count
), gone as (
  delete from tasks
  where user_id = $1 and id = any($2::uuid[]) and (select count from parts) >= 0
  returning *
), change as (
  select 0 as place, 'task.deleted' as type, one.id, one.json as before, null::jsonb as after
  from (
    select task.id as id,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            (
              select coalesce(json_agg(link.label_id order by link.label_id), '[]')
              from task_labels link
              where link.user_id = $1 and link.task_id = task.id
            ) as "labelIds",
            (
              select coalesce(json_agg(row), '[]')
              from (
                select item.id as "id", item.task_id as "taskId", item.title as "title",
                  item.completed as "completed", item.sort_order as "sortOrder"
                from checklist_items item
                where item.user_id = $1 and item.task_id = task.id
                order by item.sort_order, item.id
              ) row
            ) as "checklistItems",
            (
              select coalesce(json_agg(row), '[]')
              from (
                select dependency.id as "id", dependency.user_id as "userId",
                  dependency.task_id as "taskId",
                  dependency.depends_on_task_id as "dependsOnTaskId",
                  iso(dependency.created_at) as "createdAt"
                from task_dependencies dependency
                where dependency.user_id = $1
                  and (dependency.task_id = task.id or dependency.depends_on_task_id = task.id)
                order by dependency.id
              ) row
            ) as "dependencies",
            (
              select coalesce(json_agg(link.document_id order by link.document_id), '[]')
              from task_documents link
              where link.user_id = $1 and link.task_id = task.id
            ) as "documentIds"
        ) row
      ) as json
    from gone task
  ) one
  union all
  select 1 as place, 'timeBlock.updated' as type, block.id as id,
    (
      select to_jsonb(row)
      from (
        select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
          coalesce(
            (select task.title from tasks task where task.user_id = $1 and task.id = block.task_id),
            block.title
          ) as "title",
          block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
          block.locked as "locked", block.defended as "defended", block.source as "source",
          block.sort_order as "sortOrder", block.status as "status",
          case when block.source = 'auto' then block.explanation end as "explanation",
          iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
          block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
          iso(block.completed_at) as "completedAt"
        from (select (block.was).*) block
      ) row
    ) as before,
    (
      select to_jsonb(row)
      from (
        select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
          block.title as "title", block.type as "type", iso(block.start_at) as "startAt",
          iso(block.end_at) as "endAt", block.locked as "locked", block.defended as "defended",
          block.source as "source", block.sort_order as "sortOrder", block.status as "status",
          case when block.source = 'auto' then block.explanation end as "explanation",
          iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
          block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
          iso(block.completed_at) as "completedAt"
      ) row
    ) as after
  from (select * from detached_time_blocks where (was).status <> 'cancelled' or source = 'manual') block
  union all
  select 2 as place, 'task.updated' as type, task.id as id,
    (
      select to_jsonb(row)
      from (
        select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
          task.project_id as "projectId", task.parent_task_id as "parentTaskId",
          task.title as "title", task.description as "description", task.status as "status",
          task.priority as "priority", iso(task.due_at) as "dueAt",
          iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
          task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
          task.min_session_minutes as "minSessionMinutes",
          task.max_session_minutes as "maxSessionMinutes",
          task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
          task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
          task.locked as "locked", task.sort_order as "sortOrder",
          iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
          (
            select coalesce(json_agg(link.label_id order by link.label_id), '[]')
            from task_labels link
            where link.user_id = $1 and link.task_id = task.id
          ) as "labelIds"
        from (select (task.was).*) task
      ) row
    ) as before,
    (
      select to_jsonb(row)
      from (
        select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
          task.project_id as "projectId", task.parent_task_id as "parentTaskId",
          task.title as "title", task.description as "description", task.status as "status",
          task.priority as "priority", iso(task.due_at) as "dueAt",
          iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
          task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
          task.min_session_minutes as "minSessionMinutes",
          task.max_session_minutes as "maxSessionMinutes",
          task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
          task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
          task.locked as "locked", task.sort_order as "sortOrder",
          iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
          (
            select coalesce(json_agg(link.label_id order by link.label_id), '[]')
            from task_labels link
            where link.user_id = $1 and link.task_id = task.id
          ) as "labelIds"
      ) row
    ) as after
  from detached_tasks task
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, task_count, checklist_item_count, time_block_count,
    dependency_count, document_link_count, text_bytes, history_bytes
  )
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (0, 2)
      ),
      0
    ),
    0 - (select count(*) from items),
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (1)),
      0
    ),
    0 - (select count(*) from dependencies), 0 - (select count(*) from documents),
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 0),
      0
    ) + coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 2),
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
    task_count = case
      when excluded.task_count <= 0
        or (user_state.task_count + excluded.task_count > ($5::jsonb ->> 'tasks')::bigint) is not true then user_state.task_count + excluded.task_count
    end,
    checklist_item_count = case
      when excluded.checklist_item_count <= 0
        or (
          user_state.checklist_item_count + excluded.checklist_item_count > (
            $5::jsonb ->> 'checklistItems'
          )::bigint
        ) is not true then user_state.checklist_item_count + excluded.checklist_item_count
    end,
    time_block_count = case
      when excluded.time_block_count <= 0
        or (
          user_state.time_block_count + excluded.time_block_count > ($5::jsonb ->> 'timeBlocks')::bigint
        ) is not true then user_state.time_block_count + excluded.time_block_count
    end,
    dependency_count = case
      when excluded.dependency_count <= 0
        or (
          user_state.dependency_count + excluded.dependency_count > ($5::jsonb ->> 'dependencies')::bigint
        ) is not true then user_state.dependency_count + excluded.dependency_count
    end,
    document_link_count = case
      when excluded.document_link_count <= 0
        or (
          user_state.document_link_count + excluded.document_link_count > (
            $5::jsonb ->> 'documentLinks'
          )::bigint
        ) is not true then user_state.document_link_count + excluded.document_link_count
    end,
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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

-- tasks.find
select (
  select to_json(row)
  from (
    select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
      task.project_id as "projectId", task.parent_task_id as "parentTaskId", task.title as "title",
      task.description as "description", task.status as "status", task.priority as "priority",
      iso(task.due_at) as "dueAt", iso(task.start_after) as "startAfter",
      iso(task.completed_at) as "completedAt", task.estimate_minutes as "estimateMinutes",
      task.actual_minutes as "actualMinutes", task.min_session_minutes as "minSessionMinutes",
      task.max_session_minutes as "maxSessionMinutes", task.cooldown_minutes as "cooldownMinutes",
      task.auto_schedule as "autoSchedule", task.auto_split as "autoSplit",
      task.schedule_preference_id as "schedulePreferenceId", task.locked as "locked",
      task.sort_order as "sortOrder", iso(task.created_at) as "createdAt",
      iso(task.updated_at) as "updatedAt",
      (
        select to_json(row)
        from (
          select space.id as "id", space.name as "name", space.color as "color",
            space.icon as "icon"
          from spaces space
          where space.user_id = $1 and space.id = task.space_id
        ) row
      ) as "space",
      (
        select to_json(row)
        from (
          select project.id as "id", project.name as "name", project.color as "color"
          from projects project
          where project.user_id = $1 and project.id = task.project_id
        ) row
      ) as "project",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select label.id as "id", label.name as "name", label.color as "color"
          from task_labels link
          join labels label on label.user_id = $1 and label.id = link.label_id
          where link.user_id = $1 and link.task_id = task.id
          order by label.name
        ) row
      ) as "labels",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select item.id as "id", item.task_id as "taskId", item.title as "title",
            item.completed as "completed", item.sort_order as "sortOrder"
          from checklist_items item
          where item.user_id = $1 and item.task_id = task.id
          order by item.sort_order, item.id
        ) row
      ) as "checklistItems",
      (
        select coalesce(
          json_agg(
            case
              when $2::boolean then (
                select to_json(row)
                from (
                  select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                    task.title as "title", block.type as "type", iso(block.start_at) as "startAt",
                    iso(block.end_at) as "endAt", block.locked as "locked",
                    block.defended as "defended", block.source as "source",
                    block.sort_order as "sortOrder", block.status as "status",
                    case when block.source = 'auto' then block.explanation end as "explanation",
                    iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
                    block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
                    iso(block.completed_at) as "completedAt"
                ) row
              )
              else (
                select to_json(row)
                from (
                  select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                    task.title as "title", block.type as "type", iso(block.start_at) as "startAt",
                    iso(block.end_at) as "endAt", block.locked as "locked",
                    block.defended as "defended", block.source as "source",
                    block.sort_order as "sortOrder", block.status as "status",
                    case when block.source = 'auto' then block.explanation end as "explanation",
                    iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt"
                ) row
              )
            end
            order by block.start_at, block.id
          ),
          '[]'
        )
        from time_blocks block
        where block.user_id = $1 and block.task_id = task.id
      ) as "timeBlocks",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select subtask.id as "id", subtask.user_id as "userId", subtask.space_id as "spaceId",
            subtask.project_id as "projectId", subtask.parent_task_id as "parentTaskId",
            subtask.title as "title", subtask.description as "description",
            subtask.status as "status", subtask.priority as "priority",
            iso(subtask.due_at) as "dueAt", iso(subtask.start_after) as "startAfter",
            iso(subtask.completed_at) as "completedAt",
            subtask.estimate_minutes as "estimateMinutes",
            subtask.actual_minutes as "actualMinutes",
            subtask.min_session_minutes as "minSessionMinutes",
            subtask.max_session_minutes as "maxSessionMinutes",
            subtask.cooldown_minutes as "cooldownMinutes", subtask.auto_schedule as "autoSchedule",
            subtask.auto_split as "autoSplit",
            subtask.schedule_preference_id as "schedulePreferenceId", subtask.locked as "locked",
            subtask.sort_order as "sortOrder", iso(subtask.created_at) as "createdAt",
            iso(subtask.updated_at) as "updatedAt"
          from tasks subtask
          where subtask.user_id = $1 and subtask.parent_task_id = task.id
          order by subtask.sort_order, subtask.id
        ) row
      ) as "subtasks",
      (
        select to_json(row)
        from (
          select parent.id as "id", parent.title as "title"
          from tasks parent
          where parent.user_id = $1 and parent.id = task.parent_task_id
        ) row
      ) as "parentTask",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select document.id as "id", document.title as "title", document.doc_type as "docType",
            document.url as "url"
          from task_documents link
          join documents document on document.user_id = $1 and document.id = link.document_id
          where link.user_id = $1 and link.task_id = task.id
          order by document.sort_order, document.id
        ) row
      ) as "documents"
  ) row
)::text as json
from tasks task
where task.user_id = $1 and task.id = $3;

-- tasks.insert
with given as (select * from jsonb_populate_record(null::tasks, $2)),
  checked as (
    select case
      when given.schedule_preference_id is not null
        and not exists (
          select
          from schedule_preferences
          where schedule_preferences.user_id = $1
            and schedule_preferences.id = given.schedule_preference_id
          for key share
        ) then 'schedulePreferenceId'
      when given.space_id is not null
        and not exists (
          select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
        ) then 'spaceId'
      when given.project_id is not null
        and not exists (
          select
          from projects
          where projects.user_id = $1 and projects.id = given.project_id
          for key share
        ) then 'projectId'
      when given.parent_task_id is not null
        and not exists (
          select
          from tasks
          where tasks.user_id = $1 and tasks.id = given.parent_task_id
          for key share
        ) then 'parentTaskId'
    end as missing
    from given
  ), task as (
    insert into tasks (
      user_id, id, space_id, project_id, parent_task_id, schedule_preference_id, title, description,
      status, priority, due_at, start_after, estimate_minutes, min_session_minutes,
      max_session_minutes, cooldown_minutes, auto_schedule, auto_split, completed_at, archived_at
    )
    select $1, $3, space_id, project_id, parent_task_id, schedule_preference_id, title, description,
      status, priority, due_at, start_after, estimate_minutes, min_session_minutes,
      max_session_minutes, cooldown_minutes, auto_schedule, auto_split, completed_at, archived_at
    from given, checked
    where missing is null
    returning *
  ), change as (
    select 0 as place, 'task.created' as type, one.id, null::jsonb as before, one.json as after
    from (
      select task.id as id,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              '[]'::json as "labelIds"
          ) row
        ) as json
      from task task
    ) one
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, task_count, text_bytes, history_bytes
    )
    select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
      coalesce(
        sum((change.after is not null)::int - (change.before is not null)::int) filter (
          where change.place in (0)
        ),
        0
      ),
      coalesce(
        sum(
          coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
            octet_length(change.before ->> 'description'), 0
          )
        ) filter (where change.place = 0),
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
      task_count = case
        when excluded.task_count <= 0
          or (user_state.task_count + excluded.task_count > ($5::jsonb ->> 'tasks')::bigint) is not true then user_state.task_count + excluded.task_count
      end,
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($5::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
      end,
      history_bytes = user_state.history_bytes + excluded.history_bytes
    returning last_event
  ), recorded as (
    insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $4::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select missing,
  case
    when task.id is not null then (
      select to_json(row)
      from (
        select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
          task.project_id as "projectId", task.parent_task_id as "parentTaskId",
          task.title as "title", task.description as "description", task.status as "status",
          task.priority as "priority", iso(task.due_at) as "dueAt",
          iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
          task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
          task.min_session_minutes as "minSessionMinutes",
          task.max_session_minutes as "maxSessionMinutes",
          task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
          task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
          task.locked as "locked", task.sort_order as "sortOrder",
          iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
          (
            select to_json(row)
            from (
              select space.id as "id", space.name as "name", space.color as "color",
                space.icon as "icon"
              from spaces space
              where space.user_id = $1 and space.id = task.space_id
            ) row
          ) as "space",
          (
            select to_json(row)
            from (
              select project.id as "id", project.name as "name", project.color as "color"
              from projects project
              where project.user_id = $1 and project.id = task.project_id
            ) row
          ) as "project",
          '[]'::json as "labels", '[]'::json as "checklistItems"
      ) row
    )::text
  end as json
from checked
left join task on true;

-- tasks.insert-with-labels
with given as (select * from jsonb_populate_record(null::tasks, $2)),
  checked as (
    select case
      when given.schedule_preference_id is not null
        and not exists (
          select
          from schedule_preferences
          where schedule_preferences.user_id = $1
            and schedule_preferences.id = given.schedule_preference_id
          for key share
        ) then 'schedulePreferenceId'
      when given.space_id is not null
        and not exists (
          select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
        ) then 'spaceId'
      when given.project_id is not null
        and not exists (
          select
          from projects
          where projects.user_id = $1 and projects.id = given.project_id
          for key share
        ) then 'projectId'
      when given.parent_task_id is not null
        and not exists (
          select
          from tasks
          where tasks.user_id = $1 and tasks.id = given.parent_task_id
          for key share
        ) then 'parentTaskId'
      when (
        select count(*)
        from (
          select from labels where labels.user_id = $1 and labels.id = any($3::uuid[]) for key share
        ) held
      ) < cardinality($3::uuid[]) then 'labelIds'
    end as missing
    from given
  ), task as (
    insert into tasks (
      user_id, id, space_id, project_id, parent_task_id, schedule_preference_id, title, description,
      status, priority, due_at, start_after, estimate_minutes, min_session_minutes,
      max_session_minutes, cooldown_minutes, auto_schedule, auto_split, completed_at, archived_at
    )
    select $1, $4, space_id, project_id, parent_task_id, schedule_preference_id, title, description,
      status, priority, due_at, start_after, estimate_minutes, min_session_minutes,
      max_session_minutes, cooldown_minutes, auto_schedule, auto_split, completed_at, archived_at
    from given, checked
    where missing is null
    returning *
  ), links as (
    insert into task_labels (user_id, task_id, label_id)
    select $1, task.id, label_id
    from task, unnest($3::uuid[]) label_id
  ), change as (
    select 0 as place, 'task.created' as type, one.id, null::jsonb as before, one.json as after
    from (
      select task.id as id,
        (
          select to_jsonb(row)
          from (
            select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
              task.project_id as "projectId", task.parent_task_id as "parentTaskId",
              task.title as "title", task.description as "description", task.status as "status",
              task.priority as "priority", iso(task.due_at) as "dueAt",
              iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
              task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
              task.min_session_minutes as "minSessionMinutes",
              task.max_session_minutes as "maxSessionMinutes",
              task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
              task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
              task.locked as "locked", task.sort_order as "sortOrder",
              iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
              $3::uuid[] as "labelIds"
          ) row
        ) as json
      from task task
    ) one
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, task_count, text_bytes, history_bytes
    )
    select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
      coalesce(
        sum((change.after is not null)::int - (change.before is not null)::int) filter (
          where change.place in (0)
        ),
        0
      ),
      coalesce(
        sum(
          coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
            octet_length(change.before ->> 'description'), 0
          )
        ) filter (where change.place = 0),
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
      task_count = case
        when excluded.task_count <= 0
          or (user_state.task_count + excluded.task_count > ($6::jsonb ->> 'tasks')::bigint) is not true then user_state.task_count + excluded.task_count
      end,
      text_bytes = case
        when excluded.text_bytes <= 0
          or (user_state.text_bytes + excluded.text_bytes > ($6::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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
select missing,
  case
    when task.id is not null then (
      select to_json(row)
      from (
        select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
          task.project_id as "projectId", task.parent_task_id as "parentTaskId",
          task.title as "title", task.description as "description", task.status as "status",
          task.priority as "priority", iso(task.due_at) as "dueAt",
          iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
          task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
          task.min_session_minutes as "minSessionMinutes",
          task.max_session_minutes as "maxSessionMinutes",
          task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
          task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
          task.locked as "locked", task.sort_order as "sortOrder",
          iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
          (
            select to_json(row)
            from (
              select space.id as "id", space.name as "name", space.color as "color",
                space.icon as "icon"
              from spaces space
              where space.user_id = $1 and space.id = task.space_id
            ) row
          ) as "space",
          (
            select to_json(row)
            from (
              select project.id as "id", project.name as "name", project.color as "color"
              from projects project
              where project.user_id = $1 and project.id = task.project_id
            ) row
          ) as "project",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select label.id as "id", label.name as "name", label.color as "color"
              from labels label
              where label.user_id = $1 and label.id = any($3::uuid[])
              order by label.name
            ) row
          ) as "labels",
          '[]'::json as "checklistItems"
      ) row
    )::text
  end as json
from checked
left join task on true;

-- tasks.lock-for-batch
select id from tasks where user_id = $1 and id = any($2::uuid[]) order by id for no key update;

-- tasks.lock-to-delete
select id
from tasks
where user_id = $1 and (id = any($2::uuid[]) or parent_task_id = any($2::uuid[]))
order by id
for update;

-- tasks.update
with given as (
  select space_id, project_id, schedule_preference_id from jsonb_populate_record(null::tasks, $2)
), checked as (
  select case
    when given.schedule_preference_id is not null
      and not exists (
        select
        from schedule_preferences
        where schedule_preferences.user_id = $1
          and schedule_preferences.id = given.schedule_preference_id
        for key share
      ) then 'schedulePreferenceId'
    when given.space_id is not null
      and not exists (
        select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
      ) then 'spaceId'
    when given.project_id is not null
      and not exists (
        select
        from projects
        where projects.user_id = $1 and projects.id = given.project_id
        for key share
      ) then 'projectId'
  end as missing,
    known.updated_at
  from given, tasks known
  where known.user_id = $1 and known.id = $3
), old as (
  select old as was, old.id, old.updated_at
  from tasks old, checked
  where old.user_id = $1 and old.id = $3 and missing is null
  for no key update of old
), task as (
  update tasks task
  set (
    space_id, project_id, schedule_preference_id, title, description, status, priority, due_at,
    start_after, completed_at, estimate_minutes, min_session_minutes, max_session_minutes,
    cooldown_minutes, auto_schedule, auto_split, locked, sort_order, actual_minutes, archived_at
  ) = (
    select space_id, project_id, schedule_preference_id, title, description, status, priority,
      due_at, start_after, completed_at, estimate_minutes, min_session_minutes, max_session_minutes,
      cooldown_minutes, auto_schedule, auto_split, locked, sort_order,
      case
        when $2::jsonb ? 'actual_minutes' then changed.actual_minutes
        when $2::jsonb ->> 'status' = 'completed' then coalesce(
          task.actual_minutes, changed.estimate_minutes
        )
        else task.actual_minutes
      end,
      case when changed.status = 'archived' then coalesce(task.archived_at, $4) end
    from jsonb_populate_record(task, $2) changed
  ),
    updated_at = case
      when $2::jsonb = '{}' then task.updated_at
      else greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    end
  from old, checked
  where task.user_id = $1 and task.id = old.id and old.updated_at = checked.updated_at
  returning task.*, old.was
), change as (
  select *
  from (
    select 0 as place, 'task.updated' as type, task.id as id,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            (
              select coalesce(json_agg(link.label_id order by link.label_id), '[]')
              from task_labels link
              where link.user_id = $1 and link.task_id = task.id
            ) as "labelIds"
          from (select (task.was).*) task
        ) row
      ) as before,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            (
              select coalesce(json_agg(link.label_id order by link.label_id), '[]')
              from task_labels link
              where link.user_id = $1 and link.task_id = task.id
            ) as "labelIds"
        ) row
      ) as after
    from task task
    offset 0
  ) edit
  where before - 'updatedAt' <> after - 'updatedAt'
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, text_bytes, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 0),
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
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($6::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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
select missing, task.id is null and exists (select from old) as overtaken,
  case
    when task.id is not null then (
      select to_json(row)
      from (
        select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
          task.project_id as "projectId", task.parent_task_id as "parentTaskId",
          task.title as "title", task.description as "description", task.status as "status",
          task.priority as "priority", iso(task.due_at) as "dueAt",
          iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
          task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
          task.min_session_minutes as "minSessionMinutes",
          task.max_session_minutes as "maxSessionMinutes",
          task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
          task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
          task.locked as "locked", task.sort_order as "sortOrder",
          iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
          (
            select to_json(row)
            from (
              select space.id as "id", space.name as "name", space.color as "color",
                space.icon as "icon"
              from spaces space
              where space.user_id = $1 and space.id = task.space_id
            ) row
          ) as "space",
          (
            select to_json(row)
            from (
              select project.id as "id", project.name as "name", project.color as "color"
              from projects project
              where project.user_id = $1 and project.id = task.project_id
            ) row
          ) as "project",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select label.id as "id", label.name as "name", label.color as "color"
              from task_labels link
              join labels label on label.user_id = $1 and label.id = link.label_id
              where link.user_id = $1 and link.task_id = task.id
              order by label.name
            ) row
          ) as "labels",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select item.id as "id", item.task_id as "taskId", item.title as "title",
                item.completed as "completed", item.sort_order as "sortOrder"
              from checklist_items item
              where item.user_id = $1 and item.task_id = task.id
              order by item.sort_order, item.id
            ) row
          ) as "checklistItems"
      ) row
    )::text
  end as json
from checked
left join task on true;

-- tasks.update-with-blocks
with given as (
  select space_id, project_id, schedule_preference_id from jsonb_populate_record(null::tasks, $2)
), checked as (
  select case
    when given.schedule_preference_id is not null
      and not exists (
        select
        from schedule_preferences
        where schedule_preferences.user_id = $1
          and schedule_preferences.id = given.schedule_preference_id
        for key share
      ) then 'schedulePreferenceId'
    when given.space_id is not null
      and not exists (
        select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
      ) then 'spaceId'
    when given.project_id is not null
      and not exists (
        select
        from projects
        where projects.user_id = $1 and projects.id = given.project_id
        for key share
      ) then 'projectId'
  end as missing,
    known.updated_at
  from given, tasks known
  where known.user_id = $1 and known.id = $3
), old as (
  select old as was, old.id, old.updated_at
  from tasks old, checked
  where old.user_id = $1 and old.id = $3 and missing is null
  for no key update of old
), task as (
  update tasks task
  set (
    space_id, project_id, schedule_preference_id, title, description, status, priority, due_at,
    start_after, completed_at, estimate_minutes, min_session_minutes, max_session_minutes,
    cooldown_minutes, auto_schedule, auto_split, locked, sort_order, actual_minutes, archived_at
  ) = (
    select space_id, project_id, schedule_preference_id, title, description, status, priority,
      due_at, start_after, completed_at, estimate_minutes, min_session_minutes, max_session_minutes,
      cooldown_minutes, auto_schedule, auto_split, locked, sort_order,
      case
        when $2::jsonb ? 'actual_minutes' then changed.actual_minutes
        when $2::jsonb ->> 'status' = 'completed' then coalesce(
          task.actual_minutes, changed.estimate_minutes
        )
        else task.actual_minutes
      end,
      case when changed.status = 'archived' then coalesce(task.archived_at, $4) end
    from jsonb_populate_record(task, $2) changed
  ),
    updated_at = case
      when $2::jsonb = '{}' then task.updated_at
      else greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    end
  from old, checked
  where task.user_id = $1 and task.id = old.id and old.updated_at = checked.updated_at
  returning task.*, old.was
), old_block as (
  select old as was, old.id
  from time_blocks old, task
  where old.user_id = $1 and old.task_id = task.id and task.status >= 'completed'
    and old.start_at > $4::timestamptz and old.type = 'task' and old.source = 'auto'
    and old.status = 'scheduled' and not old.locked
  order by old.id
  for no key update of old
), cancelled_block as (
  update time_blocks block
  set status = 'cancelled', cancelled_at = $4,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old_block old
  where block.user_id = $1 and block.id = old.id
  returning block.*, old.was
), change as (
  select *
  from (
    select 0 as place, 'task.updated' as type, task.id as id,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            (
              select coalesce(json_agg(link.label_id order by link.label_id), '[]')
              from task_labels link
              where link.user_id = $1 and link.task_id = task.id
            ) as "labelIds"
          from (select (task.was).*) task
        ) row
      ) as before,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            (
              select coalesce(json_agg(link.label_id order by link.label_id), '[]')
              from task_labels link
              where link.user_id = $1 and link.task_id = task.id
            ) as "labelIds"
        ) row
      ) as after
    from task task
    offset 0
  ) edit
  where before - 'updatedAt' <> after - 'updatedAt'
  union all
  select 1 as place, 'timeBlock.updated' as type, block.id as id,
    (
      select to_jsonb(row)
      from (
        select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
          coalesce(
            (select task.title from tasks task where task.user_id = $1 and task.id = block.task_id),
            block.title
          ) as "title",
          block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
          block.locked as "locked", block.defended as "defended", block.source as "source",
          block.sort_order as "sortOrder", block.status as "status",
          case when block.source = 'auto' then block.explanation end as "explanation",
          iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
          block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
          iso(block.completed_at) as "completedAt"
        from (select (block.was).*) block
      ) row
    ) as before,
    (
      select to_jsonb(row)
      from (
        select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
          coalesce(
            (select updated.title from task updated where updated.id = block.task_id), block.title
          ) as "title",
          block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
          block.locked as "locked", block.defended as "defended", block.source as "source",
          block.sort_order as "sortOrder", block.status as "status",
          case when block.source = 'auto' then block.explanation end as "explanation",
          iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
          block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
          iso(block.completed_at) as "completedAt"
      ) row
    ) as after
  from cancelled_block block
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, time_block_count, text_bytes, history_bytes
  )
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (1)),
      0
    ),
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 0),
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
    time_block_count = case
      when excluded.time_block_count <= 0
        or (
          user_state.time_block_count + excluded.time_block_count > ($6::jsonb ->> 'timeBlocks')::bigint
        ) is not true then user_state.time_block_count + excluded.time_block_count
    end,
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($6::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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
select missing, task.id is null and exists (select from old) as overtaken,
  case
    when task.id is not null then (
      select to_json(row)
      from (
        select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
          task.project_id as "projectId", task.parent_task_id as "parentTaskId",
          task.title as "title", task.description as "description", task.status as "status",
          task.priority as "priority", iso(task.due_at) as "dueAt",
          iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
          task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
          task.min_session_minutes as "minSessionMinutes",
          task.max_session_minutes as "maxSessionMinutes",
          task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
          task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
          task.locked as "locked", task.sort_order as "sortOrder",
          iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
          (
            select to_json(row)
            from (
              select space.id as "id", space.name as "name", space.color as "color",
                space.icon as "icon"
              from spaces space
              where space.user_id = $1 and space.id = task.space_id
            ) row
          ) as "space",
          (
            select to_json(row)
            from (
              select project.id as "id", project.name as "name", project.color as "color"
              from projects project
              where project.user_id = $1 and project.id = task.project_id
            ) row
          ) as "project",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select label.id as "id", label.name as "name", label.color as "color"
              from task_labels link
              join labels label on label.user_id = $1 and label.id = link.label_id
              where link.user_id = $1 and link.task_id = task.id
              order by label.name
            ) row
          ) as "labels",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select item.id as "id", item.task_id as "taskId", item.title as "title",
                item.completed as "completed", item.sort_order as "sortOrder"
              from checklist_items item
              where item.user_id = $1 and item.task_id = task.id
              order by item.sort_order, item.id
            ) row
          ) as "checklistItems"
      ) row
    )::text
  end as json
from checked
left join task on true;

-- tasks.update-with-labels
with given as (
  select space_id, project_id, schedule_preference_id from jsonb_populate_record(null::tasks, $2)
), checked as (
  select case
    when given.schedule_preference_id is not null
      and not exists (
        select
        from schedule_preferences
        where schedule_preferences.user_id = $1
          and schedule_preferences.id = given.schedule_preference_id
        for key share
      ) then 'schedulePreferenceId'
    when given.space_id is not null
      and not exists (
        select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
      ) then 'spaceId'
    when given.project_id is not null
      and not exists (
        select
        from projects
        where projects.user_id = $1 and projects.id = given.project_id
        for key share
      ) then 'projectId'
    when (
      select count(*)
      from (
        select from labels where labels.user_id = $1 and labels.id = any($3::uuid[]) for key share
      ) held
    ) < cardinality($3::uuid[]) then 'labelIds'
  end as missing,
    known.updated_at
  from given, tasks known
  where known.user_id = $1 and known.id = $4
), old as (
  select old as was, old.id, old.updated_at
  from tasks old, checked
  where old.user_id = $1 and old.id = $4 and missing is null
  for no key update of old
), task as (
  update tasks task
  set (
    space_id, project_id, schedule_preference_id, title, description, status, priority, due_at,
    start_after, completed_at, estimate_minutes, min_session_minutes, max_session_minutes,
    cooldown_minutes, auto_schedule, auto_split, locked, sort_order, actual_minutes, archived_at
  ) = (
    select space_id, project_id, schedule_preference_id, title, description, status, priority,
      due_at, start_after, completed_at, estimate_minutes, min_session_minutes, max_session_minutes,
      cooldown_minutes, auto_schedule, auto_split, locked, sort_order,
      case
        when $2::jsonb ? 'actual_minutes' then changed.actual_minutes
        when $2::jsonb ->> 'status' = 'completed' then coalesce(
          task.actual_minutes, changed.estimate_minutes
        )
        else task.actual_minutes
      end,
      case when changed.status = 'archived' then coalesce(task.archived_at, $5) end
    from jsonb_populate_record(task, $2) changed
  ),
    updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
  from old, checked
  where task.user_id = $1 and task.id = old.id and old.updated_at = checked.updated_at
  returning task.*, old.was
), dropped as (
  delete from task_labels
  where user_id = $1 and task_id = $4 and label_id <> all ($3::uuid[]) and exists (select from task)
  returning label_id
), added as (
  insert into task_labels (user_id, task_id, label_id)
  select $1, task.id, label_id
  from task, unnest($3::uuid[]) label_id
  on conflict do nothing
  returning label_id
), labelled as (
  select task.*
  from task, (select count(*) from dropped) without, (select count(*) from added) with_them
), change as (
  select *
  from (
    select 0 as place, 'task.updated' as type, task.id as id,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            (
              select coalesce(json_agg(link.label_id order by link.label_id), '[]')
              from task_labels link
              where link.user_id = $1 and link.task_id = task.id
            ) as "labelIds"
          from (select (task.was).*) task
        ) row
      ) as before,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            $3::uuid[] as "labelIds"
        ) row
      ) as after
    from labelled task
    offset 0
  ) edit
  where before - 'updatedAt' <> after - 'updatedAt'
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, text_bytes, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 0),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($7::jsonb ->> 'historyBytes')::bigint then least(
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
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($7::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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
select missing, task.id is null and exists (select from old) as overtaken,
  case
    when task.id is not null then (
      select to_json(row)
      from (
        select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
          task.project_id as "projectId", task.parent_task_id as "parentTaskId",
          task.title as "title", task.description as "description", task.status as "status",
          task.priority as "priority", iso(task.due_at) as "dueAt",
          iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
          task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
          task.min_session_minutes as "minSessionMinutes",
          task.max_session_minutes as "maxSessionMinutes",
          task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
          task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
          task.locked as "locked", task.sort_order as "sortOrder",
          iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
          (
            select to_json(row)
            from (
              select space.id as "id", space.name as "name", space.color as "color",
                space.icon as "icon"
              from spaces space
              where space.user_id = $1 and space.id = task.space_id
            ) row
          ) as "space",
          (
            select to_json(row)
            from (
              select project.id as "id", project.name as "name", project.color as "color"
              from projects project
              where project.user_id = $1 and project.id = task.project_id
            ) row
          ) as "project",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select label.id as "id", label.name as "name", label.color as "color"
              from labels label
              where label.user_id = $1 and label.id = any($3::uuid[])
              order by label.name
            ) row
          ) as "labels",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select item.id as "id", item.task_id as "taskId", item.title as "title",
                item.completed as "completed", item.sort_order as "sortOrder"
              from checklist_items item
              where item.user_id = $1 and item.task_id = task.id
              order by item.sort_order, item.id
            ) row
          ) as "checklistItems"
      ) row
    )::text
  end as json
from checked
left join task on true;

-- tasks.update-with-labels-and-blocks
with given as (
  select space_id, project_id, schedule_preference_id from jsonb_populate_record(null::tasks, $2)
), checked as (
  select case
    when given.schedule_preference_id is not null
      and not exists (
        select
        from schedule_preferences
        where schedule_preferences.user_id = $1
          and schedule_preferences.id = given.schedule_preference_id
        for key share
      ) then 'schedulePreferenceId'
    when given.space_id is not null
      and not exists (
        select from spaces where spaces.user_id = $1 and spaces.id = given.space_id for key share
      ) then 'spaceId'
    when given.project_id is not null
      and not exists (
        select
        from projects
        where projects.user_id = $1 and projects.id = given.project_id
        for key share
      ) then 'projectId'
    when (
      select count(*)
      from (
        select from labels where labels.user_id = $1 and labels.id = any($3::uuid[]) for key share
      ) held
    ) < cardinality($3::uuid[]) then 'labelIds'
  end as missing,
    known.updated_at
  from given, tasks known
  where known.user_id = $1 and known.id = $4
), old as (
  select old as was, old.id, old.updated_at
  from tasks old, checked
  where old.user_id = $1 and old.id = $4 and missing is null
  for no key update of old
), task as (
  update tasks task
  set (
    space_id, project_id, schedule_preference_id, title, description, status, priority, due_at,
    start_after, completed_at, estimate_minutes, min_session_minutes, max_session_minutes,
    cooldown_minutes, auto_schedule, auto_split, locked, sort_order, actual_minutes, archived_at
  ) = (
    select space_id, project_id, schedule_preference_id, title, description, status, priority,
      due_at, start_after, completed_at, estimate_minutes, min_session_minutes, max_session_minutes,
      cooldown_minutes, auto_schedule, auto_split, locked, sort_order,
      case
        when $2::jsonb ? 'actual_minutes' then changed.actual_minutes
        when $2::jsonb ->> 'status' = 'completed' then coalesce(
          task.actual_minutes, changed.estimate_minutes
        )
        else task.actual_minutes
      end,
      case when changed.status = 'archived' then coalesce(task.archived_at, $5) end
    from jsonb_populate_record(task, $2) changed
  ),
    updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
  from old, checked
  where task.user_id = $1 and task.id = old.id and old.updated_at = checked.updated_at
  returning task.*, old.was
), dropped as (
  delete from task_labels
  where user_id = $1 and task_id = $4 and label_id <> all ($3::uuid[]) and exists (select from task)
  returning label_id
), added as (
  insert into task_labels (user_id, task_id, label_id)
  select $1, task.id, label_id
  from task, unnest($3::uuid[]) label_id
  on conflict do nothing
  returning label_id
), labelled as (
  select task.*
  from task, (select count(*) from dropped) without, (select count(*) from added) with_them
), old_block as (
  select old as was, old.id
  from time_blocks old, task
  where old.user_id = $1 and old.task_id = task.id and task.status >= 'completed'
    and old.start_at > $5::timestamptz and old.type = 'task' and old.source = 'auto'
    and old.status = 'scheduled' and not old.locked
  order by old.id
  for no key update of old
), cancelled_block as (
  update time_blocks block
  set status = 'cancelled', cancelled_at = $5,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old_block old
  where block.user_id = $1 and block.id = old.id
  returning block.*, old.was
), change as (
  select *
  from (
    select 0 as place, 'task.updated' as type, task.id as id,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            (
              select coalesce(json_agg(link.label_id order by link.label_id), '[]')
              from task_labels link
              where link.user_id = $1 and link.task_id = task.id
            ) as "labelIds"
          from (select (task.was).*) task
        ) row
      ) as before,
      (
        select to_jsonb(row)
        from (
          select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
            task.project_id as "projectId", task.parent_task_id as "parentTaskId",
            task.title as "title", task.description as "description", task.status as "status",
            task.priority as "priority", iso(task.due_at) as "dueAt",
            iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
            task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
            task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
            task.locked as "locked", task.sort_order as "sortOrder",
            iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
            $3::uuid[] as "labelIds"
        ) row
      ) as after
    from labelled task
    offset 0
  ) edit
  where before - 'updatedAt' <> after - 'updatedAt'
  union all
  select 1 as place, 'timeBlock.updated' as type, block.id as id,
    (
      select to_jsonb(row)
      from (
        select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
          coalesce(
            (select task.title from tasks task where task.user_id = $1 and task.id = block.task_id),
            block.title
          ) as "title",
          block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
          block.locked as "locked", block.defended as "defended", block.source as "source",
          block.sort_order as "sortOrder", block.status as "status",
          case when block.source = 'auto' then block.explanation end as "explanation",
          iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
          block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
          iso(block.completed_at) as "completedAt"
        from (select (block.was).*) block
      ) row
    ) as before,
    (
      select to_jsonb(row)
      from (
        select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
          coalesce(
            (select updated.title from task updated where updated.id = block.task_id), block.title
          ) as "title",
          block.type as "type", iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
          block.locked as "locked", block.defended as "defended", block.source as "source",
          block.sort_order as "sortOrder", block.status as "status",
          case when block.source = 'auto' then block.explanation end as "explanation",
          iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
          block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
          iso(block.completed_at) as "completedAt"
      ) row
    ) as after
  from cancelled_block block
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, time_block_count, text_bytes, history_bytes
  )
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (1)),
      0
    ),
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 0),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($7::jsonb ->> 'historyBytes')::bigint then least(
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
    time_block_count = case
      when excluded.time_block_count <= 0
        or (
          user_state.time_block_count + excluded.time_block_count > ($7::jsonb ->> 'timeBlocks')::bigint
        ) is not true then user_state.time_block_count + excluded.time_block_count
    end,
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($7::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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
select missing, task.id is null and exists (select from old) as overtaken,
  case
    when task.id is not null then (
      select to_json(row)
      from (
        select task.id as "id", task.user_id as "userId", task.space_id as "spaceId",
          task.project_id as "projectId", task.parent_task_id as "parentTaskId",
          task.title as "title", task.description as "description", task.status as "status",
          task.priority as "priority", iso(task.due_at) as "dueAt",
          iso(task.start_after) as "startAfter", iso(task.completed_at) as "completedAt",
          task.estimate_minutes as "estimateMinutes", task.actual_minutes as "actualMinutes",
          task.min_session_minutes as "minSessionMinutes",
          task.max_session_minutes as "maxSessionMinutes",
          task.cooldown_minutes as "cooldownMinutes", task.auto_schedule as "autoSchedule",
          task.auto_split as "autoSplit", task.schedule_preference_id as "schedulePreferenceId",
          task.locked as "locked", task.sort_order as "sortOrder",
          iso(task.created_at) as "createdAt", iso(task.updated_at) as "updatedAt",
          (
            select to_json(row)
            from (
              select space.id as "id", space.name as "name", space.color as "color",
                space.icon as "icon"
              from spaces space
              where space.user_id = $1 and space.id = task.space_id
            ) row
          ) as "space",
          (
            select to_json(row)
            from (
              select project.id as "id", project.name as "name", project.color as "color"
              from projects project
              where project.user_id = $1 and project.id = task.project_id
            ) row
          ) as "project",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select label.id as "id", label.name as "name", label.color as "color"
              from labels label
              where label.user_id = $1 and label.id = any($3::uuid[])
              order by label.name
            ) row
          ) as "labels",
          (
            select coalesce(json_agg(row), '[]')
            from (
              select item.id as "id", item.task_id as "taskId", item.title as "title",
                item.completed as "completed", item.sort_order as "sortOrder"
              from checklist_items item
              where item.user_id = $1 and item.task_id = task.id
              order by item.sort_order, item.id
            ) row
          ) as "checklistItems"
      ) row
    )::text
  end as json
from checked
left join task on true;
