// How full the horizon is: until when it is booked out, and what each week holds.
import type { Plan, Problem } from '../model.ts'
import { compile, type Compiled } from '../problem/compile.ts'
import { intersect, length, pairsOf, subtract, union } from '../problem/intervals.ts'
import { calendar, DEFAULT_WINDOWS, windowExpander } from '../problem/windows.ts'

const MINUTE = 60_000
/** There is room where two of the next eight hours of the person's windows are free. */
const LOOK_AHEAD = 480
const ROOM = 120

/** The minutes of the windows in a week, which are busy, planned or free. */
export type Week = {
  from: number
  until: number
  windowMinutes: number
  /** Appointments, kept blocks and lunch within the windows. */
  busyMinutes: number
  plannedMinutes: number
  freeMinutes: number
  /** Work still to be done that is due in this week; overdue work counts in the first. */
  dueMinutes: number
}

export type Capacity = {
  /** When there is room again: null if there is room on the first day that has windows, and the end of the
   *  horizon if there is no room. */
  bookedOutUntil: number | null
  /** Weeks from Monday to Sunday in the person's zone, as far as they lie within the horizon. */
  weeks: Week[]
  /** Work that does not fit into the horizon. */
  leftOverMinutes: number
}

export const capacityOf = (problem: Problem, plan: Plan): Capacity => {
  const compiled = compile(problem)
  const { t0, horizon, horizonEnd, tasks, need } = compiled
  const { windows, free } = openTimeOf(compiled)
  const minute = (instant: number) => (instant - t0) / MINUTE
  const planned = union(
    plan.create.map(({ startAt, endAt }): [number, number] => [minute(startAt), minute(endAt)]),
  )
  const open = subtract(free, planned)
  const edges = weekEdges(compiled)
  const weeks = edges.slice(1).map((until, i): Week => {
    const from = edges[i]!
    const span = Int32Array.of(
      Math.max(0, Math.floor(minute(from))),
      Math.min(horizon, Math.ceil(minute(until))),
    )
    const within = (pairs: Int32Array) => length(intersect(pairs, span))
    return {
      from,
      until,
      windowMinutes: within(windows),
      busyMinutes: within(windows) - within(free),
      plannedMinutes: within(planned),
      freeMinutes: within(open),
      dueMinutes: tasks.reduce((sum, { dueAt }, j) => {
        const isDue = dueAt !== null && (i === 0 || dueAt > from) && dueAt <= until
        return isDue ? sum + need[j]! : sum
      }, 0),
    }
  })
  const room = firstRoom(windows, open)
  const roomAt = room === undefined ? horizonEnd : t0 + room * MINUTE
  const isToday =
    room !== undefined && isSameDay(compiled.timezone, roomAt, t0 + windows[0]! * MINUTE)
  return {
    bookedOutUntil: isToday ? null : roomAt,
    weeks,
    leftOverMinutes: plan.unscheduled.reduce((sum, { minutes }) => sum + minutes, 0),
  }
}

/** The union of all tasks' windows, and its free part. Without tasks, the default windows are used. */
const openTimeOf = ({ classes, timezone, t0, horizon, busy }: Compiled) => {
  if (classes.length === 0) {
    const days = calendar(timezone, t0, t0 + horizon * MINUTE)
    const windows = windowExpander(days, t0, horizon)(DEFAULT_WINDOWS)
    return { windows, free: subtract(windows, busy) }
  }
  return {
    windows: union(classes.flatMap(({ windows }) => pairsOf(windows))),
    free: union(classes.flatMap(({ free }) => pairsOf(free))),
  }
}

/** The first free minute from which there is room. */
const firstRoom = (windows: Int32Array, open: Int32Array): number | undefined => {
  for (let i = 0; i < open.length; i += 2) {
    const start = open[i]!
    const ahead = subtract(windows, Int32Array.of(0, start))
    const span = Int32Array.of(start, endOf(ahead, LOOK_AHEAD))
    if (length(intersect(open, span)) >= ROOM) return start
  }
  return undefined
}

/** The minute at which `minutes` minutes of the pairs have passed. */
const endOf = (pairs: Int32Array, minutes: number): number => {
  let rest = minutes
  for (let i = 0; i < pairs.length; i += 2) {
    const size = pairs[i + 1]! - pairs[i]!
    if (size >= rest) return pairs[i]! + rest
    rest -= size
  }
  return pairs.at(-1) ?? 0
}

const isSameDay = (timezone: string, a: number, b: number): boolean => {
  const dayOf = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timezone).toPlainDate()
  return dayOf(a).equals(dayOf(b))
}

/** Now, the Mondays in the horizon, and its end. */
const weekEdges = ({ problem, timezone, horizonEnd }: Compiled): number[] => {
  const today = Temporal.Instant.fromEpochMilliseconds(problem.now).toZonedDateTimeISO(timezone)
  const edges = [problem.now]
  let monday = today.startOfDay().add({ days: 8 - today.dayOfWeek })
  while (monday.epochMilliseconds < horizonEnd) {
    edges.push(monday.epochMilliseconds)
    monday = monday.add({ days: 7 }).startOfDay()
  }
  return [...edges, horizonEnd]
}
