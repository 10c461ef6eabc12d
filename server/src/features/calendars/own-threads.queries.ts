import type { Db } from '../../platform/db/database.ts'
import { sql, timestamp, userId, uuids } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'

const threads = uuids('threads')

// A program that subscribes to the plan may still show blocks that were cancelled some days ago.
const find = queryRows<{ thread: string }>()(
  'calendars.find-own-threads',
  sql`
  select coalesce(thread, id) as thread
    from time_blocks
   where user_id = ${userId} and status <> 'cancelled' and coalesce(thread, id) = any(${threads}::uuid[])
   union
  select coalesce(thread, id)
    from time_blocks
   where user_id = ${userId} and status = 'cancelled' and cancelled_at > ${timestamp('since')}
     and coalesce(thread, id) = any(${threads}::uuid[])`,
)

const keptMs = 14 * 86_400_000

/** Which of these threads are the user's own. */
export const findOwnThreads = async (db: Db, userId: string, threads: string[], now: Date) =>
  (await find(db, { userId, threads, since: new Date(now.getTime() - keptMs) })).map(
    ({ thread }) => thread,
  )
