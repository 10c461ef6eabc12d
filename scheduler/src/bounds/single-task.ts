// Bounds for each task by itself, valid in every plan: its earliest start and end, and the minutes of
// it that cannot be placed.
import type { Compiled } from '../problem/compile.ts'
import { firstAfter, subtract } from '../problem/intervals.ts'

export type SingleTaskBounds = {
  /** The earliest start of a session, from the release and the earliest ends of the predecessors. */
  release: Int32Array
  /** The earliest completion; `NEVER` where no plan can place all of it. */
  finish: Int32Array
  /** At least these minutes are left over in any plan. */
  leftOver: Int32Array
  /** Where a session may lie: the free time of the window set without the task's guards. */
  room: Int32Array[]
}

export const NEVER = 0x3fffffff

/** Of the session limits only the number of sessions counts, so the bounds hold for every plan. */
export function singleTaskBounds(compiled: Compiled): SingleTaskBounds {
  const { need, horizon } = compiled
  const n = need.length
  const room = compiled.guards.map((guards, j) => {
    const { free } = compiled.classes[compiled.classOf[j]!]!
    return guards.length ? subtract(free, guards) : free
  })
  const release = Int32Array.from(compiled.release)
  const finish = new Int32Array(n)
  const leftOver = new Int32Array(n)
  for (const j of compiled.topological) {
    if (!need[j]) continue
    for (const i of compiled.predecessors[j]!) {
      if (need[i]) release[j] = Math.max(release[j]!, finish[i]!)
    }
    const end = compiled.blocked[j] ? NEVER : earliestEnd(compiled, room[j]!, j, release[j]!)
    finish[j] = end > horizon ? NEVER : end
    if (end <= horizon) continue
    // A task that may not be split, or whose predecessor cannot be placed, gets nothing at all.
    const some = compiled.split[j] && !compiled.blocked[j]
    const most = some ? openAfter(room[j]!, release[j]!) : 0
    leftOver[j] = Math.max(1, compiled.need[j]! - most)
  }
  return { release, finish, leftOver, room }
}

/** Minutes of `room` from `start` on, and before `end`. */
export function openAfter(room: Int32Array, start: number, end = NEVER) {
  let open = 0
  for (let i = firstAfter(room, start); i < room.length && room[i]! < end; i += 2) {
    open += Math.min(room[i + 1]!, end) - Math.max(room[i]!, start)
  }
  return open
}

/** The longest stretch of `room` between two minutes. */
export function longestStretch(room: Int32Array, start: number, end: number) {
  let longest = 0
  for (let i = firstAfter(room, start); i < room.length && room[i]! < end; i += 2) {
    longest = Math.max(longest, Math.min(room[i + 1]!, end) - Math.max(room[i]!, start))
  }
  return longest
}

function earliestEnd(compiled: Compiled, room: Int32Array, j: number, release: number) {
  const need = compiled.need[j]!
  const whole = !compiled.split[j]
  let left = need
  let begun = -1
  for (let i = firstAfter(room, release); i < room.length; i += 2) {
    const start = Math.max(room[i]!, release)
    if (begun < 0) begun = start
    const length = room[i + 1]! - start
    if (whole ? length >= need : length >= left) {
      if (whole) return start + need
      const pauses = Math.ceil(need / compiled.max[j]!) - 1
      return Math.max(start + left, begun + need + pauses * compiled.cooldown[j]!)
    }
    left -= length
  }
  return NEVER
}
