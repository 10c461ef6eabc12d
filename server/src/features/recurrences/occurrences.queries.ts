// The rows of occurrences with their tasks. The callers of the functions that write hold the user's lock, and have
// locked the tasks.
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { setUpdatedAt } from '../../platform/db/fragments.ts'
import { bigint, date, json, sql, timestamp, userId, uuid, uuids } from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'
import { checklistItem, task, taskRecord } from '../tasks/task-json.ts'
import { cancelOwnBlocks, isOwn, now, ownBlockCancelled } from '../time-blocks/own-blocks.ts'

export type OccurrenceRow = {
  recurrenceId: string
  day: string
  nth: number
  state: 'made' | 'ended' | 'skipped' | 'lapsed'
  taskId: string | null
  status: 'backlog' | 'todo' | 'in_progress' | 'completed' | 'cancelled' | 'archived' | null
  startAfter: Date | null
  dueAt: Date | null
  endedAt: Date | null
  createdAt: Date | null
}

export type WatchedRow = OccurrenceRow & {
  /** True if the task was not edited, its checklist not begun, and none of its blocks placed by hand. */
  isUntouched: boolean
}

const columns = sql`
         occurrence.recurrence_id as "recurrenceId", occurrence.on_day::text as day, occurrence.nth,
         occurrence.state, occurrence.task_id as "taskId", task.status, task.start_after as "startAfter",
         task.due_at as "dueAt", coalesce(task.completed_at, task.archived_at, task.updated_at) as "endedAt",
         task.created_at as "createdAt"`

const taskOfOccurrence = sql`
    left join tasks task on task.user_id = ${userId} and task.id = occurrence.task_id`

// The watched occurrences (`made`) of any day, and the others from a given day on.
const watched = queryRows<WatchedRow>()(
  'occurrences.list-watched',
  sql`
  select ${columns},
         coalesce(task.updated_at = occurrence.task_stamp, false)
           and not exists (select from time_blocks block
                            where block.user_id = ${userId} and block.task_id = task.id
                              and block.source = 'manual' and block.status <> 'cancelled')
           and not exists (select from checklist_items item
                            where item.user_id = ${userId} and item.task_id = task.id and item.completed)
           as "isUntouched"
    from (select made.*
            from jsonb_to_recordset(${json('windows')}) as given (id uuid, "from" date)
            join occurrences made
              on made.user_id = ${userId} and made.recurrence_id = given.id and made.state = 'made'
          union all
          select settled.*
            from jsonb_to_recordset(${json('windows')}) as given (id uuid, "from" date)
            join occurrences settled
              on settled.user_id = ${userId} and settled.recurrence_id = given.id
             and settled.on_day >= given."from" and settled.state <> 'made') occurrence
    ${taskOfOccurrence}
   order by occurrence.created_at, occurrence.place, occurrence.on_day, occurrence.nth`,
)

const between = queryRows<OccurrenceRow>()(
  'occurrences.list-between',
  sql`
  select ${columns}
    from occurrences occurrence
    ${taskOfOccurrence}
   where occurrence.user_id = ${userId} and occurrence.recurrence_id = ${uuid('id')}
     and occurrence.on_day >= ${date('from')}
   order by occurrence.on_day, occurrence.nth`,
)

const ofTask = queryRows<OccurrenceRow>()(
  'occurrences.find-by-task',
  sql`
  select ${columns}
    from occurrences occurrence
    join recurrences recurrence
      on recurrence.user_id = ${userId} and recurrence.id = occurrence.recurrence_id
     and recurrence.deleted_at is null
    ${taskOfOccurrence}
   where occurrence.user_id = ${userId} and occurrence.task_id = ${uuid('taskId')}`,
)

const taskIds = uuids('taskIds')

const lockTasks = execute(
  'occurrences.lock-tasks',
  sql`
  select id
    from tasks
   where user_id = ${userId} and id = any(${taskIds}::uuid[])
   order by id
     for no key update`,
)

const lockBlocks = execute(
  'occurrences.lock-blocks',
  sql`
  select id
    from time_blocks old
   where old.user_id = ${userId} and old.task_id = any(${taskIds}::uuid[]) and ${isOwn('old', now)}
   order by id
     for no key update`,
)

