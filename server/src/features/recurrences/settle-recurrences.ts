// Brings a user's recurrences up to date in one transaction: a worker that is killed leaves nothing half done.
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { sql, userId } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'
import { isLimitReached } from '../../platform/errors.ts'
import { knownTimezone } from '../user/user.queries.ts'
import { lookAgainAt } from './occurrences.queries.ts'
import { listSeries } from './recurrences.queries.ts'
import { apply, prepare } from './settle.ts'

const begin = queryRows<{ lastEvent: number; timezone: string }>()(
  'recurrences.begin',
  sql`
  select user_state.last_event as "lastEvent", person.timezone
    from users person
    left join user_state on user_state.user_id = ${userId}
   where person.id = ${userId}`,
)

/** Reads the last event, before anything else is read, and the user's time zone. */
export async function beginSettling(db: Db, userId: string) {
  const [found] = await begin(db, { userId })
  return { seen: found?.lastEvent ?? 0, zone: knownTimezone(found?.timezone) }
}

/** The wait after a limit was reached, unless something changes earlier. */
const lookAgainMs = 3_600_000

/** True if a task was made or changed. Nothing is made for a user who has reached a limit. */
export async function settleRecurrences(db: Db, userId: string, now: Date) {
  try {
    return await settleAll(db, userId, now)
  } catch (error) {
    if (!isLimitReached(error)) throw error
    await db.transaction(async (transaction) => {
      await lockUser(transaction, userId)
      const { seen } = await beginSettling(transaction, userId)
      await lookAgainAt(transaction, { userId, at: new Date(now.getTime() + lookAgainMs), seen })
    })
    return false
  }
}

const settleAll = (db: Db, userId: string, now: Date) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const { seen, zone } = await beginSettling(transaction, userId)
    const changed = (await listSeries(transaction, userId)).map((series) => ({
      series,
      hasChanged: false,
    }))
    const prepared = await prepare(transaction, userId, changed, now, zone)
    const hasChanged = await apply(transaction, userId, prepared, now)
    // An event after `seen` makes the worker look again.
    await lookAgainAt(transaction, { userId, at: prepared.nextAt, seen })
    return hasChanged
  })
