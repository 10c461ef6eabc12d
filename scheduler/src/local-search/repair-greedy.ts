// Greedy repair: improves a plan with few moves. A task that is late or left over starts an ejection
// chain. Each moved block has a cost, which is higher today and tomorrow, so that blocks move only if
// the gain exceeds the cost.
import { EARLINESS_UNIT, scalarCost } from '../objective/cost.ts'
import { costOfMoves, MIN_CLAIM_LOSS, type MoveCosts } from '../objective/stability.ts'
import type { Draft } from '../placement/draft.ts'
import { earliestStart } from '../placement/keep-previous.ts'
import { Timeline } from '../placement/timeline.ts'
import type { Sessions } from '../problem/sessions.ts'
import { NO_DUE, WEIGHT } from '../problem/weights.ts'
import { type Claim, type CounterClaim, EjectionChain } from './ejection-chain.ts'
import { lossesByMoving, lossesBySession } from './losses.ts'
import { type DraftMove, undoDraft } from './move.ts'

/** How many of the worst tasks are tried; fewer in a long backlog, where each takes longer. */
const maxCandidates = (tasks: number) => (tasks > 250 ? 24 : 40)

/** With a loss of up to this much, a task is only less early and not late. */
export const SMALL_LOSS = 240
/** A task with a smaller risk is not tried for the sake of more room. */
const MIN_RISK = 300
/** Steps of a chain in which ejected tasks may eject others. */
const MAX_CHAINED = 8
/** Up to this many tasks a requested task also ejects single sessions. */
const FEW = 250
/** The cost of moving a requested task's own blocks, as a share of the usual cost. The earliness of a
 *  requested task without a due date is divided by it, so that moves for its sake pay sooner. */
const REQUESTED_SHARE = 0.25
/** For a requested task without sessions: how many limits of the loss per minute are estimated at most,
 *  and how many of them are tried. In a full horizon the first minutes are rarely the cheapest. */
const MAX_RATES = 100
const MAX_CHEAP = 8

export type RepairContext = MoveCosts & {
  draft: Draft
  /** Per task: the lateness that no plan avoids. */
  unavoidable: Float64Array
  /** Position of each task in an order in which it comes after its predecessors. */
  rank: Int32Array
  /** Tasks that were made or edited since the last run. */
  requested?: ReadonlySet<number>
}

/** Repairs the plan until no move gains anything, for at most 20 sweeps. `extra` are tasks to try in
 *  addition to the late ones. Returns whether any move was made. */
export const repairGreedily = (context: RepairContext, extra: readonly number[]): boolean => {
  const { draft, rank } = context
  const chain = new EjectionChain(draft, rank)
  draft.commit()
  let improved = false
  for (let sweep = 0; sweep < 20; sweep++) {
    let improvedNow = false
    let state: GreedyState | undefined
    const worst = candidates(context)
    for (const j of [...worst, ...extra.filter((one) => !worst.includes(one))]) {
      state ??= { draft, chain, losses: { ofTask: lossesByMoving(draft) } }
      const best = bestMove(context, state, j)
      if (!best) continue
      best.propose(state)
      draft.commit()
      state = undefined
      improvedNow = true
    }
    if (!improvedNow) break
    improved = true
  }
  return improved
}

/** The losses of tasks and sessions if they are moved. `ofSession` is computed on demand and indexed by
 *  the start of a session. */
type Losses = { ofTask: Float64Array; ofSession?: Float64Array }

type GreedyState = { draft: Draft; chain: EjectionChain; losses: Losses }
type GreedyMove = DraftMove<GreedyState>

/** The task claims time from minute `from` on. It may eject tasks or sessions whose loss is at most
 *  `loss`, in total or per minute. With `chain`, ejected tasks may eject others. */
type Limits = { from: number; loss: number; by: 'task' | 'session' | 'minute'; chain: boolean }