// An occurrence that exists already, with or without a task, is not made again.
const make = execute(
  'occurrences.make',
  sql`
  with made as (
    insert into occurrences (user_id, recurrence_id, on_day, nth, task_id, state, task_stamp, place)
    select ${userId}, given."recurrenceId", given.day, given.nth, given."taskId", 'made', current_timestamp,
           given.place
      from jsonb_to_recordset(${json('occurrences')}) as given (
             "recurrenceId" uuid, day date, nth integer, "taskId" uuid, place integer)
    on conflict do nothing
    returning task_id
  ), task as (
    insert into tasks (user_id, id, space_id, project_id, schedule_preference_id, title, description, status,
                       priority, due_at, start_after, estimate_minutes, min_session_minutes,
                       max_session_minutes, cooldown_minutes, auto_schedule, auto_split, archived_at)
    select ${userId}, given.id, space_id, project_id, schedule_preference_id, title, description, status,
           priority, due_at, start_after, estimate_minutes, min_session_minutes, max_session_minutes,
           cooldown_minutes, auto_schedule, auto_split, archived_at
      from jsonb_populate_recordset(null::tasks, ${json('tasks')}) given
     where given.id in (select task_id from made)
    returning *
  ), wanted as (
    select given."taskId", given."labelId"
      from jsonb_to_recordset(${json('labels')}) as given ("taskId" uuid, "labelId" uuid)
  ), linked as (
    insert into task_labels (user_id, task_id, label_id)
    select ${userId}, task.id, wanted."labelId" from task join wanted on wanted."taskId" = task.id
  ), item as (
    insert into checklist_items (user_id, id, task_id, title, sort_order)
    select ${userId}, given.id, task.id, given.title, given.place
      from jsonb_to_recordset(${json('items')}) as given (id uuid, "taskId" uuid, title text, place integer)
      join task on task.id = given."taskId"
    returning *
  ), ${appendEvents(
    [
      {
        ...taskRecord,
        type: 'task.created',
        fields: {
          ...task,
          labelIds: `(select coalesce(json_agg(wanted."labelId" order by wanted."labelId"), '[]')
                        from wanted where wanted."taskId" = task.id)`,
        },
        after: 'task',
      },
      { fields: checklistItem, row: 'item', type: 'checklistItem.created', after: 'item' },
    ],
    { plan: true },
  )}
  select id from task`,
)

// Records occurrences that were missed before they could be made.
const lapseUnmade = execute(
  'occurrences.insert-lapsed',
  sql`
  insert into occurrences (user_id, recurrence_id, on_day, nth, state)
  select ${userId}, given."recurrenceId", given.day, given.nth, 'lapsed'
    from jsonb_to_recordset(${json('occurrences')}) as given ("recurrenceId" uuid, day date, nth integer)
  on conflict do nothing`,
)

const closing = {
  ...taskRecord,
  type: 'task.updated',
  before: 'was',
  after: 'task',
  ifChanged: true,
}

// Cancels missed tasks, unless they were completed or moved since they were read.
const lapse = execute(
  'occurrences.lapse',
  sql`
  with old as (
    select old as was, old.id
      from tasks old
     where old.user_id = ${userId} and old.id = any(${taskIds}::uuid[])
       and old.status in ('backlog', 'todo') and old.due_at <= ${now}
     order by old.id
       for no key update
  ), task as (
    update tasks task
       set status = 'cancelled', ${setUpdatedAt('task')}
      from old
     where task.user_id = ${userId} and task.id = old.id
    returning task.*, old.was
  ), lapsed as (
    update occurrences occurrence set state = 'lapsed'
      from task
     where occurrence.user_id = ${userId} and occurrence.task_id = task.id
  ), ${cancelOwnBlocks}, ${appendEvents([closing, ownBlockCancelled], { plan: true })}
  select id from task`,
)

// Archives open tasks, and cancels their planned blocks.
const archive = execute(
  'occurrences.archive',
  sql`
  with old as (
    select old as was, old.id
      from tasks old
     where old.user_id = ${userId} and old.id = any(${taskIds}::uuid[])
       and old.status in ('backlog', 'todo', 'in_progress')
     order by old.id
       for no key update
  ), task as (
    update tasks task
       set status = 'archived', archived_at = ${now}, ${setUpdatedAt('task')}
      from old
     where task.user_id = ${userId} and task.id = old.id
    returning task.*, old.was
  ), ${cancelOwnBlocks}, ${appendEvents([closing, ownBlockCancelled], { plan: true })}
  select id from task`,
)

const forget = execute(
  'occurrences.delete',
  sql`
  delete from occurrences
   where user_id = ${userId} and recurrence_id = ${uuid('id')} and task_id = any(${taskIds}::uuid[])`,
)

