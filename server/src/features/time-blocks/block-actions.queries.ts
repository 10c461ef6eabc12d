// Starting, stopping, extending and skipping a block.
import type { TimeBlock } from '@daywright/contract'
import { appendEvents } from '../../platform/db/append-events.ts'
import type { Db } from '../../platform/db/database.ts'
import { ConcurrentUpdate, onCheck } from '../../platform/db/database-errors.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { one, setUpdatedAt } from '../../platform/db/fragments.ts'
import { integer, sql, type Sql, timestamp, userId, uuid, uuids } from '../../platform/db/sql.ts'
import { execute, type Json, queryRows, type Values } from '../../platform/db/statement.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { taskRecord } from '../tasks/task-json.ts'
import { isMovable, isOwn, now, setCancelled } from './own-blocks.ts'
import { blockUpdated, taskOfBlock, timeBlock } from './time-block-json.ts'
import { blockNotFound } from './time-blocks.queries.ts'

const id = uuid('id')
const until = timestamp('until')

/** Defines an action on a block. `refusal` says why it is not possible. */
const defineAction = <Given>(name: string, statement: Sql<Given>) => {
  const act = queryRows<{ refusal: string | null; json: Json<TimeBlock> | null }>()(name, statement)
  return async (db: Db, ...given: Values<Given>) => {
    const [row] = await act(db, ...given)
    if (!row) throw blockNotFound()
    if (row.refusal) throw conflict(row.refusal)
    if (!row.json) throw new ConcurrentUpdate(`${name} found the block changed meanwhile`)
    return row.json
  }
}

const answer = (cte: Sql) =>
  sql`${one({ ...timeBlock, task: taskOfBlock }, sql`from ${cte} block where block.id = ${id}`)}::text`

const taskUpdated = { ...taskRecord, type: 'task.updated', before: 'was', after: 'task' }

// Tasks are locked before blocks, and in a separate statement, so that the next one sees the current labels.
const defineLock = <Given>(name: string, condition: Sql<Given>) =>
  execute(
    `time-blocks.${name}`,
    sql`
  select id
    from tasks
   where user_id = ${userId}
     and id in (select task_id from time_blocks where user_id = ${userId} and ${condition})
   order by id
     for no key update`,
  )
export const lockTasksOf = defineLock('lock-tasks', sql`id = any(${uuids('ids')}::uuid[])`)
const lockRunningTasks = defineLock('lock-running-tasks', sql`status = 'in_progress'`)

// A block that PATCH started keeps its own times until it is stopped: they may be in the future, or days ago.
const begun = sql`
           case when old.start_at between ${now}::timestamptz - interval '24 hours' and ${now}::timestamptz
                then old.start_at
                else coalesce(old.started_at,
                              least(old.start_at, ${now}::timestamptz - interval '1 minute')) end as begun`

/** CTEs that stop the running blocks of the CTE `old`, and add their minutes to their tasks. */
const stopBlocks = (condition: Sql) => sql`
  stopped as (
    update time_blocks block
       set status = 'completed', completed_at = ${now}, start_at = old.begun,
           end_at = least(greatest(${now}::timestamptz, old.begun + interval '1 minute'),
                          old.begun + interval '24 hours'),
           ${setUpdatedAt('block')}
      from old
     where block.user_id = ${userId} and block.id = old.id and (old.was).status = 'in_progress'
       and ${condition}
    returning block.*, old.was, old.begun
  ), spent as (
    select task_id,
           sum(least(1440, greatest(1, round(
             extract(epoch from ${now}::timestamptz - coalesce(started_at, begun)) / 60)))) as minutes
      from stopped
     where task_id is not null
     group by task_id
  ), task as (
    update tasks task
       set actual_minutes = least(2147483647, coalesce(task.actual_minutes, 0) + spent.minutes), ${setUpdatedAt('task')}
      from tasks old, spent
     where task.user_id = ${userId} and task.id = spent.task_id
       and old.user_id = ${userId} and old.id = spent.task_id
    returning task.*, old as was
  )`

