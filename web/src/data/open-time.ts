// The working time of a day that events, lunch and blocks leave open, as the planner counts it.
import type { Calendar, CalendarEvent, Settings, Window } from '@daywright/contract'
import { lunchBreaks } from '@daywright/scheduler/lunch'
import { instantAt, minutesBetween, plusMinutes, type Zone } from '../time/zone.ts'
import { minutesOf, windowsOn } from './windows.ts'

export type Span = { from: Date; to: Date }
type Busy = { startAt: Date; endAt: Date }

export type Hours = {
  windows: Window[]
  /** Events that block time, with the time kept free around them. */
  busy: Busy[]
  /** Blocks that the planner does not move: lunch makes way for them. */
  kept: Busy[]
  lunch: Settings['planning']['lunch']
}

export const workingSpans = (day: Temporal.PlainDate, windows: Window[], zone: Zone): Span[] =>
  windowsOn(windows, day.dayOfWeek % 7).map(({ start, end }) => ({
    from: instantAt(day, start, zone),
    to: instantAt(day, end, zone),
  }))

/** The working time minus the events that block time, and lunch. */
export function openSpans(day: Temporal.PlainDate, hours: Hours, zone: Zone): Span[] {
  const closed = [...hours.busy, ...lunchOn(day, hours, zone)].toSorted(
    (one, other) => one.startAt.getTime() - other.startAt.getTime(),
  )
  return workingSpans(day, hours.windows, zone).flatMap((span) => subtract(span, closed))
}

/** The events that block time, with the time that their calendar keeps free around them. */
export function busyTimeOf(
  events: Pick<CalendarEvent, 'calendarId' | 'startAt' | 'endAt' | 'blocks'>[],
  calendars: Pick<Calendar, 'id' | 'paddingMinutes'>[],
): Busy[] {
  const paddings = new Map(calendars.map(({ id, paddingMinutes }) => [id, paddingMinutes]))
  return events
    .filter(({ blocks }) => blocks)
    .map(({ calendarId, startAt, endAt }) => {
      const padding = paddings.get(calendarId) ?? 0
      return { startAt: plusMinutes(startAt, -padding), endAt: plusMinutes(endAt, padding) }
    })
}

export const minutesOfAll = (spans: Span[]) =>
  spans.reduce((sum, { from, to }) => sum + minutesBetween(from, to), 0)

export const minutesAfter = (now: Date, spans: Span[]) =>
  minutesOfAll(
    spans
      .filter(({ to }) => to > now)
      .map(({ from, to }) => ({ from: from < now ? now : from, to })),
  )

function lunchOn(day: Temporal.PlainDate, { busy, kept, lunch }: Hours, zone: Zone): Busy[] {
  if (!lunch) return []
  const [from, to] = [lunch.from, lunch.to].map((time) => instantAt(day, minutesOf(time), zone))
  const taken = [...busy, ...kept].map(
    ({ startAt, endAt }) => [Math.floor(inMinutes(startAt)), Math.ceil(inMinutes(endAt))] as const,
  )
  return lunchBreaks([[inMinutes(from!), inMinutes(to!)]], lunch.minutes, taken).map(
    ([start, end]) => ({ startAt: atMinute(start), endAt: atMinute(end) }),
  )
}

const inMinutes = (date: Date) => date.getTime() / 60_000
const atMinute = (minute: number) => new Date(minute * 60_000)

function subtract({ from, to }: Span, closed: Busy[]) {
  const open: Span[] = []
  let start = from
  for (const { startAt, endAt } of closed) {
    if (endAt <= start || startAt >= to) continue
    if (startAt > start) open.push({ from: start, to: startAt })
    start = endAt
  }
  if (start < to) open.push({ from: start, to })
  return open
}
