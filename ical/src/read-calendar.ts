// Reads the occurrences of a calendar file in a window.
import { addBusyTimes } from './busy-times.ts'
import { childrenOf, parseCalendars, propertyOf, type Component } from './components.ts'
import { addGroup, groupEvents } from './event-groups.ts'
import { readTexts } from './event.ts'
import { CalendarRefused, defaultLimits, LimitExceeded, type Limits, type Steps } from './limits.ts'
import { unescapeText } from './lines.ts'
import { makeOccurrenceList, type Occurrence } from './occurrences.ts'
import { SkippedList, type Skipped } from './skipped.ts'
import { makeZoneFinder, type ZoneFinder } from './zone-finder.ts'
import { makeZone, type Zone } from './zone.ts'

export type ReadingOptions = {
  /** The window, as instants. An event that only touches the window is not in it. */
  from: string
  to: string
  /** The user's zone, which applies to all-day events, and to times if neither they nor the calendar has a zone. */
  zone: string
  /** The user's own addresses. Their answers to invitations decide whether an event blocks. */
  addresses?: string[]
  limits?: Partial<Limits>
}

export type CalendarReading = {
  name: string | null
  /** The calendar's own zone, if it has one that is known. */
  zone: string | null
  /** The end of what was read: `to`, or earlier if there are too many occurrences. */
  completeUntil: string
  occurrences: Occurrence[]
  /** The first skipped items, and the number of all skipped items. */
  skipped: Skipped[]
  skippedCount: number
}

/** Reads a file. Throws `CalendarRefused` if it is not a calendar, is incomplete or exceeds a limit. */
export function readCalendar(bytes: Uint8Array, options: ReadingOptions): CalendarReading {
  const limits = { ...defaultLimits, ...options.limits }
  const skipped = new SkippedList(limits)
  const steps = { left: limits.steps }
  return readComponents(parseCalendars(bytes, limits, steps), options, limits, steps, skipped)
}

/** Reads many files as one calendar. A file that is refused is skipped, and the others are still read. */
export function readCalendarFiles(files: Uint8Array[], options: ReadingOptions): CalendarReading {
  const limits = { ...defaultLimits, ...options.limits }
  const skipped = new SkippedList(limits)
  const steps = { left: limits.steps }
  const components = files.flatMap((bytes) => {
    try {
      return parseCalendars(bytes, limits, steps)
    } catch (error) {
      if (!(error instanceof CalendarRefused) || error.reason === 'too-many-steps') throw error
      skipped.add({ uid: null, title: '' }, error.reason)
      return []
    }
  })
  const empty = { kind: 'VCALENDAR', properties: [], children: [] }
  return readComponents(
    components.length > 0 ? components : [empty],
    options,
    limits,
    steps,
    skipped,
  )
}

function readComponents(
  calendars: Component[],
  options: ReadingOptions,
  limits: Limits,
  steps: Steps,
  skipped: SkippedList,
): CalendarReading {
  const window = { from: Date.parse(options.from) / 1000, to: Date.parse(options.to) / 1000 }
  const addresses = new Set((options.addresses ?? []).map((each) => each.toLowerCase()))
  const userZone = makeZone(options.zone)
  const list = makeOccurrenceList(window, limits)
  const zoneFinders = calendars.map((each) => findZones(each, userZone, steps))

  calendars.forEach((component, i) => {
    const calendar = { zones: zoneFinders[i]!, userZone }
    const context = { calendar, window, limits, steps, skipped }
    for (const group of groupEvents(component, addresses, context)) addGroup(group, context, list)
    for (const busyTimes of childrenOf(component, 'VFREEBUSY')) {
      const texts = readTexts(busyTimes, limits)
      skipped.unlessLimited(texts, () => addBusyTimes(busyTimes, context, list))
    }
  })
  const occurrences = list.finish()
  return {
    ...describeCalendar(calendars[0]!, zoneFinders[0]!, limits),
    completeUntil: new Date(window.to * 1000).toISOString(),
    occurrences,
    skipped: skipped.first,
    skippedCount: skipped.count,
  }
}

function findZones(calendar: Component, userZone: Zone, steps: Steps) {
  try {
    return makeZoneFinder(calendar, userZone, steps)
  } catch (error) {
    throw error instanceof LimitExceeded ? new CalendarRefused('too-many-steps') : error
  }
}

function describeCalendar(component: Component, zones: ZoneFinder, limits: Limits) {
  const name = propertyOf(component, 'X-WR-CALNAME') ?? propertyOf(component, 'NAME')
  return {
    name: name ? unescapeText(name.value.slice(0, limits.text)) : null,
    zone: zones.ofCalendar?.name ?? null,
  }
}
