// Reorders the blocks of one day: each takes the earliest free place after the previous one.
import type { DayBlock } from '../objective/switch-cost.ts'
import type { Draft } from '../placement/draft.ts'
import { completeTask } from '../placement/keep-previous.ts'
import type { Compiled } from '../problem/compile.ts'
import { firstAfter } from '../problem/intervals.ts'

export type Day = {
  /** The blocks of the day start at or after `from`, the end of the previous block with its pause or the
   *  start of the day, and before `midnight`. */
  from: number
  midnight: number
  /** The start of the first block after the day, or the horizon. */
  until: number
  blocks: readonly DayBlock[]
}

/** The days with blocks. `midnights` ascend; a block belongs to the day on which it starts. */
export const daysOf = (
  blocks: readonly DayBlock[],
  midnights: ArrayLike<number>,
  horizon: number,
  occupiedUntil: (block: DayBlock) => number = ({ end }) => end,
): Day[] => {
  const days: Day[] = []
  let day = 0
  for (let i = 0; i < blocks.length;) {
    while (day + 1 < midnights.length && midnights[day + 1]! <= blocks[i]!.start) day++
    const midnight = midnights[day + 1] ?? horizon
    const first = i
    while (i < blocks.length && blocks[i]!.start < midnight) i++
    if (i === first) i = blocks.length
    days.push({
      from: Math.max(0, midnights[day]!, first > 0 ? occupiedUntil(blocks[first - 1]!) : 0),
      midnight,
      until: blocks[i]?.start ?? horizon,
      blocks: blocks.slice(first, i),
    })
  }
  return days
}

/**
 * Gives the blocks of the day this order and keeps their lengths. A block without room on the day is
 * placed elsewhere. Returns false, before any change, if a dependency or a cooldown forbids the order.
 */
export const setDayOrder = (draft: Draft, day: Day, order: readonly DayBlock[]): boolean => {
  const { compiled } = draft
  const placed: DayBlock[] = []
  const spilled = new Set<number>()
  let cursor = day.from
  for (const [i, { task, start, end }] of order.entries()) {
    const ready = Math.max(cursor, readyOnDay(draft, day, order, placed, i))
    if (ready === Infinity) return false
    const begin = earliestRoom(compiled, task, ready, end - start)
    const until = begin + end - start
    const occupied = draft.placer.timeline.occupiedUntil(begin, until)
    if (begin < 0 || begin >= day.midnight || occupied > day.until) {
      spilled.add(task)
      continue
    }
    if (until + compiled.cooldown[task]! > nextStart(draft, day, task)) return false
    placed.push({ task, start: begin, end: until })
    cursor = occupied
  }
  setBlocks(draft, day, placed)
  for (const task of spilled) completeTask(draft, task)
  return true
}

/** The earliest start of block `i` of the order by its release, its predecessors and its cooldown. */
const readyOnDay = (
  { compiled, sessions }: Draft,
  day: Day,
  order: readonly DayBlock[],
  placed: readonly DayBlock[],
  i: number,
): number => {
  const { task } = order[i]!
  const { predecessors, release, cooldown } = compiled
  let ready = release[task]!
  for (const before of predecessors[task]!) {
    for (let k = i + 1; k < order.length; k++) if (order[k]!.task === before) return Infinity
  }
  for (const { task: other, end } of placed) {
    if (other === task) ready = Math.max(ready, end + cooldown[task]!)
    else if (predecessors[task]!.includes(other)) ready = Math.max(ready, end)
  }
  const own = sessions[task]!
  for (let k = 0; k < own.length && own[k]! < day.from; k += 2) {
    ready = Math.max(ready, own[k + 1]! + cooldown[task]!)
  }
  return ready
}

/** The start of the first session of the task on a later day. */
const nextStart = ({ sessions }: Draft, day: Day, task: number): number => {
  const own = sessions[task]!
  for (let k = 0; k < own.length; k += 2) if (own[k]! >= day.midnight) return own[k]!
  return Infinity
}

/** The first minute from which the task has `length` free minutes in a row; -1 if there is none. */
export const earliestRoom = (
  { classes, classOf, guards }: Compiled,
  task: number,
  from: number,
  length: number,
): number => {
  const { free } = classes[classOf[task]!]!
  const guarded = guards[task]!
  let start = from
  for (let f = firstAfter(free, start); f < free.length; f += 2) {
    start = Math.max(start, free[f]!)
    let g = firstAfter(guarded, start)
    while (g < guarded.length && guarded[g]! < start + length) {
      start = guarded[g + 1]!
      g += 2
    }
    if (start + length <= free[f + 1]!) return start
  }
  return -1
}

/** Replaces the blocks of the day. */
const setBlocks = (draft: Draft, day: Day, placed: readonly DayBlock[]): void => {
  const next = new Map<number, number[]>()
  for (const { task } of day.blocks) next.set(task, [])
  for (const { task, start, end } of placed) next.get(task)!.push(start, end)
  for (const [task, pairs] of next) {
    const own = draft.sessions[task]!
    const first = own.findIndex((minute, i) => i % 2 === 0 && minute >= day.from)
    const last = own.findIndex((minute, i) => i % 2 === 0 && minute >= day.midnight)
    pairs.unshift(...own.slice(0, first))
    if (last >= 0) pairs.push(...own.slice(last))
  }
  for (const task of next.keys()) draft.set(task, [])
  for (const [task, pairs] of next) draft.set(task, pairs)
}
