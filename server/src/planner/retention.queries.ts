import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import { deleteTasks, lockToDelete } from '../tasks/delete-tasks.queries.ts'

const day = 86_400_000

// Locked, so that none is taken out of the archive until they are gone.
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
 * Tasks archived for 30 days: they go with this run, and are told before it looks at the others. So are
 * their subtasks, which it will detach.
 */
export async function tasksToPurge(db: Db, userId: string, now: Date) {
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
 * Those tasks, and the planner's own blocks that were cancelled 30 days ago. The number of events that
 * this leaves: those blocks have been cancelled for weeks, so they go without one.
 */
export async function clearAway(db: Db, userId: string, now: Date, archived: { id: string }[]) {
  await purgeBlocks(db, userId, before(now, 30))
  if (archived.length === 0) return 0
  await deleteTasks(
    db,
    userId,
    archived.map(({ id }) => id),
  )
  return 1
}
