// Repairs a plan by local search (late acceptance) after a change. The cost of moves is measured against
// the earlier plan: a block that moves twice is charged once, and one that returns costs nothing. The
// budget is counted in moves and the random numbers are seeded, as in the search from scratch.
import type { Sessions } from '../problem/sessions.ts'
import { randomFrom } from './random.ts'
import { repairCost, type RepairContext, repairMoveCost } from './repair-greedy.ts'
import { drawRepairMove, newRepairState, refreshEstimates } from './repair-moves.ts'

/** A move is accepted if it costs no more than the current plan or the plan this many trials ago. */
const HISTORY_LENGTH = 10
/** The estimated losses are used for this many accepted moves. */
const MAX_STALE = 8

/** Leaves the best plan found in the draft. */
export const searchRepairs = (
  context: RepairContext,
  earlier: readonly ArrayLike<number>[],
  trials: number,
  seed = 20260105,
): void => {
  const { draft } = context
  draft.commit()
  const totalOf = (j: number, sessions: Sessions) =>
    repairCost(context, j, sessions) + repairMoveCost(context, j, earlier[j]!, sessions)
  const total = Float64Array.from(draft.sessions, (sessions, j) => totalOf(j, sessions))
  const state = newRepairState(context, earlier, randomFrom(seed))
  const { requested } = state

  let current = 0
  let lateness = 0
  let best = draft.sessions.slice()
  let bestCost = 0
  let stale = 0
  const history = Array.from({ length: HISTORY_LENGTH }, () => 0)
  for (let round = 0; round < trials; round++) {
    if (state.worst.length === 0 && state.moved.length === 0 && requested.length === 0) break
    const move = drawRepairMove(state)
    const change = move.propose(state)
    let delta = 0
    let latenessDelta = 0
    for (const { task, sessions } of draft.changes()) {
      const after = draft.sessions[task]!
      delta += totalOf(task, after) - total[task]!
      latenessDelta += draft.costOf(task, after).lateness - draft.costOf(task, sessions).lateness
    }
    const slot = round % HISTORY_LENGTH
    if (change && current + delta <= Math.max(history[slot]!, current)) {
      for (const { task } of draft.changes()) total[task] = totalOf(task, draft.sessions[task]!)
      draft.commit()
      current += delta
      lateness += latenessDelta
      // Room before due dates, or blocks that stay, are not paid for with lateness.
      if (current < bestCost - 1e-6 && lateness <= 0) {
        bestCost = current
        best = draft.sessions.slice()
      }
      if (++stale === MAX_STALE) {
        refreshEstimates(state)
        stale = 0
      }
    } else if (change) move.undo(state, change)
    history[slot] = current
  }
  draft.replace(best)
}
