-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- time-blocks.complete-missed
with old as (
  select old as was, old.id
  from time_blocks old
  where old.user_id = $1 and old.id = any($2::uuid[])
    and (old.status = 'scheduled' and old.end_at <= $3 or old.cancel_reason = 'missed')
  order by old.id
  for no key update
), block as (
  update time_blocks block
  set status = 'completed', completed_at = $3, cancelled_at = null, cancel_reason = null,
    thread = case
      when block.status = 'cancelled' then md5(block.id || iso(block.updated_at))::uuid
      else block.thread
    end,
    reviewed_at = $3,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = old.id
  returning block.*, old.was
), change as (
  select *
  from (
    select 0 as place, 'timeBlock.updated' as type, block.id as id,
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
    from block block
    offset 0
  ) edit
  where before - 'updatedAt' <> after - 'updatedAt'
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, time_block_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (0)),
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
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select count(*) as updated
from block;

-- time-blocks.delete
with gone as (delete from time_blocks where user_id = $1 and id = $2 returning *),
  change as (
    select 0 as place, 'timeBlock.deleted' as type, one.id, one.json as before, null::jsonb as after
    from (
      select block.id as id,
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
        ) as json
      from gone block
    ) one
  ), counted as (
    insert into user_state (
      user_id, last_event, stale_since, due_at, time_block_count, history_bytes
    )
    select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
      coalesce(
        sum(
          coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
            (change.before ->> 'source' = 'manual')::int, 0
          )
        ) filter (where change.place in (0)),
        0
      ),
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
      time_block_count = case
        when excluded.time_block_count <= 0
          or (
            user_state.time_block_count + excluded.time_block_count > ($4::jsonb ->> 'timeBlocks')::bigint
          ) is not true then user_state.time_block_count + excluded.time_block_count
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

-- time-blocks.drop-missed
with old as (
  select old as was, old.id
  from time_blocks old
  where old.user_id = $1 and old.id = any($2::uuid[])
    and (old.status = 'scheduled' and old.end_at <= $3 or old.cancel_reason = 'missed')
  order by old.id
  for no key update
), block as (
  update time_blocks block
  set status = 'cancelled', cancelled_at = coalesce(block.cancelled_at, $3),
    cancel_reason = 'skipped', reviewed_at = $3,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = old.id
  returning block.*, old.was
), dropped as (
  select task_id, sum(round(extract(epoch from end_at - start_at) / 60))::integer as minutes
  from block
  where task_id is not null
  group by task_id
), shortened as (
  update tasks task
  set estimate_minutes = greatest(0, least(960, known.minutes) - dropped.minutes),
    updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
  from tasks old, dropped,
    lateral (
      select coalesce(
        old.estimate_minutes, (select assumed_minutes from user_settings where user_id = $1)
      ) as minutes
    ) known
  where task.user_id = $1 and task.id = dropped.task_id and old.user_id = $1
    and old.id = dropped.task_id and known.minutes > 0
  returning task.*, old as was
), change as (
  select *
  from (
    select 0 as place, 'timeBlock.updated' as type, block.id as id,
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
    from block block
    offset 0
  ) edit
  where before - 'updatedAt' <> after - 'updatedAt'
  union all
  select 1 as place, 'task.updated' as type, task.id as id,
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
  from shortened task
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
      ) filter (where change.place in (0)),
      0
    ),
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 1),
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select count(*) as updated
from block;

