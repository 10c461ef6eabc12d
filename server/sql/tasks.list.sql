-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- tasks.list
with total as (select count(*) as count from tasks task where task.user_id = $1)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $2::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $3::integer
          offset ($4::bigint - 1) * $3::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $4::bigint, 'limit', $3::integer, 'total', total.count, 'pages',
        (total.count + $3::integer - 1) / $3::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list dueBefore
with total as (
  select count(*) as count from tasks task where task.user_id = $1 and task.due_at <= $2
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.due_at <= $2
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $2
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $2
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $2
      )
    ) is true
    and task.due_at <= $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $2
              )
            ) is true
            and task.due_at <= $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open
with total as (
  select count(*) as count from tasks task where task.user_id = $1 and task.status < 'completed'
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $2::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed'
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $3::integer
          offset ($4::bigint - 1) * $3::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $4::bigint, 'limit', $3::integer, 'total', total.count, 'pages',
        (total.count + $3::integer - 1) / $3::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.due_at <= $2
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.due_at <= $2
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed'
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $2
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed'
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $2
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed'
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $2
      )
    ) is true
    and task.due_at <= $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed'
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $2
              )
            ) is true
            and task.due_at <= $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,projectId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.project_id = $2
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.project_id = $2
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,projectId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.project_id = $2
    and task.due_at <= $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.project_id = $2
            and task.due_at <= $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,projectId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.project_id = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.project_id = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,projectId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.project_id = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
    and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.project_id = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
            and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,spaceId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,spaceId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.space_id = $2 and task.due_at <= $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
            and task.due_at <= $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,spaceId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,spaceId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
    and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
            and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,spaceId,projectId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
    and task.project_id = $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
            and task.project_id = $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,spaceId,projectId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
    and task.project_id = $3 and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
            and task.project_id = $3 and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,spaceId,projectId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
    and task.project_id = $3
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $4
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
            and task.project_id = $3
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $4
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list open,spaceId,projectId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
    and task.project_id = $3
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $4
      )
    ) is true
    and task.due_at <= $5
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $6::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status < 'completed' and task.space_id = $2
            and task.project_id = $3
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $4
              )
            ) is true
            and task.due_at <= $5
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $7::integer
          offset ($8::bigint - 1) * $7::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $8::bigint, 'limit', $7::integer, 'total', total.count, 'pages',
        (total.count + $7::integer - 1) / $7::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list projectId
with total as (
  select count(*) as count from tasks task where task.user_id = $1 and task.project_id = $2
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.project_id = $2
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list projectId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.project_id = $2 and task.due_at <= $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.project_id = $2 and task.due_at <= $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list projectId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.project_id = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.project_id = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list projectId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.project_id = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
    and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.project_id = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
            and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list spaceId
with total as (
  select count(*) as count from tasks task where task.user_id = $1 and task.space_id = $2
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.space_id = $2
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list spaceId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.space_id = $2 and task.due_at <= $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.space_id = $2 and task.due_at <= $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list spaceId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.space_id = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.space_id = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list spaceId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.space_id = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
    and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.space_id = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
            and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list spaceId,projectId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.space_id = $2 and task.project_id = $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.space_id = $2 and task.project_id = $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list spaceId,projectId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.space_id = $2 and task.project_id = $3 and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.space_id = $2 and task.project_id = $3
            and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list spaceId,projectId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.space_id = $2 and task.project_id = $3
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $4
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.space_id = $2 and task.project_id = $3
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $4
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list spaceId,projectId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.space_id = $2 and task.project_id = $3
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $4
      )
    ) is true
    and task.due_at <= $5
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $6::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.space_id = $2 and task.project_id = $3
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $4
              )
            ) is true
            and task.due_at <= $5
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $7::integer
          offset ($8::bigint - 1) * $7::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $8::bigint, 'limit', $7::integer, 'total', total.count, 'pages',
        (total.count + $7::integer - 1) / $7::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status
