// What no plan can go below: unavoidable lateness and unavoidable left-over work.
import { alone, type Alone } from './single-task.ts'
import type { Compiled } from '../problem/compile.ts'
import { leastLateness } from './least-lateness.ts'
import { leastLeftOver } from './least-left-over.ts'

export type Bound = { lateness: number; leftOver: number }

/** Lateness below which a gap counts as if it were so much: four days. */
const NO_LESS = 4 * 1440

/** How far above the bound the lateness is, as a share: what there may be to win. */
export const gapOf = (lateness: number, bound: Bound): number =>
  (lateness - bound.lateness) / (bound.lateness + NO_LESS)

/**
 * `known` is the lateness of a plan that exists, if there is one: the search for prices aims at it.
 * It makes the bound better or not, never wrong.
 */
export function bound(compiled: Compiled, known?: number, each: Alone = alone(compiled)): Bound {
  return {
    lateness: leastLateness(compiled, each, known),
    leftOver: leastLeftOver(compiled, each),
  }
}
