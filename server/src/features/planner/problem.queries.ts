import type { Db } from '../../platform/db/database.ts'
import { asSql, ids, many, object, one, type SqlText } from '../../platform/db/fragments.ts'
import { boolean, raw, sql, timestamp, userId } from '../../platform/db/sql.ts'
import { assertRow, type Json, queryRows } from '../../platform/db/statement.ts'
import { eventBlocks } from '../calendars/calendars.queries.ts'
import type { OwnBlock, PlannerInput } from './plan-changes.ts'

const now = timestamp('now')

const ms = <At extends SqlText>(at: At) => sql`(extract(epoch from ${asSql(at)}) * 1000)::bigint`

/**
 * Whether a block of the planner counts as missed once it has ended, because it was neither started nor completed; as
 * SQL over a block, its task and the task's project. The minutes of missed blocks are planned again, so blocks of
 * manual tasks count as done instead.
 */
export const mayBeMissed = sql`
       block.source = 'auto' and block.type = 'task' and block.status = 'scheduled'
       and not block.locked and block.started_at is null and task.status < 'completed'
       and task.auto_schedule and coalesce(project.auto_schedule, true)`

/** At most this many events are read. If there are more, it is not known what has changed. */
const mostEvents = 200

// Changes that a plan does not depend on, and fields of a record whose change does not count.
const neutral = sql`event.type similar to
           '(label|document|documentLink|checklistItem|notification|apiKey|feed|planCalendar|webhook|plannerRun|recurrence).%'
           or event.type in ('space.created', 'project.created', 'schedulePreference.created')`
const unimportant = sql`array['title', 'description', 'labelIds', 'parentTaskId', 'actualMinutes',
                           'completedAt', 'sortOrder', 'updatedAt']`

/** CTEs: `occurrence`, those whose recurrence says more than a due date, and `done`, when each series was last done. */
const occurrences = sql`
  occurrence as (
    select recurrence.id as series, recurrence.kind, occurrence.task_id, occurrence.on_day,
           recurrence.missed = 'lapse' as lapses, recurrence.once_a_day, recurrence.preferred_time
      from recurrences recurrence
      join occurrences occurrence
        on occurrence.user_id = ${userId} and occurrence.recurrence_id = recurrence.id
       and occurrence.state = 'made' and occurrence.task_id is not null
     where recurrence.user_id = ${userId} and recurrence.deleted_at is null
       and (recurrence.missed = 'lapse' or recurrence.preferred_time is not null)
  ), done as (
    -- Only occurrences of these days can have been done in the last two days. An occurrence of a period has the first
    -- day of that period.
    select occurrence.series, max(coalesce(task.completed_at, task.updated_at)) as at
      from occurrence
      join tasks task on task.user_id = ${userId} and task.id = occurrence.task_id
     where occurrence.lapses and occurrence.once_a_day
       and occurrence.on_day between
             (${now}::timestamptz - case occurrence.kind when 'times' then interval '368 days'
                                    else interval '3 days' end)::date
             and (${now}::timestamptz + interval '1 day')::date
       and task.status = 'completed'
       and coalesce(task.completed_at, task.updated_at) > ${now}::timestamptz - interval '2 days'
     group by occurrence.series
  )`

/** CTEs with the changes since the last applied run, each with the task that it concerns, or null for other records. */
const changesSince = sql`
  last_run as (
    select last_event, version, summary, planned_at
      from planner_runs
     where user_id = ${userId} and state = 'applied' and last_event is not null
     order by last_event desc
     limit 1
  ), event as (
    select event.seq, event.part, event.type, event.record_id, event.before, event.after
      from events event
     where event.user_id = ${userId} and event.seq > (select last_event from last_run)
     order by event.seq, event.part
     limit ${raw(mostEvents + 1)}
  ), change as (
    select case when event.type like 'task.%' then event.record_id::text
                when event.type like 'dependency.%'
                  or event.type like 'timeBlock.%'
                     and coalesce(event.before ->> 'source', 'auto') = 'auto'
                     and coalesce(event.after ->> 'source', 'auto') = 'auto'
                then coalesce(event.after ->> 'taskId', event.before ->> 'taskId') end as task_id
      from event
     where not (${neutral})
       and event.before - ${unimportant} is distinct from event.after - ${unimportant}
  ), known as (
    select exists (select from events event
                    where event.user_id = ${userId} and event.seq = (select last_event + 1 from last_run))
           and (select count(*) from event) <= ${raw(mostEvents)}
           and not exists (select from change where task_id is null) as is_known
  )`

// Null if it is not known which tasks have changed: there was no run, events were deleted, there are too many of
// them, or something other than a task has changed.
const ifKnown = <Text extends SqlText>(text: Text) => sql`
           case when (select is_known from known) then ${asSql(text)} end`

