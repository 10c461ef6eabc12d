import {
  type ListedTimeBlock,
  type NewTimeBlock,
  type Progress,
  type TimeBlock,
  type TimeBlockChanges,
  type TimeBlockRange,
} from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { differsBy, setUpdatedAt, writtenOrOld } from '../../platform/db/fragments.ts'
import {
  boolean,
  jsonByColumn,
  raw,
  sql,
  text,
  timestamp,
  userId,
  uuid,
  uuids,
} from '../../platform/db/sql.ts'
import {
  deleteReturning,
  queryJson,
  queryJsonOrNone,
  queryRows,
} from '../../platform/db/statement.ts'
import { onCheck } from '../../platform/db/database-errors.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { readRange } from './read-range.ts'
import { taskNotFound } from '../tasks/tasks.queries.ts'
import { newThread, now } from './own-blocks.ts'
import {
  blockUpdated,
  taskOfBlock,
  taskWithStatus,
  timeBlockJson,
  timeBlockRecord,
  timeBlockWithoutTask,
} from './time-block-json.ts'

export const blockNotFound = () => notFound('Time block not found')

const id = uuid('id')
const changes = jsonByColumn('changes')
const isByHand = boolean('isByHand')
const orderedIds = sql`${uuids('orderedIds')}::uuid[]`

const list = queryJson<ListedTimeBlock[]>()(
  'time-blocks.list',
  sql`
  select coalesce(json_agg(${timeBlockJson({ task: taskWithStatus })} order by block.start_at, block.id), '[]')::text as json
    from time_blocks block
   where block.user_id = ${userId} and block.start_at >= ${timestamp('from')} and block.start_at < ${timestamp('to')}
     and block.status <> 'cancelled'`,
)

const find = queryJsonOrNone<TimeBlock>()(
  'time-blocks.find',
  sql`
  select ${timeBlockJson({ task: taskOfBlock })}::text as json
    from time_blocks block
   where block.user_id = ${userId} and block.id = ${id}`,
)

const insert = queryJsonOrNone<ListedTimeBlock>()(
  'time-blocks.insert',
  sql`
  with block as (
    insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at)
    select ${userId}, ${id}, task.id, task.title, 'manual', ${timestamp('startAt')}, ${timestamp('endAt')}
      from tasks task
     where task.user_id = ${userId} and task.id = ${uuid('taskId')}
       for key share
    returning *
  ), ${appendEvents([{ ...timeBlockRecord, type: 'timeBlock.created', after: 'block' }], { plan: true })}
  select ${timeBlockJson({ task: taskWithStatus })}::text as json from block`,
)

const insertEvent = queryJson<ListedTimeBlock>()(
  'time-blocks.insert-event',
  sql`
  with block as (
    insert into time_blocks (user_id, id, title, type, source, start_at, end_at)
    values (${userId}, ${id}, ${text('title')}, 'event', 'manual', ${timestamp('startAt')}, ${timestamp('endAt')})
    returning *
  ), ${appendEvents([{ ...timeBlockRecord, fields: timeBlockWithoutTask, type: 'timeBlock.created', after: 'block' }], { plan: true })}
  select ${timeBlockJson({ title: 'block.title', task: 'null::json' })}::text as json from block`,
)

// The title of a block with a task is that of the task: a title that is sent for it is ignored.
const changesTo = (row: string) =>
  sql`case when ${raw(row)}.type = 'event' then ${changes}::jsonb else ${changes}::jsonb - 'title' end`

