// Answers questions about the plan that a run would make now. Nothing is written, and no connection is held
// while the plans are computed.
import type { SlotSearchInput } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { listEstimateErrors } from './estimate-errors.queries.ts'
import { loadProblem } from './problem.queries.ts'
import type { Advise } from './solve.ts'

export async function forecastPlan(db: Db, userId: string, now: Date, { forecast }: Advise) {
  const { problem } = await loadProblem(db, userId, now)
  return forecast(problem, await listEstimateErrors(db, userId))
}

export async function findSlots(
  db: Db,
  userId: string,
  now: Date,
  advise: Advise,
  { from, until, ...search }: SlotSearchInput,
) {
  const { problem } = await loadProblem(db, userId, now)
  const request = { ...search, from: from?.getTime(), until: until?.getTime() }
  const found = await advise.findSlots(problem, request)
  // The answer to an Idempotency-Key is stored in this transaction.
  return db.transaction(async () => found)
}
