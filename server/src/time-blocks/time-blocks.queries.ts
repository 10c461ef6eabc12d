import {
  type ListedTimeBlock,
  type NewTimeBlock,
  parseTimestamp,
  type TimeBlock,
  type TimeBlockChanges,
  type TimeBlockRange,
} from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { type Change, recording } from '../db/recording.ts'
import {
  answering,
  asItIs,
  columns,
  differs,
  finding,
  many,
  one,
  removing,
  selecting,
  touchedOf,
} from '../db/statement.ts'
import { onCheck } from '../db/violations.ts'
import { badRequest, invalid, notFound } from '../errors.ts'
import { taskNotFound } from '../tasks/tasks.queries.ts'
import { timeBlock, timeBlockRecord } from './time-block-json.ts'

const blockNotFound = () => notFound('Time block not found')

const ofBlock = 'from tasks task where task.user_id = $1 and task.id = block.task_id'
const taskSummary = { id: 'task.id', title: 'task.title', priority: 'task.priority' }
const task = one(taskSummary, ofBlock)
const taskWithStatus = one({ ...taskSummary, status: 'task.status' }, ofBlock)

const list = answering<ListedTimeBlock[]>(
  'time-blocks.list',
  `
  select ${many(
    { ...timeBlock, task: taskWithStatus },
    `from time_blocks block
    where block.user_id = $1 and block.start_at >= $2 and block.start_at < $3
      and block.status <> 'cancelled'
    order by block.start_at, block.id`,
  )}::text as json`,
)

const find = finding<TimeBlock>(
  'time-blocks.find',
  `
  select ${one({ ...timeBlock, task })}::text as json
    from time_blocks block
   where block.user_id = $1 and block.id = $2`,
)

const insert = finding<ListedTimeBlock>(
  'time-blocks.insert',
  `
  with block as (
    insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at)
    select $1, $2, task.id, task.title, 'manual', $4, $5
      from tasks task
     where task.user_id = $1 and task.id = $3
       for key share
    returning *
  ), ${recording([{ ...timeBlockRecord, type: 'timeBlock.created', after: 'block' }], { plan: true })}
  select ${one({ ...timeBlock, task: taskWithStatus })}::text as json from block`,
)

const updated: Change = {
  ...timeBlockRecord,
  type: 'timeBlock.updated',
  before: 'old',
  after: 'block',
}

// A block moved by hand becomes the user's own, which the planner does not touch, until the move is
// reverted.
const update = finding<TimeBlock>(
  'time-blocks.update',
  `
  with old as (
    select old.*, ${differs()} from time_blocks old where user_id = $1 and id = $2 for no key update
  ), block as (
    update time_blocks block
       set (start_at, end_at, locked, sort_order, status, cancelled_at, source) =
           (select start_at, end_at, locked, sort_order, status,
                   case when changed.status = 'cancelled'
                        then coalesce(block.cancelled_at, $4) end,
                   case when $3::jsonb ? 'source' then changed.source
                        when $3::jsonb ?| array['start_at', 'end_at'] then 'manual'
                        else block.source end
              from jsonb_populate_record(block, $3) changed),
           ${touchedOf('block')}
      from old
     where block.user_id = $1 and block.id = old.id
       and (old.differs
            or old.source <> 'manual' and not $3::jsonb ? 'source'
               and $3::jsonb ?| array['start_at', 'end_at'])
    returning block.*, old.differs
  ), ${recording([updated], { plan: true })}
  select ${one({ ...timeBlock, task })}::text as json from ${asItIs('block')}`,
)

const remove = removing(
  'time-blocks.delete',
  `
  with gone as (
    delete from time_blocks where user_id = $1 and id = $2 returning *
  ), ${recording([{ ...timeBlockRecord, type: 'timeBlock.deleted', before: 'gone' }], { plan: true })}
  select id from gone`,
)

// Locked in one order, which prevents deadlocks between reorders.
const reorder = selecting<{ found: number }>(
  'time-blocks.reorder',
  `
  with old as (
    select old as was, id
      from time_blocks old
     where user_id = $1 and id = any($2::uuid[])
     order by id
       for no key update
  ), block as (
    update time_blocks block
       set sort_order = place.number - 1, ${touchedOf('block')}
      from old
      join unnest($2::uuid[]) with ordinality place (id, number) on place.id = old.id
     where block.user_id = $1 and block.id = old.id
       and (select count(*) from old) = cardinality($2::uuid[])
       and (old.was).sort_order <> place.number - 1
    returning block.*, old.was
  ), ${recording([{ ...updated, before: 'was' }])}
  select count(*) as found from old`,
)

const day = 86_400_000

/** Blocks that start within the range, by default a day from now. */
export function listTimeBlocks(db: Db, userId: string, range: TimeBlockRange, now: Date) {
  const from = range.from === undefined ? now : readDate(range.from)
  const to = range.to === undefined ? new Date(from.getTime() + day) : readDate(range.to)
  if (to <= from) throw invalid({ to: ['Must be after from'] })
  if (to.getTime() - from.getTime() > 62 * day) {
    throw invalid({ to: ['Must be at most 62 days after from'] })
  }
  // A day after the end of the year 9999 has a six-digit year, which PostgreSQL does not parse.
  return list(db, userId, from.toISOString(), to.toISOString().replace(/^\+0/, ''))
}

function readDate(given: unknown) {
  const date = typeof given === 'string' ? parseTimestamp(given) : undefined
  if (!date) throw badRequest('from and to must be ISO dates')
  return date
}

export async function findTimeBlock(db: Db, userId: string, id: string) {
  const found = await find(db, userId, id)
  if (!found) throw blockNotFound()
  return found
}

export async function createTimeBlock(db: Db, userId: string, given: NewTimeBlock) {
  const { taskId, startAt, endAt } = given
  const id = newId()
  const created = await insert(db, userId, id, taskId, startAt.toISOString(), endAt.toISOString())
  if (!created) throw taskNotFound()
  return created
}

export async function updateTimeBlock(
  db: Db,
  userId: string,
  id: string,
  changes: TimeBlockChanges,
  now: Date,
) {
  // The other end may be the stored one, so only the database sees both.
  const field = changes.endAt ? 'endAt' : 'startAt'
  const badSpan = onCheck(() =>
    invalid({ [field]: ['Must leave endAt after startAt, at most 24 hours'] }),
  )
  const updated = await update(db, userId, id, columns(changes), now.toISOString()).catch(badSpan)
  if (!updated) throw blockNotFound()
  return updated
}

export async function deleteTimeBlock(db: Db, userId: string, id: string) {
  if (!(await remove(db, userId, id))) throw blockNotFound()
}

export async function reorderTimeBlocks(db: Db, userId: string, orderedIds: string[]) {
  const [row] = await reorder(db, userId, orderedIds)
  if (row?.found !== orderedIds.length) {
    throw notFound('One or more time blocks not found or access denied')
  }
}