/** The move of the task with the largest gain, if there is one. */
const bestMove = (
  context: RepairContext,
  state: GreedyState,
  j: number,
): GreedyMove | undefined => {
  const { draft, requested } = context
  let best: GreedyMove | undefined
  let most = 1e-6
  const tryMoves = (limits: Limits[]) => {
    for (const move of limits.map((one) => claimMove(j, one))) {
      const change = move.propose(state)
      if (!change) continue
      const gain = gainOf(context)
      if (gain > most) {
        most = gain
        best = move
      }
      move.undo(state, change)
    }
  }
  tryMoves(possibleStarts(context, j).flatMap((from) => limitsFrom(context, j, from)))
  const isUnplaced = draft.sessions[j]!.length === 0
  if (!best && isUnplaced && requested?.has(j)) tryMoves(cheapestLimits(context, state.losses, j))
  return best
}

const limitsFrom = (context: RepairContext, j: number, from: number): Limits[] => {
  const gainLimit = possibleGain(context, j)
  const limits: Limits[] = [
    { from, loss: SMALL_LOSS, by: 'task', chain: false },
    { from, loss: gainLimit / 2, by: 'task', chain: true },
    { from, loss: Infinity, by: 'task', chain: true },
  ]
  if (!context.requested?.has(j) || context.draft.sessions.length > FEW) return limits
  return [
    ...limits,
    { from, loss: 4 * SMALL_LOSS, by: 'session', chain: false },
    { from, loss: gainLimit / 4, by: 'session', chain: true },
  ]
}

/** The task claims time, and ejects others within the limits. */
export const claimMove = (j: number, limits: Limits): GreedyMove => ({
  name: 'claim time for a task',
  propose: ({ draft, chain, losses }) => {
    const mayLose =
      limits.by === 'task' ? losesAtMost(losses) : sessionLosesAtMost(losses, draft, limits.by)
    const claim = (from: number, most: number): Claim => ({ from, mayEject: mayLose(most) })
    const counterClaim: CounterClaim = (task, loss, steps) => {
      if (!limits.chain || steps >= MAX_CHAINED || loss <= 2 * MIN_CLAIM_LOSS) return undefined
      const from = earliestStart(draft, task)
      return from < Infinity ? claim(from, loss / 4) : undefined
    }
    chain.displace([j], () => claim(limits.from, limits.loss), counterClaim)
    return true
  },
  undo: undoDraft,
})

const losesAtMost =
  ({ ofTask }: Losses) =>
  (most: number): Claim['mayEject'] =>
  (other) =>
    ofTask[other]! <= most

const sessionLosesAtMost = (losses: Losses, draft: Draft, by: 'session' | 'minute') => {
  const { ofTask } = losses
  const ofSession = (losses.ofSession ??= lossesBySession(draft, ofTask))
  return (most: number): Claim['mayEject'] =>
    (other, start, end) => {
      // A session that was moved in this chain has no estimate of its own.
      const loss = Number.isNaN(ofSession[start]) ? ofTask[other]! : ofSession[start]!
      return loss <= (by === 'minute' ? most * (end - start) : most)
    }
}

/** The limits of the loss per minute that are estimated to cost least. */
const cheapestLimits = (context: RepairContext, losses: Losses, j: number): Limits[] => {
  const { draft } = context
  const from = earliestStart(draft, j)
  if (from === Infinity) return []
  const { compiled, placer, inOrder } = draft
  const ofSession = (losses.ofSession ??= lossesBySession(draft, losses.ofTask))
  const others = inOrder.filter(({ task, end }) => task !== j && end > from)
  const rate = ({ start, end }: { start: number; end: number }) => ofSession[start]! / (end - start)
  const all = [...new Set(others.map(rate))].toSorted((a, b) => a - b)
  const step = Math.ceil(all.length / MAX_RATES)
  const obstacles = new Timeline()
  const costFor = (most: number): number => {
    obstacles.clear()
    for (const one of others) if (rate(one) > most) obstacles.append(one.start, one.end)
    const actual = placer.timeline
    placer.timeline = obstacles
    placer.fit(j, compiled.need[j]!, from)
    placer.timeline = actual
    let cost = repairCost(context, j, placer.found)
    for (const { start, end } of others) {
      if (overlaps(placer.found, start, end)) cost += ofSession[start]! + context.prices[2]
    }
    return cost
  }
  return all
    .filter((_, i) => i % step === 0)
    .map((most) => ({ most, cost: costFor(most) }))
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, MAX_CHEAP)
    .map(({ most }) => ({ from, loss: most, by: 'minute', chain: false }))
}

