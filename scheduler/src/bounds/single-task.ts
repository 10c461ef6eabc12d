// What holds for each task by itself, whatever the plan: when it may start and end at the earliest,
// and what of it can find no place.
import type { Compiled } from '../problem/compile.ts'
import { firstAfter, subtract } from '../problem/intervals.ts'

export type Alone = {
  /** No session before this minute: its own release, and the earliest end of what it waits for. */
  release: Int32Array
  /** It is not done before this minute; `NEVER` where no plan can place all of it. */
  finish: Int32Array
  /** At least these minutes are left over in any plan. */
  leftOver: Int32Array
  /** Where it may lie: its windows without busy time and without the guards of its kept blocks. */
  room: Int32Array[]
}

export const NEVER = 0x3fffffff

/** Sessions are ignored but for their number: what holds here holds for every legal plan. */
export function alone(compiled: Compiled): Alone {
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
    // A whole block fits or does not; a task that waits for one without room gets nothing at all.
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
