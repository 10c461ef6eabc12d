// The moves of the repair search: a moved task returns to its earlier blocks, or a task claims time.
// Both start an ejection chain.
import { costOfMoves, MIN_CLAIM_LOSS } from '../objective/stability.ts'
import type { Draft } from '../placement/draft.ts'
import { earliestStart, validBlocks } from '../placement/keep-previous.ts'
import type { Sessions } from '../problem/sessions.ts'
import { type Claim, type CounterClaim, EjectionChain } from './ejection-chain.ts'
import { lossesByMoving } from './losses.ts'
import { type DraftMove, undoDraft } from './move.ts'
import {
  candidates,
  latestStart,
  possibleGain,
  possibleStarts,
  type RepairContext,
  SMALL_LOSS,
} from './repair-greedy.ts'

const MAX_CHAINED = 10
/** The probability of returning a moved task to its earlier blocks, if there is one. */
const RESTORED_CHANCE = 0.25
/** The probability of choosing a requested task in the other cases, if there is one. */
const REQUESTED_CHANCE = 0.4
/** If the random number is below this, a late task is chosen; otherwise a task of the earlier plan. */
const LATE_BELOW = 0.9

export type RepairMove = DraftMove<RepairState>

export type RepairState = {
  context: RepairContext
  draft: Draft
  chain: EjectionChain
  random: () => number
  /** Per task: its blocks of the earlier plan that are still valid. */
  originals: Sessions[]
  /** The tasks with such blocks. */
  placed: number[]
  requested: number[]
  /** Estimates as of the last refresh: the loss of each task if it is moved, the tasks with the largest
   *  possible gain, and the tasks that are not at their earlier blocks. */
  losses: Float64Array
  worst: number[]
  moved: number[]
}

export const newRepairState = (
  context: RepairContext,
  earlier: readonly ArrayLike<number>[],
  random: () => number,
): RepairState => {
  const { draft, rank } = context
  const originals = earlier.map((pairs, j) => validBlocks(draft.compiled, j, pairs))
  const state: RepairState = {
    context,
    draft,
    chain: new EjectionChain(draft, rank),
    random,
    originals,
    placed: originals.flatMap((pairs, j) => (pairs.length > 0 ? [j] : [])),
    requested: [...(context.requested ?? [])],
    losses: new Float64Array(0),
    worst: [],
    moved: [],
  }
  refreshEstimates(state)
  return state
}

export const refreshEstimates = (state: RepairState): void => {
  const { context, draft, placed, originals } = state
  state.losses = lossesByMoving(draft)
  state.worst = candidates(context)
  state.moved = placed.filter((j) => costOfMoves(context, originals[j]!, draft.sessions[j]!) > 0)
}

export const drawRepairMove = ({
  random,
  moved,
  requested,
  worst,
  placed,
}: RepairState): RepairMove => {
  const kind = random()
  if (moved.length > 0 && kind < RESTORED_CHANCE) return restoreBlocks
  if (requested.length > 0 && random() < REQUESTED_CHANCE) return claimForRequested
  const isLate = worst.length > 0 && (kind < LATE_BELOW || placed.length === 0)
  return isLate ? claimForLate : claimForEarlier
}

export const restoreBlocks: RepairMove = {
  name: 'restore the earlier blocks of a task',
  propose: (state) => {
    const { chain, moved, originals } = state
    const j = pick(state, moved)
    // A predecessor may have moved and now end after these blocks start.
    if (j === undefined || originals[j]![0]! < earliestStart(state.draft, j)) return undefined
    chain.restore(j, originals[j]!, randomCounterClaim(state))
    return true
  },
  undo: undoDraft,
}

export const claimForRequested: RepairMove = {
  name: 'claim time for a requested task',
  propose: (state) => claimTime(state, pick(state, state.requested)),
  undo: undoDraft,
}

export const claimForLate: RepairMove = {
  name: 'claim time for a late task',
  propose: (state) => claimTime(state, pickLate(state)),
  undo: undoDraft,
}

export const claimForEarlier: RepairMove = {
  name: 'claim time for a task of the earlier plan',
  propose: (state) => claimTime(state, pick(state, state.placed)),
  undo: undoDraft,
}

const claimTime = (state: RepairState, j: number | undefined): true | undefined => {
  if (j === undefined) return undefined
  const gainLimit = possibleGain(state.context, j)
  const claimOf = (task: number) => {
    const from = chooseStart(state, task)
    return from < Infinity ? randomClaim(state, task, from, gainLimit) : undefined
  }
  state.chain.displace(withPredecessors(state, j), claimOf, randomCounterClaim(state))
  return state.draft.changes().length > 0 || undefined
}

/** The task, preceded by a random number of the predecessors that delay it. */
const withPredecessors = ({ draft, random }: RepairState, j: number): number[] => {
  const tasks = [j]
  for (let task = j; random() < 0.6;) {
    let last = -1
    for (const i of draft.compiled.predecessors[task]!) {
      if (draft.sessions[i]!.length > 0 && (last < 0 || draft.end(i) > draft.end(last))) last = i
    }
    if (last < 0) break
    tasks.unshift(last)
    task = last
  }
  return tasks
}

const pick = <T>({ random }: RepairState, from: readonly T[]): T | undefined =>
  from[Math.floor(random() * from.length)]

/** Prefers the front of the list, where the possible gain is largest. */
const pickLate = ({ random, worst }: RepairState): number | undefined => {
  const at = Math.min(random(), random())
  return worst[Math.floor(at * worst.length)]
}

const chooseStart = (state: RepairState, j: number): number => {
  const { context, draft, random } = state
  const starts = possibleStarts(context, j)
  const from = starts[0] ?? Infinity
  const kind = random()
  if (from === Infinity || kind < 0.3) return from
  if (kind < 0.58) return pick(state, starts)!
  // The start of a random session.
  const latest = latestStart(draft, j)
  for (let attempts = 0; attempts < 6; attempts++) {
    const start = pick(state, draft.inOrder)?.start ?? from
    if (start > from && start < latest) return start
  }
  return from
}

const randomCounterClaim = (state: RepairState): CounterClaim => {
  const { draft, random } = state
  const eager = random()
  let taken = 0
  return (task, loss) => {
    if (eager > 0.8 || taken >= MAX_CHAINED || loss <= MIN_CLAIM_LOSS || random() > 0.8)
      return undefined
    const from = random() < 0.5 ? earliestStart(draft, task) : chooseStart(state, task)
    if (from === Infinity) return undefined
    taken++
    return randomClaim(state, task, from, loss)
  }
}

/** A claim that may eject tasks that lose little, or tasks due later or of lower weight, or any task. */
const randomClaim = (
  { draft, random, losses }: RepairState,
  task: number,
  from: number,
  gainLimit: number,
): Claim => {
  const { due, weight } = draft.compiled
  const kind = random()
  if (kind < 0.6) {
    const most = kind < 0.25 ? SMALL_LOSS : gainLimit * random()
    return { from, mayEject: (other) => losses[other]! <= most }
  }
  const after = kind < 0.8 ? due[task]! + 720 * random() : -Infinity
  return { from, mayEject: (other) => due[other]! > after || weight[other]! < weight[task]! }
}
