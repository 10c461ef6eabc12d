// Dispatching by apparent tardiness cost (ATC, Vepsalainen and Morton): goes through the free time and
// gives each stretch to the task with the highest index: its weight per minute, discounted by its
// slack. Tasks alternate, so that one is worked on during the cooldown of another.
import type { Turn } from '../placement/decoder.ts'
import type { Compiled } from '../problem/compile.ts'
import { firstAfter } from '../problem/intervals.ts'
import { comfortable, legalLength } from '../problem/sessions.ts'
import { NO_DUE } from '../problem/weights.ts'
import { afterPredecessors } from './orders.ts'
import type { Urgency } from './urgency.ts'

/** `lookAhead`: the scale of the slack, in mean task lengths. `inTimeFactor`: the factor for a task
 *  that can still meet its due date. */
export type AtcSetting = { lookAhead: number; inTimeFactor: number }

export const dispatchByAtc = (
  compiled: Compiled,
  urgency: Urgency,
  { lookAhead, inTimeFactor }: AtcSetting,
): Turn[] => {
  const { need, release, split, min, max, cooldown, classOf, classes, horizon } = compiled
  const { predecessors, successors, guards } = compiled
  const { freeBefore, due, chainWeight, chainNeed } = urgency
  const n = need.length
  const rest = need.slice()
  const ready = release.slice()
  const waiting = Int32Array.from(predecessors, (list) => {
    let count = 0
    for (const i of list) if (need[i]! > 0) count++
    return count
  })
  let sum = 0
  let count = 0
  for (let j = 0; j < n; j++) {
    sum += need[j]!
    if (need[j]! > 0) count++
  }
  const scale = (lookAhead * sum) / Math.max(1, count)

  // Free minutes of its window set before the due date; behind the horizon at the same rate.
  const dueFree = Float64Array.from(due, (minute, j) => {
    const before = freeBefore[classOf[j]!]!
    const rate = before[horizon]! / Math.max(1, horizon)
    if (minute === NO_DUE) return 3 * before[horizon]!
    if (minute > horizon) return before[horizon]! + (minute - horizon) * rate
    return minute < 0 ? minute : before[minute]!
  })
  // Logarithms, so that indices are added and compared without computing powers.
  const ratio = (j: number) => Math.log(chainWeight[j]! / (chainNeed[j]! - need[j]! + rest[j]!))
  const inTime = Math.log(inTimeFactor)

  // By descending upper limit of the index, so that the loop below can stop early.
  const best = new Float64Array(n)
  for (let j = 0; j < n; j++) best[j] = need[j]! > 0 ? ratio(j) : -Infinity
  let queue = compiled.tasks
    .map((_, j) => j)
    .filter((j) => need[j]! > 0 && !compiled.blocked[j])
    .toSorted((a, b) => best[b]! - best[a]! || due[a]! - due[b]! || a - b)

  // The index of a task grows with the elapsed free time. After `slackEnd` free minutes its slack is
  // used up; until then the index is `indexBase` plus the scaled elapsed time.
  const slackEnd = new Float64Array(n)
  const indexBase = new Float64Array(n)
  const updateIndex = (j: number) => {
    best[j] = ratio(j)
    slackEnd[j] = dueFree[j]! - rest[j]!
    indexBase[j] = best[j] + inTime - slackEnd[j] / scale
  }
  for (const j of queue) updateIndex(j)
  const elapsed = new Int32Array(classes.length)
  const room = new Int32Array(classes.length)
  const cursor = new Int32Array(classes.length)
  const maxBonus = Math.max(0, inTime)
  const turns: Turn[] = []
  let minute = 0
  while (minute < horizon && queue.length > 0) {
    let next = horizon
    for (let k = 0; k < classes.length; k++) {
      const { free } = classes[k]!
      let i = cursor[k]!
      while (i < free.length && free[i + 1]! <= minute) i += 2
      cursor[k] = i
      elapsed[k] = freeBefore[k]![minute]!
      room[k] = i < free.length && free[i]! <= minute ? free[i + 1]! - minute : 0
      if (i < free.length && free[i]! > minute && free[i]! < next) next = free[i]!
    }
    let chosen = -1
    let chosenIndex = -Infinity
    let chosenLength = 0
    for (let q = 0; q < queue.length; q++) {
      const j = queue[q]!
      if (best[j]! + maxBonus <= chosenIndex) break
      const k = classOf[j]!
      const index = slackEnd[j]! < elapsed[k]! ? best[j]! : indexBase[j]! + elapsed[k]! / scale
      if (index <= chosenIndex || waiting[j]! > 0) continue
      const open = room[k]!
      if (open === 0) continue
      if (ready[j]! > minute) {
        if (ready[j]! < next) next = ready[j]!
        continue
      }
      const left = rest[j]!
      let length = open
      const kept = guards[j]!
      if (kept.length > 0) {
        const g = firstAfter(kept, minute)
        if (g < kept.length) length = Math.min(length, kept[g]! - minute)
        if (length <= 0) {
          next = Math.min(next, kept[g + 1]!)
          continue
        }
      }
      if (split[j]) {
        const least = Math.min(min[j]!, left)
        length = legalLength(left, comfortable(left, least, max[j]!), max[j]!, length)
      } else length = length >= left ? left : 0
      if (length === 0) continue
      chosen = j
      chosenIndex = index
      chosenLength = length
    }
    if (chosen < 0) {
      // No task fits into the stretches open now, so they are skipped.
      for (let k = 0; k < classes.length; k++) {
        if (room[k]! > 0) next = Math.min(next, minute + room[k]!)
      }
      minute = Math.max(next, minute + 1)
      continue
    }
    const j = chosen
    turns.push({ task: j, quota: chosenLength })
    rest[j]! -= chosenLength
    minute += chosenLength
    ready[j] = minute + cooldown[j]!
    if (rest[j] === 0) {
      queue.splice(queue.indexOf(j), 1)
      for (const s of successors[j]!) {
        waiting[s]!--
        ready[s] = Math.max(ready[s]!, minute)
      }
    } else {
      updateIndex(j)
      let q = queue.indexOf(j)
      for (; q > 0 && best[queue[q - 1]!]! < best[j]!; q--) queue[q] = queue[q - 1]!
      queue[q] = j
    }
  }
  // Tasks with unplaced minutes come last, by descending weight per minute.
  const unfinished = compiled.tasks
    .map((_, j) => j)
    .filter((j) => rest[j]! > 0)
    .toSorted((a, b) => best[b]! - best[a]! || due[a]! - due[b]! || a - b)
  for (const task of afterPredecessors(compiled, unfinished)) {
    if (rest[task]! > 0) turns.push({ task, quota: rest[task]! })
  }
  return turns
}