const changedTasks = ifKnown(
  ids(
    'task_id',
    `from (select task_id from change
           union select task_id::text from block where is_missed
           union select occurrence.task_id::text
             from event join occurrence on occurrence.series = event.record_id
            where event.type = 'recurrence.updated'
              and (event.before -> 'preferredTime' <> event.after -> 'preferredTime'
                   or event.before -> 'missed' <> event.after -> 'missed')) changed`,
  ),
)

// The lower bound of the last applied run, if only time has passed since.
const previousBound = ifKnown(sql`
  case when not exists (select from change) and not exists (select from block where is_missed)
       then (select (summary -> 'bound') || jsonb_build_object('version', version) from last_run) end`)

// The former times of the planner's blocks that were cancelled, deleted or moved since the last applied run, and the
// unused rest of blocks that were stopped early.
const freedTime = ifKnown(
  many(
    {
      startAt: ms(`(case when event.before ->> 'status' = 'in_progress'
                         then event.after ->> 'endAt' else event.before ->> 'startAt' end)::timestamptz`),
      endAt: ms(`(event.before ->> 'endAt')::timestamptz`),
    },
    sql`from event
        where event.type in ('timeBlock.updated', 'timeBlock.deleted')
          and event.before ->> 'source' = 'auto'
          and (event.before ->> 'status' = 'scheduled'
               and (event.after is null or event.after ->> 'status' = 'cancelled'
                    or event.before -> 'startAt' <> event.after -> 'startAt'
                    or event.before -> 'endAt' <> event.after -> 'endAt')
               or event.before ->> 'status' = 'in_progress' and event.after ->> 'status' = 'completed'
                  and (event.after ->> 'endAt')::timestamptz < (event.before ->> 'endAt')::timestamptz)
        order by event.seq, event.part`,
  ),
)

export type Snapshot = {
  problem: Json<PlannerInput>
  /** The planner's own blocks, if requested. */
  own: OwnBlock[] | null
  /** The last event that the snapshot includes. */
  lastEvent: number
}

// Events of other calendars with their padding, which is at most an hour. Events that overlap or touch are merged.
const busyTime = sql`
  from unnest((
    select range_agg(tstzrange(event.start_at - make_interval(mins => calendar.padding_minutes),
                               event.end_at + make_interval(mins => calendar.padding_minutes)))
      from calendar_events event
      join calendars calendar on calendar.user_id = ${userId} and calendar.id = event.calendar_id
     where event.user_id = ${userId} and event.end_at > (select moment from since) - interval '1 hour'
       and event.start_at < ${now}::timestamptz + interval '31 days'
       and ${raw(eventBlocks)})) busy (span)
 order by lower(busy.span)`

