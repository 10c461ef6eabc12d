// A plan is made in three steps: read a snapshot, solve it without a connection, and write the plan in one
// transaction if the snapshot is still current (decision 0031).
import type { PlannerResult } from '@daywright/contract'
import { ConcurrentUpdate } from '../../platform/db/database-errors.ts'
import { type Db, retrying } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { onlyDifference } from './plan-changes.ts'
import { findLastEvent, loadProblem, type Snapshot } from './problem.queries.ts'
import { lockTasksToPurge, purgeExpired } from './retention.queries.ts'
import { insertRun } from './runs.queries.ts'
import type { Solve } from './solve.ts'
import { changePlan } from './write-plan.queries.ts'

export type PlanRequest = {
  userId: string
  now: Date
  solve: Solve
  /**
   * A preview does not change the calendar: it can be viewed, and applied later. A requested run replaces
   * every block, as the contract says. An automatic one writes only the difference; otherwise each would
   * leave a cancelled copy of the whole plan for 30 days.
   */
  kind: 'preview' | 'requested' | 'automatic'
  /** Plans without regard to where the planner's blocks are now. */
  fromScratch?: boolean
}

/**
 * Plans for one user. `finish` is called at the end of the transaction that writes the run, and its result
 * is returned.
 */
export const runPlanner = <Result>(
  db: Db,
  request: PlanRequest,
  finish: (transaction: Db, run: { runId: string; result: PlannerResult }) => Promise<Result>,
) => {
  const { userId, now } = request
  const isPreview = request.kind === 'preview'
  return retrying(async (isLast) => {
    const early = isLast ? undefined : await makePlan(db, request)
    return db.transaction(async (transaction) => {
      await lockUser(transaction, userId)
      const archived = isPreview ? [] : await lockTasksToPurge(transaction, userId, now)
      const made = early
        ? await confirmPlan(transaction, request, early)
        : await makePlan(transaction, request)
      const { solved } = made
      const runId = newId()
      const done = isPreview
        ? undefined
        : await writePlan(transaction, request, runId, made, archived)
      await insertRun(transaction, userId, runId, solved, now, done)
      return finish(transaction, { runId, result: solved.summary.result })
    })
  })
}

type MadePlan = Snapshot & { solved: Awaited<ReturnType<Solve>> }

async function makePlan(db: Db, request: PlanRequest): Promise<MadePlan> {
  const snapshot = await takeSnapshot(db, request)
  const solved = await request.solve(snapshot.problem)
  // The checker is independent of the planner: a plan that violates a rule must not be written.
  if (solved.violations.length > 0) {
    throw new Error(`The plan breaks a rule: ${solved.violations.slice(0, 5).join('; ')}`)
  }
  return { ...snapshot, solved }
}

const takeSnapshot = (db: Db, { userId, now, kind, fromScratch }: PlanRequest) =>
  loadProblem(db, userId, now, { withOwn: kind === 'automatic', fromScratch })

/** Returns the plan if its input is still the same, and throws otherwise. Every change of an input has an event. */
async function confirmPlan(transaction: Db, request: PlanRequest, made: MadePlan) {
  if ((await findLastEvent(transaction, request.userId)) === made.lastEvent) return made
  const current = await takeSnapshot(transaction, request)
  if (current.problem !== made.problem) {
    throw new ConcurrentUpdate('The data changed while it was planned')
  }
  return { ...current, solved: made.solved }
}

async function writePlan(
  transaction: Db,
  { userId, now }: PlanRequest,
  runId: string,
  { solved, own, lastEvent }: MadePlan,
  archived: string[],
) {
  const changes = own ? onlyDifference(solved.changes, own) : solved.changes
  const changed = await changePlan(transaction, userId, runId, changes, now)
  // From its first event on, this transaction blocks the user's other writes. So slow work, and rows that
  // others may have locked, come before it.
  const events = await purgeExpired(transaction, userId, now, archived)
  return { ...changed, lastEvent: lastEvent + events }
}
