-- Written by `npm run sql` from the statements in `server/src`. Do not edit.

-- planner.archived-tasks-to-purge
select id
from tasks
where user_id = $1 and status = 'archived' and archived_at < $2
order by id
for update;

-- planner.cancel-blocks
with mine as (
  select id
  from time_blocks
  where user_id = $1 and id = any($2::uuid[] || $3::uuid[]) and status = 'scheduled'
    and source = 'auto' and not locked
  order by id
  for no key update
), cancelled as (
  update time_blocks
  set status = 'cancelled', cancelled_at = $4, cancelled_by_run = $5,
    cancel_reason = case when id = any($3::uuid[]) then 'missed' end,
    updated_at = greatest(current_timestamp, updated_at + interval '1 millisecond')
  where user_id = $1 and id in (select id from mine) and id <> all ($6::uuid[])
  returning id
)
select id
from mine;

-- planner.estimate-errors
select actual_minutes::float8 / estimate_minutes as ratio
from tasks
where user_id = $1 and status = 'completed' and estimate_minutes > 0 and actual_minutes > 0
  and actual_minutes <> estimate_minutes
order by completed_at desc, id
limit 200;

-- planner.insert-blocks
insert into time_blocks (
  user_id, id, task_id, title, source, start_at, end_at, defended, explanation, made_by_run, thread
)
select $1, made.id, task.id, made.title, 'auto', made.start_at, made.end_at, made.defended,
  made.explanation, $2, coalesce(old.thread, old.id)
from jsonb_to_recordset($3::jsonb) made (
  id uuid, task_id uuid, title text, start_at timestamptz, end_at timestamptz, defended boolean,
  explanation text, continues uuid
)
join tasks task on task.user_id = $1 and task.id = made.task_id
left join time_blocks old on old.user_id = $1 and old.id = made.continues
returning id;

-- planner.last-event
select last_event as "lastEvent" from user_state where user_id = $1;

-- planner.lock-tasks
select id from tasks where user_id = $1 and id = any($2::uuid[]) order by id for key share;

