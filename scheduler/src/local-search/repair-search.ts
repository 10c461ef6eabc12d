// After a change: looks for the few moves that save most, all measured against the earlier plan, so
// that a block may move twice for one price or come back for none. Counted and seeded like the
// search for a fresh plan.
import { type Answer, type Claim, newChain } from './ejection-chain.ts'
import { earliestStart, keepable } from '../placement/keep-previous.ts'
import { MOVED, priceOfMoves, worth } from '../objective/stability.ts'
import { randomFrom } from './random.ts'
import {
  A_LITTLE,
  candidates,
  hopeOf,
  latestFor,
  lossesByMoving,
  type Repair,
  startsFor,
} from './repair-greedy.ts'
import type { Sessions } from '../problem/sessions.ts'

/** A move may be as bad as what was current so many trials ago. */
const MEMORY = 10
const MOST_CHAINED = 10
/** Estimates of who can wait are good for so many moves. */
const STALE = 8

/** Leaves the best plan that it found in the draft. */
export const mend = (
  given: Repair,
  earlier: readonly ArrayLike<number>[],
  trials: number,
  seed = 20260105,
): void => {
  const { draft, rank } = given
  const { compiled } = draft
  const { due, weight, predecessors } = compiled
  const random = randomFrom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const chain = newChain(draft, rank)
  draft.keep()
  const originals = earlier.map((pairs, j) => keepable(compiled, j, pairs))
  const totalOf = (j: number, sessions: Sessions) =>
    worth(draft.costOf(j, sessions)) + priceOfMoves(given, earlier[j]!, sessions)
  const total = Float64Array.from(draft.sessions, (sessions, j) => totalOf(j, sessions))
  const placed = originals.flatMap((pairs, j) => (pairs.length > 0 ? [j] : []))

  let losses = lossesByMoving(draft)
  let worst = candidates(given)
  let moved: number[] = []
  const look = () => {
    losses = lossesByMoving(draft)
    worst = candidates(given)
    moved = placed.filter((j) => priceOfMoves(given, originals[j]!, draft.sessions[j]!) > 0)
  }
  look()

  let current = 0
  let best = draft.sessions.slice()
  let bestCost = 0
  let stale = 0
  const memory = Array.from({ length: MEMORY }, () => 0)
  for (let round = 0; round < trials; round++) {
    if (worst.length === 0 && moved.length === 0) break
    attempt()
    let delta = 0
    for (const { task } of draft.changes()) {
      delta += totalOf(task, draft.sessions[task]!) - total[task]!
    }
    const slot = round % MEMORY
    if (draft.changes().length > 0 && current + delta <= Math.max(memory[slot]!, current)) {
      for (const { task } of draft.changes()) total[task] = totalOf(task, draft.sessions[task]!)
      draft.keep()
      current += delta
      if (current < bestCost - 1e-6) {
        bestCost = current
        best = draft.sessions.slice()
      }
      if (++stale === STALE) {
        look()
        stale = 0
      }
    } else draft.takeBack()
    memory[slot] = current
  }
  draft.replace(best)

  function attempt(): void {
    const kind = random()
    if (moved.length > 0 && kind < 0.25) {
      const j = pick(moved)
      chain.bringBack(j, originals[j]!, answers())
      return
    }
    const j = worst.length > 0 && (kind < 0.9 || placed.length === 0) ? pickLate() : pick(placed)
    if (j === undefined) return
    const hope = hopeOf(given, j)
    const claimOf = (task: number) => {
      const from = startFor(task)
      return from < Infinity ? claim(task, from, hope) : undefined
    }
    chain.displace(withThoseItWaitsFor(j), claimOf, answers())
  }

  /** What holds it up goes first. */
  function withThoseItWaitsFor(j: number): number[] {
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

  /** Those in front have most to gain. */
  function pickLate(): number {
    const at = Math.min(random(), random())
    return worst[Math.floor(at * worst.length)]!
  }

  function startFor(j: number): number {
    const starts = startsFor(given, j)
    const from = starts[0] ?? Infinity
    const kind = random()
    if (from === Infinity || kind < 0.3) return from
    if (kind < 0.58) return pick(starts)
    // Where someone's session starts.
    const latest = latestFor(draft, j)
    for (let attempts = 0; attempts < 6; attempts++) {
      const start = pick(draft.inOrder)?.start ?? from
      if (start > from && start < latest) return start
    }
    return from
  }

  function answers(): Answer {
    const eager = random()
    let taken = 0
    return (task, loss) => {
      if (eager > 0.8 || taken >= MOST_CHAINED || loss <= MOVED || random() > 0.8) return undefined
      const from = random() < 0.5 ? earliestStart(draft, task) : startFor(task)
      if (from === Infinity) return undefined
      taken++
      return claim(task, from, loss)
    }
  }

  /** Either who loses little by making way, or who is due later or weighs less, or anyone. */
  function claim(task: number, from: number, hope: number): Claim {
    const kind = random()
    if (kind < 0.6) {
      const most = kind < 0.25 ? A_LITTLE : hope * random()
      return { from, makesWay: (other) => losses[other]! <= most }
    }
    const after = kind < 0.8 ? due[task]! + 720 * random() : -Infinity
    return { from, makesWay: (other) => due[other]! > after || weight[other]! < weight[task]! }
  }
}
