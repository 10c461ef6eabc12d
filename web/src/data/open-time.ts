// The working time of a day that meetings leave open.
import type { CalendarEvent, Window } from '@daywright/contract'
import { instantAt, minutesBetween, type Zone } from '../time/zone.ts'
import { windowsOn } from './preferences.ts'

export type Span = { from: Date; to: Date }
export type Meeting = Pick<CalendarEvent, 'startAt' | 'endAt' | 'blocks'>

export const workingSpans = (day: Temporal.PlainDate, windows: Window[], zone: Zone): Span[] =>
  windowsOn(windows, day.dayOfWeek % 7).map(({ start, end }) => ({
    from: instantAt(day, start, zone),
    to: instantAt(day, end, zone),
  }))

/** The working time minus the events that block time. */
export function openSpans(
  day: Temporal.PlainDate,
  windows: Window[],
  events: Meeting[],
  zone: Zone,
): Span[] {
  const busy = events
    .filter(({ blocks }) => blocks)
    .toSorted((one, other) => one.startAt.getTime() - other.startAt.getTime())
  return workingSpans(day, windows, zone).flatMap((span) => subtract(span, busy))
}

export const minutesOfAll = (spans: Span[]) =>
  spans.reduce((sum, { from, to }) => sum + minutesBetween(from, to), 0)

export const minutesAfter = (now: Date, spans: Span[]) =>
  minutesOfAll(
    spans
      .filter(({ to }) => to > now)
      .map(({ from, to }) => ({ from: from < now ? now : from, to })),
  )

function subtract({ from, to }: Span, busy: Meeting[]) {
  const open: Span[] = []
  let start = from
  for (const { startAt, endAt } of busy) {
    if (endAt <= start || startAt >= to) continue
    if (startAt > start) open.push({ from: start, to: startAt })
    start = endAt
  }
  if (start < to) open.push({ from: start, to })
  return open
}
