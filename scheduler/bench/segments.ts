// Open time in short segments, for the linear programs.
import type { Compiled } from '../src/problem/compile.ts'

export type Segment = {
  start: number
  end: number
  /** The window sets that are open throughout. */
  classes: Set<number>
  /** Number of the stage of the horizon that it belongs to; stages are longer than segments. */
  stage: number
}

/** The segments in order of time, without overlaps. A segment is at most `step` minutes long, and no
 *  due date falls inside one. */
export const segmentsOf = (compiled: Compiled, step: number, stage = 240): Segment[] => {
  const { classes, horizon, due } = compiled
  const edges = new Set([0, horizon])
  for (const { free } of classes) for (const minute of free) edges.add(minute)
  for (let minute = 0; minute < horizon; minute += step) edges.add(minute)
  for (const minute of due) if (minute > 0 && minute < horizon) edges.add(minute)
  const sorted = [...edges].toSorted((a, b) => a - b)
  const segments: Segment[] = []
  for (const [i, end] of sorted.entries()) {
    const start = sorted[i - 1] ?? end
    const open = classes.flatMap(({ free }, k) => (isOpen(free, start, end) ? [k] : []))
    if (start < end && open.length > 0) {
      segments.push({ start, end, classes: new Set(open), stage: 0 })
    }
  }
  let number = 0
  let filled = 0
  for (const segment of segments) {
    if (filled >= stage) {
      number++
      filled = 0
    }
    segment.stage = number
    filled += segment.end - segment.start
  }
  return segments
}

const isOpen = (free: Int32Array, start: number, end: number) => {
  for (let i = 0; i < free.length && free[i]! < end; i += 2) {
    if (free[i]! <= start && end <= free[i + 1]!) return true
  }
  return false
}

/** Per task, the earliest minute at which it can start if each predecessor had all open time to itself. */
export const earliestStarts = (compiled: Compiled): Int32Array => {
  const { need, topological, predecessors, horizon } = compiled
  const starts = compiled.release.slice()
  const ends = new Int32Array(need.length)
  for (const j of topological) {
    for (const i of predecessors[j]!) starts[j] = Math.max(starts[j]!, ends[i]!)
    ends[j] = need[j] ? Math.min(horizon, endAlone(compiled, j, starts[j]!)) : 0
  }
  return starts
}

const endAlone = (
  { need, split, classes, classOf, horizon }: Compiled,
  j: number,
  from: number,
) => {
  const { free } = classes[classOf[j]!]!
  let rest = need[j]!
  for (let i = 0; i < free.length; i += 2) {
    const room = free[i + 1]! - Math.max(free[i]!, from)
    if (room <= 0) continue
    if (room >= rest) return free[i + 1]! - room + rest
    if (split[j]) rest -= room
  }
  return horizon
}
