// A series with the occurrences that were excluded, moved or changed.
import { splitDates } from './date-lists.ts'
import { formatWall } from './days.ts'
import { spanAt, type CalendarEvent } from './event.ts'
import { findMoment, makeMoments, setMoment, type Moments } from './moments.ts'
import type { OccurrenceList } from './occurrences.ts'
import {
  findRecurrences,
  wallInSeries,
  wallsNear,
  type Context,
  type Recurrence,
} from './recurrence.ts'
import { instantOf, readTime } from './times.ts'

/** A change of one occurrence and all later ones, which moves them by `shift` seconds of wall time. */
type LaterChange = { at: number; event: CalendarEvent; shift: number }

/** Adds an event that is no series: a single event, or one changed occurrence of a series. */
export function addSingle(event: CalendarEvent, recurrenceId: () => string, list: OccurrenceList) {
  if (event.isCancelled) return
  list.add(event, recurrenceId, spanAt(event, event.start.wall))
}

/** The RECURRENCE-ID of an occurrence, as the series would write it. */
const idOf = (event: CalendarEvent, wall: number) => formatWall(wall, event.start.isDate)

/** Adds the occurrences of a series to the list. Throws `LimitExceeded`. */
export function addSeries(
  series: CalendarEvent,
  changes: CalendarEvent[],
  context: Context,
  list: OccurrenceList,
) {
  const changed = makeMoments<CalendarEvent>()
  for (const change of changes.toSorted((a, b) => a.sequence - b.sequence)) {
    setMoment(changed, series.start.isDate, change.replaces!, change)
  }
  const laterChanges = findLaterChanges([...eventsOf(changed)])
  const reach = laterChanges.reduce((most, { shift }) => Math.max(most, Math.abs(shift)), 0)
  const recurrences = findRecurrences(series, reach, context)
  const excluded = findExcluded(series, reach, context)

  let later = 0
  for (const recurrence of recurrences) {
    while (later < laterChanges.length && laterChanges[later]!.at <= recurrence.start) later += 1
    const { start, wall } = recurrence
    if (findMoment(excluded, start, wall) || findMoment(changed, start, wall)) continue
    addOccurrence(series, recurrence, laterChanges[later - 1], list)
  }
  for (const change of eventsOf(changed)) {
    addSingle(change, () => idOf(series, wallInSeries(change.replaces!, series.start)), list)
  }
}

function addOccurrence(
  series: CalendarEvent,
  recurrence: Recurrence,
  change: LaterChange | undefined,
  list: OccurrenceList,
) {
  const event = change?.event ?? series
  if (event.isCancelled) return
  const span =
    change && !recurrence.isPeriod
      ? spanAt(event, event.start.zone.toWall(recurrence.start) + change.shift)
      : recurrence
  list.add(event, () => idOf(series, recurrence.wall), span)
}

function* eventsOf({ byInstant, byDay }: Moments<CalendarEvent>) {
  yield* byInstant.values()
  yield* byDay.values()
}

/** The changes with RANGE=THISANDFUTURE, in order. */
function findLaterChanges(changes: CalendarEvent[]): LaterChange[] {
  return changes
    .filter((event) => event.replacesLater)
    .map((event) => ({
      at: instantOf(event.replaces!),
      event,
      shift: event.start.wall - event.start.zone.toWall(instantOf(event.replaces!)),
    }))
    .toSorted((a, b) => a.at - b.at)
}

function findExcluded(series: CalendarEvent, reach: number, context: Context) {
  const near = wallsNear(context.window, series, reach)
  const excluded = makeMoments<true>()
  for (const { property, text } of splitDates(series.excludedDates, context.steps)) {
    const time = readTime(property, context.calendar, text)
    if (time && time.wall >= near.from && time.wall <= near.to) {
      setMoment(excluded, series.start.isDate, time, true)
    }
  }
  return excluded
}
