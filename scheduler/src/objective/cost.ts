// The cost of a plan, level by level in lexicographic order. Less is better.
import type { Cost } from '../model.ts'
import type { Compiled } from '../problem/compile.ts'
import { LATE_PENALTY } from '../problem/weights.ts'

/** The cost of one more session, in square minutes: as much as an hour of work half an hour later. */
const FRAGMENT = 1800

/** The weighted lateness of task `j`. `end` is the end of its last session or kept block; `rest` are
 *  the minutes that are not placed. */
export const latenessOf = (compiled: Compiled, j: number, end: number, rest: number): number => {
  const due = compiled.due[j]!
  // Left-over work counts as done after the horizon or, for a habit, a day after it lapses.
  const completion =
    rest > 0 ? compiled.leftOverFrom[j]! + rest : Math.max(end, compiled.keptEnd[j]!)
  return completion > due ? compiled.weight[j]! * (LATE_PENALTY + completion - due) : 0
}

/** The earliness cost of a session, per minute of work, so that weight decides and not task size. */
export const earlinessOf = (weight: number, start: number, end: number): number =>
  weight * ((end - start) * (start + end) * 0.5 + FRAGMENT)

/** Below 0 if the first is better. */
export const compareCosts = (a: Cost, b: Cost): number =>
  a.lateness - b.lateness || a.leftOver - b.leftOver || a.earliness - b.earliness

/** The levels of the cost in one number, so that a better plan can be weighed against moved blocks. */
export const scalarCost = ({ lateness, leftOver, earliness }: Cost): number =>
  lateness + 16 * leftOver + earliness / 3600

/** The cost of a whole plan. `sessions` holds, per task, the pairs of its sessions. */
export const costOf = (compiled: Compiled, sessions: ArrayLike<number>[]): Cost => {
  const cost: Cost = { lateness: 0, leftOver: 0, earliness: 0 }
  for (const [j, pairs] of sessions.entries()) {
    const weight = compiled.weight[j]!
    let rest = compiled.need[j]!
    let last = 0
    for (let i = 0; i < pairs.length; i += 2) {
      const start = pairs[i]!
      const end = pairs[i + 1]!
      rest -= end - start
      last = Math.max(last, end)
      cost.earliness += earlinessOf(weight, start, end)
    }
    // A task without any new session ends where its kept blocks do.
    const end = pairs.length > 0 ? last : compiled.keptEnd[j]!
    cost.lateness += latenessOf(compiled, j, end, rest)
    cost.leftOver += weight * rest
  }
  return cost
}
