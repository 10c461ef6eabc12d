import type { Db } from '../db/database.ts'
import { lockUser } from '../db/lock-user.ts'
import { newId } from '../db/new-id.ts'
import { changePlan } from './change-plan.queries.ts'
import { onlyDifference } from './only-difference.ts'
import { loadProblem } from './problem.queries.ts'
import { purgeExpired, lockTasksToPurge } from './retention.queries.ts'
import { insertRun } from './runs.queries.ts'
import type { Solve } from './solve.ts'

/**
 * Plans, and writes the plan in one transaction. Concurrent runs for the same user, in any process, wait
 * for the lock on the user's row.
 *
 * A requested run replaces every block, as the contract says. An automatic one writes only the difference;
 * otherwise each would leave a cancelled copy of the whole plan for 30 days.
 */
export const runPlanner = (
  db: Db,
  userId: string,
  now: Date,
  solve: Solve,
  { isAutomatic = false } = {},
) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const archived = await lockTasksToPurge(transaction, userId, now)
    const made = await makePlan(transaction, userId, now, solve, isAutomatic)
    const { solved, runId, lastEvent, own } = made
    const changes = own ? onlyDifference(solved.changes, own) : solved.changes
    const changed = await changePlan(transaction, userId, { runId, ...changes }, now)
    // From its first event on, this transaction blocks the user's other writes. So slow work, and rows that
    // others may have locked, come before it.
    const events = await purgeExpired(transaction, userId, now, archived)
    const done = { ...changed, lastEvent: lastEvent + events }
    await insertRun(transaction, userId, runId, solved, now, done)
    return { runId, result: solved.summary.result }
  })

/** The same without a change to the calendar: the run can be viewed, and applied later. */
export const previewPlan = (db: Db, userId: string, now: Date, solve: Solve) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const { solved, runId } = await makePlan(transaction, userId, now, solve)
    await insertRun(transaction, userId, runId, solved, now)
    return runId
  })

async function makePlan(db: Db, userId: string, now: Date, solve: Solve, withOwn = false) {
  const loaded = await loadProblem(db, userId, now, withOwn)
  const { problem, own, last_event: lastEvent } = loaded
  const solved = await solve(problem)
  // The checker is independent of the planner: a plan that violates a rule must not be written.
  if (solved.violations.length > 0) {
    throw new Error(`The plan breaks a rule: ${solved.violations.slice(0, 5).join('; ')}`)
  }
  return { solved, runId: newId(), lastEvent, own }
}
