import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import { deleteTasks, lockToDelete } from '../tasks/delete-tasks.queries.ts'

const day = 86_400_000

// Locked, so that none is restored from the archive until they are deleted.
const lockArchived = selecting<{ id: string }>(
  'planner.archived-tasks-to-purge',
  `
  select id
    from tasks
   where user_id = $1 and status = 'archived' and archived_at < $2
   order by id
     for update`,
)

const purgeBlocks = selecting(
  'planner.purge-cancelled-blocks',
  `
  delete from time_blocks
   where user_id = $1 and status = 'cancelled' and source = 'auto' and cancelled_at < $2`,
)

const before = (now: Date, days: number) => new Date(now.getTime() - days * day).toISOString()

/**
 * Locks the tasks archived for 30 days, which this run deletes, and their subtasks, which it detaches, before
 * the run reads the others.
 */
export async function lockTasksToPurge(db: Db, userId: string, now: Date) {
  const archived = await lockArchived(db, userId, before(now, 30))
  if (archived.length > 0) {
    await lockToDelete(
      db,
      userId,
      archived.map(({ id }) => id),
    )
  }
  return archived
}

/**
 * Deletes those tasks, and the planner's own blocks cancelled 30 days ago. Returns the number of events:
 * the blocks were cancelled weeks ago and are deleted without one.
 */
export async function purgeExpired(db: Db, userId: string, now: Date, archived: { id: string }[]) {
  await purgeBlocks(db, userId, before(now, 30))
  if (archived.length === 0) return 0
  await deleteTasks(
    db,
    userId,
    archived.map(({ id }) => id),
  )
  return 1
}
