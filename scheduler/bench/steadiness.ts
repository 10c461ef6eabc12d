// How much of a plan survives a change, and at what cost.
import { check } from '../src/checker/check.ts'
import type { Plan, Problem } from '../src/model.ts'
import { excess } from './bounds.ts'
import { type Change, movedShare, withoutPlan, withPlan } from './changes.ts'
import { timed } from './figures.ts'
import type { Instance } from './instances.ts'
import { latenessOfPlan } from './plan-of.ts'

const TWO_DAYS = 2 * 1440 * 60_000

export type Steadiness = {
  moved: number
  /** Of the blocks of the next two days. */
  movedSoon: number
  /** What a plan from scratch would have moved. */
  freshMoved: number
  /** Lateness above that of a plan from scratch; negative if it is less. */
  price: number
  lateness: number
  freshLateness: number
  ms: number
  violations: number
}

export const steadiness = (
  plan: (problem: Problem) => Plan,
  instance: Instance,
  change: Change,
): Steadiness => {
  const first = plan(instance.problem)
  const problem = change.apply(instance, withPlan(instance.problem, first))
  const { result: again, ms } = timed(() => plan(problem))
  const bare = withoutPlan(problem)
  const fresh = plan(bare)
  const lateness = latenessOfPlan(problem, again)
  const freshLateness = latenessOfPlan(bare, fresh)
  return {
    moved: movedShare(problem, again),
    movedSoon: movedShare(problem, again, problem.now + TWO_DAYS),
    freshMoved: movedShare(problem, fresh),
    price: excess(lateness, freshLateness),
    lateness,
    freshLateness,
    ms,
    violations: check(problem, again).length,
  }
}
