// The forecast for a plan: the chances of meeting its due dates, how full it is, and ways out.
import type { Problem } from '../model.ts'
import { plan } from '../solve/plan.ts'
import { type Capacity, capacityOf } from './capacity.ts'
import { type Chance, chancesOf } from './chances.ts'
import { findWaysOut, type WayOut } from './ways-out.ts'

export type Forecast = Capacity & { timezone: string; chances: Chance[]; waysOut: WayOut[] }

/** The forecast for the plan that a run would make now. `ratios`: actual to estimated time of completed
 *  tasks. */
export const forecast = (problem: Problem, ratios: readonly number[]): Forecast => {
  const present = plan(problem)
  return {
    timezone: present.timezone,
    chances: chancesOf(problem, present, ratios),
    ...capacityOf(problem, present),
    waysOut: findWaysOut(problem, present),
  }
}
