-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- occurrences.adopt
with made as (
  insert into occurrences (user_id, recurrence_id, on_day, nth, task_id, state)
  select $1, given."recurrenceId", given.day, given.nth, given."taskId", 'made'
  from jsonb_to_record($2) as given ("recurrenceId" uuid, day date, nth integer, "taskId" uuid)
  returning recurrence_id
)
update recurrences
set occurrence_count = occurrence_count + 1
where user_id = $1 and id in (select recurrence_id from made);

-- occurrences.archive
with old as (
  select old as was, old.id
  from tasks old
  where old.user_id = $1 and old.id = any($2::uuid[])
    and old.status in ('backlog', 'todo', 'in_progress')
  order by old.id
  for no key update
), task as (
  update tasks task
  set status = 'archived', archived_at = $3,
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from task;

-- occurrences.delete
delete from occurrences where user_id = $1 and recurrence_id = $2 and task_id = any($3::uuid[]);

-- occurrences.end
update occurrences
set state = 'ended'
where user_id = $1 and task_id = any($2::uuid[]) and state = 'made';

-- occurrences.find-by-task
select occurrence.recurrence_id as "recurrenceId", occurrence.on_day::text as day, occurrence.nth,
  occurrence.state, occurrence.task_id as "taskId", task.status, task.start_after as "startAfter",
  task.due_at as "dueAt",
  coalesce(task.completed_at, task.archived_at, task.updated_at) as "endedAt",
  task.created_at as "createdAt"
from occurrences occurrence
join recurrences recurrence on recurrence.user_id = $1 and recurrence.id = occurrence.recurrence_id
  and recurrence.deleted_at is null
left join tasks task on task.user_id = $1 and task.id = occurrence.task_id
where occurrence.user_id = $1 and occurrence.task_id = $2;

-- occurrences.follow
with given as (select * from jsonb_populate_recordset(null::tasks, $2)),
  old as (
    select old as was, old.id
    from tasks old
    where old.user_id = $1 and old.id in (select id from given)
      and old.status in ('backlog', 'todo')
    order by old.id
    for no key update
  ), task as (
    update tasks task
    set space_id = given.space_id, project_id = given.project_id,
      schedule_preference_id = given.schedule_preference_id, title = given.title,
      description = given.description, priority = given.priority, due_at = given.due_at,
      start_after = given.start_after, estimate_minutes = given.estimate_minutes,
      min_session_minutes = given.min_session_minutes,
      max_session_minutes = given.max_session_minutes, cooldown_minutes = given.cooldown_minutes,
      auto_schedule = given.auto_schedule, auto_split = given.auto_split,
      updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
    from old
    join given on given.id = old.id
    where task.user_id = $1 and task.id = old.id
    returning task.*, old.was
  ), wanted as (
    select given."taskId", given."labelId"
    from jsonb_to_recordset($3) as given ("taskId" uuid, "labelId" uuid)
  ), dropped as (
    delete from task_labels link using task
    where link.user_id = $1 and link.task_id = task.id
      and link.label_id not in (select wanted."labelId" from wanted where wanted."taskId" = task.id)
    returning link.task_id
  ), added as (
    insert into task_labels (user_id, task_id, label_id)
    select $1, task.id, wanted."labelId"
    from task
    join wanted on wanted."taskId" = task.id
    on conflict do nothing
    returning task_id
  ), moved as (
    update occurrences occurrence
    set on_day = given.day, nth = given.nth, task_stamp = task.updated_at
    from jsonb_to_recordset($4) as given (day date, nth integer, "taskId" uuid)
    join task on task.id = given."taskId"
    where occurrence.user_id = $1 and occurrence.task_id = task.id
    returning occurrence.task_id
  ), labelled as (
    select task.*
    from task, (select count(*) from dropped) without, (select count(*) from added) with_them,
      (select count(*) from moved) in_their_place
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
                select coalesce(json_agg(wanted."labelId" order by wanted."labelId"), '[]')
                from wanted
                where wanted."taskId" = task.id
              ) as "labelIds"
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
    select $1, counted.last_event, row_number() over (order by change.place, change.id),
      change.type, change.id, change.before, change.after, $5::jsonb,
      coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
    from counted, change
  )
select id
from task;

-- occurrences.insert-lapsed
insert into occurrences (user_id, recurrence_id, on_day, nth, state)
select $1, given."recurrenceId", given.day, given.nth, 'lapsed'
from jsonb_to_recordset($2) as given ("recurrenceId" uuid, day date, nth integer)
on conflict do nothing;

