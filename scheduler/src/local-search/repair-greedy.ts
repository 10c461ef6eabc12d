// Greedy repair: improves a plan by few moves. A task that is late or left over starts an ejection
// chain. Each moved block has a cost, higher on the next two days, so that blocks move only where
// that pays.
import { scalarCost } from '../objective/cost.ts'
import { costOfMoves, MOVE_COST, type MoveCosts } from '../objective/stability.ts'
import type { Draft } from '../placement/draft.ts'
import { earliestStart } from '../placement/keep-previous.ts'
import { NO_DUE } from '../problem/weights.ts'
import { type Claim, type CounterClaim, newEjectionChain } from './ejection-chain.ts'

/** How many of the worst tasks are tried; fewer in a long backlog, where each takes longer. */
const maxCandidates = (tasks: number) => (tasks > 250 ? 24 : 40)

/** Up to this loss a task is only less early, not late. */
export const SMALL_LOSS = 240
/** Steps of a chain in which ejected tasks may eject others. */
const MAX_CHAINED = 8

export type RepairContext = MoveCosts & {
  draft: Draft
  /** Per task: the lateness that no plan avoids. */
  unavoidable: Float64Array
  /** Position of each task in an order in which it comes after its predecessors. */
  rank: Int32Array
}

/** Repeats until no move pays. `extra` are tasks to try besides the late ones. Returns whether any
 *  move was made. */
export const repairGreedily = (context: RepairContext, extra: readonly number[]): boolean => {
  const { draft, rank } = context
  const chain = newEjectionChain(draft, rank)
  draft.commit()
  let improved = false
  for (let sweep = 0; sweep < 20; sweep++) {
    let improvedNow = false
    let losses: Float64Array | undefined
    const worst = candidates(context)
    for (const j of [...worst, ...extra.filter((one) => !worst.includes(one))]) {
      losses ??= lossesByMoving(draft)
      const best = bestMove(context, chain, j, losses)
      if (!best) continue
      applyMove(chain, j, best, losses, draft)
      draft.commit()
      losses = undefined
      improvedNow = true
    }
    if (!improvedNow) break
    improved = true
  }
  return improved
}

/** The minute from which the task claims time; it may eject tasks that lose at most `loss`. */
type Move = { from: number; loss: number; chain: boolean }

/** The move of the task with the largest gain, if there is one. */
const bestMove = (
  context: RepairContext,
  chain: ReturnType<typeof newEjectionChain>,
  j: number,
  losses: Float64Array,
): Move | undefined => {
  const { draft } = context
  const gainLimit = possibleGain(context, j)
  let best: Move | undefined
  let most = 1e-6
  for (const from of possibleStarts(context, j)) {
    for (const move of [
      { from, loss: SMALL_LOSS, chain: false },
      { from, loss: gainLimit / 2, chain: true },
      { from, loss: Infinity, chain: true },
    ]) {
      applyMove(chain, j, move, losses, draft)
      const gain = gainOf(context)
      if (gain > most) {
        most = gain
        best = move
      }
      draft.undo()
    }
  }
  return best
}

const applyMove = (
  chain: ReturnType<typeof newEjectionChain>,
  j: number,
  move: Move,
  losses: Float64Array,
  draft: Draft,
): void => {
  const claim = (from: number, most: number): Claim => ({
    from,
    mayEject: (other) => losses[other]! <= most,
  })
  const counterClaim: CounterClaim = (task, loss, steps) => {
    if (!move.chain || steps >= MAX_CHAINED || loss <= 2 * MOVE_COST) return undefined
    const from = earliestStart(draft, task)
    return from < Infinity ? claim(from, loss / 4) : undefined
  }
  chain.displace([j], () => claim(move.from, move.loss), counterClaim)
}

/** Per task: what it loses if it is moved into the gaps. */
export const lossesByMoving = (draft: Draft): Float64Array => {
  const { compiled, placer } = draft
  const losses = new Float64Array(draft.sessions.length)
  const { topological, successors, need } = compiled
  // Successors first: when a task moves, they may have to move as well.
  for (let t = topological.length - 1; t >= 0; t--) {
    const j = topological[t]!
    const pairs = draft.sessions[j]!
    if (pairs.length === 0) continue
    const before = draft.costOf(j, pairs)
    placer.fit(j, need[j]!, pairs[0]!)
    let loss = scalarCost(draft.costOf(j, placer.found)) - scalarCost(before)
    for (const s of successors[j]!) {
      const start = draft.sessions[s]![0]
      if (start !== undefined && (placer.rest > 0 || start < placer.end)) {
        loss += Math.max(0, losses[s]!)
      }
    }
    losses[j] = loss
  }
  return losses
}

/** The tasks with the largest possible gain per minute. */
export const candidates = ({ draft, unavoidable }: RepairContext): number[] => {
  const { need, blocked } = draft.compiled
  const gains: { task: number; gain: number }[] = []
  for (let j = 0; j < need.length; j++) {
    if (need[j] === 0 || blocked[j]) continue
    const { lateness, leftOver } = draft.costOf(j, draft.sessions[j]!)
    const gain = lateness - unavoidable[j]! + leftOver
    if (gain > 0) gains.push({ task: j, gain: gain / need[j]! })
  }
  return gains
    .toSorted((a, b) => b.gain - a.gain || a.task - b.task)
    .slice(0, maxCandidates(need.length))
    .map(({ task }) => task)
}

/** The largest gain that is possible for the task. */
export const possibleGain = ({ draft, unavoidable }: RepairContext, j: number): number => {
  const { lateness, leftOver } = draft.costOf(j, draft.sessions[j]!)
  return lateness - unavoidable[j]! + 16 * leftOver
}

/** The earliest start, and the next midnights, behind which moving other tasks costs less. */
export const possibleStarts = ({ draft, midnights }: RepairContext, j: number): number[] => {
  const from = earliestStart(draft, j)
  if (from === Infinity) return []
  const latest = latestStart(draft, j)
  const days = [midnights[0], midnights[1], midnights[1] + 1440, midnights[1] + 2880]
  return [from, ...days.filter((day) => day > from && day < latest)]
}

export const latestStart = (draft: Draft, j: number): number => {
  const { due, horizon } = draft.compiled
  return due[j] === NO_DUE || due[j]! <= 0 ? horizon : Math.min(horizon, due[j]!)
}

/** The cost saved by the changes, less the cost of the moves; 0 if the total lateness grows. */
const gainOf = (context: RepairContext): number => {
  const { draft } = context
  let gain = 0
  let lateness = 0
  for (const { task, sessions } of draft.changes()) {
    const before = draft.costOf(task, sessions)
    const after = draft.costOf(task, draft.sessions[task]!)
    gain +=
      scalarCost(before) - scalarCost(after) - costOfMoves(context, sessions, draft.sessions[task]!)
    lateness += before.lateness - after.lateness
  }
  return lateness >= 0 ? gain : 0
}
