// Chooses between the repaired earlier plan and a plan from scratch.
import { type Bound, relativeGap } from '../bounds/lower-bound.ts'
import type { SolverContext } from '../construction/solver-context.ts'
import { repairGreedily } from '../local-search/repair-greedy.ts'
import { searchRepairs } from '../local-search/repair-search.ts'
import { costOf, scalarCost } from '../objective/cost.ts'
import { costOfMoves, MOVE_COST } from '../objective/stability.ts'
import { Draft } from '../placement/draft.ts'
import { reuseValidBlocks } from '../placement/keep-previous.ts'
import type { Compiled } from '../problem/compile.ts'
import type { Sessions } from '../problem/sessions.ts'

/** The share of the lateness that a plan from scratch must save, besides the cost of its moves. */
const MIN_RELATIVE_SAVING = 0.02
/** A plan from scratch is assumed to move at least this share of the blocks, so that it is not
 *  computed where it cannot pay. */
const MIN_SHARE_MOVED = 0.5

/** The number of moves to try after a change: more where the gap is wide, fewer in a long backlog,
 *  where each takes longer. */
const trialsFor = (tasks: number, gap: number) =>
  tasks > 250 ? 100 : Math.min(1000, 20 * tasks) * (gap > WIDE_GAP ? 4 : 1)
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
  const midnights = nextMidnights(compiled)
  const moveCost = (plan: readonly Sessions[]) => {
    let sum = 0
    for (const [j, before] of previous.entries()) {
      sum += costOfMoves({ midnights, costPerMove: MOVE_COST }, before, plan[j]!)
    }
    return sum
  }
  if (previous.every((blocks) => blocks.length === 0)) {
    return repairToFixpoint(
      context,
      midnights,
      improveForFree(context, midnights, fromScratch()),
      [],
    )
  }
  const kept = repairPreviousPlan(context, midnights, bound)
  const keptCost = costOf(compiled, kept)
  const keptMoveCost = moveCost(kept)
  const least = bound(keptCost.lateness)
  const maxGain = keptCost.lateness - least.lateness + 16 * (keptCost.leftOver - least.leftOver)
  const costOfMovingAll = moveCost(previous.map(() => []))
  if (maxGain + keptMoveCost <= MIN_SHARE_MOVED * costOfMovingAll) return kept
  const found = improveForFree(context, midnights, fromScratch())
  const gain =
    scalarCost(keptCost) + keptMoveCost - scalarCost(costOf(compiled, found)) - moveCost(found)
  return gain > MIN_RELATIVE_SAVING * keptCost.lateness
    ? repairToFixpoint(context, midnights, found, [])
    : kept
}

/** The earlier plan, repaired. The local search runs only if the greedy repair changed the plan: the
 *  next run without changes must return the same plan. */
const repairPreviousPlan = (
  context: SolverContext,
  midnights: readonly [number, number],
  bound: (lateness: number) => Bound,
): Sessions[] => {
  const { compiled, order, unavoidable } = context
  const { previous, need } = compiled
  const newTasks = compiled.tasks.flatMap((_, j) =>
    need[j]! > 0 && previous[j]!.length === 0 ? [j] : [],
  )
  const repaired = repairToFixpoint(context, midnights, previous, newTasks.slice(0, 20))
  if (isSamePlan(previous, repaired)) return repaired
  const draft = new Draft(compiled)
  draft.replace(repaired)
  const rank = ranks(compiled, order)
  const { lateness } = costOf(compiled, repaired)
  const trials = trialsFor(need.length, relativeGap(lateness, bound(lateness)))
  searchRepairs({ draft, midnights, costPerMove: MOVE_COST, unavoidable, rank }, previous, trials)
  return repairToFixpoint(context, midnights, draft.sessions, [])
}

/**
 * Reuses the valid blocks and repairs the plan until neither step changes it. The next run starts
 * from this fixpoint and therefore returns it.
 */
const repairToFixpoint = (
  { compiled, order, unavoidable }: SolverContext,
  midnights: readonly [number, number],
  plan: readonly ArrayLike<number>[],
  extra: readonly number[],
): Sessions[] => {
  const rank = ranks(compiled, order)
  let current = plan
  for (let round = 0; round < 40; round++) {
    const draft = new Draft(compiled)
    reuseValidBlocks(draft, current, order)
    // A task without any session counts as new in the next run too, so it is not tried here.
    const placed = extra.filter((j) => draft.sessions[j]!.length > 0)
    const moved = repairGreedily(
      { draft, midnights, costPerMove: MOVE_COST, unavoidable, rank },
      placed,
    )
    const next = draft.sessions
    if (!moved && round > 0 && isSamePlan(current, next)) return next
    current = next
  }
  return current as Sessions[]
}

/** In a plan that is not in the calendar yet, moves cost nothing. */
const improveForFree = (
  { compiled, order, unavoidable }: SolverContext,
  midnights: readonly [number, number],
  plan: readonly Sessions[],
): Sessions[] => {
  const draft = new Draft(compiled)
  reuseValidBlocks(draft, plan, order)
  repairGreedily(
    { draft, midnights, costPerMove: 0, unavoidable, rank: ranks(compiled, order) },
    [],
  )
  return draft.sessions
}

const ranks = (compiled: Compiled, order: readonly number[]) => {
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

const nextMidnights = ({ problem, timezone, t0 }: Compiled): [number, number] => {
  const today = Temporal.Instant.fromEpochMilliseconds(problem.now)
    .toZonedDateTimeISO(timezone)
    .startOfDay()
  const minute = (days: number) =>
    Math.floor((today.add({ days }).startOfDay().epochMilliseconds - t0) / 60_000)
  return [minute(1), minute(2)]
}
