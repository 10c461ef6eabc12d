// Chooses between the earlier plan, kept and repaired, and a fresh one.
import { type Bound, relativeGap } from '../bounds/lower-bound.ts'
import type { Compiled } from '../problem/compile.ts'
import { costOf, scalarCost } from '../objective/cost.ts'
import { Draft } from '../placement/draft.ts'
import { reuseValidBlocks } from '../placement/keep-previous.ts'
import { searchRepairs } from '../local-search/repair-search.ts'
import { MOVE_COST, costOfMoves } from '../objective/stability.ts'
import { repairGreedily } from '../local-search/repair-greedy.ts'
import type { Sessions } from '../problem/sessions.ts'
import type { Ground } from '../construction/solver-context.ts'

/** What part of the lateness a fresh plan must save, beside the price of all that it moves. */
const WORTH_STARTING_ANEW = 0.02
/** A fresh plan moves most blocks: at least this part, so it need not be made to know that. */
const MOVED_BY_STARTING_ANEW = 0.5

/** Moves to try after a change: more where more can be won, and fewer of a long backlog, since each
 *  costs more. */
const trialsFor = (tasks: number, gap: number) =>
  tasks > 250 ? 100 : Math.min(1000, 20 * tasks) * (gap > WIDE ? 4 : 1)
const WIDE = 0.03

/** `fresh` makes a plan that knows nothing of the earlier one; `bound` says what no plan can go
 *  below, given the lateness of one. */
export const stablePlan = (
  ground: Ground,
  fresh: () => Sessions[],
  bound: (lateness: number) => Bound,
): Sessions[] => {
  const { compiled } = ground
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
    return settled(ground, midnights, polished(ground, midnights, fresh()), [])
  }
  const kept = keptPlan(ground, midnights, bound)
  const keptCost = costOf(compiled, kept)
  const keptPrice = moveCost(kept)
  const least = bound(keptCost.lateness)
  const most = keptCost.lateness - least.lateness + 16 * (keptCost.leftOver - least.leftOver)
  const all = moveCost(previous.map(() => []))
  if (most + keptPrice <= MOVED_BY_STARTING_ANEW * all) return kept
  const found = polished(ground, midnights, fresh())
  const gain = scalarCost(keptCost) + keptPrice - scalarCost(costOf(compiled, found)) - moveCost(found)
  return gain > WORTH_STARTING_ANEW * keptCost.lateness
    ? settled(ground, midnights, found, [])
    : kept
}

/** The earlier plan, repaired. Only if that changed it are more moves looked for: the next run, to
 *  which nothing is new, must not look for them again. */
const keptPlan = (
  ground: Ground,
  midnights: readonly [number, number],
  bound: (lateness: number) => Bound,
): Sessions[] => {
  const { compiled, order, unavoidable } = ground
  const { previous, need } = compiled
  const newcomers = compiled.tasks.flatMap((_, j) =>
    need[j]! > 0 && previous[j]!.length === 0 ? [j] : [],
  )
  const repaired = settled(ground, midnights, previous, newcomers.slice(0, 20))
  if (same(previous, repaired)) return repaired
  const draft = new Draft(compiled)
  draft.replace(repaired)
  const rank = ranks(compiled, order)
  const { lateness } = costOf(compiled, repaired)
  const trials = trialsFor(need.length, relativeGap(lateness, bound(lateness)))
  searchRepairs({ draft, midnights, costPerMove: MOVE_COST, unavoidable, rank }, previous, trials)
  return settled(ground, midnights, draft.sessions, [])
}

/**
 * Keeps what may stay of the plan and repairs it until neither changes anything. Because of that
 * the next run, which begins with the result, ends with it.
 */
const settled = (
  { compiled, order, unavoidable }: Ground,
  midnights: readonly [number, number],
  plan: readonly ArrayLike<number>[],
  also: readonly number[],
): Sessions[] => {
  const rank = ranks(compiled, order)
  let current = plan
  for (let round = 0; round < 40; round++) {
    const draft = new Draft(compiled)
    reuseValidBlocks(draft, current, order)
    // Who found no place at all is no newcomer: to the next run it would look like one as well.
    const placed = also.filter((j) => draft.sessions[j]!.length > 0)
    const moved = repairGreedily({ draft, midnights, costPerMove: MOVE_COST, unavoidable, rank }, placed)
    const next = draft.sessions
    if (!moved && round > 0 && same(current, next)) return next
    current = next
  }
  return current as Sessions[]
}

/** A plan that nobody has seen yet may be improved at no price. */
const polished = (
  { compiled, order, unavoidable }: Ground,
  midnights: readonly [number, number],
  plan: readonly Sessions[],
): Sessions[] => {
  const draft = new Draft(compiled)
  reuseValidBlocks(draft, plan, order)
  repairGreedily({ draft, midnights, costPerMove: 0, unavoidable, rank: ranks(compiled, order) }, [])
  return draft.sessions
}

const ranks = (compiled: Compiled, order: readonly number[]) => {
  const rank = new Int32Array(compiled.need.length)
  for (const [place, j] of order.entries()) rank[j] = place
  return rank
}

const same = (a: readonly ArrayLike<number>[], b: readonly ArrayLike<number>[]) =>
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
