// Daily retention per user; `docs/operate/operations.md` has the ages. Archived tasks and cancelled blocks are
// not included: by the contract only a planner run removes them.
import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import type { Limits } from '../db/usage.ts'
import { endSurplusSessions } from '../auth/sessions.queries.ts'
import { forgetOldKeys } from '../http/write.ts'
import { recountUsage } from '../usage/usage.queries.ts'

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
// Numbers follow time, so the first event to keep is found by its number and later ones are not read.
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

// The oldest, until the rest fits. A text that an event keeps counts as part of the event.
const overfull = selecting(
  'worker.trim-overfull-history',
  `
  with kept as (
    select last_event, sum(octet_length(content)) as bytes
      from texts
     where user_id = $1
     group by last_event
  ), sized as (
    select event.seq,
           sum(event.bytes + coalesce(kept.bytes, 0))
             over (order by event.seq desc, event.part desc rows unbounded preceding) as with_newer
      from events event left join kept on kept.last_event = event.seq
     where event.user_id = $1
  )
  delete from events
   where user_id = $1 and seq <= (select max(seq) from sized where with_newer > $2::bigint)`,
)

// A text replaced by a deleted event can no longer be restored.
const texts = selecting(
  'worker.trim-texts',
  `
  delete from texts
   where user_id = $1
     and last_event < coalesce((select min(seq) from events where user_id = $1), 9223372036854775807)`,
)

/** Frees more than needed, so that the limit is not reached again at once. */
const keptShare = 0.8

const historyLimit = ({ limits }: Db) => (JSON.parse(limits) as Limits).historyBytes

export async function trim(db: Db, userId: string, now: Date, { isHistoryFull = false } = {}) {
  const before = (days: number) => new Date(now.getTime() - days * day).toISOString()
  await notifications(db, userId, before(30))
  await forgetOldKeys(db, userId, now)
  await endSurplusSessions(db, userId, now)
  await deliveries(db, userId, before(30))
  await runs(db, userId, before(90))
  await events(db, userId, before(90))
  if (isHistoryFull) await overfull(db, userId, Math.floor(historyLimit(db) * keptShare))
  await texts(db, userId)
  await recountUsage(db, userId)
}
