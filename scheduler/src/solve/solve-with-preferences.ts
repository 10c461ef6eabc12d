// Solves from scratch with preferred times: first with the other times closed. Work that is late or left
// over may then use all free time. If a plan without preferred times is still less late, or leaves less
// work over, that plan is used: due dates come first.
import { createInitialSolutions, type InitialSolutions } from '../construction/initial-solutions.ts'
import { createSolverContext, type SolverContext } from '../construction/solver-context.ts'
import { repairGreedily } from '../local-search/repair-greedy.ts'
import { costOf } from '../objective/cost.ts'
import { freeMoves } from '../objective/stability.ts'
import { Draft } from '../placement/draft.ts'
import { reuseValidBlocks } from '../placement/keep-previous.ts'
import type { AvailabilityClass, Compiled } from '../problem/compile.ts'
import type { Sessions } from '../problem/sessions.ts'
import { solveFromScratch } from './solve-from-scratch.ts'
import { ranks } from './solve-with-stability.ts'

/** Without preferred times, this is `solveFromScratch`. `initialOf` is called with all free time open, so
 *  that the bound of its initial solutions holds for every plan. */
export const solveWithPreferences = (
  context: SolverContext,
  initialOf: (context: SolverContext) => InitialSolutions,
): Sessions[] => {
  const { compiled } = context
  if (!compiled.classes.some(({ preferred }) => preferred.long.length > 0)) {
    return solveFromScratch(context, initialOf(context))
  }
  const plainContext = createSolverContext(withoutPreferredTimes(compiled))
  const initial = initialOf(plainContext)
  const narrowContext = createSolverContext(withOtherTimesClosed(compiled))
  const narrow = solveFromScratch(narrowContext, createInitialSolutions(narrowContext))
  const preferred = repairForFree(context, narrow)
  const { lateness, leftOver } = costOf(compiled, preferred)
  if (lateness <= initial.bound.lateness && leftOver <= initial.bound.leftOver) return preferred
  const plain = repairForFree(plainContext, solveFromScratch(plainContext, initial))
  const plainCost = costOf(compiled, plain)
  const isLess = plainCost.lateness - lateness || plainCost.leftOver - leftOver
  return isLess < 0 ? plain : preferred
}

/** Repairs the plan at no cost for moves: work that is late or left over may take any free time. */
const repairForFree = (
  { compiled, order, unavoidable }: SolverContext,
  plan: readonly Sessions[],
): Sessions[] => {
  const draft = new Draft(compiled)
  const rank = ranks(compiled, order)
  reuseValidBlocks(draft, plan, order)
  repairGreedily({ draft, ...freeMoves(compiled), unavoidable, rank }, [])
  return draft.sessions
}

const withoutPreferredTimes = (compiled: Compiled): Compiled => ({
  ...compiled,
  classes: compiled.classes.map((one) => ({ ...one, preferred: { all: [], long: [] } })),
})

/** Gives long work window sets of its own. Focus hours are left to the placer: if the other hours were
 *  closed, all long work would have to fit into the focus hours. */
const withOtherTimesClosed = (compiled: Compiled): Compiled => {
  const { classes, classOf, isLong, openMinutes } = compiled
  const forAll = ({ windows, free, preferred }: AvailabilityClass): AvailabilityClass => ({
    windows,
    free: preferred.all.at(-1)?.free ?? free,
    preferred: { all: [], long: [] },
  })
  const forLong = ({ windows, free, preferred }: AvailabilityClass): AvailabilityClass => {
    const base = preferred.long.findLastIndex(({ maxDelay }) => maxDelay === Infinity)
    return {
      windows,
      free: preferred.long[base]?.free ?? free,
      preferred: { all: [], long: preferred.long.slice(base) },
    }
  }
  return {
    ...compiled,
    classes: [...classes.map(forAll), ...classes.map(forLong)],
    // Room before a due date is all open time: late work may use it.
    openMinutes: (windowSet, from, until) => openMinutes(windowSet % classes.length, from, until),
    classOf: classOf.map((k, j) => (isLong[j] ? classes.length + k : k)),
  }
}
