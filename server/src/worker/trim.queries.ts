// What nobody will ask for again, once a day for each user; `docs/operations.md` has the ages.
import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import { forgetOldKeys } from '../http/write.ts'
import { clearAway, tasksToPurge } from '../planner/retention.queries.ts'

const day = 86_400_000

const notifications = selecting(
  'worker.trim-notifications',
  'delete from notifications where user_id = $1 and read and created_at < $2',
)
const runs = selecting(
  'worker.trim-runs',
  'delete from planner_runs where user_id = $1 and created_at < $2',
)
const deliveries = selecting(
  'worker.trim-deliveries',
  'delete from webhook_deliveries where user_id = $1 and at < $2',
)
const events = selecting('worker.trim-events', 'delete from events where user_id = $1 and at < $2')

export async function trim(db: Db, userId: string, now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * day).toISOString()
  await db.transaction(async (transaction) =>
    clearAway(transaction, userId, now, await tasksToPurge(transaction, userId, now)),
  )
  await notifications(db, userId, before(30))
  await forgetOldKeys(db, userId, now)
  await deliveries(db, userId, before(30))
  await runs(db, userId, before(90))
  await events(db, userId, before(90))
}