-- planner.problem
with settings as (
  -- Empty preferences become null, as if there were no settings: equal plans must have equal hashes.
  select missed_blocks, assumed_minutes, schedule_preference_id,
    nullif(jsonb_strip_nulls(planning), '{}') as planning
  from user_settings
  where user_id = $1
), since as (
  -- Lunch and the daily limit depend on the whole day, which may have 25 hours.
  select $2::timestamptz - case
    when planning ?| array['lunch', 'dailyLimitMinutes'] then interval '25 hours' else interval '0'
  end as moment
  from (select (select planning from settings) as planning) given
), open_task as (select id from tasks where user_id = $1 and status < 'completed'), found as (
  select *
  from time_blocks block
  where block.user_id = $1 and block.status <> 'cancelled'
    and block.start_at > (select moment from since) - interval '24 hours'
    and block.end_at > (select moment from since)
  union
  select block.*
  from open_task
  join time_blocks block on block.user_id = $1 and block.task_id = open_task.id
  where block.status <> 'cancelled'
), block as (
  select block.*,
    coalesce(
      block.source = 'auto' and block.type = 'task' and block.status = 'scheduled'
      and not block.locked and block.started_at is null and task.status < 'completed'
      and task.auto_schedule and coalesce(project.auto_schedule, true), false
    )
    and coalesce((select missed_blocks from settings), 'reschedule') = 'reschedule' as is_missed
  from found block
  left join tasks task on task.user_id = $1
    and task.id = case when block.end_at <= $2::timestamptz then block.task_id end
  left join projects project on project.user_id = $1 and project.id = task.project_id
), shown_task as (
  select id from open_task union select task_id from block where task_id is not null
), occurrence as (
  select recurrence.id as series, recurrence.kind, occurrence.task_id, occurrence.on_day,
    recurrence.missed = 'lapse' as lapses, recurrence.once_a_day, recurrence.preferred_time
  from recurrences recurrence
  join occurrences occurrence on occurrence.user_id = $1
    and occurrence.recurrence_id = recurrence.id and occurrence.state = 'made'
    and occurrence.task_id is not null
  where recurrence.user_id = $1 and recurrence.deleted_at is null
    and (recurrence.missed = 'lapse' or recurrence.preferred_time is not null)
), done as (
  -- Only occurrences of these days can have been done in the last two days. An occurrence of a period has the first
  -- day of that period.
  select occurrence.series, max(coalesce(task.completed_at, task.updated_at)) as at
  from occurrence
  join tasks task on task.user_id = $1 and task.id = occurrence.task_id
  where occurrence.lapses and occurrence.once_a_day
    and occurrence.on_day between (
      $2::timestamptz - case
        occurrence.kind when 'times' then interval '368 days' else interval '3 days'
      end
    )::date
    and ($2::timestamptz + interval '1 day')::date and task.status = 'completed'
    and coalesce(task.completed_at, task.updated_at) > $2::timestamptz - interval '2 days'
  group by occurrence.series
), last_run as (
  select last_event, version, summary, planned_at
  from planner_runs
  where user_id = $1 and state = 'applied' and last_event is not null
  order by last_event desc
  limit 1
), event as (
  select event.seq, event.part, event.type, event.record_id, event.before, event.after
  from events event
  where event.user_id = $1 and event.seq > (select last_event from last_run)
  order by event.seq, event.part
  limit 201
), change as (
  select case
    when event.type like 'task.%' then event.record_id::text
    when event.type like 'dependency.%' or event.type like 'timeBlock.%'
      and coalesce(event.before ->> 'source', 'auto') = 'auto'
      and coalesce(event.after ->> 'source', 'auto') = 'auto' then coalesce(
        event.after ->> 'taskId', event.before ->> 'taskId'
      )
  end as task_id
  from event
  where not (
    event.type similar to '(label|document|documentLink|checklistItem|notification|apiKey|feed|planCalendar|webhook|plannerRun|recurrence).%'
    or event.type in ('space.created', 'project.created', 'schedulePreference.created')
  )
    and event.before - array['title', 'description', 'labelIds', 'parentTaskId', 'actualMinutes',
    'completedAt', 'sortOrder', 'updatedAt'] is distinct from event.after - array['title',
    'description', 'labelIds', 'parentTaskId', 'actualMinutes', 'completedAt', 'sortOrder',
    'updatedAt']
), known as (
  select exists (
    select
    from events event
    where event.user_id = $1 and event.seq = (select last_event + 1 from last_run)
  )
    and (select count(*) from event) <= 200
    and not exists (select from change where task_id is null) as is_known
)
select (
  select to_json(row)
  from (
    select (extract(epoch from $2::timestamptz) * 1000)::bigint as "now",
      person.timezone as "timezone",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select task.id as "id", task.title as "title", task.status as "status",
            task.priority as "priority", task.auto_schedule
            and coalesce(project.auto_schedule, true) as "autoSchedule",
            task.auto_split as "autoSplit", task.locked as "locked",
            (extract(epoch from task.due_at) * 1000)::bigint as "dueAt",
            (extract(epoch from task.start_after) * 1000)::bigint as "startAfter",
            coalesce(task.estimate_minutes, (select assumed_minutes from settings)) as "estimateMinutes",
            task.min_session_minutes as "minSessionMinutes",
            task.max_session_minutes as "maxSessionMinutes",
            task.cooldown_minutes as "cooldownMinutes", preference.windows as "windows",
            case
              when occurrence.task_id is not null then json_build_object(
                'notAfter',
                case
                  when occurrence.lapses then (extract(epoch from task.due_at) * 1000)::bigint
                end,
                'series',
                case when occurrence.lapses and occurrence.once_a_day then occurrence.series end,
                'doneAt', (extract(epoch from done.at) * 1000)::bigint, 'preferredTime',
                to_char(occurrence.preferred_time, 'HH24:MI')
              )
            end as "recurring"
          from tasks task
          left join projects project on project.user_id = $1 and project.id = task.project_id
          left join spaces space on space.user_id = $1
            and space.id = coalesce(task.space_id, project.space_id)
          left join schedule_preferences preference on preference.user_id = $1
            and preference.id = coalesce(
              task.schedule_preference_id, project.schedule_preference_id,
              space.schedule_preference_id, (select schedule_preference_id from settings)
            )
          left join occurrence on occurrence.task_id = task.id
          left join done on done.series = occurrence.series
          where task.user_id = $1 and task.id = any(array(select id from shown_task))
          order by task.id
        ) row
      ) as "tasks",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select block.id as "id", block.task_id as "taskId", block.type as "type",
            block.source as "source", block.status as "status", block.locked as "locked",
            (extract(epoch from block.start_at) * 1000)::bigint as "startAt",
            (extract(epoch from block.end_at) * 1000)::bigint as "endAt",
            case
              when block.status = 'completed'
                and block.completed_at < block.end_at then (
                  extract(epoch from greatest(block.completed_at, block.start_at)) * 1000
                )::bigint
            end as "busyUntil",
            case when block.source = 'auto' then block.explanation end as "explanation",
            (extract(epoch from coalesce(run.planned_at, block.created_at)) * 1000)::bigint as "plannedAt"
          from block
          left join planner_runs run on run.user_id = $1 and run.id = block.made_by_run
          where not block.is_missed
          order by block.id
        ) row
      ) as "blocks",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select (extract(epoch from lower(busy.span)) * 1000)::bigint as "startAt",
            (extract(epoch from upper(busy.span)) * 1000)::bigint as "endAt"
          from unnest(
            (
              select range_agg(
                tstzrange(
                  event.start_at - make_interval(mins => calendar.padding_minutes),
                  event.end_at + make_interval(mins => calendar.padding_minutes)
                )
              )
              from calendar_events event
              join calendars calendar on calendar.user_id = $1 and calendar.id = event.calendar_id
              where event.user_id = $1
                and event.end_at > (select moment from since) - interval '1 hour'
                and event.start_at < $2::timestamptz + interval '31 days' and calendar.blocks
                and (calendar.tentative_blocks or not event.tentative)
                and case
                  when event.all_day
                    and calendar.all_day <> 'marked' then calendar.all_day = 'always'
                  else event.busy
                end
            )
          ) busy (span)
          order by lower(busy.span)
        ) row
      ) as "busy",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select block.id as "blockId", block.task_id as "taskId",
            (extract(epoch from block.start_at) * 1000)::bigint as "startAt",
            (extract(epoch from block.end_at) * 1000)::bigint as "endAt"
          from block
          where block.is_missed
          order by block.start_at, block.id
        ) row
      ) as "missed",
      (
        select coalesce(json_agg(row), '[]')
        from (
          select link.task_id as "taskId", link.depends_on_task_id as "dependsOnTaskId"
          from task_dependencies link
          where link.user_id = $1
          order by link.task_id, link.depends_on_task_id
        ) row
      ) as "dependencies",
      (select planning from settings) as "preferences",
      case
        when (select is_known from known) then (
          select coalesce(json_agg(task_id order by task_id), '[]')
          from (
            select task_id
            from change
            union
            select task_id::text
            from block
            where is_missed
            union
            select occurrence.task_id::text
            from event
            join occurrence on occurrence.series = event.record_id
            where event.type = 'recurrence.updated'
              and (
                event.before -> 'preferredTime' <> event.after -> 'preferredTime'
                or event.before -> 'missed' <> event.after -> 'missed'
              )
          ) changed
        )
      end as "changed",
      case
        when (select is_known from known) then (
          select coalesce(json_agg(row), '[]')
          from (
            select (
              extract(
                epoch
                from (
                  case
                    when event.before ->> 'status' = 'in_progress' then event.after ->> 'endAt'
                    else event.before ->> 'startAt'
                  end
                )::timestamptz
              ) * 1000
            )::bigint as "startAt",
              (extract(epoch from (event.before ->> 'endAt')::timestamptz) * 1000)::bigint as "endAt"
            from event
            where event.type in ('timeBlock.updated', 'timeBlock.deleted')
              and event.before ->> 'source' = 'auto'
              and (
                event.before ->> 'status' = 'scheduled'
                and (
                  event.after is null or event.after ->> 'status' = 'cancelled'
                  or event.before -> 'startAt' <> event.after -> 'startAt'
                  or event.before -> 'endAt' <> event.after -> 'endAt'
                )
                or event.before ->> 'status' = 'in_progress'
                and event.after ->> 'status' = 'completed'
                and (event.after ->> 'endAt')::timestamptz < (event.before ->> 'endAt')::timestamptz
              )
            order by event.seq, event.part
          ) row
        )
      end as "freed",
      case
        when (select is_known from known) then case
          when not exists (select from change)
            and not exists (select from block where is_missed) then (
              select (summary -> 'bound') || jsonb_build_object('version', version) from last_run
            )
        end
      end as "previousBound",
      (select (extract(epoch from planned_at) * 1000)::bigint from last_run) as "lastRunAt",
      $3::boolean as "fromScratch"
    from users person
    where person.id = $1
  ) row
)::text as problem,
  case
    when $4::boolean then (
      select coalesce(json_agg(row), '[]')
      from (
        select block.id as "id", block.task_id as "taskId", block.title as "title",
          (extract(epoch from block.start_at) * 1000)::bigint as "startAt",
          (extract(epoch from block.end_at) * 1000)::bigint as "endAt",
          block.defended as "defended", block.explanation as "explanation"
        from block
        where block.source = 'auto' and block.status = 'scheduled' and not block.locked
          and not block.is_missed
      ) row
    )
  end as own,
  coalesce((select last_event from user_state where user_id = $1), 0) as "lastEvent";