// A block moved by hand becomes the user's own, which the planner does not touch. A revert, which is not
// by hand, gives it back; only a revert changes the task.
const update = queryJsonOrNone<TimeBlock>()(
  'time-blocks.update',
  sql`
  with old as (
    select old.*, ${differsBy(changesTo('old'))} from time_blocks old where user_id = ${userId} and id = ${id} for no key update
  ), block as (
    update time_blocks block
       set (task_id, title, start_at, end_at, locked, sort_order, status, cancelled_at, started_at,
            completed_at, cancel_reason, reviewed_at, source, thread) =
           (select task_id, title, start_at, end_at, locked, sort_order, status,
                   case when changed.status = 'cancelled'
                        then coalesce(block.cancelled_at, ${now}) end,
                   case when ${changes}::jsonb ? 'started_at' then changed.started_at
                        when changed.status = 'scheduled' then null
                        when changed.status = 'in_progress' and block.status <> 'in_progress' then ${now}
                        else block.started_at end,
                   case when ${changes}::jsonb ? 'completed_at' then changed.completed_at
                        when changed.status = 'completed' and block.status <> 'completed' then ${now}
                        when changed.status = 'completed' then block.completed_at end,
                   case when ${changes}::jsonb ? 'cancel_reason' then changed.cancel_reason
                        when changed.status = 'cancelled' then block.cancel_reason end,
                   case when changed.status = block.status then block.reviewed_at end,
                   case when ${changes}::jsonb ? 'source' then changed.source
                        when ${isByHand} and ${changes}::jsonb ?| array['start_at', 'end_at'] then 'manual'
                        else block.source end,
                   case when block.status = 'cancelled' and changed.status <> 'cancelled'
                        then ${raw(newThread('block'))} else block.thread end
              from jsonb_populate_record(block, ${changesTo('block')}) changed),
           ${setUpdatedAt('block')}
      from old
     where block.user_id = ${userId} and block.id = old.id
       and (old.differs
            or ${isByHand}::boolean and old.source <> 'manual' and not ${changes}::jsonb ? 'source'
               and ${changes}::jsonb ?| array['start_at', 'end_at'])
    returning block.*, old.differs
  ), ${appendEvents([{ ...blockUpdated('block'), before: 'old' }], { plan: true })}
  select ${timeBlockJson({ task: taskOfBlock })}::text as json from ${writtenOrOld('block')}`,
)

const remove = deleteReturning(
  'time-blocks.delete',
  sql`
  with gone as (
    delete from time_blocks where user_id = ${userId} and id = ${id} returning *
  ), ${appendEvents([{ ...timeBlockRecord, type: 'timeBlock.deleted', before: 'gone' }], { plan: true })}
  select id from gone`,
)

// Locks the blocks in one order, which prevents deadlocks between reorders.
const reorder = queryRows<{ found: number }>()(
  'time-blocks.reorder',
  sql`
  with old as (
    select old as was, id
      from time_blocks old
     where user_id = ${userId} and id = any(${orderedIds})
     order by id
       for no key update
  ), block as (
    update time_blocks block
       set sort_order = place.number - 1, ${setUpdatedAt('block')}
      from old
      join unnest(${orderedIds}) with ordinality place (id, number) on place.id = old.id
     where block.user_id = ${userId} and block.id = old.id
       and (select count(*) from old) = cardinality(${orderedIds})
       and (old.was).sort_order <> place.number - 1
    returning block.*, old.was
  ), ${appendEvents([blockUpdated('block')])}
  select count(*) as found from old`,
)

/** Blocks that start within the range. */
export function listTimeBlocks(db: Db, userId: string, range: TimeBlockRange, now: Date) {
  return list(db, { userId, ...readRange(range, now), progress: isAsked(range) })
}

const isAsked = ({ progress }: Progress) => progress === 'true'

export async function findTimeBlock(db: Db, userId: string, id: string, asked: Progress) {
  const found = await find(db, { userId, id, progress: isAsked(asked) })
  if (!found) throw blockNotFound()
  return found
}

export async function createTimeBlock(
  db: Db,
  userId: string,
  given: NewTimeBlock,
  asked: Progress = {},
) {
  const { taskId, title = '', ...span } = given
  const values = { userId, id: newId(), ...span, progress: isAsked(asked) }
  if (taskId === undefined) return insertEvent(db, { ...values, title })
  const created = await insert(db, { ...values, taskId })
  if (!created) throw taskNotFound()
  return created
}

export async function updateTimeBlock(
  db: Db,
  userId: string,
  id: string,
  changes: TimeBlockChanges,
  now: Date,
  { isByHand = true, ...asked }: Progress & { isByHand?: boolean } = {},
) {
  // The other end may be the stored one, so only the database sees both.
  const field = changes.endAt ? 'endAt' : 'startAt'
  const badSpan = onCheck(() =>
    invalid({ [field]: ['Must leave endAt after startAt and at most 24 hours later'] }),
  )
  const given = { userId, id, changes, now, isByHand, progress: isAsked(asked) }
  const updated = await update(db, given).catch(badSpan)
  if (!updated) throw blockNotFound()
  return updated
}

export async function deleteTimeBlock(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw blockNotFound()
}

export async function reorderTimeBlocks(db: Db, userId: string, orderedIds: string[]) {
  const [row] = await reorder(db, { userId, orderedIds })
  if (row?.found !== orderedIds.length) {
    throw notFound('One or more time blocks not found or access denied')
  }
}
