// Runs the due jobs of one user and sets the next due time. All state is in the user's own rows, so a lost,
// late or duplicated job does no harm.
import type { Database, Db } from '../platform/db/database.ts'
import { writeAtRiskAlert } from '../features/notifications/write-at-risk-alert.ts'
import { writeMorningSummary } from '../features/notifications/write-morning-summary.ts'
import { runPlanner } from '../features/planner/run-planner.ts'
import type { Solve } from '../features/planner/solve.ts'
import {
  findUserState,
  markPlanned,
  markSummarized,
  markTrimmed,
  rescheduleAt,
} from './user-jobs.queries.ts'
import { leaseDueCalendars } from '../features/calendars/refresh.queries.ts'
import { leaseDuePlanCalendars } from '../features/plan-calendars/publish.queries.ts'
import { settleRecurrences } from '../features/recurrences/settle-recurrences.ts'
import { findPending } from '../features/webhooks/deliver.queries.ts'
import { applyRetention } from './retention.queries.ts'
import { findDueJobs } from './due-jobs.ts'

const day = 86_400_000
/** The most rounds of one job: a user who keeps changing things gets another job soon instead. */
const rounds = 5
const lookAgainMs = 2000
/** A calendar whose job has not run within this time is due again. */
const fetchLeaseMs = 120_000

export type UserJobContext = {
  db: Database
  now: () => Date
  solve: Solve
  /** Enqueues deliveries for these webhooks. */
  enqueueDeliveries: (userId: string, webhookIds: string[]) => Promise<void>
  /** Enqueues fetches of these calendars. */
  enqueueRefreshes: (userId: string, calendarIds: string[]) => Promise<void>
  /** Enqueues updates of these calendars with the plan. */
  enqueuePlans: (userId: string, planCalendarIds: string[]) => Promise<void>
  /** Called after every run, with its start time. */
  onRun?: (startedAt: Date, error?: unknown) => void
}

export async function runUserJobs(context: UserJobContext, userId: string) {
  const {
    db: database,
    now,
    solve,
    enqueueDeliveries,
    enqueueRefreshes,
    enqueuePlans,
    onRun,
  } = context
  const db = database.as({ kind: 'planner' }, { key: userId })
  const asSystem = database.asSystemWithin({ key: userId })
  let time = now()
  let user = await findUserState(db, userId, time)
  for (let round = 0; round < rounds; round += 1, time = now()) {
    if (!user) return
    if (user.isStopped) {
      await rescheduleAt(db, userId, user, new Date(time.getTime() + day))
      return
    }
    if (isDecisionDue(user, time)) {
      const hasChanged = await settleRecurrences(asSystem, userId, time) // first: the plan needs its tasks
      user = await findUserState(db, userId, time)
      if (hasChanged || !user) continue
    }
    const due = findDueJobs(user, time)
    if (due.run) {
      user = await plan(time, due.rollsTo, user.deadlineAlerts) // first: the summary describes the new plan
      continue
    }
    if (due.summary) await summarize(db, userId, time, due.today)
    if (due.trim) {
      await applyRetention(db, userId, time, user)
      await markTrimmed(db, userId, due.today)
    }
    if (due.summary || due.trim) {
      user = await findUserState(db, userId, time)
      continue
    }
    let { next } = due
    if (user.hasWebhooks) next = await enqueuePending(time, next)
    if (user.recurrencesAt && user.recurrencesAt < next) next = user.recurrencesAt
    if (user.fetchAt) next = await enqueueFetches(time, user.fetchAt, next)
    if (user.publishAt) next = await enqueuePublications(time, user.publishAt, next)
    if (await rescheduleAt(db, userId, user, next)) return
    user = await findUserState(db, userId, time)
  }

  /** Enqueues ready deliveries. Returns the next due time, which is soon if any are ready: more may follow. */
  async function enqueuePending(time: Date, next: Date) {
    const pending = await findPending(db, userId)
    const isReady = (at: Date | null) => at === null || at <= time
    const ready = pending.filter((webhook) => isReady(webhook.next_at))
    await enqueueDeliveries(
      userId,
      ready.map(({ id }) => id),
    )
    const soon = time.getTime() + lookAgainMs
    const times = pending.map(({ next_at }) => (isReady(next_at) ? soon : Number(next_at)))
    return new Date(Math.min(next.getTime(), ...times))
  }

  /** Enqueues due fetches of calendars. Returns the next due time, at the latest when a calendar is due again. */
  async function enqueueFetches(time: Date, fetchAt: Date, next: Date) {
    if (fetchAt > time) return fetchAt < next ? fetchAt : next
    const leasedUntil = new Date(time.getTime() + fetchLeaseMs)
    await enqueueRefreshes(userId, await leaseDueCalendars(db, userId, time, leasedUntil))
    return leasedUntil < next ? leasedUntil : next
  }

  /** Enqueues due updates of calendars that show the plan. Returns the next due time, as `enqueueFetches` does. */
  async function enqueuePublications(time: Date, publishAt: Date, next: Date) {
    if (publishAt > time) return publishAt < next ? publishAt : next
    const leasedUntil = new Date(time.getTime() + fetchLeaseMs)
    await enqueuePlans(userId, await leaseDuePlanCalendars(db, userId, time, leasedUntil))
    return leasedUntil < next ? leasedUntil : next
  }

  /** Commits the run, its alert and the day it rolls to in one transaction. */
  async function plan(time: Date, rollsTo: string | undefined, alerts: boolean) {
    const request = { userId, now: time, solve, kind: 'automatic' } as const
    try {
      const planned = await runPlanner(db, request, async (transaction) => {
        if (alerts) await writeAtRiskAlert(transaction, userId, now())
        if (rollsTo !== undefined) await markPlanned(transaction, userId, rollsTo)
        return findUserState(transaction, userId, time)
      })
      onRun?.(time)
      return planned
    } catch (error) {
      onRun?.(time, error)
      throw error
    }
  }
}

/** Recurrences are due at their time, and after any change, such as a completed task or a new time zone. */
const isDecisionDue = (
  { recurrencesAt, recurrencesEvent, lastEvent }: Exclude<FoundUserState, undefined>,
  time: Date,
) => recurrencesAt !== null && (recurrencesAt <= time || recurrencesEvent < lastEvent)

type FoundUserState = Awaited<ReturnType<typeof findUserState>>

const summarize = (db: Db, userId: string, now: Date, today: string) =>
  db.transaction(async (transaction) => {
    await writeMorningSummary(transaction, userId, now)
    await markSummarized(transaction, userId, today)
  })
