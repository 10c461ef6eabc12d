// Repair by local search (late acceptance) after a change. The cost of moves is measured against the
// earlier plan, so a block that moves twice costs once, and one that returns costs nothing. The budget
// is counted and the random numbers are seeded, as in the search from scratch.
import { scalarCost } from '../objective/cost.ts'
import { costOfMoves, MOVE_COST } from '../objective/stability.ts'
import { earliestStart, validBlocks } from '../placement/keep-previous.ts'
import type { Sessions } from '../problem/sessions.ts'
import { type Claim, type CounterClaim, newEjectionChain } from './ejection-chain.ts'
import { randomFrom } from './random.ts'
import {
  candidates,
  latestStart,
  lossesByMoving,
  possibleGain,
  possibleStarts,
  type RepairContext,
  SMALL_LOSS,
} from './repair-greedy.ts'

/** A move is accepted if it is no worse than the plan so many trials ago. */
const HISTORY_LENGTH = 10
const MAX_CHAINED = 10
/** The estimated losses are used for this many accepted moves. */
const MAX_STALE = 8

/** Leaves the best plan found in the draft. */
export const searchRepairs = (
  context: RepairContext,
  earlier: readonly ArrayLike<number>[],
  trials: number,
  seed = 20260105,
): void => {
  const { draft, rank } = context
  const { compiled } = draft
  const { due, weight, predecessors } = compiled
  const random = randomFrom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const chain = newEjectionChain(draft, rank)
  draft.commit()
  const originals = earlier.map((pairs, j) => validBlocks(compiled, j, pairs))
  const totalOf = (j: number, sessions: Sessions) =>
    scalarCost(draft.costOf(j, sessions)) + costOfMoves(context, earlier[j]!, sessions)
  const total = Float64Array.from(draft.sessions, (sessions, j) => totalOf(j, sessions))
  const placed = originals.flatMap((pairs, j) => (pairs.length > 0 ? [j] : []))

  let losses = lossesByMoving(draft)
  let worst = candidates(context)
  let moved: number[] = []
  const refreshEstimates = () => {
    losses = lossesByMoving(draft)
    worst = candidates(context)
    moved = placed.filter((j) => costOfMoves(context, originals[j]!, draft.sessions[j]!) > 0)
  }
  refreshEstimates()

  let current = 0
  let best = draft.sessions.slice()
  let bestCost = 0
  let stale = 0
  const history = Array.from({ length: HISTORY_LENGTH }, () => 0)
  for (let round = 0; round < trials; round++) {
    if (worst.length === 0 && moved.length === 0) break
    tryMove()
    let delta = 0
    for (const { task } of draft.changes()) {
      delta += totalOf(task, draft.sessions[task]!) - total[task]!
    }
    const slot = round % HISTORY_LENGTH
    if (draft.changes().length > 0 && current + delta <= Math.max(history[slot]!, current)) {
      for (const { task } of draft.changes()) total[task] = totalOf(task, draft.sessions[task]!)
      draft.commit()
      current += delta
      if (current < bestCost - 1e-6) {
        bestCost = current
        best = draft.sessions.slice()
      }
      if (++stale === MAX_STALE) {
        refreshEstimates()
        stale = 0
      }
    } else draft.undo()
    history[slot] = current
  }
  draft.replace(best)

  function tryMove(): void {
    const kind = random()
    if (moved.length > 0 && kind < 0.25) {
      const j = pick(moved)
      chain.restore(j, originals[j]!, randomCounterClaim())
      return
    }
    const j = worst.length > 0 && (kind < 0.9 || placed.length === 0) ? pickLate() : pick(placed)
    if (j === undefined) return
    const gainLimit = possibleGain(context, j)
    const claimOf = (task: number) => {
      const from = chooseStart(task)
      return from < Infinity ? claim(task, from, gainLimit) : undefined
    }
    chain.displace(withPredecessors(j), claimOf, randomCounterClaim())
  }

  /** The task behind the predecessors that delay it. */
  function withPredecessors(j: number): number[] {
    const tasks = [j]
    for (let task = j; random() < 0.6;) {
      let last = -1
      for (const i of predecessors[task]!) {
        if (draft.sessions[i]!.length > 0 && (last < 0 || draft.end(i) > draft.end(last))) last = i
      }
      if (last < 0) break
      tasks.unshift(last)
      task = last
    }
    return tasks
  }

  /** Prefers the front of the list, where the possible gain is largest. */
  function pickLate(): number {
    const at = Math.min(random(), random())
    return worst[Math.floor(at * worst.length)]!
  }

  function chooseStart(j: number): number {
    const starts = possibleStarts(context, j)
    const from = starts[0] ?? Infinity
    const kind = random()
    if (from === Infinity || kind < 0.3) return from
    if (kind < 0.58) return pick(starts)
    // The start of a random session.
    const latest = latestStart(draft, j)
    for (let attempts = 0; attempts < 6; attempts++) {
      const start = pick(draft.inOrder)?.start ?? from
      if (start > from && start < latest) return start
    }
    return from
  }

  function randomCounterClaim(): CounterClaim {
    const eager = random()
    let taken = 0
    return (task, loss) => {
      if (eager > 0.8 || taken >= MAX_CHAINED || loss <= MOVE_COST || random() > 0.8)
        return undefined
      const from = random() < 0.5 ? earliestStart(draft, task) : chooseStart(task)
      if (from === Infinity) return undefined
      taken++
      return claim(task, from, loss)
    }
  }

  /** Ejects tasks that lose little by it, or those due later or of lower weight, or any task. */
  function claim(task: number, from: number, gainLimit: number): Claim {
    const kind = random()
    if (kind < 0.6) {
      const most = kind < 0.25 ? SMALL_LOSS : gainLimit * random()
      return { from, mayEject: (other) => losses[other]! <= most }
    }
    const after = kind < 0.8 ? due[task]! + 720 * random() : -Infinity
    return { from, mayEject: (other) => due[other]! > after || weight[other]! < weight[task]! }
  }
}
