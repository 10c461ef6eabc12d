// Lower bounds for every plan: unavoidable lateness and unavoidable left-over work.
import type { Compiled } from '../problem/compile.ts'
import { leastLateness } from './least-lateness.ts'
import { leastLeftOver } from './least-left-over.ts'
import { singleTaskBounds, type SingleTaskBounds } from './single-task.ts'

export type Bound = { lateness: number; leftOver: number }

/** Keeps the relative gap of small bounds finite: four days of lateness. */
const GAP_FLOOR = 4 * 1440

/** How far the lateness is above the bound, as a share: an estimate of what a search can gain. */
export const relativeGap = (lateness: number, bound: Bound): number =>
  (lateness - bound.lateness) / (bound.lateness + GAP_FLOOR)

/**
 * `upperBound` is the lateness of an existing plan, if there is one. The subgradient method uses it
 * as its target: it affects how tight the bound is, never whether it is valid.
 */
export function lowerBound(
  compiled: Compiled,
  upperBound?: number,
  taskBounds: SingleTaskBounds = singleTaskBounds(compiled),
): Bound {
  return {
    lateness: leastLateness(compiled, taskBounds, upperBound),
    leftOver: leastLeftOver(compiled, taskBounds),
  }
}