// Reopens archived and cancelled tasks, and with them their occurrences.
const reopen = execute(
  'occurrences.reopen',
  sql`
  with old as (
    select old as was, old.id
      from tasks old
     where old.user_id = ${userId} and old.id = any(${taskIds}::uuid[]) and old.status in ('archived', 'cancelled')
     order by old.id
       for no key update
  ), task as (
    update tasks task
       set status = 'todo', archived_at = null, ${setUpdatedAt('task')}
      from old
     where task.user_id = ${userId} and task.id = old.id
    returning task.*, old.was
  ), ${appendEvents([closing], { plan: true })}
  select id from task`,
)

// Remembers the tasks in case their deleted recurrence is restored.
const withdraw = execute(
  'occurrences.mark-withdrawn',
  sql`
  update occurrences set former_task = task_id
   where user_id = ${userId} and task_id = any(${taskIds}::uuid[])`,
)

const withDeleted = queryRows<{ id: string }>()(
  'occurrences.take-withdrawn',
  sql`
  update occurrences set former_task = null
   where user_id = ${userId} and recurrence_id = ${uuid('id')} and former_task = task_id
  returning task_id as id`,
)

// Updates open tasks to what the series now says.
const follow = execute(
  'occurrences.follow',
  sql`
  with given as (
    select * from jsonb_populate_recordset(null::tasks, ${json('tasks')})
  ), old as (
    select old as was, old.id
      from tasks old
     where old.user_id = ${userId} and old.id in (select id from given) and old.status in ('backlog', 'todo')
     order by old.id
       for no key update
  ), task as (
    update tasks task
       set space_id = given.space_id, project_id = given.project_id,
           schedule_preference_id = given.schedule_preference_id, title = given.title,
           description = given.description, priority = given.priority, due_at = given.due_at,
           start_after = given.start_after, estimate_minutes = given.estimate_minutes,
           min_session_minutes = given.min_session_minutes, max_session_minutes = given.max_session_minutes,
           cooldown_minutes = given.cooldown_minutes, auto_schedule = given.auto_schedule,
           auto_split = given.auto_split, ${setUpdatedAt('task')}
      from old join given on given.id = old.id
     where task.user_id = ${userId} and task.id = old.id
    returning task.*, old.was
  ), wanted as (
    select given."taskId", given."labelId"
      from jsonb_to_recordset(${json('labels')}) as given ("taskId" uuid, "labelId" uuid)
  ), dropped as (
    delete from task_labels link
     using task
     where link.user_id = ${userId} and link.task_id = task.id
       and link.label_id not in (select wanted."labelId" from wanted where wanted."taskId" = task.id)
    returning link.task_id
  ), added as (
    insert into task_labels (user_id, task_id, label_id)
    select ${userId}, task.id, wanted."labelId" from task join wanted on wanted."taskId" = task.id
    on conflict do nothing
    returning task_id
  ), moved as (
    update occurrences occurrence
       set on_day = given.day, nth = given.nth, task_stamp = task.updated_at
      from jsonb_to_recordset(${json('occurrences')}) as given (day date, nth integer, "taskId" uuid)
      join task on task.id = given."taskId"
     where occurrence.user_id = ${userId} and occurrence.task_id = task.id
    returning occurrence.task_id
  ), labelled as (
    select task.*
      from task, (select count(*) from dropped) without, (select count(*) from added) with_them,
           (select count(*) from moved) in_their_place
  ), ${appendEvents(
    [
      {
        ...taskRecord,
        type: 'task.updated',
        fieldsAfter: {
          ...task,
          labelIds: `(select coalesce(json_agg(wanted."labelId" order by wanted."labelId"), '[]')
                        from wanted where wanted."taskId" = task.id)`,
        },
        before: 'was',
        after: 'labelled',
        ifChanged: true,
      },
    ],
    { plan: true },
  )}
  select id from task`,
)

// Ends occurrences whose tasks were closed some time ago: they need not be watched any more.
const end = execute(
  'occurrences.end',
  sql`
  update occurrences set state = 'ended'
   where user_id = ${userId} and task_id = any(${taskIds}::uuid[]) and state = 'made'`,
)

const settle = execute(
  'recurrences.settle',
  sql`
  update recurrences recurrence
     set settled_to = greatest(recurrence.settled_to, given."settledTo"), zone = given.zone,
         occurrence_count = recurrence.occurrence_count + given.added
    from jsonb_to_recordset(${json('progress')}) as given (
           id uuid, "settledTo" date, zone text, added integer)
   where recurrence.user_id = ${userId} and recurrence.id = given.id`,
)

