// Expands the weekly windows of a time zone into minutes of the horizon.
import type { Window } from '../model.ts'
import { clip, union } from './intervals.ts'

export const DEFAULT_WINDOWS: Window[] = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

const FALLBACK_ZONE = 'Australia/Sydney'
const MINUTE = 60_000
const DAY = 86_400_000

/** The zone to plan in: the stored one, or Sydney if the stored one is not a valid zone. */
export const zoneOf = (stored: string): string => {
  // Temporal and Intl also accept an offset as a zone, but the contract allows only named zones.
  if (!/^[A-Za-z]/.test(stored)) return FALLBACK_ZONE
  try {
    Temporal.PlainDate.from('2000-01-01').toZonedDateTime(stored)
    return stored
  } catch {
    return FALLBACK_ZONE
  }
}

/** The horizon's end: the same local time, fourteen days later. */
export const fourteenDaysOn = (now: number, zone: string): number =>
  Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).add({ days: 14 })
    .epochMilliseconds

/**
 * Returns a function that expands a window set over the days, for `minutes` minutes from the instant
 * `t0`. Sets that are equal apart from their order give the same array.
 */
export const windowExpander = (days: readonly Day[], t0: number, minutes: number) => {
  const seen = new Map<string, Int32Array>()
  const expand = (windows: Window[]): Int32Array => {
    const week = weekOf(windows)
    const key = JSON.stringify(week)
    const known = seen.get(key)
    if (known) return known
    const pairs: [number, number][] = []
    for (const day of days) {
      for (const [start, end] of week[day.weekday]!) {
        pairs.push([
          Math.ceil((day.instant(start) - t0) / MINUTE),
          Math.floor((day.instant(end) - t0) / MINUTE),
        ])
      }
    }
    const expanded = union(clip(pairs, 0, minutes))
    seen.set(key, expanded)
    return expanded
  }
  // Most tasks share their windows literally, so this cache saves normalizing them.
  const written = new Map<string, Int32Array>()
  return (windows: Window[]): Int32Array => {
    const key = JSON.stringify(windows)
    const known = written.get(key)
    if (known) return known
    const expanded = expand(windows)
    written.set(key, expanded)
    return expanded
  }
}

/** Per weekday the union of its windows in minutes of the day. */
const weekOf = (windows: Window[]): [number, number][][] =>
  [0, 1, 2, 3, 4, 5, 6].map((weekday) => {
    const merged = union(
      windows
        .filter((window) => window.day.includes(weekday))
        .map(({ start, end }) => [minuteOfDay(start), minuteOfDay(end)]),
    )
    return Array.from({ length: merged.length / 2 }, (_, i) => [merged[2 * i]!, merged[2 * i + 1]!])
  })

export const minuteOfDay = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

export type Day = { weekday: number; instant: (minute: number) => number }

/** The local days in the stretch, each with a function from local minutes to instants. */
export const calendar = (zone: string, from: number, until: number): Day[] => {
  const at = (instant: number) =>
    Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  const changes = clockChanges(at(from - 2 * DAY), until + 2 * DAY)
  const last = at(until).toPlainDate()
  const days: Day[] = []
  for (
    let date = at(from).toPlainDate();
    Temporal.PlainDate.compare(date, last) <= 0;
    date = date.add({ days: 1 })
  ) {
    const midnight = date.toZonedDateTime(zone).epochMilliseconds
    const changesClock = changes.some(
      (change) => change > midnight - DAY && change < midnight + 2 * DAY,
    )
    days.push({
      weekday: date.dayOfWeek % 7,
      instant: changesClock
        ? (minute) => instantOf(date, minute, zone)
        : (minute) => midnight + minute * MINUTE,
    })
  }
  return days
}

/** The first minute of each local day, from the day of `t0` to the first day after the horizon. */
export const dayStarts = (zone: string, t0: number, horizon: number): Int32Array => {
  const today = Temporal.Instant.fromEpochMilliseconds(t0).toZonedDateTimeISO(zone).startOfDay()
  const starts: number[] = []
  for (let day = 0; starts.length === 0 || starts.at(-1)! <= horizon; day++) {
    const midnight = today.add({ days: day }).startOfDay().epochMilliseconds
    starts.push(Math.floor((midnight - t0) / MINUTE))
  }
  return Int32Array.from(starts)
}

const clockChanges = (from: Temporal.ZonedDateTime, until: number): number[] => {
  const changes: number[] = []
  let next = from.getTimeZoneTransition('next')
  while (next && next.epochMilliseconds < until) {
    changes.push(next.epochMilliseconds)
    next = next.getTimeZoneTransition('next')
  }
  return changes
}

/** The first instant of a local time; for a time that is skipped, the instant of the change. */
const instantOf = (date: Temporal.PlainDate, minute: number, zone: string): number => {
  const local = date.toPlainDateTime({ hour: Math.floor(minute / 60), minute: minute % 60 })
  const instant = local.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (instant.toPlainDateTime().equals(local)) return instant.epochMilliseconds
  // For a skipped time, "earlier" gives an instant before the change; the change is the next transition.
  return instant.getTimeZoneTransition('next')!.epochMilliseconds
}