-- time-blocks.extend
with given as (
  select id, status, end_at, end_at + $2::integer * interval '1 minute' as new_end,
    status in ('scheduled', 'in_progress') as is_open
  from time_blocks
  where user_id = $1 and id = $3
), old as (
  select old as was, old.id
  from time_blocks old
  where old.user_id = $1
    and old.id = any(
      array(
        select id
        from given
        where is_open
        union all
        select other.id
        from time_blocks other, given
        where other.user_id = $1 and given.is_open
          and (
            other.start_at > $4::timestamptz and other.type = 'task' and other.source = 'auto'
            and other.status = 'scheduled' and not other.locked
            and coalesce(
              (
                select task.status >= 'completed' or not task.locked and task.auto_schedule
                  and coalesce(project.auto_schedule, true)
                from tasks task
                left join projects project on project.user_id = $1 and project.id = task.project_id
                where task.user_id = $1 and task.id = other.task_id
              ),
              false
            )
          )
          and other.start_at < given.new_end and other.end_at > given.end_at
      )
    )
  order by old.id
  for no key update
), extended as (
  update time_blocks block
  set end_at = block.end_at + $2::integer * interval '1 minute',
    source = case when block.status = 'scheduled' then 'manual' else block.source end,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = $3 and old.id = $3
    and (old.was).status in ('scheduled', 'in_progress')
  returning block.*, old.was
), cancelled as (
  update time_blocks block
  set status = 'cancelled', cancelled_at = $4,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = old.id and block.id <> $3
    and (old.was).status = 'scheduled' and (old.was).source = 'auto' and not (old.was).locked
    and exists (select from extended)
  returning block.*, old.was
), change as (
  select 0 as place, 'timeBlock.updated' as type, block.id as id,
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
      ) row
    ) as after
  from extended block
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
      ) row
    ) as after
  from cancelled block
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, time_block_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (0, 1)),
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
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $5::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select case when not is_open then 'Only a scheduled or running block can be extended' end as refusal,
  (
    select to_json(row)
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
        iso(block.completed_at) as "completedAt",
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
      from extended block
      where block.id = $3
    ) row
  )::text as json
from given;

-- time-blocks.find
select case
  when $2::boolean then (
    select to_json(row)
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
        iso(block.completed_at) as "completedAt",
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
    ) row
  )
  else (
    select to_json(row)
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
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
    ) row
  )
end::text as json
from time_blocks block
where block.user_id = $1 and block.id = $3;

-- time-blocks.insert
with block as (
  insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at)
  select $1, $2, task.id, task.title, 'manual', $3, $4
  from tasks task
  where task.user_id = $1 and task.id = $5
  for key share
  returning *
), change as (
  select 0 as place, 'timeBlock.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select block.id as id,
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
      ) as json
    from block block
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, time_block_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (0)),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($8::jsonb ->> 'historyBytes')::bigint then least(
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
          user_state.time_block_count + excluded.time_block_count > ($8::jsonb ->> 'timeBlocks')::bigint
        ) is not true then user_state.time_block_count + excluded.time_block_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $7::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select case
  when $6::boolean then (
    select to_json(row)
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
        iso(block.completed_at) as "completedAt",
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority",
              task.status as "status"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
    ) row
  )
  else (
    select to_json(row)
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
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority",
              task.status as "status"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
    ) row
  )
end::text as json
from block;

-- time-blocks.insert-event
with block as (
  insert into time_blocks (user_id, id, title, type, source, start_at, end_at)
  values ($1, $2, $3, 'event', 'manual', $4, $5)
  returning *
), change as (
  select 0 as place, 'timeBlock.created' as type, one.id, null::jsonb as before, one.json as after
  from (
    select block.id as id,
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
      ) as json
    from block block
  ) one
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, time_block_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (0)),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($8::jsonb ->> 'historyBytes')::bigint then least(
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
          user_state.time_block_count + excluded.time_block_count > ($8::jsonb ->> 'timeBlocks')::bigint
        ) is not true then user_state.time_block_count + excluded.time_block_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $7::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select case
  when $6::boolean then (
    select to_json(row)
    from (
      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
        block.title as "title", block.type as "type", iso(block.start_at) as "startAt",
        iso(block.end_at) as "endAt", block.locked as "locked", block.defended as "defended",
        block.source as "source", block.sort_order as "sortOrder", block.status as "status",
        case when block.source = 'auto' then block.explanation end as "explanation",
        iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
        block.cancel_reason as "cancelReason", iso(block.started_at) as "startedAt",
        iso(block.completed_at) as "completedAt", null::json as "task"
    ) row
  )
  else (
    select to_json(row)
    from (
      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
        block.title as "title", block.type as "type", iso(block.start_at) as "startAt",
        iso(block.end_at) as "endAt", block.locked as "locked", block.defended as "defended",
        block.source as "source", block.sort_order as "sortOrder", block.status as "status",
        case when block.source = 'auto' then block.explanation end as "explanation",
        iso(block.created_at) as "createdAt", iso(block.updated_at) as "updatedAt",
        null::json as "task"
    ) row
  )
