// Measures one planner on one instance: its distance to the bound, its time, and whether it follows the rules.
import { check } from '../src/checker/check.ts'
import type { Plan, Problem } from '../src/model.ts'
import { boundOf, excess, type StoredBound } from './bounds.ts'
import { median, timed } from './figures.ts'
import type { Instance } from './instances.ts'
import { latenessOfPlan } from './plan-of.ts'

export type Planner = { name: string; plan: (problem: Problem) => Plan }

export type Measure = {
  instance: Instance
  lateness: number
  excess: number
  /** The excess over the proven optimum, where there is one. */
  overOptimum?: number
  /** CPU milliseconds, the median of the repeats. */
  ms: number
  violations: number
}

export const measure = (
  planner: Planner,
  instance: Instance,
  bounds: Record<string, StoredBound>,
  repeats = 1,
): Measure => {
  const { problem, name } = instance
  const { bound, optimum } = boundOf(bounds, instance)
  const runs = Array.from({ length: repeats }, () => timed(() => planner.plan(problem)))
  const { result } = runs[0]!
  const lateness = latenessOfPlan(problem, result)
  if (lateness < bound) throw new Error(`${name}: ${lateness} is below its bound ${bound}`)
  // The planner's own bound must be valid as well.
  const least = Math.min(lateness, optimum ?? lateness)
  if (result.bound.lateness > least) {
    throw new Error(
      `${name}: it claims at least ${result.bound.lateness}, but ${least} is possible`,
    )
  }
  return {
    instance,
    lateness,
    excess: excess(lateness, bound),
    overOptimum: optimum === undefined ? undefined : excess(lateness, optimum),
    ms: median(runs.map(({ ms }) => ms)),
    violations: check(problem, result).length,
  }
}