-- planner.purge-cancelled-blocks
delete from time_blocks
where user_id = $1 and status = 'cancelled' and source = 'auto' and cancelled_at < $2;

-- planner.restore-blocks
with former as (
  select id, task_id, start_at, end_at
  from time_blocks
  where user_id = $1 and cancelled_by_run = $2 and status = 'cancelled' and start_at > $3
), restored as (
  update time_blocks block
  set status = 'scheduled', cancelled_at = null, cancelled_by_run = null, cancel_reason = null,
    thread = case
      when exists (
        select
        from time_blocks next
        where next.user_id = $1 and next.status <> 'cancelled'
          and coalesce(next.thread, next.id) = coalesce(block.thread, block.id)
      ) then md5(block.id || iso(block.updated_at))::uuid
      else block.thread
    end,
    updated_at = greatest(current_timestamp, updated_at + interval '1 millisecond')
  from former
  where block.user_id = $1 and block.id = former.id
    and exists (
      select
      from tasks task
      where task.user_id = $1 and task.id = former.task_id and task.status < 'completed'
    )
    and not exists (
      select
      from time_blocks other
      where other.user_id = $1 and other.status <> 'cancelled'
        and other.start_at > former.start_at - interval '24 hours'
        and other.start_at < former.end_at and other.end_at > former.start_at
    )
  returning block.id
)
select array(select id::text from restored order by id) as restored,
  (select count(*) from former) as former;

