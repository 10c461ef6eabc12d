// Where occurrences of recurring work may lie: an occurrence of a habit ends before it lapses, has a day
// of its own, and is near the preferred time of day. Planned sessions are ignored, so an unchanged
// calendar always gives the same result.
import type { Task } from '../model.ts'
import { clip, intersect, pairsOf, subtract, union } from './intervals.ts'
import { minuteOfDay } from './windows.ts'

type Pair = readonly [number, number]

/** How many minutes before and after the preferred time a session may start. The first pair with room is used. */
const NEAR: readonly Pair[] = [
  [0, 30],
  [60, 90],
]

export type LocalDays = {
  /** The first minute of each local day, and of the day after the last. */
  starts: Int32Array
  /** The minute of the horizon at a local time of one of these days. */
  minuteOn: (day: number, minuteOfDay: number) => number
  horizon: number
}

export type Occurrence = {
  /** Task number. */
  task: number
  id: string
  recurring: NonNullable<Task['recurring']>
  /** The longest session that it needs. */
  session: number
  release: number
  until: number
  /** The free time of its windows. */
  free: Int32Array
}

export type OccurrenceLimits = {
  /** Where the occurrence may not lie, as pairs. */
  closed: Int32Array
  /** Whether it could also use a day that belongs to another occurrence. */
  sharesDays: boolean
}

/** The start of a kept block of a habit, or the time at which an occurrence was completed. */
export type TakenDay = { series: string; task: string | null; minute: number }

/** The limits by task number. `isNearPreferred` limits each to its preferred time, if there is room. */
export const limitOccurrences = (
  occurrences: readonly Occurrence[],
  taken: readonly TakenDay[],
  calendar: LocalDays,
  isNearPreferred: boolean,
): Map<number, OccurrenceLimits> => {
  const limits = new Map<number, OccurrenceLimits>()
  const rooms = occurrences.map((each) => roomOf(each, calendar, isNearPreferred))
  const series = Map.groupBy(rooms, ({ recurring }) => recurring.series)
  for (const [name, members] of series) {
    const owners = name === null ? null : shareDays(members, takenDays(name, taken, calendar))
    for (const member of members) limits.set(member.task, limitsOf(member, owners, calendar))
  }
  return limits
}

type Room = Occurrence & {
  /** The first and last day on which it may lie. */
  first: number
  last: number
  /** The part of a day in which it may lie. */
  spanOf: (day: number) => Pair
  /** Days with room for a session in that part. */
  good: number[]
}

const roomOf = (
  occurrence: Occurrence,
  { starts, minuteOn }: LocalDays,
  isNearPreferred: boolean,
): Room => {
  const { recurring, release, until, session } = occurrence
  const free = intersect(occurrence.free, union([[release, until]]))
  const first = dayOf(starts, release)
  const last = Math.min(dayOf(starts, until - 1), starts.length - 2)
  const days = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  const within = (spanOf: (day: number) => Pair) => ({
    spanOf,
    good: days.filter((day) =>
      pairsOf(intersect(free, union([spanOf(day)]))).some(([start, end]) => end - start >= session),
    ),
  })
  const wholeDay = within((day) => [starts[day]!, starts[day + 1]!])
  const base = { ...occurrence, first, last, free }
  if (!isNearPreferred || recurring.preferredTime === null) return { ...base, ...wholeDay }
  const wanted = minuteOfDay(recurring.preferredTime)
  for (const [before, after] of NEAR) {
    const near = within((day) => {
      const at = minuteOn(day, wanted)
      return [at - before, at + session + after]
    })
    if (near.good.length > 0) return { ...base, ...near }
  }
  return { ...base, ...wholeDay }
}

/** The day that the minute is on; -1 before the first. */
const dayOf = (starts: Int32Array, minute: number): number => {
  let day = starts.length - 1
  while (day >= 0 && starts[day]! > minute) day--
  return day
}

/** The taken days of the series, by day. A task may still use a day taken by its own blocks. */
const takenDays = (series: string, taken: readonly TakenDay[], { starts }: LocalDays) =>
  Map.groupBy(
    taken.filter((each) => each.series === series),
    ({ minute }) => dayOf(starts, minute),
  )

/** Assigns each day to the occurrence that may use it. Each occurrence gets a day with room, if there are
 *  enough, and the following days up to the day of the next occurrence. */
const shareDays = (
  members: readonly Room[],
  taken: ReadonlyMap<number, readonly TakenDay[]>,
): Map<number, Room | null> => {
  const sorted = members.toSorted((a, b) => a.until - b.until || a.release - b.release)
  const isTaken = (day: number, { id }: Room) =>
    taken.get(day)?.some(({ task }) => task !== id) === true
  const owner = new Map<number, Room | null>()
  const assign = (member: Room, seen: Set<number>): boolean =>
    member.good.some((day) => {
      if (seen.has(day) || isTaken(day, member)) return false
      seen.add(day)
      const other = owner.get(day)
      if (other && !assign(other, seen)) return false
      owner.set(day, member)
      return true
    })
  for (const member of sorted) assign(member, new Set())
  const own = new Map([...owner].map(([day, member]) => [member, day]))
  const last = Math.max(...members.map((member) => member.last))
  for (let day = 0; day <= last; day++) {
    if (owner.has(day)) continue
    const possible = sorted.filter(
      (member) => member.first <= day && day <= member.last && !isTaken(day, member),
    )
    const before = possible.findLast((member) => (own.get(member) ?? Infinity) < day)
    owner.set(day, before ?? possible[0] ?? null)
  }
  return owner
}

const limitsOf = (
  member: Room,
  owners: ReadonlyMap<number, Room | null> | null,
  { starts, horizon }: LocalDays,
): OccurrenceLimits => {
  const { first, last, until } = member
  // The release of the task already excludes the time before the first day.
  const open: Pair[] = [[0, starts[Math.max(0, first)]!]]
  let sharesDays = false
  for (let day = Math.max(0, first); day <= last; day++) {
    if (owners === null || owners.get(day) === member) open.push(member.spanOf(day))
    else sharesDays ||= intersect(member.free, starts.subarray(day, day + 2)).length > 0
  }
  const closed = subtract(Int32Array.of(0, horizon), union(clip(open, 0, Math.max(0, until))))
  return { closed, sharesDays }
}