/** A CTE that cancels the blocks of the planner in the CTE `old`, whose time the action needs. */
const cancelBlocks = (condition: Sql) => sql`
  cancelled as (
    update time_blocks block
       set ${setCancelled}
      from old
     where block.user_id = ${userId} and block.id = old.id and block.id <> ${id}
       and (old.was).status = 'scheduled' and (old.was).source = 'auto' and not (old.was).locked
       and ${condition}
    returning block.*, old.was
  )`

// These statements collect the ids in an array, so that they are found once, whatever plan PostgreSQL chooses.

// A block that starts a few minutes late keeps its times, so that the blocks after it stay. Otherwise it begins
// at the whole minute: the next block would leave a gap after odd seconds.
const beginsAt = sql`
           case when ${now}::timestamptz >= block.start_at
                 and ${now}::timestamptz <= block.start_at + interval '5 minutes'
                 and block.end_at >= block.start_at + interval '20 minutes'
                then block.start_at else date_trunc('minute', ${now}::timestamptz) end`

// `end_at` is the start of the next block that the planner does not move, or the end after the full length if that is
// earlier. So the planner's own blocks before it can all be moved.
const start = defineAction(
  'time-blocks.start',
  sql`
  with given as (
    select block.id, block.status, block.task_id, full_length.begins_at, full_length.end_at as full_end,
           least(full_length.end_at,
                 (select min(other.start_at)
                    from time_blocks other
                   where other.user_id = ${userId} and other.id <> block.id
                     and other.start_at > ${now} and other.start_at < full_length.end_at
                     and other.status = 'scheduled' and not ${isMovable('other')})) as end_at
      from time_blocks block,
           lateral (select ${beginsAt} as begins_at) beginning,
           lateral (select begins_at, begins_at + (block.end_at - block.start_at) as end_at) full_length
     where block.user_id = ${userId} and block.id = ${id}
  ), checked as (
    select case when status <> 'scheduled' then 'Only a scheduled block can be started'
                when task_id is null then 'Only a block of a task can be started'
                when end_at < least(full_end, ${now}::timestamptz + interval '5 minutes')
                then 'The next block that cannot be moved begins within 5 minutes'
           end as refusal
      from given
  ), old as (
    select old as was, old.id, ${begun}
      from time_blocks old
     where old.user_id = ${userId} and (select refusal is null from checked)
       and old.id = any(array(
             select id from given
              union all
             select id from time_blocks where user_id = ${userId} and status = 'in_progress'
              union all
             select other.id
               from time_blocks other, given
              where other.user_id = ${userId} and ${isOwn('other', now)}
                and other.start_at < given.end_at))
     order by old.id
       for no key update
  ), started as (
    update time_blocks block
       set status = 'in_progress', started_at = ${now}, start_at = given.begins_at,
           end_at = given.end_at,
           ${setUpdatedAt('block')}
      from old, given
     where block.user_id = ${userId} and block.id = ${id} and old.id = ${id}
       and (old.was).status = 'scheduled' and (old.was).task_id is not null
    returning block.*, old.was
  ), ${stopBlocks(sql`exists (select from started)`)}, ${cancelBlocks(sql`exists (select from started)`)},
  ${appendEvents([blockUpdated('started'), blockUpdated('stopped'), taskUpdated, blockUpdated('cancelled')], { plan: true })}
  select checked.refusal, ${answer(sql`started`)} as json from checked`,
)

const stop = defineAction(
  'time-blocks.stop',
  sql`
  with old as (
    select old as was, old.id, old.status, ${begun}
      from time_blocks old
     where user_id = ${userId} and id = ${id}
       for no key update
  ), ${stopBlocks(sql`true`)},
  ${appendEvents([blockUpdated('stopped'), taskUpdated], { plan: true })}
  select case when status <> 'in_progress' then 'Only a block in progress can be stopped'
         end as refusal,
         ${answer(sql`stopped`)} as json
    from old`,
)