-- occurrences.lapse
with old as (
  select old as was, old.id
  from tasks old
  where old.user_id = $1 and old.id = any($2::uuid[]) and old.status in ('backlog', 'todo')
    and old.due_at <= $3
  order by old.id
  for no key update
), task as (
  update tasks task
  set status = 'cancelled',
    updated_at = greatest(current_timestamp, task.updated_at + interval '1 millisecond')
  from old
  where task.user_id = $1 and task.id = old.id
  returning task.*, old.was
), lapsed as (
  update occurrences occurrence
  set state = 'lapsed'
  from task
  where occurrence.user_id = $1 and occurrence.task_id = task.id
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
  select $1, counted.last_event, row_number() over (order by change.place, change.id), change.type,
    change.id, change.before, change.after, $4::jsonb,
    coalesce(pg_column_size(change.before), 0) + coalesce(pg_column_size(change.after), 0)
  from counted, change
)
select id
from task;

-- occurrences.list-between
select occurrence.recurrence_id as "recurrenceId", occurrence.on_day::text as day, occurrence.nth,
  occurrence.state, occurrence.task_id as "taskId", task.status, task.start_after as "startAfter",
  task.due_at as "dueAt",
  coalesce(task.completed_at, task.archived_at, task.updated_at) as "endedAt",
  task.created_at as "createdAt"
from occurrences occurrence
left join tasks task on task.user_id = $1 and task.id = occurrence.task_id
where occurrence.user_id = $1 and occurrence.recurrence_id = $2 and occurrence.on_day >= $3
order by occurrence.on_day, occurrence.nth;

-- occurrences.list-watched
select occurrence.recurrence_id as "recurrenceId", occurrence.on_day::text as day, occurrence.nth,
  occurrence.state, occurrence.task_id as "taskId", task.status, task.start_after as "startAfter",
  task.due_at as "dueAt",
  coalesce(task.completed_at, task.archived_at, task.updated_at) as "endedAt",
  task.created_at as "createdAt", coalesce(task.updated_at = occurrence.task_stamp, false)
  and not exists (
    select
    from time_blocks block
    where block.user_id = $1 and block.task_id = task.id and block.source = 'manual'
      and block.status <> 'cancelled'
  )
  and not exists (
    select
    from checklist_items item
    where item.user_id = $1 and item.task_id = task.id and item.completed
  ) as "isUntouched"
from (
  select made.*
  from jsonb_to_recordset($2) as given (id uuid, "from" date)
  join occurrences made on made.user_id = $1 and made.recurrence_id = given.id
    and made.state = 'made'
  union all
  select settled.*
  from jsonb_to_recordset($2) as given (id uuid, "from" date)
  join occurrences settled on settled.user_id = $1 and settled.recurrence_id = given.id
    and settled.on_day >= given."from" and settled.state <> 'made'
) occurrence
left join tasks task on task.user_id = $1 and task.id = occurrence.task_id
order by occurrence.created_at, occurrence.place, occurrence.on_day, occurrence.nth;

-- occurrences.lock-blocks
select id
from time_blocks old
where old.user_id = $1 and old.task_id = any($2::uuid[]) and old.start_at > $3::timestamptz
  and old.type = 'task' and old.source = 'auto' and old.status = 'scheduled' and not old.locked
order by id
for no key update;

-- occurrences.lock-tasks
select id from tasks where user_id = $1 and id = any($2::uuid[]) order by id for no key update;

