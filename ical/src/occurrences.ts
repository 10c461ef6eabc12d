// The occurrences that were found, within a limit. When there are too many, the window ends earlier: what is
// before its new end stays complete.
import type { CalendarEvent } from './event.ts'
import type { Limits } from './limits.ts'

export type Occurrence = {
  /** Stays the same between readings: the UID, and for an occurrence of a series its RECURRENCE-ID. */
  key: string
  uid: string | null
  startAt: string
  endAt: string
  isAllDay: boolean
  isBusy: boolean
  isTentative: boolean
  title: string
  location: string | null
}

export type Window = { from: number; to: number }

type Found = {
  event: Details
  recurrenceId: () => string
  start: number
  end: number
}

type Details = Pick<
  CalendarEvent,
  'uid' | 'title' | 'location' | 'isAllDay' | 'isBusy' | 'isTentative'
>

export type OccurrenceList = ReturnType<typeof makeOccurrenceList>

/** The first and the last second that can be written with a year of four digits. */
const earliest = -62_135_596_800
const latest = 253_402_300_799

/** Collects occurrences. Moves `window.to` to an earlier time when there are too many. */
export function makeOccurrenceList(window: Window, limits: Limits) {
  let found: Found[] = []

  const cut = () => {
    if (found.length <= limits.occurrences) return
    found = found.toSorted((a, b) => a.start - b.start)
    window.to = found[limits.occurrences]!.start
    // Occurrences that start at the new end are all dropped, so that the window is complete.
    found = found.filter(({ start }) => start < window.to)
  }

  return {
    /** `recurrenceId` is called only for what remains at the end: formatting every id took a third of the time. */
    add(event: Details, recurrenceId: () => string, span: { start: number; end: number }) {
      if (!overlaps(window, span)) return
      const start = Math.max(span.start, earliest)
      found.push({ event, recurrenceId, start, end: Math.min(span.end, latest) })
      if (found.length > 2 * limits.occurrences) cut()
    },
    finish(): Occurrence[] {
      cut()
      const named = nameUniquely(found.map((each) => keyOf(each)))
      return found
        .map(({ event, start, end }, i) => ({
          key: named[i]!,
          uid: event.uid,
          startAt: new Date(start * 1000).toISOString(),
          endAt: new Date(end * 1000).toISOString(),
          isAllDay: event.isAllDay,
          isBusy: event.isBusy && end > start,
          isTentative: event.isTentative,
          title: event.title,
          location: event.location,
        }))
        .toSorted((a, b) => compare(a.startAt, b.startAt) || compare(a.endAt, b.endAt))
    },
  }
}

/** An occurrence without a length overlaps the window if its start is in it. */
const overlaps = ({ from, to }: Window, { start, end }: { start: number; end: number }) =>
  start < to && (end > from || (start === end && start >= from))

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

const keyOf = ({ event, recurrenceId, start }: Found) =>
  event.uid === null ? `${event.title} ${start}` : `${event.uid} ${recurrenceId()}`.trim()

/** Numbers repeated keys, because some programs use a UID more than once. */
function nameUniquely(keys: string[]) {
  const used = new Map<string, number>()
  return keys.map((key) => {
    const times = (used.get(key) ?? 0) + 1
    used.set(key, times)
    return times === 1 ? key : `${key} #${times}`
  })
}