end::text as json
from block;

-- time-blocks.list
select coalesce(
  json_agg(
    case
      when $2::boolean then (
        select to_json(row)
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
            iso(block.completed_at) as "completedAt",
            (
              select to_json(row)
              from (
                select task.id as "id", task.title as "title", task.priority as "priority",
                  task.status as "status"
                from tasks task
                where task.user_id = $1 and task.id = block.task_id
              ) row
            ) as "task"
        ) row
      )
      else (
        select to_json(row)
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
            (
              select to_json(row)
              from (
                select task.id as "id", task.title as "title", task.priority as "priority",
                  task.status as "status"
                from tasks task
                where task.user_id = $1 and task.id = block.task_id
              ) row
            ) as "task"
        ) row
      )
    end
    order by block.start_at, block.id
  ),
  '[]'
)::text as json
from time_blocks block
where block.user_id = $1 and block.start_at >= $3 and block.start_at < $4
  and block.status <> 'cancelled';

-- time-blocks.list-missed
with missed as (
  select block.*
  from time_blocks block
  where block.user_id = $1 and block.status = 'scheduled'
    and block.start_at > $2::timestamptz - interval '15 days'
    and block.end_at > $2::timestamptz - interval '14 days' and block.end_at <= $2
  union all
  select block.*
  from time_blocks block
  where block.user_id = $1 and block.cancel_reason = 'missed' and block.reviewed_at is null
    and block.cancelled_at > $2::timestamptz - interval '14 days'
)
select (
  select coalesce(json_agg(row), '[]')
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
      iso(block.completed_at) as "completedAt",
      (
        select to_json(row)
        from (
          select task.id as "id", task.title as "title", task.priority as "priority",
            task.status as "status"
          from tasks task
          where task.user_id = $1 and task.id = block.task_id
        ) row
      ) as "task"
    from missed block
    where exists (
      select
      from tasks task
      where task.user_id = $1 and task.id = block.task_id and task.status < 'completed'
    )
      and not exists (
        select from user_settings where user_id = $1 and missed_blocks = 'assume-done'
      )
    order by block.start_at desc, block.id
    limit 500
  ) row
)::text as json;

-- time-blocks.lock-running-tasks
select id
from tasks
where user_id = $1
  and id in (select task_id from time_blocks where user_id = $1 and status = 'in_progress')
order by id
for no key update;

-- time-blocks.lock-tasks
select id
from tasks
where user_id = $1
  and id in (select task_id from time_blocks where user_id = $1 and id = any($2::uuid[]))
order by id
for no key update;

-- time-blocks.plan-missed-again
with old as (
  select old as was, old.id
  from time_blocks old
  where old.user_id = $1 and old.id = any($2::uuid[])
    and (old.status = 'scheduled' and old.end_at <= $3 or old.cancel_reason = 'missed')
  order by old.id
  for no key update
), block as (
  update time_blocks block
  set status = 'cancelled', cancelled_at = coalesce(block.cancelled_at, $3),
    cancel_reason = 'missed', reviewed_at = $3,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = old.id
  returning block.*, old.was
), change as (
  select *
  from (
    select 0 as place, 'timeBlock.updated' as type, block.id as id,
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
    from block block
    offset 0
  ) edit
  where before - 'updatedAt' <> after - 'updatedAt'
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, time_block_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (0)),
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
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select count(*) as updated
from block;

-- time-blocks.reorder
with old as (
  select old as was, id
  from time_blocks old
  where user_id = $1 and id = any($2::uuid[])
  order by id
  for no key update
), block as (
  update time_blocks block
  set sort_order = place.number - 1,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  join unnest($2::uuid[])
  with ordinality place (id, number) on place.id = old.id
  where block.user_id = $1 and block.id = old.id
    and (select count(*) from old) = cardinality($2::uuid[])
    and (old.was).sort_order <> place.number - 1
  returning block.*, old.was
), change as (
  select 0 as place, 'timeBlock.updated' as type, block.id as id,
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
      ) row
    ) as after
  from block block
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, time_block_count, history_bytes)
  select $1, 1, null, current_timestamp,
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (0)),
      0
    ),
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
    time_block_count = case
      when excluded.time_block_count <= 0
        or (
          user_state.time_block_count + excluded.time_block_count > ($4::jsonb ->> 'timeBlocks')::bigint
        ) is not true then user_state.time_block_count + excluded.time_block_count
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
select count(*) as found
from old;

