// The cost of a plan, level by level in lexicographic order. Less is better.
import type { Cost } from '../model.ts'
import type { Compiled } from '../problem/compile.ts'
import { LATE_PENALTY, NO_DUE } from '../problem/weights.ts'

/** The cost of one more session, in square minutes: as much as an hour of work half an hour later. */
const FRAGMENT = 1800

/** Earliness in the unit of lateness: minutes of a task without priority. */
export const EARLINESS_UNIT = 3600

/** Why a task is done later than planned: in part it takes longer itself, in part other work comes in between. */
const OWN_SHARE = 0.3
const OWN_SLIP = 15
const OWN_SLIP_PER_MINUTE = 0.5
const OTHER_SLIP = 480
const OTHER_SLIP_PER_MINUTE = 2

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

/**
 * What it costs to finish shortly before the due date: the penalty of a late task, times the probability that the work
 * takes so much longer. The room is measured in open time, since a night or a weekend is no room for work.
 */
export const riskOf = (compiled: Compiled, j: number, end: number, rest: number): number => {
  const due = compiled.due[j]!
  const need = compiled.need[j]!
  if (due === NO_DUE || need === 0) return 0
  const completion = Math.max(end, compiled.keptEnd[j]!)
  const isLate = rest > 0 || completion > due
  const room = isLate ? 0 : compiled.openMinutes(compiled.classOf[j]!, completion, due)
  const own = Math.exp(-room / (OWN_SLIP + OWN_SLIP_PER_MINUTE * need))
  const other = Math.exp(-room / (OTHER_SLIP + OTHER_SLIP_PER_MINUTE * need))
  const probability = OWN_SHARE * own + (1 - OWN_SHARE) * other
  return compiled.weight[j]! * LATE_PENALTY * probability
}

/** Below 0 if the first is better. */
export const compareCosts = (a: Cost, b: Cost): number =>
  a.lateness - b.lateness || a.leftOver - b.leftOver || a.earliness - b.earliness

/** The levels of the cost in one number, so that a better plan can be weighed against moved blocks. */
export const scalarCost = ({ lateness, leftOver, earliness }: Cost): number =>
  lateness + 16 * leftOver + earliness / EARLINESS_UNIT

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
    cost.earliness += EARLINESS_UNIT * riskOf(compiled, j, end, rest)
  }
  return cost
}
