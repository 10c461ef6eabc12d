// A lower bound of the lateness of any plan, by Lagrangian relaxation: the constraint that each
// minute is used at most once is replaced by a price per minute. Each task by itself then chooses its
// cheapest minutes, and the bound is the sum of their costs less the price of all open time. It is
// valid at any prices, since a feasible plan never uses a minute twice; the subgradient method looks
// for prices at which it is high.
import type { Compiled } from '../problem/compile.ts'
import { LATE_PENALTY } from '../problem/weights.ts'
import { LagrangianSubproblem } from './lagrangian-subproblem.ts'
import { NEVER, type SingleTaskBounds } from './single-task.ts'
import { maximizeLowerBound } from './subgradient.ts'
import { divideIntoCells } from './time-cells.ts'

/** Called with the subproblem after each iteration of the subgradient method. */
export type OnIteration = (subproblem: LagrangianSubproblem) => void

export function leastLateness(
  compiled: Compiled,
  taskBounds: SingleTaskBounds,
  upperBound?: number,
  onIteration?: OnIteration,
) {
  const { fixed, undecided } = splitTasks(compiled, taskBounds)
  if (!undecided.length) return fixed

  let open = 0
  const fineCells = divideIntoCells(compiled, 30)
  for (const minutes of fineCells.minutes) open += minutes
  const size = Math.max(30, Math.ceil(open / cellCountFor(undecided.length)))
  const cells = size > 30 ? divideIntoCells(compiled, size) : fineCells
  const subproblem = new LagrangianSubproblem(compiled, taskBounds, cells, undecided)
  const target = upperBound === undefined ? undefined : upperBound - fixed
  const best = maximizeLowerBound(subproblem, cells.ofClass, {
    upperBound: target,
    uniformPrice: clearingPrice(compiled, undecided, open),
    onIteration: () => onIteration?.(subproblem),
  })
  // The lateness of every plan is an integer, so the bound is rounded up. The margin covers rounding errors.
  return fixed + Math.max(0, Math.ceil(best * (1 - 1e-9) - 1e-3))
}

/** The lateness that is the same in every plan, and the tasks whose lateness is undecided. */
function splitTasks(compiled: Compiled, taskBounds: SingleTaskBounds) {
  const { need, due, weight, horizon, leftOverFrom, topological, successors } = compiled
  let fixed = 0
  const isUndecided = new Uint8Array(need.length)
  for (let i = topological.length - 1; i >= 0; i--) {
    const j = topological[i]!
    // What is due after the horizon cannot be proven late: nothing is planned there.
    const counts = due[j]! <= horizon
    const none = taskBounds.finish[j] === NEVER && taskBounds.leftOver[j] === need[j]
    if (need[j] && !none) {
      // A task may delay its successors without being late itself.
      if (counts || successors[j]!.some((s) => isUndecided[s])) isUndecided[j] = 1
    } else if (counts) {
      const end = need[j] ? leftOverFrom[j]! + need[j] : compiled.keptEnd[j]!
      if (end > due[j]!) fixed += weight[j]! * (LATE_PENALTY + end - due[j]!)
    }
  }
  const undecided: number[] = []
  for (let j = 0; j < isUndecided.length; j++) if (isUndecided[j]) undecided.push(j)
  return { fixed, undecided }
}

/** The value of a minute to the first task that no longer fits, if tasks are taken by value per minute. */
function clearingPrice(
  { need, due, weight, horizon, leftOverFrom }: Compiled,
  undecided: number[],
  open: number,
) {
  const valuePerMinute = Float64Array.from(undecided, (j) =>
    due[j]! > horizon
      ? 0
      : (weight[j]! * (LATE_PENALTY + leftOverFrom[j]! + need[j]! - Math.max(due[j]!, 0))) /
        need[j]!,
  )
  const order = Array.from(undecided, (_, b) => b).toSorted(
    (a, b) => valuePerMinute[b]! - valuePerMinute[a]!,
  )
  for (const b of order) {
    open -= need[undecided[b]!]!
    if (open < 0) return valuePerMinute[b]!
  }
  return 0
}

const cellCountFor = (tasks: number) => (tasks <= 300 ? 96 : 64)
