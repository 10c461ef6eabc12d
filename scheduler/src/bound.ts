// What no plan can go below: unavoidable lateness and unavoidable left-over work.
import { alone, type Alone } from './alone.ts'
import type { Compiled } from './compile.ts'
import { leastLateness } from './least-lateness.ts'
import { leastLeftOver } from './least-left-over.ts'

export type Bound = { lateness: number; leftOver: number }

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
