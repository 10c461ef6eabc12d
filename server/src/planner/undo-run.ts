import type { PlannerUndo } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { lockUser } from '../db/lock-user.ts'
import { never, selecting, touched } from '../db/statement.ts'
import { conflict, notFound } from '../errors.ts'
import { markUndone } from './runs.queries.ts'

const find = selecting<{ state: string; is_last: boolean }>(
  'planner-runs.find-to-undo',
  `
  select run.state,
         not exists (select from planner_runs later
                      where later.user_id = $1 and later.state = 'applied'
                        and (later.created_at, later.id) > (run.created_at, run.id)) as is_last
    from planner_runs run
   where run.user_id = $1 and run.id = $2`,
)

const cancelMade = selecting<{ id: string }>(
  'planner.undo-made-blocks',
  `
  update time_blocks
     set status = 'cancelled', cancelled_at = $3, ${touched}
   where user_id = $1 and made_by_run = $2 and start_at > $3
     and status = 'scheduled' and source = 'auto' and not locked
  returning id`,
)

// Not over blocks created since, nor for a task that is done.
const restore = selecting<{ restored: string[]; former: number }>(
  'planner.restore-blocks',
  `
  with former as (
    select id, task_id, start_at, end_at
      from time_blocks
     where user_id = $1 and cancelled_by_run = $2 and status = 'cancelled' and start_at > $3
  ), restored as (
    update time_blocks block
       set status = 'scheduled', cancelled_at = null, cancelled_by_run = null, ${touched}
      from former
     where block.user_id = $1 and block.id = former.id
       and exists (select from tasks task
                    where task.user_id = $1 and task.id = former.task_id
                      and task.status < 'completed')
       and not exists (select from time_blocks other
                        where other.user_id = $1 and other.status <> 'cancelled'
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
    const [run] = await find(transaction, userId, runId)
    if (!run) throw notFound('Planner run not found')
    if (run.state !== 'applied') throw conflict('This run is not applied')
    if (!run.is_last) throw conflict('Only the last run can be undone')
    const time = now.toISOString()
    const cancelled = await cancelMade(transaction, userId, runId, time)
    const [found] = await restore(transaction, userId, runId, time)
    const { restored, former } = found ?? never('planner.restore-blocks')
    const blocks = { restored, cancelled: cancelled.map(({ id }) => id) }
    await markUndone(transaction, userId, runId, blocks)
    return {
      ok: true,
      restored: restored.length,
      cancelled: cancelled.length,
      skipped: former - restored.length,
    }
  })