// Ordered by id: equal rows give equal text, and so an equal hash. A missed block is no longer part of the
// plan: it is not among the blocks, and the run cancels it.
const load = queryRows<Snapshot>()(
  'planner.problem',
  sql`
  with settings as (
    -- Empty preferences become null, as if there were no settings: equal plans must have equal hashes.
    select missed_blocks, assumed_minutes, schedule_preference_id,
           nullif(jsonb_strip_nulls(planning), '{}') as planning
      from user_settings
     where user_id = ${userId}
  ), since as (
    -- Lunch and the daily limit depend on the whole day, which may have 25 hours.
    select ${now}::timestamptz - case when planning ?| array['lunch', 'dailyLimitMinutes']
                                  then interval '25 hours' else interval '0' end as moment
      from (select (select planning from settings) as planning) given
  ), open_task as (
    select id from tasks where user_id = ${userId} and status < 'completed'
  ), found as (
    select * from time_blocks block
     where block.user_id = ${userId} and block.status <> 'cancelled'
       and block.start_at > (select moment from since) - interval '24 hours'
       and block.end_at > (select moment from since)
     union
    select block.* from open_task
      join time_blocks block on block.user_id = ${userId} and block.task_id = open_task.id
     where block.status <> 'cancelled'
  ), block as (
    select block.*,
           coalesce(${mayBeMissed}, false)
           and coalesce((select missed_blocks from settings), 'reschedule') = 'reschedule'
             as is_missed
      from found block
      left join tasks task
        on task.user_id = ${userId}
       and task.id = case when block.end_at <= ${now}::timestamptz then block.task_id end
      left join projects project on project.user_id = ${userId} and project.id = task.project_id
  ), shown_task as (
    select id from open_task union select task_id from block where task_id is not null
  ), ${occurrences}, ${changesSince}
  select ${one(
    {
      now: ms(sql`${now}::timestamptz`),
      timezone: 'person.timezone',
      tasks: many(
        {
          id: 'task.id',
          title: 'task.title',
          status: 'task.status',
          priority: 'task.priority',
          autoSchedule: 'task.auto_schedule and coalesce(project.auto_schedule, true)',
          autoSplit: 'task.auto_split',
          locked: 'task.locked',
          dueAt: ms('task.due_at'),
          startAfter: ms('task.start_after'),
          estimateMinutes:
            'coalesce(task.estimate_minutes, (select assumed_minutes from settings))',
          minSessionMinutes: 'task.min_session_minutes',
          maxSessionMinutes: 'task.max_session_minutes',
          cooldownMinutes: 'task.cooldown_minutes',
          windows: 'preference.windows',
          recurring: sql`case when occurrence.task_id is not null then ${object({
            notAfter: sql`case when occurrence.lapses then ${ms('task.due_at')} end`,
            series: `case when occurrence.lapses and occurrence.once_a_day then occurrence.series end`,
            doneAt: ms('done.at'),
            preferredTime: `to_char(occurrence.preferred_time, 'HH24:MI')`,
          })} end`,
        },
        sql`from tasks task
         left join projects project on project.user_id = ${userId} and project.id = task.project_id
         left join spaces space
           on space.user_id = ${userId} and space.id = coalesce(task.space_id, project.space_id)
         left join schedule_preferences preference
           on preference.user_id = ${userId}
          and preference.id = coalesce(task.schedule_preference_id,
                                       project.schedule_preference_id,
                                       space.schedule_preference_id,
                                       (select schedule_preference_id from settings))
         left join occurrence on occurrence.task_id = task.id
         left join done on done.series = occurrence.series
        where task.user_id = ${userId} and task.id = any(array(select id from shown_task))
        order by task.id`,
      ),
      blocks: many(
        {
          id: 'block.id',
          taskId: 'block.task_id',
          type: 'block.type',
          source: 'block.source',
          status: 'block.status',
          locked: 'block.locked',
          startAt: ms('block.start_at'),
          endAt: ms('block.end_at'),
          busyUntil: sql`case when block.status = 'completed' and block.completed_at < block.end_at
                           then ${ms('greatest(block.completed_at, block.start_at)')} end`,
          explanation: `case when block.source = 'auto' then block.explanation end`,
          plannedAt: ms('coalesce(run.planned_at, block.created_at)'),
        },
        sql`from block
         left join planner_runs run on run.user_id = ${userId} and run.id = block.made_by_run
        where not block.is_missed
        order by block.id`,
      ),
      busy: many({ startAt: ms('lower(busy.span)'), endAt: ms('upper(busy.span)') }, busyTime),
      missed: many(
        {
          blockId: 'block.id',
          taskId: 'block.task_id',
          startAt: ms('block.start_at'),
          endAt: ms('block.end_at'),
        },
        'from block where block.is_missed order by block.start_at, block.id',
      ),
      dependencies: many(
        { taskId: 'link.task_id', dependsOnTaskId: 'link.depends_on_task_id' },
        sql`from task_dependencies link
        where link.user_id = ${userId}
        order by link.task_id, link.depends_on_task_id`,
      ),
      preferences: '(select planning from settings)',
      changed: changedTasks,
      freed: freedTime,
      previousBound,
      lastRunAt: sql`(select ${ms('planned_at')} from last_run)`,
      fromScratch: sql`${boolean('fromScratch')}::boolean`,
    },
    sql`from users person where person.id = ${userId}`,
  )}::text as problem,
         case when ${boolean('withOwn')}::boolean then ${many(
           {
             id: 'block.id',
             taskId: 'block.task_id',
             title: 'block.title',
             startAt: ms('block.start_at'),
             endAt: ms('block.end_at'),
             defended: 'block.defended',
             explanation: 'block.explanation',
           },
           `from block
           where block.source = 'auto' and block.status = 'scheduled' and not block.locked
             and not block.is_missed`,
         )} end as own,
         coalesce((select last_event from user_state where user_id = ${userId}), 0) as "lastEvent"`,
)

/** All inputs of a plan, as JSON that is equal for equal rows. */
export async function loadProblem(
  db: Db,
  userId: string,
  now: Date,
  { withOwn = false, fromScratch = false } = {},
) {
  const [row] = await load(db, { userId, now, withOwn, fromScratch })
  return assertRow('planner.problem', row)
}

const lastEvent = queryRows<{ lastEvent: number }>()(
  'planner.last-event',
  sql`select last_event as "lastEvent" from user_state where user_id = ${userId}`,
)

export async function findLastEvent(db: Db, userId: string) {
  const [found] = await lastEvent(db, { userId })
  return found?.lastEvent ?? 0
}
