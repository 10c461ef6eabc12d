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
  setting: AtcSetting,
): Turn[] => {
  const dispatch = new Dispatch(compiled, urgency, setting)
  dispatch.fillFreeTime()
  dispatch.addUnfinished()
  return dispatch.turns
}

class Dispatch {
  readonly turns: Turn[] = []
  private readonly compiled: Compiled
  private readonly urgency: Urgency
  private minute = 0
  /** The next minute at which a task may be chosen, if no task can be chosen now. */
  private next = 0
  private readonly rest: Int32Array
  private readonly ready: Int32Array
  /** Per task: how many predecessors are not done. */
  private readonly waiting: Int32Array

  /** Tasks by descending upper limit of their index, so that the search for the highest can stop early. */
  private readonly queue: number[]
  /** The upper limits. Indices are logarithms, so that they are compared without computing powers. */
  private readonly best: Float64Array
  private readonly inTime: number
  private readonly scale: number
  /** The index of a task grows with the elapsed free time. After `slackEnd` free minutes its slack is
   *  used up; until then the index is `indexBase` plus the scaled elapsed time. */
  private readonly slackEnd: Float64Array
  private readonly indexBase: Float64Array
  private readonly dueFree: Float64Array

  /** Per window set: the free minutes before now, the minutes open from now on, and the index in its free time. */
  private readonly elapsed: Int32Array
  private readonly room: Int32Array
  private readonly cursor: Int32Array
  private chosenLength = 0

  constructor(compiled: Compiled, urgency: Urgency, { lookAhead, inTimeFactor }: AtcSetting) {
    const { need, release, predecessors, classes } = compiled
    const n = need.length
    this.compiled = compiled
    this.urgency = urgency
    this.rest = need.slice()
    this.ready = release.slice()
    this.waiting = Int32Array.from(predecessors, (list) => {
      let count = 0
      for (const i of list) if (need[i]! > 0) count++
      return count
    })
    this.scale = scaleOf(lookAhead, need)
    this.inTime = Math.log(inTimeFactor)
    this.dueFree = freeMinutesBeforeDue(compiled, urgency)
    this.best = new Float64Array(n)
    for (let j = 0; j < n; j++) this.best[j] = need[j]! > 0 ? this.ratio(j) : -Infinity
    this.queue = this.byIndex((j) => need[j]! > 0 && !compiled.blocked[j])
    this.slackEnd = new Float64Array(n)
    this.indexBase = new Float64Array(n)
    for (const j of this.queue) this.updateIndex(j)
    this.elapsed = new Int32Array(classes.length)
    this.room = new Int32Array(classes.length)
    this.cursor = new Int32Array(classes.length)
  }

  fillFreeTime(): void {
    const { horizon } = this.compiled
    while (this.minute < horizon && this.queue.length > 0) {
      this.openStretches()
      const chosen = this.chooseTask()
      if (chosen < 0) this.skipStretches()
      else this.give(chosen, this.chosenLength)
    }
  }

  /** Tasks with unplaced minutes come last, by descending weight per minute. */
  addUnfinished(): void {
    const { rest } = this
    const unfinished = this.byIndex((j) => rest[j]! > 0)
    for (const task of afterPredecessors(this.compiled, unfinished)) {
      if (rest[task]! > 0) this.turns.push({ task, quota: rest[task]! })
    }
  }

  /** Computes how much of each window set is open now, and when the next stretch opens. */
  private openStretches(): void {
    const { minute, cursor, elapsed, room } = this
    const { classes, horizon } = this.compiled
    const { freeBefore } = this.urgency
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
    this.next = next
  }

