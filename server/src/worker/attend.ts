// Runs the due jobs of one user and sets the next due time. All state is in the user's own rows, so a lost,
// late or duplicated job does no harm.
import type { Database, Db } from '../db/database.ts'
import { retrying } from '../db/retrying.ts'
import { writeAtRiskAlert } from '../notifications/write-at-risk-alert.ts'
import { writeMorningSummary } from '../notifications/write-morning-summary.ts'
import { runPlanner } from '../planner/run-planner.ts'
import type { Solve } from '../planner/solve.ts'
import {
  findAgenda,
  markPlanned,
  markSummarized,
  markTrimmed,
  rescheduleAt,
} from './agenda.queries.ts'
import { findPending } from '../webhooks/deliver.queries.ts'
import { trim } from './trim.queries.ts'
import { whatIsDue } from './what-is-due.ts'

const day = 86_400_000
/** A user who keeps changing things gets another job soon, instead of holding this one. */
const rounds = 5
const lookAgainMs = 2000

export type Attending = {
  db: Database
  now: () => Date
  solve: Solve
  /** Enqueues deliveries for these webhooks. */
  enqueueDeliveries: (userId: string, webhookIds: string[]) => Promise<void>
  /** Called after every run, with its start time. */
  onRun?: (startedAt: Date, error?: unknown) => void
}

export async function attend(attending: Attending, userId: string) {
  const { db: database, now, solve, enqueueDeliveries, onRun } = attending
  const db = database.as({ kind: 'planner' }, { key: userId })
  let agenda = await findAgenda(db, userId)
  for (let round = 0; round < rounds; round += 1) {
    if (!agenda) return
    const time = now()
    if (agenda.isDisabled) {
      await rescheduleAt(db, userId, agenda.lastEvent, new Date(time.getTime() + day))
      return
    }
    const due = whatIsDue(agenda, time)
    if (due.run) {
      agenda = await plan(time, due.rollsTo, agenda.deadlineAlerts) // first: the summary describes the new plan
      continue
    }
    if (due.summary) await summarize(db, userId, time, due.today)
    if (due.trim) {
      await trim(db, userId, time, agenda)
      await markTrimmed(db, userId, due.today)
    }
    if (due.summary || due.trim) {
      agenda = await findAgenda(db, userId)
      continue
    }
    const next = agenda.hasWebhooks ? await enqueuePending(time, due.next) : due.next
    if (await rescheduleAt(db, userId, agenda.lastEvent, next)) return
    agenda = await findAgenda(db, userId)
  }

  /** Due again soon while there is something to send: more may follow. */
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

  /** The run, its alert and the day it rolls to, in one transaction. */
  async function plan(time: Date, rollsTo: string | undefined, alerts: boolean) {
    const run = () =>
      db.transaction(async (transaction) => {
        await runPlanner(transaction, userId, time, solve, { isAutomatic: true })
        if (alerts) await writeAtRiskAlert(transaction, userId, now())
        if (rollsTo !== undefined) await markPlanned(transaction, userId, rollsTo)
        return findAgenda(transaction, userId)
      })
    try {
      const planned = await retrying(run)
      onRun?.(time)
      return planned
    } catch (error) {
      onRun?.(time, error)
      throw error
    }
  }
}

const summarize = (db: Db, userId: string, now: Date, today: string) =>
  db.transaction(async (transaction) => {
    await writeMorningSummary(transaction, userId, now)
    await markSummarized(transaction, userId, today)
  })