const overlaps = (sessions: Sessions, start: number, end: number): boolean => {
  for (let i = 0; i < sessions.length; i += 2) {
    if (sessions[i]! < end && start < sessions[i + 1]!) return true
  }
  return false
}

/** The tasks with the largest possible gain per minute, first those that are late or left over. */
export const candidates = ({ draft, unavoidable }: RepairContext): number[] => {
  const { need, blocked } = draft.compiled
  const gains: { task: number; gain: number; isLate: boolean }[] = []
  for (let j = 0; j < need.length; j++) {
    if (need[j] === 0 || blocked[j]) continue
    const { lateness, leftOver } = draft.costOf(j, draft.sessions[j]!)
    const avoidable = lateness - unavoidable[j]! + leftOver
    const gain = avoidable + tightness(draft, j)
    if (gain > 0) gains.push({ task: j, gain: gain / need[j]!, isLate: avoidable > 0 })
  }
  return gains
    .toSorted((a, b) => Number(b.isLate) - Number(a.isLate) || b.gain - a.gain || a.task - b.task)
    .slice(0, maxCandidates(need.length))
    .map(({ task }) => task)
}

/** The cost of having little room before the due date, if it is high enough to be worth a move. */
const tightness = (draft: Draft, j: number): number => {
  const { compiled } = draft
  // The time that is kept free is for late work only.
  if (compiled.classes[compiled.classOf[j]!]!.preferred.all.length > 0) return 0
  const sessions = draft.sessions[j]!
  if (draft.costOf(j, sessions).lateness > 0) return 0
  const risk = draft.riskOf(j, sessions)
  return risk > MIN_RISK ? risk : 0
}

/** The largest gain that is possible for the task. */
export const possibleGain = (context: RepairContext, j: number): number => {
  const { draft, unavoidable } = context
  const sessions = draft.sessions[j]!
  const { lateness, leftOver } = draft.costOf(j, sessions)
  const avoidable = lateness - unavoidable[j]!
  const gain = latenessFactor(context, j) * avoidable + 16 * leftOver + tightness(draft, j)
  if (!isRequestedWithoutDue(context, j) || sessions.length === 0) return gain
  const from = earliestStart(draft, j)
  const earliest = [from, from + draft.compiled.need[j]!]
  return gain + Math.max(0, repairCost(context, j, sessions) - repairCost(context, j, earliest))
}

const isRequestedWithoutDue = ({ draft, requested }: RepairContext, j: number): boolean =>
  requested !== undefined && requested.has(j) && draft.compiled.due[j] === NO_DUE

/** The user has just asked for a requested task, so its lateness is weighed like that of an urgent one. */
const latenessFactor = ({ draft, requested }: RepairContext, j: number): number =>
  requested?.has(j) ? WEIGHT.urgent / draft.compiled.weight[j]! : 1

export const repairCost = (context: RepairContext, j: number, sessions: Sessions): number => {
  const { draft, requested, riskShare } = context
  const { lateness, leftOver, earliness } = draft.costOf(j, sessions)
  const riskLeftOut = requested?.has(j) ? 0 : (1 - riskShare) * draft.riskOf(j, sessions)
  return scalarCost({
    lateness: lateness * latenessFactor(context, j),
    leftOver,
    earliness: isRequestedWithoutDue(context, j)
      ? earliness / REQUESTED_SHARE
      : earliness - EARLINESS_UNIT * riskLeftOut,
  })
}

/** The cost of moving the task's sessions; lower for a requested task. */
export const repairMoveCost = (
  context: RepairContext,
  j: number,
  before: ArrayLike<number>,
  after: Sessions,
): number => (context.requested?.has(j) ? REQUESTED_SHARE : 1) * costOfMoves(context, before, after)

/** The earliest start, and the next midnights, after which moving other tasks costs less. */
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
    const after = draft.sessions[task]!
    gain +=
      repairCost(context, task, sessions) -
      repairCost(context, task, after) -
      repairMoveCost(context, task, sessions, after)
    lateness += draft.costOf(task, sessions).lateness - draft.costOf(task, after).lateness
  }
  return lateness >= 0 ? gain : 0
}
