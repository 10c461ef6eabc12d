// An order of tasks from the Lagrangian relaxation. In each iteration of the subgradient method every
// task chooses its minutes; the mean of these minutes is a key to sort the tasks by. The order thus
// reflects which tasks should get the scarce hours and which should be late.
import { leastLateness } from '../bounds/least-lateness.ts'
import type { SingleTaskBounds } from '../bounds/single-task.ts'
import { latenessOf } from '../objective/cost.ts'
import type { Placer } from '../placement/placer.ts'
import type { Compiled } from '../problem/compile.ts'

/** Weight of the latest iteration in the moving mean over all iterations. */
const LATEST_SHARE = 0.15

/** Above this many tasks an order is tried only in every eighth iteration: placing takes longer. */
const MANY = 250

/** All tasks that need time, each after its predecessors, and the lower bound. */
export type LagrangianOrder = { order: number[]; leastLateness: number }

/** `upperBound` is the lateness of an existing plan. */
export const lagrangianOrder = (
  compiled: Compiled,
  placer: Placer,
  taskBounds: SingleTaskBounds,
  upperBound: number,
): LagrangianOrder => {
  const { need, due, horizon, weight, topological, predecessors } = compiled
  const n = need.length
  const tasks = Array.from(topological.toSorted()).filter((j) => need[j]! > 0)
  // The order does not change the lateness of tasks outside the subproblem: they come last.
  const latest = Float64Array.from(weight, (w) => 4 * horizon - w)
  const mean = latest.slice()
  const key = new Float64Array(n)
  const end = new Int32Array(n)
  const rest = new Int32Array(n)
  // The result if there is no iteration, as when a known plan already reaches the bound.
  let best = Array.from(topological).filter((j) => need[j]! > 0)
  let least = Infinity
  let iteration = 0
  const bound = leastLateness(compiled, taskBounds, upperBound, ({ undecided, meanTime }) => {
    for (const [b, j] of undecided.entries()) {
      latest[j] = meanTime[b]!
      mean[j]! += (iteration === 0 ? 1 : LATEST_SHARE) * (latest[j] - mean[j]!)
    }
    if (iteration++ % (n > MANY ? 8 : 1) !== 0) return
    tryOrder(latest)
    tryOrder(mean)
  })
  return { order: best, leastLateness: bound }

  function tryOrder(times: Float64Array) {
    key.set(times)
    for (const j of topological) {
      for (const i of predecessors[j]!) if (need[i]! > 0) key[j] = Math.max(key[j]!, key[i]! + 1e-3)
    }
    const order = tasks.toSorted((a, b) => key[a]! - key[b]! || due[a]! - due[b]! || a - b)
    const lateness = latenessBelow(order, least)
    if (lateness >= least) return
    least = lateness
    best = order
  }

  /** The lateness of the tasks placed in this order; stops once it reaches `limit`. */
  function latenessBelow(order: number[], limit: number) {
    let sum = 0
    placer.clear()
    for (const j of order) {
      let from = compiled.release[j]!
      let possible = compiled.blocked[j] === 0
      for (const i of predecessors[j]!) {
        if (need[i] === 0) continue
        if (rest[i]! > 0) possible = false
        from = Math.max(from, end[i]!)
      }
      end[j] = 0
      rest[j] = need[j]!
      if (possible) {
        placer.fit(j, need[j]!, from)
        placer.commit()
        end[j] = placer.end
        rest[j] = placer.rest
      }
      sum += latenessOf(compiled, j, end[j], rest[j])
      if (sum >= limit) break
    }
    return sum
  }
}