-- planner.status
select json_build_object(
  'pendingTasks',
  (
    select count(*)
    from tasks task
    where task.user_id = $1 and task.status = 'todo' and task.auto_schedule
      and not exists (
        select
        from projects project
        where project.user_id = $1 and project.id = task.project_id and not project.auto_schedule
      )
  ),
  'unscheduledTasks',
  (
    select count(*)
    from tasks task
    where task.user_id = $1 and task.status < 'completed' and task.auto_schedule
      and not exists (
        select
        from projects project
        where project.user_id = $1 and project.id = task.project_id and not project.auto_schedule
      )
      and not exists (
        select
        from time_blocks block
        where block.user_id = $1 and block.task_id = task.id
          and block.status in ('scheduled', 'in_progress')
          and block.start_at > $2::timestamptz - interval '24 hours' and block.end_at > $2
      )
  ),
  'scheduledBlocks',
  (
    select count(*)
    from time_blocks block
    where block.user_id = $1 and block.status = 'scheduled'
      and block.start_at > $2::timestamptz - interval '24 hours' and block.end_at > $2
  )
)::text as json;

-- planner.undo-made-blocks
update time_blocks
set status = 'cancelled', cancelled_at = $2,
  updated_at = greatest(current_timestamp, updated_at + interval '1 millisecond')
where user_id = $1 and made_by_run = $3 and start_at > $2 and status = 'scheduled'
  and source = 'auto' and not locked
returning id;
