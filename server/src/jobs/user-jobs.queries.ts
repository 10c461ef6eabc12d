import type { Db } from '../platform/db/database.ts'
import { bigint, date, raw, sql, timestamp, userId } from '../platform/db/sql.ts'
import { execute, queryRows } from '../platform/db/statement.ts'
import { historyIsFull } from '../platform/db/usage.ts'
import { isTimezone } from '@daywright/contract'
import { mayBeMissed } from '../features/planner/problem.queries.ts'
import { nextFetch } from '../features/calendars/refresh.queries.ts'
import { nextPublication } from '../features/plan-calendars/publish.queries.ts'
import type { UserState } from './due-jobs.ts'

const now = timestamp('now')

// The statement that works across users. It skips users whose row is locked, so that relays do not wait for each other.
// Dead index entries of users that were leased before are not read again, thanks to the lower bound.
const lease = queryRows<{ user_id: string }>()(
  'worker.lease-due-users',
  sql`
  update user_state set due_at = ${timestamp('until')}
   where user_id = any(array(
           select user_id from user_state
            where due_at > ${timestamp('after')} and due_at <= ${now}
            order by due_at
            limit ${bigint('most')}
              for update skip locked))
  returning user_id`,
)

export type DueSpan = { after: Date; now: Date }

/**
 * Leases due users, so that no other worker takes them. If this process dies, they are due again at
 * `until`. `hasMore` is true if more users may be due.
 */
export async function leaseDueUsers(db: Db, span: DueSpan, until: Date, most: number) {
  const taken = await lease(db, { ...span, until, most })
  return { users: taken.map((user) => user.user_id), hasMore: taken.length === most }
}

type Row = UserState & {
  lastEvent: number
  dueAt: Date | null
  /** The account is disabled, or an admin has stopped its jobs. */
  isStopped: boolean
  hasWebhooks: boolean
  /** When the next calendar is to be fetched. */
  fetchAt: Date | null
  /** When the next calendar is to be brought up to date with the plan. */
  publishAt: Date | null
  deadlineAlerts: boolean
  /** When the worker decides on recurrences next; null if there are none. */
  recurrencesAt: Date | null
  /** The last event that the worker had seen when it last decided on recurrences. */
  recurrencesEvent: number
}

const clock = (column: string) => raw(`to_char(settings.${column}, 'HH24:MI')`)

// Each user is evaluated at least daily, and planned daily, so blocks of distant days need not be read.
const nextEndAt = sql`
         case when user_state.automatic and coalesce(settings.missed_blocks, 'reschedule') = 'reschedule' then
           (select min(block.end_at)
              from time_blocks block
              join tasks task on task.user_id = ${userId} and task.id = block.task_id
              left join projects project on project.user_id = ${userId} and project.id = task.project_id
             where block.user_id = ${userId} and block.start_at > ${now}::timestamptz - interval '2 days'
               and block.start_at < ${now}::timestamptz + interval '1 day'
               and ${mayBeMissed})
         end`

const find = queryRows<Row>()(
  'worker.find-user-state',
  sql`
  select person.timezone, person.disabled_at is not null or person.jobs_stopped_at is not null as "isStopped", user_state.automatic,
         ${clock('quiet_from')} as "quietFrom", ${clock('quiet_to')} as "quietTo",
         coalesce(${clock('daily_run_at')}, '05:00') as "dailyRunAt", ${clock('summary_at')} as "summaryAt",
         user_state.stale_since as "staleSince", user_state.last_event as "lastEvent", user_state.due_at as "dueAt",
         (select event.at from events event
           where event.user_id = ${userId} and event.seq = user_state.last_event
           order by event.part limit 1) as "changedAt",
         ${nextEndAt} as "nextEndAt",
         ${nextFetch} as "fetchAt",
         ${nextPublication} as "publishAt",
         user_state.has_webhooks as "hasWebhooks",
         coalesce(settings.deadline_alerts, false) as "deadlineAlerts",
         user_state.recurrences_at as "recurrencesAt", user_state.recurrences_event as "recurrencesEvent",
         user_state.planned_on::text as "plannedOn", user_state.summarized_on::text as "summarizedOn",
         user_state.trimmed_on::text as "trimmedOn",
         coalesce(${historyIsFull}, false)
           as "isHistoryFull"
    from user_state
    join users person on person.id = ${userId}
    left join user_settings settings on settings.user_id = ${userId}
   where user_state.user_id = ${userId}`,
)

export async function findUserState(db: Db, userId: string, now: Date) {
  const [user] = await find(db, { userId, now })
  return user && inKnownZone(user)
}

const known = new Set<string>()

/** Unknown zones fall back to the default. Validation is slow and zones are few, so results are cached. */
function inKnownZone(user: Row) {
  const { timezone } = user
  if (!known.has(timezone)) {
    if (!isTimezone(timezone)) return { ...user, timezone: 'Australia/Sydney' }
    if (known.size > 1000) known.clear()
    known.add(timezone)
  }
  return user
}

// Updates nothing if there was a change since `user_state` was read, or if a fetch was requested or postponed: the user
// may be due earlier, and is evaluated again.
const settle = queryRows<{ user_id: string }>()(
  'worker.settle',
  sql`
  update user_state set due_at = ${timestamp('at')}
   where user_id = ${userId} and last_event = ${bigint('lastEvent')}
     and due_at is not distinct from ${timestamp.orNull('dueAt')}
  returning user_id`,
)

/** Sets the next due time; false if something has changed meanwhile. */
export const rescheduleAt = async (
  db: Db,
  userId: string,
  { lastEvent, dueAt }: Pick<Row, 'lastEvent' | 'dueAt'>,
  at: Date,
) => (await settle(db, { userId, lastEvent, dueAt, at })).length > 0

function markDayIn(column: string) {
  const text = sql`update user_state set ${raw(column)} = ${date('day')} where user_id = ${userId}`
  const mark = execute(`worker.${column}`, text)
  return (db: Db, userId: string, day: string) => mark(db, { userId, day })
}
export const markSummarized = markDayIn('summarized_on')
export const markTrimmed = markDayIn('trimmed_on')
export const markPlanned = markDayIn('planned_on')
