// How much of a plan survives a change, and at what cost.
import { check } from '../src/checker/check.ts'
import type { Plan, Problem } from '../src/model.ts'
import { excess } from './bounds.ts'
import { type Change, movedShare, withoutPlan, withPlan } from './changes.ts'
import { timed } from './figures.ts'
import type { Instance } from './instances.ts'
import { latenessOfPlan } from './plan-of.ts'

export type Steadiness = {
  moved: number
  /** What a plan from scratch would have moved. */
  freshMoved: number
  /** Lateness above that of a plan from scratch; negative if it is less. */
  price: number
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
  return {
    moved: movedShare(problem, again),
    freshMoved: movedShare(problem, fresh),
    price: excess(latenessOfPlan(problem, again), latenessOfPlan(bare, fresh)),
    ms,
    violations: check(problem, again).length,
  }
}