// Detaches a task, before it becomes the first occurrence of a new recurrence, from one that was deleted.
const release = execute(
  'occurrences.release',
  sql`
  update occurrences occurrence
     set task_id = null, state = 'ended'
    from recurrences recurrence
   where occurrence.user_id = ${userId} and occurrence.task_id = ${uuid('taskId')}
     and recurrence.user_id = ${userId} and recurrence.id = occurrence.recurrence_id
     and recurrence.deleted_at is not null`,
)

const adopt = execute(
  'occurrences.adopt',
  sql`
  with made as (
    insert into occurrences (user_id, recurrence_id, on_day, nth, task_id, state)
    select ${userId}, given."recurrenceId", given.day, given.nth, given."taskId", 'made'
      from jsonb_to_record(${json('occurrence')}) as given (
             "recurrenceId" uuid, day date, nth integer, "taskId" uuid)
    returning recurrence_id
  )
  update recurrences set occurrence_count = occurrence_count + 1
   where user_id = ${userId} and id in (select recurrence_id from made)`,
)

// Moves the occurrences from a day on to another series, except those that this series has already.
const transfer = execute(
  'occurrences.transfer',
  sql`
  with moved as (
    update occurrences occurrence set recurrence_id = ${uuid('to')}
     where occurrence.user_id = ${userId} and occurrence.recurrence_id = ${uuid('id')}
       and occurrence.on_day >= ${date('from')}
       and not exists (select from occurrences other
                        where other.user_id = ${userId} and other.recurrence_id = ${uuid('to')}
                          and other.on_day = occurrence.on_day and other.nth = occurrence.nth)
    returning occurrence.on_day
  )
  update recurrences recurrence
     set occurrence_count = occurrence_count
         + (select count(*) from moved) * case when recurrence.id = ${uuid('to')} then 1 else -1 end
   where recurrence.user_id = ${userId} and recurrence.id in (${uuid('id')}, ${uuid('to')})`,
)

const reattach = execute(
  'occurrences.reattach',
  sql`
  update occurrences
     set task_id = former_task, former_task = null, task_stamp = null,
         state = case when state = 'skipped' then 'made' else state end
   where user_id = ${userId} and former_task = ${uuid('taskId')} and task_id is null`,
)

// Deletes old occurrences: their days are settled.
const trim = execute(
  'occurrences.trim',
  sql`
  delete from occurrences occurrence
   using recurrences recurrence
   where recurrence.user_id = ${userId}
     and occurrence.user_id = ${userId} and occurrence.recurrence_id = recurrence.id
     and occurrence.on_day < ${date('before')} and occurrence.on_day < recurrence.settled_to - 400
     and occurrence.state <> 'made'`,
)

const look = execute(
  'recurrences.look-at',
  sql`
  update user_state
     set recurrences_at = ${timestamp.orNull('at')}, recurrences_event = ${bigint('seen')}
   where user_id = ${userId}`,
)

export type Window = { id: string; from: string }
export type Placed = { recurrenceId: string; day: string; nth: number; taskId: string }

export const listWatched = (db: Db, userId: string, windows: Window[]) =>
  watched(db, { userId, windows })
export const listFrom = (db: Db, userId: string, id: string, from: string) =>
  between(db, { userId, id, from })
export const findByTask = async (db: Db, userId: string, taskId: string) =>
  (await ofTask(db, { userId, taskId }))[0]

/** Locks tasks, and the planned blocks of those to be closed, in the common order, before anything is written. */
export async function lockForChange(
  db: Db,
  userId: string,
  taskIds: string[],
  closing: string[],
  now: Date,
) {
  if (taskIds.length > 0) await lockTasks(db, { userId, taskIds })
  if (closing.length > 0) await lockBlocks(db, { userId, taskIds: closing, now })
}

/** Returns the tasks that were open when their recurrence was deleted; a second call returns none. */
export const takeWithdrawn = async (db: Db, userId: string, id: string) =>
  (await withDeleted(db, { userId, id })).map((task) => task.id)

export const markWithdrawn = withdraw
export const makeOccurrences = make
export const insertLapsed = lapseUnmade
export const lapseOccurrences = lapse
export const archiveTasks = archive
export const forgetOccurrences = forget
export const reopenTasks = reopen
export const followSeries = follow
export const endOccurrences = end
export const settleSeries = settle
export const releaseTask = release
export const adoptTask = adopt
export const transferOccurrences = transfer
export const lookAgainAt = look

/** Makes a restored task the occurrence again that it was before its deletion. */
export const reattachOccurrence = (db: Db, userId: string, taskId: string) =>
  reattach(db, { userId, taskId })

export const trimOccurrences = (db: Db, userId: string, before: string) =>
  trim(db, { userId, before })
