// Chooses between the repaired earlier plan and a plan from scratch.
import { type Bound, relativeGap } from '../bounds/lower-bound.ts'
import type { SolverContext } from '../construction/solver-context.ts'
import { closeGaps } from '../local-search/close-gaps.ts'
import { reduceSwitches } from '../local-search/reduce-switches.ts'
import { refillFreedTime } from '../local-search/refill-freed-time.ts'
import { repairGreedily, type RepairContext } from '../local-search/repair-greedy.ts'
import { searchRepairs } from '../local-search/repair-search.ts'
import { costOf, scalarCost } from '../objective/cost.ts'
import {
  costOfMoves,
  freeMoves,
  isFirstOfDay,
  type MoveCosts,
  moveCostsOf,
} from '../objective/stability.ts'
import { Draft } from '../placement/draft.ts'
import { reuseValidBlocks } from '../placement/keep-previous.ts'
import type { Compiled } from '../problem/compile.ts'
import { clip, union } from '../problem/intervals.ts'
import type { Sessions } from '../problem/sessions.ts'

/** The share of the lateness that a plan from scratch must save during the day, besides the cost of its moves. */
const MIN_RELATIVE_SAVING = 0.02
/** A plan from scratch is assumed to cost at least this share of moving all blocks. During the day it is not
 *  computed if its possible gain is below that. */
const MIN_SHARE_MOVED = 0.5
/** How many moves are tried to bring the plan from scratch nearer to the earlier plan. */
const RESTORING_TRIALS = 2000

/** The number of moves to try after a change: more where the gap is wide, fewer in a long backlog,
 *  where each takes longer. */
const trialsFor = (tasks: number, gap: number) =>
  tasks > MANY ? 100 : Math.min(1000, 20 * tasks) * (gap > WIDE_GAP ? 4 : 1)
const MANY = 250
const WIDE_GAP = 0.03

/** `fromScratch` plans without the earlier plan; `bound` gives the lower bound, with the lateness of
 *  an existing plan as its target. */
export const solveWithStability = (
  context: SolverContext,
  fromScratch: () => Sessions[],
  bound: (lateness: number) => Bound,
): Sessions[] => {
  const { compiled } = context
  const { previous } = compiled
  const moves = moveCostsOf(compiled)
  const moveCost = (plan: readonly Sessions[]) => {
    let sum = 0
    for (const [j, before] of previous.entries()) sum += costOfMoves(moves, before, plan[j]!)
    return sum
  }
  if (previous.every((blocks) => blocks.length === 0)) {
    return repairToFixpoint(context, moves, improveForFree(context, fromScratch()), [])
  }
  const kept = repairPreviousPlan(context, moves, bound)
  if (isUnchanged(compiled, kept)) return kept
  const keptCost = costOf(compiled, kept)
  const keptMoveCost = moveCost(kept)
  const isFirst = isFirstOfDay(compiled)
  if (!isFirst) {
    const least = bound(keptCost.lateness)
    const maxGain = keptCost.lateness - least.lateness + 16 * (keptCost.leftOver - least.leftOver)
    const costOfMovingAll = moveCost(previous.map(() => []))
    if (maxGain + keptMoveCost <= MIN_SHARE_MOVED * costOfMovingAll) return kept
  }
  const fresh = improveForFree(context, fromScratch())
  const found = isFirst ? restoreEarlierBlocks(context, moves, fresh) : fresh
  const costOfKept = scalarCost(keptCost) + keptMoveCost
  const costOfFound = scalarCost(costOf(compiled, found)) + moveCost(found)
  const gain = costOfKept - costOfFound
  return gain > (isFirst ? 1e-6 : MIN_RELATIVE_SAVING * keptCost.lateness)
    ? repairToFixpoint(context, moves, found, [])
    : kept
}

/** Moves sessions of the plan back to where they were in the earlier plan, if that costs less than their moves. */
const restoreEarlierBlocks = (
  { compiled, order, unavoidable }: SolverContext,
  moves: MoveCosts,
  plan: readonly Sessions[],
): Sessions[] => {
  if (compiled.need.length > MANY) return [...plan]
  const draft = new Draft(compiled)
  draft.replace(plan)
  const repair: RepairContext = { draft, ...moves, unavoidable, rank: ranks(compiled, order) }
  searchRepairs(repair, compiled.previous, RESTORING_TRIALS)
  return draft.sessions
}

/** Whether no task was changed and the plan equals the earlier one. */
export const isUnchanged = ({ problem, previous }: Compiled, plan: readonly Sessions[]): boolean =>
  problem.changed?.length === 0 && isSamePlan(previous, plan)

/** The earlier plan, repaired. If nothing was changed, the local search runs only if the greedy
 *  repair changed the plan: the next run without changes must return the same plan. */