-- occurrences.make
with made as (
  insert into occurrences (user_id, recurrence_id, on_day, nth, task_id, state, task_stamp, place)
  select $1, given."recurrenceId", given.day, given.nth, given."taskId", 'made', current_timestamp,
    given.place
  from jsonb_to_recordset($2) as given (
    "recurrenceId" uuid, day date, nth integer, "taskId" uuid, place integer
  )
  on conflict do nothing
  returning task_id
), task as (
  insert into tasks (
    user_id, id, space_id, project_id, schedule_preference_id, title, description, status, priority,
    due_at, start_after, estimate_minutes, min_session_minutes, max_session_minutes,
    cooldown_minutes, auto_schedule, auto_split, archived_at
  )
  select $1, given.id, space_id, project_id, schedule_preference_id, title, description, status,
    priority, due_at, start_after, estimate_minutes, min_session_minutes, max_session_minutes,
    cooldown_minutes, auto_schedule, auto_split, archived_at
  from jsonb_populate_recordset(null::tasks, $3) given
  where given.id in (select task_id from made)
  returning *
), wanted as (
  select given."taskId", given."labelId"
  from jsonb_to_recordset($4) as given ("taskId" uuid, "labelId" uuid)
), linked as (
  insert into task_labels (user_id, task_id, label_id)
  select $1, task.id, wanted."labelId"
  from task
  join wanted on wanted."taskId" = task.id
), item as (
  insert into checklist_items (user_id, id, task_id, title, sort_order)
  select $1, given.id, task.id, given.title, given.place
  from jsonb_to_recordset($5) as given (id uuid, "taskId" uuid, title text, place integer)
  join task on task.id = given."taskId"
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
            (
              select coalesce(json_agg(wanted."labelId" order by wanted."labelId"), '[]')
              from wanted
              where wanted."taskId" = task.id
            ) as "labelIds"
        ) row
      ) as json
    from task task
  ) one
  union all
  select 1 as place, 'checklistItem.created' as type, one.id, null::jsonb as before,
    one.json as after
  from (
    select item.id as id,
      (
        select to_jsonb(row)
        from (
          select item.id as "id", item.task_id as "taskId", item.title as "title",
            item.completed as "completed", item.sort_order as "sortOrder"
        ) row
      ) as json
    from item item
  ) one
), counted as (
  insert into user_state (
    user_id, last_event, stale_since, due_at, task_count, checklist_item_count, text_bytes,
    history_bytes
  )
  select $1, 1, current_timestamp, current_timestamp + interval '2 seconds',
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (0)
      ),
      0
    ),
    coalesce(
      sum((change.after is not null)::int - (change.before is not null)::int) filter (
        where change.place in (1)
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
    task_count = case
      when excluded.task_count <= 0
        or (user_state.task_count + excluded.task_count > ($7::jsonb ->> 'tasks')::bigint) is not true then user_state.task_count + excluded.task_count
    end,
    checklist_item_count = case
      when excluded.checklist_item_count <= 0
        or (
          user_state.checklist_item_count + excluded.checklist_item_count > (
            $7::jsonb ->> 'checklistItems'
          )::bigint
        ) is not true then user_state.checklist_item_count + excluded.checklist_item_count
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
select id
from task;

-- occurrences.mark-withdrawn
update occurrences set former_task = task_id where user_id = $1 and task_id = any($2::uuid[]);

-- occurrences.reattach
update occurrences
set task_id = former_task, former_task = null, task_stamp = null,
  state = case when state = 'skipped' then 'made' else state end
where user_id = $1 and former_task = $2 and task_id is null;

-- occurrences.release
update occurrences occurrence
set task_id = null, state = 'ended'
from recurrences recurrence
where occurrence.user_id = $1 and occurrence.task_id = $2 and recurrence.user_id = $1
  and recurrence.id = occurrence.recurrence_id and recurrence.deleted_at is not null;

-- occurrences.reopen
with old as (
  select old as was, old.id
  from tasks old
  where old.user_id = $1 and old.id = any($2::uuid[]) and old.status in ('archived', 'cancelled')
  order by old.id
  for no key update
), task as (
  update tasks task
  set status = 'todo', archived_at = null,
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
    text_bytes = case
      when excluded.text_bytes <= 0
        or (user_state.text_bytes + excluded.text_bytes > ($4::jsonb ->> 'textBytes')::bigint) is not true then user_state.text_bytes + excluded.text_bytes
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
from task;

-- occurrences.take-withdrawn
update occurrences
set former_task = null
where user_id = $1 and recurrence_id = $2 and former_task = task_id
returning task_id as id;

-- occurrences.transfer
with moved as (
  update occurrences occurrence
  set recurrence_id = $2
  where occurrence.user_id = $1 and occurrence.recurrence_id = $3 and occurrence.on_day >= $4
    and not exists (
      select
      from occurrences other
      where other.user_id = $1 and other.recurrence_id = $2 and other.on_day = occurrence.on_day
        and other.nth = occurrence.nth
    )
  returning occurrence.on_day
)
update recurrences recurrence
set occurrence_count = occurrence_count + (select count(*) from moved) * case
  when recurrence.id = $2 then 1 else -1
end
where recurrence.user_id = $1 and recurrence.id in ($3, $2);

-- occurrences.trim
delete from occurrences occurrence using recurrences recurrence
where recurrence.user_id = $1 and occurrence.user_id = $1
  and occurrence.recurrence_id = recurrence.id and occurrence.on_day < $2
  and occurrence.on_day < recurrence.settled_to - 400 and occurrence.state <> 'made';
