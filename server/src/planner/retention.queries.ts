import type { Db } from '../db/database.ts'
import { selecting, touched } from '../db/statement.ts'

const day = 86_400_000

// Locked, so that one which is taken out of the archive meanwhile is not among them.
const purgeTasks = selecting(
  'planner.purge-archived-tasks',
  `
  with gone as (
    select id from tasks
     where user_id = $1 and status = 'archived' and archived_at < $2
     order by id
       for update
  ), detached_blocks as (
    update time_blocks set task_id = null, ${touched}
     where user_id = $1 and task_id in (select id from gone)
  ), detached_subtasks as (
    update tasks set parent_task_id = null, ${touched}
     where user_id = $1 and parent_task_id in (select id from gone)
       and id not in (select id from gone)
  )
  delete from tasks where user_id = $1 and id in (select id from gone)`,
)

const purgeBlocks = selecting(
  'planner.purge-cancelled-blocks',
  `
  delete from time_blocks
   where user_id = $1 and status = 'cancelled' and source = 'auto' and cancelled_at < $2`,
)

/** Tasks archived for 30 days, and the planner's own blocks that were cancelled 7 days ago. */
export async function clearAway(db: Db, userId: string, now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * day).toISOString()
  await purgeTasks(db, userId, before(30))
  await purgeBlocks(db, userId, before(7))
}
