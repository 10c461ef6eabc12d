import type { Db } from '../../platform/db/database.ts'
import { sql, timestamp, userId } from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'
import { deleteTasks, lockToDelete } from '../tasks/delete-tasks.queries.ts'

const day = 86_400_000

// Locks the tasks, so that none is restored from the archive before they are deleted.
const lockArchived = queryRows<{ id: string }>()(
  'planner.archived-tasks-to-purge',
  sql`
  select id
    from tasks
   where user_id = ${userId} and status = 'archived' and archived_at < ${timestamp('before')}
   order by id
     for update`,
)

const purgeBlocks = execute(
  'planner.purge-cancelled-blocks',
  sql`
  delete from time_blocks
   where user_id = ${userId} and status = 'cancelled' and source = 'auto' and cancelled_at < ${timestamp('before')}`,
)

const before = (now: Date, days: number) => new Date(now.getTime() - days * day)

/**
 * Locks the tasks archived for 30 days, which this run deletes, and their subtasks, which it detaches, before
 * the run reads the others.
 */
export async function lockTasksToPurge(db: Db, userId: string, now: Date) {
  const archived = await lockArchived(db, { userId, before: before(now, 30) })
  const ids = archived.map(({ id }) => id)
  if (ids.length > 0) await lockToDelete(db, userId, ids)
  return ids
}

/**
 * Deletes the archived tasks, and the planner's own blocks that were cancelled 30 days ago. Returns the number of
 * events: the deletion of such old blocks appends none.
 */
export async function purgeExpired(db: Db, userId: string, now: Date, archived: string[]) {
  await purgeBlocks(db, { userId, before: before(now, 30) })
  if (archived.length === 0) return 0
  await deleteTasks(db, userId, archived)
  return 1
}
