import type { PlannerUndo } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { setUpdatedAt } from '../../platform/db/fragments.ts'
import { raw, sql, timestamp, userId, uuid } from '../../platform/db/sql.ts'
import { assertRow, queryRows } from '../../platform/db/statement.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { newThread } from '../time-blocks/own-blocks.ts'
import { markUndone } from './runs.queries.ts'

const runId = uuid('runId')
const now = timestamp('now')

const find = queryRows<{ state: string; is_last: boolean }>()(
  'planner-runs.find-to-undo',
  sql`
  select run.state,
         not exists (select from planner_runs later
                      where later.user_id = ${userId} and later.state = 'applied'
                        and (later.created_at, later.id) > (run.created_at, run.id)) as is_last
    from planner_runs run
   where run.user_id = ${userId} and run.id = ${runId}`,
)

const cancelMade = queryRows<{ id: string }>()(
  'planner.undo-made-blocks',
  sql`
  update time_blocks
     set status = 'cancelled', cancelled_at = ${now}, ${setUpdatedAt()}
   where user_id = ${userId} and made_by_run = ${runId} and start_at > ${now}
     and status = 'scheduled' and source = 'auto' and not locked
  returning id`,
)

// Restores no block that overlaps one created since, or whose task is done. A block of the run that the user has
// moved or locked stays and keeps the thread, so the restored block gets a new one.
const restore = queryRows<{ restored: string[]; former: number }>()(
  'planner.restore-blocks',
  sql`
  with former as (
    select id, task_id, start_at, end_at
      from time_blocks
     where user_id = ${userId} and cancelled_by_run = ${runId} and status = 'cancelled' and start_at > ${now}
  ), restored as (
    update time_blocks block
       set status = 'scheduled', cancelled_at = null, cancelled_by_run = null,
           cancel_reason = null,
           thread = case when exists (select from time_blocks next
                                       where next.user_id = ${userId} and next.status <> 'cancelled'
                                         and coalesce(next.thread, next.id) = coalesce(block.thread, block.id))
                         then ${raw(newThread('block'))} else block.thread end,
           ${setUpdatedAt()}
      from former
     where block.user_id = ${userId} and block.id = former.id
       and exists (select from tasks task
                    where task.user_id = ${userId} and task.id = former.task_id
                      and task.status < 'completed')
       and not exists (select from time_blocks other
                        where other.user_id = ${userId} and other.status <> 'cancelled'
                          and other.start_at > former.start_at - interval '24 hours'
                          and other.start_at < former.end_at and other.end_at > former.start_at)
    returning block.id
  )
  select array(select id::text from restored order by id) as restored,
         (select count(*) from former) as former`,
)

/** Restores the future part of the plan that was there before the run. */
export const undoRun = (db: Db, userId: string, runId: string, now: Date): Promise<PlannerUndo> =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const [run] = await find(transaction, { userId, runId })
    if (!run) throw notFound('Planner run not found')
    if (run.state !== 'applied') throw conflict('This run has not been applied')
    if (!run.is_last) throw conflict('Only the last run can be undone')
    const cancelled = await cancelMade(transaction, { userId, runId, now })
    const [found] = await restore(transaction, { userId, runId, now })
    const { restored, former } = assertRow('planner.restore-blocks', found)
    const blocks = { restored, cancelled: cancelled.map(({ id }) => id) }
    await markUndone(transaction, userId, runId, blocks)
    return {
      ok: true,
      restored: restored.length,
      cancelled: cancelled.length,
      skipped: former - restored.length,
    }
  })