-- time-blocks.skip
with given as (
  select id, task_id,
    case
      when status <> 'scheduled' then 'Only a scheduled block can be skipped'
      when task_id is null then 'Only a block of a task can be skipped'
    end as refusal
  from time_blocks
  where user_id = $1 and id = $2
), old as (
  select old as was, old.id
  from time_blocks old
  where old.user_id = $1
    and old.id = any(
      array(
        select id
        from given
        where refusal is null
        union all
        select other.id
        from time_blocks other, given
        where given.refusal is null and other.user_id = $1 and other.task_id = given.task_id
          and other.type = 'task' and other.source = 'auto' and other.status = 'scheduled'
          and not other.locked and other.end_at > $3 and other.start_at < $4
      )
    )
  order by old.id
  for no key update
), skipped as (
  update time_blocks block
  set status = 'cancelled', cancelled_at = $3,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond'),
    cancel_reason = 'skipped'
  from old
  where block.user_id = $1 and block.id = old.id and (old.was).status = 'scheduled'
  returning block.*, old.was
), task as (
  update tasks task
  set start_after = $4,
    updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
  from tasks old, skipped
  where task.user_id = $1 and task.id = old.id and old.user_id = $1 and old.id = skipped.task_id
    and skipped.id = $2 and (old.start_after is null or old.start_after < $4)
  returning task.*, old as was
), change as (
  select 0 as place, 'timeBlock.updated' as type, block.id as id,
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
      ) row
    ) as after
  from skipped block
  union all
  select 1 as place, 'task.updated' as type, task.id as id,
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
      ) filter (where change.place in (0)),
      0
    ),
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 1),
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
select given.refusal,
  (
    select to_json(row)
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
        iso(block.completed_at) as "completedAt",
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
      from skipped block
      where block.id = $2
    ) row
  )::text as json
from given;

