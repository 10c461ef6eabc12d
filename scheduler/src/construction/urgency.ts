// The urgency of a task including its successors: their combined weight, and a due date that leaves the
// successors enough time.
import type { Compiled } from '../problem/compile.ts'
import { firstAfter } from '../problem/intervals.ts'
import { countFreeBefore } from '../problem/open-minutes.ts'
import { NO_DUE } from '../problem/weights.ts'

export type Urgency = {
  /** Per window set and minute: the number of free minutes before it. */
  freeBefore: Int32Array[]
  /** The due minute, or an earlier one that leaves the successors enough time. */
  due: Int32Array
  /** The weight and minutes of the task plus the successors that raise its weight per minute. */
  chainWeight: Float64Array
  chainNeed: Float64Array
}

export const urgencyOf = (compiled: Compiled): Urgency => {
  const { topological, successors, need, weight, classOf, classes, horizon } = compiled
  const n = need.length
  const freeBefore = classes.map(({ free }) => countFreeBefore(free, horizon))
  const due = compiled.due.slice()
  const chainWeight = Float64Array.from(weight)
  const chainNeed = Float64Array.from(need)
  const ratio = (j: number) => chainWeight[j]! / chainNeed[j]!
  for (let i = n - 1; i >= 0; i--) {
    const j = topological[i]!
    const waiting = Array.from(successors[j]!).filter((s) => need[s]! > 0)
    for (const s of waiting) {
      const { free } = classes[classOf[s]!]!
      const latest = latestStart(free, freeBefore[classOf[s]!]!, due[s]!, need[s]!, horizon)
      due[j] = Math.min(due[j]!, latest)
    }
    // A successor is included as long as that raises the weight per minute.
    for (const s of waiting.toSorted((a, b) => ratio(b) - ratio(a) || a - b)) {
      if (chainWeight[s]! * chainNeed[j]! <= chainWeight[j]! * chainNeed[s]!) break
      chainWeight[j]! += chainWeight[s]!
      chainNeed[j]! += chainNeed[s]!
    }
  }
  return { freeBefore, due, chainWeight, chainNeed }
}

/** The last minute from which the need still fits before the due date. */
const latestStart = (
  free: Int32Array,
  before: Int32Array,
  due: number,
  need: number,
  horizon: number,
): number => {
  if (due === NO_DUE) return NO_DUE
  if (due > horizon || due <= 0) return due - need
  const left = before[due]! - need
  if (left < 0) return left
  // The minute before which exactly `left` minutes are free.
  let i = firstAfter(free, 0)
  while (i < free.length && before[free[i + 1]!]! <= left) i += 2
  return i < free.length ? Math.min(due, free[i]! + left - before[free[i]!]!) : due
}
