// Daily retention per user; `docs/operate/operations.md` lists the ages. Archived tasks and cancelled blocks are
// not included, because by the contract only a planner run removes them.
import type { Db } from '../platform/db/database.ts'
import { bigint, sql, timestamp, userId } from '../platform/db/sql.ts'
import { execute } from '../platform/db/statement.ts'
import type { Limits } from '../platform/db/usage.ts'
import { endSurplusSessions } from '../platform/auth/sessions.queries.ts'
import { forgetOldKeys } from '../platform/http/idempotency.ts'
import { trimOccurrences } from '../features/recurrences/occurrences.queries.ts'
import { trimDeletedRecurrences } from '../features/recurrences/recurrences.queries.ts'
import { recountUsage } from '../features/usage/usage.queries.ts'

const day = 86_400_000

// Keeps the 50 most recent notifications, which the list shows however old they are.
const notifications = execute(
  'worker.trim-notifications',
  sql`
  delete from notifications
   where user_id = ${userId} and read and created_at < ${timestamp('before')}
     and (created_at, id) < (select created_at, id
                               from notifications
                              where user_id = ${userId}
                              order by created_at desc, id desc
                             offset 49 limit 1)`,
)
const runs = execute(
  'worker.trim-runs',
  sql`delete from planner_runs where user_id = ${userId} and created_at < ${timestamp('before')}`,
)
const deliveries = execute(
  'worker.trim-deliveries',
  sql`delete from webhook_deliveries where user_id = ${userId} and at < ${timestamp('before')}`,
)
// Event numbers increase with time, so only the first event to keep is looked up, and later ones are not read.
const events = execute(
  'worker.trim-events',
  sql`
  delete from events
   where user_id = ${userId}
     and seq < coalesce((select seq from events
                          where user_id = ${userId} and at >= ${timestamp('before')}
                          order by seq, part limit 1),
                        9223372036854775807)`,
)

// Deletes the oldest events until the rest fits. A text that an event keeps counts as part of the event.
const overfull = execute(
  'worker.trim-overfull-history',
  sql`
  with kept as (
    select last_event, sum(octet_length(content)) as bytes
      from texts
     where user_id = ${userId}
     group by last_event
  ), sized as (
    select event.seq,
           sum(event.bytes + coalesce(kept.bytes, 0))
             over (order by event.seq desc, event.part desc rows unbounded preceding) as with_newer
      from events event left join kept on kept.last_event = event.seq
     where event.user_id = ${userId}
  )
  delete from events
   where user_id = ${userId} and seq <= (select max(seq) from sized where with_newer > ${bigint('bytes')}::bigint)`,
)

// A text replaced by a deleted event can no longer be restored.
const texts = execute(
  'worker.trim-texts',
  sql`
  delete from texts
   where user_id = ${userId}
     and last_event < coalesce((select min(seq) from events where user_id = ${userId}), 9223372036854775807)`,
)

/** The share of the limit that is kept: less than all, so that the limit is not reached again at once. */
const keptShare = 0.8

const historyLimit = ({ limits }: Db) => (JSON.parse(limits) as Limits).historyBytes

export async function applyRetention(
  db: Db,
  userId: string,
  now: Date,
  { isHistoryFull = false } = {},
) {
  const before = (days: number) => new Date(now.getTime() - days * day)
  await notifications(db, { userId, before: before(30) })
  while ((await forgetOldKeys(db, userId, now)) > 0);
  await endSurplusSessions(db, userId, now)
  await deliveries(db, { userId, before: before(30) })
  await runs(db, { userId, before: before(90) })
  await events(db, { userId, before: before(90) })
  if (isHistoryFull) await overfull(db, { userId, bytes: Math.floor(historyLimit(db) * keptShare) })
  await texts(db, { userId })
  await trimDeletedRecurrences(db, userId, before(91))
  await trimOccurrences(db, userId, before(400).toISOString().slice(0, 10))
  await recountUsage(db, userId)
}