-- time-blocks.start
with given as (
  select block.id, block.status, block.task_id, full_length.begins_at,
    full_length.end_at as full_end,
    least(
      full_length.end_at,
      (
        select min(other.start_at)
        from time_blocks other
        where other.user_id = $1 and other.id <> block.id and other.start_at > $2
          and other.start_at < full_length.end_at and other.status = 'scheduled'
          and not (
            other.start_at > $2::timestamptz and other.type = 'task' and other.source = 'auto'
            and other.status = 'scheduled' and not other.locked
            and coalesce(
              (
                select task.status >= 'completed' or not task.locked and task.auto_schedule
                  and coalesce(project.auto_schedule, true)
                from tasks task
                left join projects project on project.user_id = $1 and project.id = task.project_id
                where task.user_id = $1 and task.id = other.task_id
              ),
              false
            )
          )
      )
    ) as end_at
  from time_blocks block,
    lateral (
      select case
        when $2::timestamptz >= block.start_at
          and $2::timestamptz <= block.start_at + interval '5 minutes'
          and block.end_at >= block.start_at + interval '20 minutes' then block.start_at
        else date_trunc('minute', $2::timestamptz)
      end as begins_at
    ) beginning,
    lateral (select begins_at, begins_at + (block.end_at - block.start_at) as end_at) full_length
  where block.user_id = $1 and block.id = $3
), checked as (
  select case
    when status <> 'scheduled' then 'Only a scheduled block can be started'
    when task_id is null then 'Only a block of a task can be started'
    when end_at < least(full_end, $2::timestamptz + interval '5 minutes') then 'The next block that cannot be moved begins within 5 minutes'
  end as refusal
  from given
), old as (
  select old as was, old.id,
    case
      when old.start_at between $2::timestamptz - interval '24 hours'
        and $2::timestamptz then old.start_at
      else coalesce(old.started_at, least(old.start_at, $2::timestamptz - interval '1 minute'))
    end as begun
  from time_blocks old
  where old.user_id = $1 and (select refusal is null from checked)
    and old.id = any(
      array(
        select id
        from given
        union all
        select id
        from time_blocks
        where user_id = $1 and status = 'in_progress'
        union all
        select other.id
        from time_blocks other, given
        where other.user_id = $1 and other.start_at > $2::timestamptz and other.type = 'task'
          and other.source = 'auto' and other.status = 'scheduled' and not other.locked
          and other.start_at < given.end_at
      )
    )
  order by old.id
  for no key update
), started as (
  update time_blocks block
  set status = 'in_progress', started_at = $2, start_at = given.begins_at, end_at = given.end_at,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old, given
  where block.user_id = $1 and block.id = $3 and old.id = $3 and (old.was).status = 'scheduled'
    and (old.was).task_id is not null
  returning block.*, old.was
), stopped as (
  update time_blocks block
  set status = 'completed', completed_at = $2, start_at = old.begun,
    end_at = least(
      greatest($2::timestamptz, old.begun + interval '1 minute'), old.begun + interval '24 hours'
    ),
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = old.id and (old.was).status = 'in_progress'
    and exists (select from started)
  returning block.*, old.was, old.begun
), spent as (
  select task_id,
    sum(
      least(
        1440,
        greatest(1, round(extract(epoch from $2::timestamptz - coalesce(started_at, begun)) / 60))
      )
    ) as minutes
  from stopped
  where task_id is not null
  group by task_id
), task as (
  update tasks task
  set actual_minutes = least(2147483647, coalesce(task.actual_minutes, 0) + spent.minutes),
    updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
  from tasks old, spent
  where task.user_id = $1 and task.id = spent.task_id and old.user_id = $1
    and old.id = spent.task_id
  returning task.*, old as was
), cancelled as (
  update time_blocks block
  set status = 'cancelled', cancelled_at = $2,
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = old.id and block.id <> $3
    and (old.was).status = 'scheduled' and (old.was).source = 'auto' and not (old.was).locked
    and exists (select from started)
  returning block.*, old.was
), change as (
  select 0 as place, 'timeBlock.updated' as type, block.id as id,
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
      ) row
    ) as after
  from started block
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
      ) row
    ) as after
  from stopped block
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
  from task task
  union all
  select 3 as place, 'timeBlock.updated' as type, block.id as id,
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
      ) row
    ) as after
  from cancelled block
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
      ) filter (where change.place in (0, 1, 3)),
      0
    ),
    coalesce(
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select checked.refusal,
  (
    select to_json(row)
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
        iso(block.completed_at) as "completedAt",
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
      from started block
      where block.id = $3
    ) row
  )::text as json
from checked;

-- time-blocks.stop
with old as (
  select old as was, old.id, old.status,
    case
      when old.start_at between $2::timestamptz - interval '24 hours'
        and $2::timestamptz then old.start_at
      else coalesce(old.started_at, least(old.start_at, $2::timestamptz - interval '1 minute'))
    end as begun
  from time_blocks old
  where user_id = $1 and id = $3
  for no key update
), stopped as (
  update time_blocks block
  set status = 'completed', completed_at = $2, start_at = old.begun,
    end_at = least(
      greatest($2::timestamptz, old.begun + interval '1 minute'), old.begun + interval '24 hours'
    ),
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = old.id and (old.was).status = 'in_progress' and true
  returning block.*, old.was, old.begun
), spent as (
  select task_id,
    sum(
      least(
        1440,
        greatest(1, round(extract(epoch from $2::timestamptz - coalesce(started_at, begun)) / 60))
      )
    ) as minutes
  from stopped
  where task_id is not null
  group by task_id
), task as (
  update tasks task
  set actual_minutes = least(2147483647, coalesce(task.actual_minutes, 0) + spent.minutes),
    updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
  from tasks old, spent
  where task.user_id = $1 and task.id = spent.task_id and old.user_id = $1
    and old.id = spent.task_id
  returning task.*, old as was
), change as (
  select 0 as place, 'timeBlock.updated' as type, block.id as id,
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
      ) row
    ) as after
  from stopped block
  union all
  select 1 as place, 'task.updated' as type, task.id as id,
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
      ) filter (where change.place in (0)),
      0
    ),
    coalesce(
      sum(
        coalesce(octet_length(change.after ->> 'description'), 0) - coalesce(
          octet_length(change.before ->> 'description'), 0
        )
      ) filter (where change.place = 1),
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select case when status <> 'in_progress' then 'Only a block in progress can be stopped' end as refusal,
  (
    select to_json(row)
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
        iso(block.completed_at) as "completedAt",
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
      from stopped block
      where block.id = $3
    ) row
  )::text as json