with total as (
  select count(*) as count from tasks task where task.user_id = $1 and task.status = $2
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $3::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $4::integer
          offset ($5::bigint - 1) * $4::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $5::bigint, 'limit', $4::integer, 'total', total.count, 'pages',
        (total.count + $4::integer - 1) / $4::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.due_at <= $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.due_at <= $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $3
      )
    ) is true
    and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $3
              )
            ) is true
            and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,projectId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.project_id = $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.project_id = $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,projectId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.project_id = $3 and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.project_id = $3
            and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,projectId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.project_id = $3
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $4
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.project_id = $3
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $4
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,projectId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.project_id = $3
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $4
      )
    ) is true
    and task.due_at <= $5
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $6::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.project_id = $3
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $4
              )
            ) is true
            and task.due_at <= $5
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $7::integer
          offset ($8::bigint - 1) * $7::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $8::bigint, 'limit', $7::integer, 'total', total.count, 'pages',
        (total.count + $7::integer - 1) / $7::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,spaceId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.space_id = $3
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $4::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.space_id = $3
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $5::integer
          offset ($6::bigint - 1) * $5::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $6::bigint, 'limit', $5::integer, 'total', total.count, 'pages',
        (total.count + $5::integer - 1) / $5::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,spaceId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.space_id = $3 and task.due_at <= $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.space_id = $3 and task.due_at <= $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,spaceId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.space_id = $3
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $4
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.space_id = $3
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $4
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,spaceId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.space_id = $3
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $4
      )
    ) is true
    and task.due_at <= $5
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $6::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.space_id = $3
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $4
              )
            ) is true
            and task.due_at <= $5
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $7::integer
          offset ($8::bigint - 1) * $7::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $8::bigint, 'limit', $7::integer, 'total', total.count, 'pages',
        (total.count + $7::integer - 1) / $7::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,spaceId,projectId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.space_id = $3 and task.project_id = $4
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $5::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.space_id = $3
            and task.project_id = $4
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $6::integer
          offset ($7::bigint - 1) * $6::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $7::bigint, 'limit', $6::integer, 'total', total.count, 'pages',
        (total.count + $6::integer - 1) / $6::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,spaceId,projectId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.space_id = $3 and task.project_id = $4
    and task.due_at <= $5
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $6::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.space_id = $3
            and task.project_id = $4 and task.due_at <= $5
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $7::integer
          offset ($8::bigint - 1) * $7::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $8::bigint, 'limit', $7::integer, 'total', total.count, 'pages',
        (total.count + $7::integer - 1) / $7::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,spaceId,projectId,labelId
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.space_id = $3 and task.project_id = $4
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $5
      )
    ) is true
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $6::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.space_id = $3
            and task.project_id = $4
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $5
              )
            ) is true
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $7::integer
          offset ($8::bigint - 1) * $7::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $8::bigint, 'limit', $7::integer, 'total', total.count, 'pages',
        (total.count + $7::integer - 1) / $7::integer
      ) as "pagination"
  ) row
)::text as json
from total;

-- tasks.list status,spaceId,projectId,labelId,dueBefore
with total as (
  select count(*) as count
  from tasks task
  where task.user_id = $1 and task.status = $2 and task.space_id = $3 and task.project_id = $4
    and (
      task.id in (
        select link.task_id from task_labels link where link.user_id = $1 and link.label_id = $5
      )
    ) is true
    and task.due_at <= $6
)
select (
  select to_json(row)
  from (
    select (
      select coalesce(json_agg(row), '[]')
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
          ) as "checklistItems",
          (
            select coalesce(
              json_agg(
                case
                  when $7::boolean then (
                    select to_json(row)
                    from (
                      select block.id as "id", block.user_id as "userId", block.task_id as "taskId",
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
                        task.title as "title", block.type as "type",
                        iso(block.start_at) as "startAt", iso(block.end_at) as "endAt",
                        block.locked as "locked", block.defended as "defended",
                        block.source as "source", block.sort_order as "sortOrder",
                        block.status as "status",
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
            where block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
          ) as "timeBlocks"
        from (
          select *
          from tasks task
          where task.user_id = $1 and task.status = $2 and task.space_id = $3
            and task.project_id = $4
            and (
              task.id in (
                select link.task_id
                from task_labels link
                where link.user_id = $1 and link.label_id = $5
              )
            ) is true
            and task.due_at <= $6
          order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
          limit $8::integer
          offset ($9::bigint - 1) * $8::integer
        ) task
        order by task.status, task.priority desc, task.due_at, task.sort_order, task.id
      ) row
    ) as "data",
      json_build_object(
        'page', $9::bigint, 'limit', $8::integer, 'total', total.count, 'pages',
        (total.count + $8::integer - 1) / $8::integer
      ) as "pagination"
  ) row
)::text as json
from total;
