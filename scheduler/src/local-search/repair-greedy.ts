// Improves a plan by few moves. A task that is late or left over takes the time of others, and
// those look for another place. Each block that moves has a price, the nearer its day the higher,
// so a block that need not move does not move.
import { type Answer, type Claim, newChain } from './ejection-chain.ts'
import type { Draft } from '../placement/draft.ts'
import { earliestStart } from '../placement/keep-previous.ts'
import { MOVED, priceOfMoves, type Prices, worth } from '../objective/stability.ts'
import { NO_DUE } from '../problem/weights.ts'

/** How many of the worst tasks are given a try; of a long backlog fewer, since each costs more. */
const mostTried = (tasks: number) => (tasks > 250 ? 24 : 40)

/** A loss that is mere earliness. */
export const A_LITTLE = 240
/** How much of a chain may be at the expense of others. */
const MOST_CHAINED = 8

export type Repair = Prices & {
  draft: Draft
  /** Per task: what lateness no plan avoids. */
  unavoidable: Float64Array
  /** Place of each task in an order in which it stands behind what it waits for. */
  rank: Int32Array
}

/** Until no move pays. `also` are tasks to try besides the late ones. Tells whether any did. */
export const repair = (given: Repair, also: readonly number[]): boolean => {
  const { draft, rank } = given
  const chain = newChain(draft, rank)
  draft.keep()
  let any = false
  for (let sweep = 0; sweep < 20; sweep++) {
    let better = false
    let losses: Float64Array | undefined
    const worst = candidates(given)
    for (const j of [...worst, ...also.filter((one) => !worst.includes(one))]) {
      losses ??= lossesByMoving(draft)
      const best = bestMove(given, chain, j, losses)
      if (!best) continue
      carryOut(chain, j, best, losses, draft)
      draft.keep()
      losses = undefined
      better = true
    }
    if (!better) break
    any = true
  }
  return any
}

/** From when on the task looks for time, and whose it may take: of those who lose at most this. */
type Move = { from: number; loss: number; chain: boolean }

/** The move of the task that pays most, if any does. */
const bestMove = (
  given: Repair,
  chain: ReturnType<typeof newChain>,
  j: number,
  losses: Float64Array,
): Move | undefined => {
  const { draft } = given
  const hope = hopeOf(given, j)
  let best: Move | undefined
  let most = 1e-6
  for (const from of startsFor(given, j)) {
    for (const move of [
      { from, loss: A_LITTLE, chain: false },
      { from, loss: hope / 2, chain: true },
      { from, loss: Infinity, chain: true },
    ]) {
      carryOut(chain, j, move, losses, draft)
      const gain = gainOf(given)
      if (gain > most) {
        most = gain
        best = move
      }
      draft.takeBack()
    }
  }
  return best
}

const carryOut = (
  chain: ReturnType<typeof newChain>,
  j: number,
  move: Move,
  losses: Float64Array,
  draft: Draft,
): void => {
  const claim = (from: number, most: number): Claim => ({
    from,
    makesWay: (other) => losses[other]! <= most,
  })
  const answer: Answer = (task, loss, steps) => {
    if (!move.chain || steps >= MOST_CHAINED || loss <= 2 * MOVED) return undefined
    const from = earliestStart(draft, task)
    return from < Infinity ? claim(from, loss / 4) : undefined
  }
  chain.displace([j], () => claim(move.from, move.loss), answer)
}

/** Per task: what it would lose if it had to look for another place among the gaps. */
export const lossesByMoving = (draft: Draft): Float64Array => {
  const { compiled, placer } = draft
  const losses = new Float64Array(draft.sessions.length)
  const { topological, successors, need } = compiled
  // Last those that others wait for: when they move, the others may have to as well.
  for (let t = topological.length - 1; t >= 0; t--) {
    const j = topological[t]!
    const pairs = draft.sessions[j]!
    if (pairs.length === 0) continue
    const before = draft.costOf(j, pairs)
    placer.fit(j, need[j]!, pairs[0]!)
    let loss = worth(draft.costOf(j, placer.found)) - worth(before)
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

/** Who has most to gain per minute. */
export const candidates = ({ draft, unavoidable }: Repair): number[] => {
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
    .slice(0, mostTried(need.length))
    .map(({ task }) => task)
}

/** What there is to win for the task at most. */
export const hopeOf = ({ draft, unavoidable }: Repair, j: number): number => {
  const { lateness, leftOver } = draft.costOf(j, draft.sessions[j]!)
  return lateness - unavoidable[j]! + 16 * leftOver
}

/** As soon as it may, or on one of the next days, where moving others costs less. */
export const startsFor = ({ draft, midnights }: Repair, j: number): number[] => {
  const from = earliestStart(draft, j)
  if (from === Infinity) return []
  const latest = latestFor(draft, j)
  const days = [midnights[0], midnights[1], midnights[1] + 1440, midnights[1] + 2880]
  return [from, ...days.filter((day) => day > from && day < latest)]
}

export const latestFor = (draft: Draft, j: number): number => {
  const { due, horizon } = draft.compiled
  return due[j] === NO_DUE || due[j]! <= 0 ? horizon : Math.min(horizon, due[j]!)
}

/** What the changes are worth, less the price of the moves; nothing if work gets later on the whole,
 *  whatever else it may bring. */
const gainOf = (given: Repair): number => {
  const { draft } = given
  let gain = 0
  let lateness = 0
  for (const { task, sessions } of draft.changes()) {
    const before = draft.costOf(task, sessions)
    const after = draft.costOf(task, draft.sessions[task]!)
    gain += worth(before) - worth(after) - priceOfMoves(given, sessions, draft.sessions[task]!)
    lateness += before.lateness - after.lateness
  }
  return lateness >= 0 ? gain : 0
}
