// What is too old to keep, once a day for each user; `docs/operations.md` has the ages. Archived tasks and
// cancelled blocks are not among it: by the contract only a run of the planner removes them.
import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import { forgetOldKeys } from '../http/write.ts'

const day = 86_400_000

// The list shows the 50 most recent, however old they are.
const notifications = selecting(
  'worker.trim-notifications',
  `
  delete from notifications
   where user_id = $1 and read and created_at < $2
     and (created_at, id) < (select created_at, id
                               from notifications
                              where user_id = $1
                              order by created_at desc, id desc
                             offset 49 limit 1)`,
)
const runs = selecting(
  'worker.trim-runs',
  'delete from planner_runs where user_id = $1 and created_at < $2',
)
const deliveries = selecting(
  'worker.trim-deliveries',
  'delete from webhook_deliveries where user_id = $1 and at < $2',
)
// Numbers are in the order of time: the first event to keep is found by its number, and no later one is read.
const events = selecting(
  'worker.trim-events',
  `
  delete from events
   where user_id = $1
     and seq < coalesce((select seq from events
                          where user_id = $1 and at >= $2
                          order by seq, part limit 1),
                        9223372036854775807)`,
)

export async function trim(db: Db, userId: string, now: Date) {
  const before = (days: number) => new Date(now.getTime() - days * day).toISOString()
  await notifications(db, userId, before(30))
  await forgetOldKeys(db, userId, now)
  await deliveries(db, userId, before(30))
  await runs(db, userId, before(90))
  await events(db, userId, before(90))
}