  /** Returns the task with the highest index that may start now, or -1, and sets `chosenLength`. */
  private chooseTask(): number {
    const { queue, best, slackEnd, indexBase, elapsed, scale, waiting, room, ready, minute } = this
    const { classOf } = this.compiled
    const maxBonus = Math.max(0, this.inTime)
    let chosen = -1
    let chosenIndex = -Infinity
    for (let q = 0; q < queue.length; q++) {
      const j = queue[q]!
      if (best[j]! + maxBonus <= chosenIndex) break
      const k = classOf[j]!
      const index = slackEnd[j]! < elapsed[k]! ? best[j]! : indexBase[j]! + elapsed[k]! / scale
      if (index <= chosenIndex || waiting[j]! > 0 || room[k] === 0) continue
      if (ready[j]! > minute) {
        if (ready[j]! < this.next) this.next = ready[j]!
        continue
      }
      const length = this.lengthOf(j, room[k]!)
      if (length === 0) continue
      chosen = j
      chosenIndex = index
      this.chosenLength = length
    }
    return chosen
  }

  /** The length of a session of the task from now on, at most `open` minutes; 0 if none fits. */
  private lengthOf(j: number, open: number): number {
    const { minute } = this
    const { split, min, max, guards } = this.compiled
    const left = this.rest[j]!
    let room = open
    const kept = guards[j]!
    if (kept.length > 0) {
      const g = firstAfter(kept, minute)
      if (g < kept.length) room = Math.min(room, kept[g]! - minute)
      if (room <= 0) {
        this.next = Math.min(this.next, kept[g + 1]!)
        return 0
      }
    }
    if (!split[j]) return room >= left ? left : 0
    const least = Math.min(min[j]!, left)
    return legalLength(left, comfortable(left, least, max[j]!), max[j]!, room)
  }

  /** Advances past the stretches that are open now, since no task fits into them. */
  private skipStretches(): void {
    const { minute, room } = this
    let { next } = this
    for (let k = 0; k < room.length; k++) {
      if (room[k]! > 0) next = Math.min(next, minute + room[k]!)
    }
    this.minute = Math.max(next, minute + 1)
  }

  private give(j: number, length: number): void {
    const { rest, ready, waiting, queue, best } = this
    const { cooldown, successors } = this.compiled
    this.turns.push({ task: j, quota: length })
    rest[j]! -= length
    this.minute += length
    ready[j] = this.minute + cooldown[j]!
    if (rest[j] === 0) {
      queue.splice(queue.indexOf(j), 1)
      for (const s of successors[j]!) {
        waiting[s]!--
        ready[s] = Math.max(ready[s]!, this.minute)
      }
    } else {
      this.updateIndex(j)
      let q = queue.indexOf(j)
      for (; q > 0 && best[queue[q - 1]!]! < best[j]!; q--) queue[q] = queue[q - 1]!
      queue[q] = j
    }
  }

  private updateIndex(j: number): void {
    this.best[j] = this.ratio(j)
    this.slackEnd[j] = this.dueFree[j]! - this.rest[j]!
    this.indexBase[j] = this.best[j] + this.inTime - this.slackEnd[j] / this.scale
  }

  private ratio(j: number): number {
    const { chainWeight, chainNeed } = this.urgency
    return Math.log(chainWeight[j]! / (chainNeed[j]! - this.compiled.need[j]! + this.rest[j]!))
  }

  private byIndex(isIncluded: (j: number) => boolean): number[] {
    const { best } = this
    const { due } = this.urgency
    return this.compiled.tasks
      .map((_, j) => j)
      .filter(isIncluded)
      .toSorted((a, b) => best[b]! - best[a]! || due[a]! - due[b]! || a - b)
  }
}

/** `lookAhead` times the mean need of the tasks that need time. */
const scaleOf = (lookAhead: number, need: Int32Array): number => {
  let sum = 0
  let count = 0
  for (const minutes of need) {
    sum += minutes
    if (minutes > 0) count++
  }
  return (lookAhead * sum) / Math.max(1, count)
}

/** Per task: the free minutes of its window set before the due date, extrapolated after the horizon. */
const freeMinutesBeforeDue = (
  { classOf, horizon }: Compiled,
  { freeBefore, due }: Urgency,
): Float64Array =>
  Float64Array.from(due, (minute, j) => {
    const before = freeBefore[classOf[j]!]!
    const rate = before[horizon]! / Math.max(1, horizon)
    if (minute === NO_DUE) return 3 * before[horizon]!
    if (minute > horizon) return before[horizon]! + (minute - horizon) * rate
    return minute < 0 ? minute : before[minute]!
  })
