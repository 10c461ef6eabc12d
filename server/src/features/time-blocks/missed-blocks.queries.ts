// Blocks whose time has passed without work, and the user's decisions on them.
import type { ListedTimeBlock, MissedBlockDecision, Updated } from '@daywright/contract'
import { appendEvents } from '../../platform/db/append-events.ts'
import type { Db } from '../../platform/db/database.ts'
import { many, setUpdatedAt } from '../../platform/db/fragments.ts'
import { raw, sql, type Sql, userId, uuids } from '../../platform/db/sql.ts'
import { assertRow, queryJson, queryRows } from '../../platform/db/statement.ts'
import { taskRecord } from '../tasks/task-json.ts'
import { lockTasksOf } from './block-actions.queries.ts'
import { newThread, now } from './own-blocks.ts'
import { blockUpdated, taskWithStatus, timeBlock } from './time-block-json.ts'

// A block lasts at most 24 hours, so `start_at` is bounded, too, which lets the index be used.
const list = queryJson<ListedTimeBlock[]>()(
  'time-blocks.list-missed',
  sql`
  with missed as (
    select block.*
      from time_blocks block
     where block.user_id = ${userId} and block.status = 'scheduled'
       and block.start_at > ${now}::timestamptz - interval '15 days'
       and block.end_at > ${now}::timestamptz - interval '14 days' and block.end_at <= ${now}
     union all
    select block.*
      from time_blocks block
     where block.user_id = ${userId} and block.cancel_reason = 'missed' and block.reviewed_at is null
       and block.cancelled_at > ${now}::timestamptz - interval '14 days'
  )
  select ${many(
    { ...timeBlock, task: taskWithStatus },
    sql`from missed block
       where exists (select from tasks task
                      where task.user_id = ${userId} and task.id = block.task_id
                        and task.status < 'completed')
         and not exists (select from user_settings
                          where user_id = ${userId} and missed_blocks = 'assume-done')
       order by block.start_at desc, block.id
       limit 500`,
  )}::text as json`,
)

const isMissed = sql`
  (old.status = 'scheduled' and old.end_at <= ${now} or old.cancel_reason = 'missed')`

const updated = { ...blockUpdated('block'), ifChanged: true }
const taskUpdated = { ...taskRecord, type: 'task.updated', before: 'was', after: 'shortened' }

/** Defines a decision on missed blocks. `ctes` also shorten their tasks. */
const defineDecision = (name: string, change: Sql<{ now: Date }>, ctes?: Sql<{ userId: string }>) =>
  queryRows<Updated>()(
    `time-blocks.${name}`,
    sql`
  with old as (
    select old as was, old.id
      from time_blocks old
     where old.user_id = ${userId} and old.id = any(${uuids('blockIds')}::uuid[]) and ${isMissed}
     order by old.id
       for no key update
  ), block as (
    update time_blocks block
       set ${change}, reviewed_at = ${now}, ${setUpdatedAt('block')}
      from old
     where block.user_id = ${userId} and block.id = old.id
    returning block.*, old.was
  )${ctes ?? raw('')}, ${appendEvents([updated, ...(ctes ? [taskUpdated] : [])], { plan: true })}
  select count(*) as updated from block`,
  )

const cancelled = sql`status = 'cancelled', cancelled_at = coalesce(block.cancelled_at, ${now})`

const planAgain = defineDecision('plan-missed-again', sql`${cancelled}, cancel_reason = 'missed'`)
const done = defineDecision(
  'complete-missed',
  sql`status = 'completed', completed_at = ${now}, cancelled_at = null, cancel_reason = null,
           thread = case when block.status = 'cancelled' then ${raw(newThread('block'))} else block.thread end`,
)

// Subtracts the minutes from the estimate, so that they are not planned again. A task without an estimate was planned
// with the assumed one.
const drop = defineDecision(
  'drop-missed',
  sql`${cancelled}, cancel_reason = 'skipped'`,
  sql`, dropped as (
    select task_id, sum(round(extract(epoch from end_at - start_at) / 60))::integer as minutes
      from block
     where task_id is not null
     group by task_id
  ), shortened as (
    update tasks task
       set estimate_minutes = greatest(0, least(960, known.minutes) - dropped.minutes),
           ${setUpdatedAt('task')}
      from tasks old, dropped,
           lateral (select coalesce(old.estimate_minutes,
                                    (select assumed_minutes from user_settings where user_id = ${userId})) as minutes) known
     where task.user_id = ${userId} and task.id = dropped.task_id
       and old.user_id = ${userId} and old.id = dropped.task_id and known.minutes > 0
    returning task.*, old as was
  )`,
)

/** The missed blocks of open tasks in the last 14 days, the latest first. */
export const listMissedBlocks = (db: Db, userId: string, now: Date) => list(db, { userId, now })

/** Applies a decision to missed blocks. Blocks that were not missed, or are not the user's, are skipped. */
export async function decideOnMissedBlocks(
  db: Db,
  userId: string,
  { action, blockIds }: MissedBlockDecision,
  now: Date,
): Promise<Updated> {
  const given = { userId, blockIds, now }
  const [row] =
    action === 'plan-again'
      ? await planAgain(db, given)
      : action === 'done'
        ? await done(db, given)
        : await db.transaction(async (transaction) => {
            await lockTasksOf(transaction, { userId, ids: blockIds })
            return drop(transaction, given)
          })
  return assertRow('time-blocks.missed', row)
}