// A scheduled block that is extended by hand becomes the user's own, as after a drag.
const extend = defineAction(
  'time-blocks.extend',
  sql`
  with given as (
    select id, status, end_at, end_at + ${integer('minutes')}::integer * interval '1 minute' as new_end,
           status in ('scheduled', 'in_progress') as is_open
      from time_blocks
     where user_id = ${userId} and id = ${id}
  ), old as (
    select old as was, old.id
      from time_blocks old
     where old.user_id = ${userId}
       and old.id = any(array(
             select id from given where is_open
              union all
             select other.id
               from time_blocks other, given
              where other.user_id = ${userId} and given.is_open and ${isMovable('other')}
                and other.start_at < given.new_end and other.end_at > given.end_at))
     order by old.id
       for no key update
  ), extended as (
    update time_blocks block
       set end_at = block.end_at + ${integer('minutes')}::integer * interval '1 minute',
           source = case when block.status = 'scheduled' then 'manual' else block.source end,
           ${setUpdatedAt('block')}
      from old
     where block.user_id = ${userId} and block.id = ${id} and old.id = ${id}
       and (old.was).status in ('scheduled', 'in_progress')
    returning block.*, old.was
  ), ${cancelBlocks(sql`exists (select from extended)`)},
  ${appendEvents([blockUpdated('extended'), blockUpdated('cancelled')], { plan: true })}
  select case when not is_open then 'Only a scheduled or running block can be extended' end as refusal,
         ${answer(sql`extended`)} as json
    from given`,
)

// Blocks of the task that have ended stay: they were missed, and are shown as such.
const skip = defineAction(
  'time-blocks.skip',
  sql`
  with given as (
    select id, task_id,
           case when status <> 'scheduled' then 'Only a scheduled block can be skipped'
                when task_id is null then 'Only a block of a task can be skipped' end as refusal
      from time_blocks
     where user_id = ${userId} and id = ${id}
  ), old as (
    select old as was, old.id
      from time_blocks old
     where old.user_id = ${userId}
       and old.id = any(array(
             select id from given where refusal is null
              union all
             select other.id
               from time_blocks other, given
              where given.refusal is null
                and other.user_id = ${userId} and other.task_id = given.task_id
                and other.type = 'task' and other.source = 'auto'
                and other.status = 'scheduled' and not other.locked
                and other.end_at > ${now} and other.start_at < ${until}))
     order by old.id
       for no key update
  ), skipped as (
    update time_blocks block
       set ${setCancelled}, cancel_reason = 'skipped'
      from old
     where block.user_id = ${userId} and block.id = old.id and (old.was).status = 'scheduled'
    returning block.*, old.was
  ), task as (
    update tasks task
       set start_after = ${until}, ${setUpdatedAt('task')}
      from tasks old, skipped
     where task.user_id = ${userId} and task.id = old.id
       and old.user_id = ${userId} and old.id = skipped.task_id and skipped.id = ${id}
       and (old.start_after is null or old.start_after < ${until})
    returning task.*, old as was
  ), ${appendEvents([blockUpdated('skipped'), taskUpdated], { plan: true })}
  select given.refusal, ${answer(sql`skipped`)} as json from given`,
)

/** Begins a block now. Concurrent starts of one user wait for each other, so that only one block is running. */
export const startTimeBlock = (db: Db, userId: string, id: string, now: Date) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    await lockRunningTasks(transaction, { userId })
    return start(transaction, { userId, id, now })
  })

/** Ends a running block now, and adds the minutes to its task. */
export const stopTimeBlock = (db: Db, userId: string, id: string, now: Date) =>
  db.transaction(async (transaction) => {
    await lockTasksOf(transaction, { userId, ids: [id] })
    return stop(transaction, { userId, id, now })
  })

export const extendTimeBlock = (db: Db, userId: string, id: string, minutes: number, now: Date) =>
  extend(db, { userId, id, minutes, now }).catch(tooLong)

const tooLong = onCheck(() => invalid({ minutes: ['Must leave a block of at most 24 hours'] }))

/** Cancels a block and plans its task after `until`. */
export const skipTimeBlock = (db: Db, userId: string, id: string, until: Date, now: Date) => {
  if (until <= now) throw invalid({ until: ['Must be in the future'] })
  return db.transaction(async (transaction) => {
    await lockTasksOf(transaction, { userId, ids: [id] })
    return skip(transaction, { userId, id, now, until })
  })
}
