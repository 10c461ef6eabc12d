import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import { isTimezone } from '@daywright/contract'
import type { Agenda } from './what-is-due.ts'

// The two statements that work across users: they find due users and lease them.
const due = selecting<{ user_id: string }>(
  'worker.due-users',
  'select user_id from agendas where due_at <= $1 order by due_at limit $2',
)

const lease = selecting<{ user_id: string }>(
  'worker.lease-users',
  `
  update agendas set due_at = $3
   where user_id = any($1::uuid[]) and due_at <= $2
  returning user_id`,
)

/** Leases due users, so that no other worker takes them. If this process dies, they are due again then. */
export async function leaseDueUsers(db: Db, now: Date, until: Date, most: number) {
  const users = await due(db, now.toISOString(), most)
  if (users.length === 0) return []
  const ids = users.map((user) => user.user_id)
  const taken = await lease(db, ids, now.toISOString(), until.toISOString())
  return taken.map((user) => user.user_id)
}

type Row = Agenda & {
  lastEvent: number
  isDisabled: boolean
  hasWebhooks: boolean
  deadlineAlerts: boolean
}

const clock = (column: string) => `to_char(agenda.${column}, 'HH24:MI')`

const find = selecting<Row>(
  'worker.find-agenda',
  `
  select person.timezone, person.disabled_at is not null as "isDisabled", agenda.automatic,
         ${clock('quiet_from')} as "quietFrom", ${clock('quiet_to')} as "quietTo",
         ${clock('daily_run_at')} as "dailyRunAt", ${clock('summary_at')} as "summaryAt",
         agenda.stale_since as "staleSince", agenda.last_event as "lastEvent",
         (select event.at from events event
           where event.user_id = $1 and event.seq = agenda.last_event
           order by event.part limit 1) as "changedAt",
         agenda.has_webhooks as "hasWebhooks", agenda.deadline_alerts as "deadlineAlerts",
         agenda.planned_on::text as "plannedOn", agenda.summarized_on::text as "summarizedOn",
         agenda.trimmed_on::text as "trimmedOn",
         coalesce(agenda.history_bytes > ($2::jsonb ->> 'historyBytes')::bigint, false)
           as "isHistoryFull"
    from agendas agenda
    join users person on person.id = $1
   where agenda.user_id = $1`,
)

export async function findAgenda(db: Db, userId: string) {
  const [agenda] = await find(db, userId, db.limits)
  return agenda && inKnownZone(agenda)
}

const known = new Set<string>()

/** Unknown zones fall back to the default. Validation is slow and zones are few, so results are cached. */
function inKnownZone(agenda: Row) {
  const { timezone } = agenda
  if (!known.has(timezone)) {
    if (!isTimezone(timezone)) return { ...agenda, timezone: 'Australia/Sydney' }
    if (known.size > 1000) known.clear()
    known.add(timezone)
  }
  return agenda
}

// A change since the agenda was read may be due earlier: then the user is re-evaluated.
const settle = selecting<{ user_id: string }>(
  'worker.settle',
  `
  update agendas set due_at = $3
   where user_id = $1 and last_event = $2
  returning user_id`,
)

/** Sets the next due time; false if something has changed meanwhile. */
export const rescheduleAt = async (db: Db, userId: string, lastEvent: number, at: Date) =>
  (await settle(db, userId, lastEvent, at.toISOString())).length > 0

const done = (column: string) =>
  selecting(`worker.${column}`, `update agendas set ${column} = $2 where user_id = $1`)
const summarized = done('summarized_on')
const trimmed = done('trimmed_on')
const planned = done('planned_on')

export const markSummarized = (db: Db, userId: string, day: string) => summarized(db, userId, day)
export const markTrimmed = (db: Db, userId: string, day: string) => trimmed(db, userId, day)
export const markPlanned = (db: Db, userId: string, day: string) => planned(db, userId, day)