from old;

-- time-blocks.update
with old as (
  select old.*,
    old is distinct from jsonb_populate_record(
      old, case when old.type = 'event' then $2::jsonb else $2::jsonb - 'title' end
    ) as differs
  from time_blocks old
  where user_id = $1 and id = $3
  for no key update
), block as (
  update time_blocks block
  set (
    task_id, title, start_at, end_at, locked, sort_order, status, cancelled_at, started_at,
    completed_at, cancel_reason, reviewed_at, source, thread
  ) = (
    select task_id, title, start_at, end_at, locked, sort_order, status,
      case when changed.status = 'cancelled' then coalesce(block.cancelled_at, $4) end,
      case
        when $2::jsonb ? 'started_at' then changed.started_at
        when changed.status = 'scheduled' then null
        when changed.status = 'in_progress' and block.status <> 'in_progress' then $4
        else block.started_at
      end,
      case
        when $2::jsonb ? 'completed_at' then changed.completed_at
        when changed.status = 'completed' and block.status <> 'completed' then $4
        when changed.status = 'completed' then block.completed_at
      end,
      case
        when $2::jsonb ? 'cancel_reason' then changed.cancel_reason
        when changed.status = 'cancelled' then block.cancel_reason
      end,
      case when changed.status = block.status then block.reviewed_at end,
      case
        when $2::jsonb ? 'source' then changed.source
        when $5 and $2::jsonb ?| array['start_at', 'end_at'] then 'manual'
        else block.source
      end,
      case
        when block.status = 'cancelled'
          and changed.status <> 'cancelled' then md5(block.id || iso(block.updated_at))::uuid
        else block.thread
      end
    from jsonb_populate_record(
      block, case when block.type = 'event' then $2::jsonb else $2::jsonb - 'title' end
    ) changed
  ),
    updated_at = greatest(current_timestamp, block.updated_at + interval '1 millisecond')
  from old
  where block.user_id = $1 and block.id = old.id
    and (
      old.differs or $5::boolean and old.source <> 'manual' and not $2::jsonb ? 'source'
      and $2::jsonb ?| array['start_at', 'end_at']
    )
  returning block.*, old.differs
), change as (
  select 0 as place, 'timeBlock.updated' as type, new.id, old.json as before, new.json as after
  from (
    select block.id as id,
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
      ) as json
    from old block
  ) old
  join (
    select block.id as id,
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
      ) as json
    from block block
  ) new using (id)
), counted as (
  insert into user_state (user_id, last_event, stale_since, due_at, time_block_count, history_bytes)
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum(
        coalesce((change.after ->> 'source' = 'manual')::int, 0) - coalesce(
          (change.before ->> 'source' = 'manual')::int, 0
        )
      ) filter (where change.place in (0)),
      0
    ),
    sum(coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0))
  from change
  having count(*) > 0
  on conflict (user_id) do update
  set last_event = user_state.last_event + 1,
    stale_since = coalesce(user_state.stale_since, excluded.stale_since),
    due_at = case
      when user_state.history_bytes > ($8::jsonb ->> 'historyBytes')::bigint then least(
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
          user_state.time_block_count + excluded.time_block_count > ($8::jsonb ->> 'timeBlocks')::bigint
        ) is not true then user_state.time_block_count + excluded.time_block_count
    end,
    history_bytes = user_state.history_bytes + excluded.history_bytes
  returning last_event
), recorded as (
  insert into events (user_id, seq, part, type, record_id, before, after, actor, bytes)
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $7::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select case
  when $6::boolean then (
    select to_json(row)
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
        iso(block.completed_at) as "completedAt",
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
    ) row
  )
  else (
    select to_json(row)
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
        (
          select to_json(row)
          from (
            select task.id as "id", task.title as "title", task.priority as "priority"
            from tasks task
            where task.user_id = $1 and task.id = block.task_id
          ) row
        ) as "task"
    ) row
  )
end::text as json
from (select * from block union all select * from old where not exists (select from block)) block;
