// Local time for the checker, from Intl only: it shares nothing with problem/windows.ts.
import type { Window } from '../model.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type Clock = {
  zone: string
  /** The instant with the same local time fourteen days later. */
  fourteenDaysOn: (instant: number) => number
  /** Merged stretches of time in which one of the windows is open, from start to end. */
  openings: (windows: Window[]) => [number, number][]
  /** The local days, from start to end. */
  days: () => [number, number][]
}

/** Valid from a day before `now` until sixteen days after. */
export const clockOf = (timezone: string, now: number): Clock => {
  const zone = isZone(timezone) ? timezone : 'Australia/Sydney'
  const spans = spansAround(zone, now)
  const offsetAt = (instant: number) => spans.findLast((span) => span.from <= instant)!.offset

  /** The first instant at which the local time is `wall` or later. */
  const first = (wall: number) => {
    for (const span of spans) {
      if (wall - span.offset < span.until) return Math.max(wall - span.offset, span.from)
    }
    return Infinity
  }

  return {
    zone,
    fourteenDaysOn: (instant) => {
      const wall = instant + offsetAt(instant) + 14 * DAY
      const found = spans.find(
        ({ from, until, offset }) => wall - offset >= from && wall - offset < until,
      )
      if (found) return wall - found.offset
      // The clocks skip this local time: it is read with the offset before the change.
      const jump = spans.findIndex(({ from, offset }) => wall - offset < from)
      return wall - spans[jump - 1]!.offset
    },
    openings: (windows) => {
      const stretches: [number, number][] = []
      const today = Math.floor((now + offsetAt(now)) / DAY)
      for (let day = today - 1; day <= today + 15; day++) {
        // 1 January 1970 was a Thursday.
        const weekday = (((day + 4) % 7) + 7) % 7
        for (const window of windows) {
          if (!window.day.includes(weekday)) continue
          const start = first(day * DAY + timeOfDay(window.start))
          const end = first(day * DAY + timeOfDay(window.end))
          if (start < end) stretches.push([start, end])
        }
      }
      return merge(stretches)
    },
    days: () => {
      const today = Math.floor((now + offsetAt(now)) / DAY)
      return Array.from({ length: 17 }, (_, i) => {
        const day = today - 1 + i
        return [first(day * DAY), first((day + 1) * DAY)]
      })
    },
  }
}

const merge = (stretches: [number, number][]): [number, number][] => {
  stretches.sort((a, b) => a[0] - b[0])
  const result: [number, number][] = []
  for (const [start, end] of stretches) {
    const last = result.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else result.push([start, end])
  }
  return result
}

const timeOfDay = (time: string) => {
  const [hours, minutes] = time.split(':').map(Number)
  return (hours! * 60 + minutes!) * MINUTE
}

const isZone = (name: string) => {
  try {
    formatterOf(name)
    return !/^[^A-Za-z]/.test(name)
  } catch {
    return false
  }
}

const newFormatter = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })

// Formatters are cached: creating one takes longer than checking a small plan. Each uses about 77 KB.
const mostFormatters = 100
const formatters = new Map<string, Intl.DateTimeFormat>()
const formatterOf = (timeZone: string) => {
  const known = formatters.get(timeZone) ?? newFormatter(timeZone)
  if (formatters.size >= mostFormatters) formatters.clear()
  formatters.set(timeZone, known)
  return known
}

type Span = { from: number; until: number; offset: number }

// Spans start at a whole day, so that all checks on the same day share them.
const readings = new Map<string, Span[]>()
const mostKept = 1000
const spansAround = (zone: string, now: number) => {
  const from = Math.floor(now / DAY) * DAY - 2 * DAY
  const key = `${from} ${zone}`
  const spans = readings.get(key) ?? offsetSpans(zone, from, from + 20 * DAY)
  if (readings.size > mostKept) readings.clear()
  readings.set(key, spans)
  return spans
}

/** The spans of constant offset. If offsets half a day apart differ, bisection finds the change. */
const offsetSpans = (zone: string, from: number, until: number): Span[] => {
  const formatter = formatterOf(zone)
  const read = (instant: number) => wallAt(formatter, instant) - instant
  const spans: Span[] = [{ from, until, offset: read(from) }]
  for (let at = from; at < until; at += DAY / 2) {
    const known = spans.at(-1)!
    const offset = read(at + DAY / 2)
    if (offset === known.offset) continue
    let before = at
    let after = at + DAY / 2
    while (after - before > 1000) {
      const middle = Math.floor((before + after) / 2000) * 1000
      if (read(middle) === known.offset) before = middle
      else after = middle
    }
    known.until = after
    spans.push({ from: after, until, offset })
  }
  return spans
}

const wallAt = (formatter: Intl.DateTimeFormat, instant: number) => {
  // The formatter knows whole seconds only.
  const second = Math.floor(instant / 1000) * 1000
  const parts: Record<string, string> = {}
  for (const { type, value } of formatter.formatToParts(second)) parts[type] = value
  const field = (name: string) => Number(parts[name])
  const year = parts['era'] === 'BC' ? 1 - field('year') : field('year')
  const date = new Date(0)
  date.setUTCFullYear(year, field('month') - 1, field('day'))
  return (
    date.getTime() +
    (field('hour') * 60 + field('minute')) * MINUTE +
    field('second') * 1000 +
    (instant - second)
  )
}