const repairPreviousPlan = (
  context: SolverContext,
  moves: MoveCosts,
  bound: (lateness: number) => Bound,
): Sessions[] => {
  const { compiled, order, unavoidable } = context
  const { previous, need } = compiled
  const requested = requestedTasks(compiled)
  const freed = freedTime(compiled)
  const repaired = repairToFixpoint(context, moves, previous, requested ?? newTasks(compiled))
  const isSearched = !isSamePlan(previous, repaired) || (requested ?? []).length > 0
  if (!isSearched && freed.length === 0) return repaired
  const draft = new Draft(compiled)
  draft.replace(repaired)
  const repair: RepairContext = {
    draft,
    ...moves,
    unavoidable,
    rank: ranks(compiled, order),
    requested: new Set(requested),
  }
  if (isSearched) {
    const { lateness } = costOf(compiled, repaired)
    const trials = trialsFor(need.length, relativeGap(lateness, bound(lateness)))
    searchRepairs(repair, previous, trials)
  }
  refillFreedTime(repair, freed)
  return repairToFixpoint(context, moves, draft.sessions, [])
}

/** At most this many new or changed tasks are tried besides the late ones. */
const MAX_TRIED = 20

/** The tasks that were made or edited, by weight; undefined if that is unknown. */
const requestedTasks = ({
  problem,
  tasks,
  need,
  blocked,
  weight,
}: Compiled): number[] | undefined => {
  if (!problem.changed) return undefined
  const changed = new Set(problem.changed)
  return tasks
    .flatMap(({ id }, j) => (changed.has(id) && need[j]! > 0 && !blocked[j] ? [j] : []))
    .toSorted((a, b) => weight[b]! - weight[a]! || a - b)
    .slice(0, MAX_TRIED)
}

/** The time freed since the last run: that of removed blocks and, for closed or edited tasks, that of blocks
 *  that this run cancels and the rest of blocks completed early. It is refilled after the tasks themselves
 *  have been placed again. */
const freedTime = ({ problem, cancel, t0, horizon }: Compiled): Int32Array => {
  if (!problem.changed?.length) return union([])
  const changed = new Set<string | null>(problem.changed)
  const cancelled = new Set(cancel)
  const minute = (instant: number) => (instant - t0) / 60_000
  const pair = (from: number, to: number): [number, number] => [
    Math.ceil(minute(from)),
    Math.floor(minute(to)),
  ]
  const removed = (problem.freed ?? []).map(({ startAt, endAt }) => pair(startAt, endAt))
  const pairs = problem.blocks.flatMap(({ id, taskId, startAt, endAt, busyUntil }) => {
    const from = cancelled.has(id) ? startAt : (busyUntil ?? endAt)
    return changed.has(taskId) && from < endAt ? [pair(from, endAt)] : []
  })
  return union(clip([...removed, ...pairs], 0, horizon))
}

const newTasks = ({ tasks, need, previous }: Compiled): number[] =>
  tasks
    .flatMap((_, j) => (need[j]! > 0 && previous[j]!.length === 0 ? [j] : []))
    .slice(0, MAX_TRIED)

/**
 * Reuses the valid blocks and repairs the plan until neither step changes it. The next run starts
 * from this fixpoint and therefore returns it.
 */
const repairToFixpoint = (
  { compiled, order, unavoidable }: SolverContext,
  moves: MoveCosts,
  plan: readonly ArrayLike<number>[],
  extra: readonly number[],
): Sessions[] => {
  const rank = ranks(compiled, order)
  const requested = compiled.problem.changed ? new Set(extra) : undefined
  let current = plan
  for (let round = 0; round < 40; round++) {
    const draft = new Draft(compiled)
    reuseValidBlocks(draft, current, order)
    // Where changes are unknown, a task without any session counts as new in the next run too, so it
    // is not tried here.
    const tried = extra.filter((j) => requested || draft.sessions[j]!.length > 0)
    const moved = repairGreedily({ draft, ...moves, unavoidable, rank, requested }, tried)
    const next = draft.sessions
    if (!moved && isSamePlan(current, next)) return next
    current = next
  }
  return current as Sessions[]
}

/** Improves a plan that is not in the calendar yet, in which moves cost nothing. */
const improveForFree = (
  { compiled, order, unavoidable }: SolverContext,
  plan: readonly Sessions[],
): Sessions[] => {
  const draft = new Draft(compiled)
  const rank = ranks(compiled, order)
  reuseValidBlocks(draft, plan, order)
  repairGreedily({ draft, ...freeMoves(compiled), unavoidable, rank }, [])
  reduceSwitches(draft, rank)
  closeGaps(draft)
  return draft.sessions
}

export const ranks = (compiled: Compiled, order: readonly number[]) => {
  const rank = new Int32Array(compiled.need.length)
  for (const [place, j] of order.entries()) rank[j] = place
  return rank
}

const isSamePlan = (a: readonly ArrayLike<number>[], b: readonly ArrayLike<number>[]) =>
  a.every((pairs, j) => {
    const others = b[j]!
    if (pairs.length !== others.length) return false
    for (let i = 0; i < pairs.length; i++) if (pairs[i] !== others[i]) return false
    return true
  })
