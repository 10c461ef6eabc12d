// One VEVENT as the planner needs it.
import { readAvailability } from './availability.ts'
import { propertiesOf, propertyOf, type Component } from './components.ts'
import { dayLength } from './days.ts'
import type { Limits } from './limits.ts'
import { unescapeText, type Property } from './lines.ts'
import { instantOf, readTime, type Calendar, type LocalTime } from './times.ts'
import { parseDuration, type Duration } from './values.ts'

/** With a DTEND, every occurrence lasts exactly as long; the days of a DURATION are nominal. */
export type Length = Duration | { exact: number }

export type CalendarEvent = {
  uid: string | null
  title: string
  location: string | null
  sequence: number
  start: LocalTime
  length: Length
  /** The occurrence of a series that this event replaces. */
  replaces: LocalTime | undefined
  replacesLater: boolean
  isAllDay: boolean
  isCancelled: boolean
  isBusy: boolean
  isTentative: boolean
  rules: string[]
  excludedRules: string[]
  dates: Property[]
  excludedDates: Property[]
}

export type EventFault = 'no-start' | 'bad-recurrence-id'

/** The event, or why it cannot be read. */
export function readEvent(
  component: Component,
  calendar: Calendar,
  addresses: Set<string>,
  texts: Texts,
): CalendarEvent | EventFault {
  const start = readTime(propertyOf(component, 'DTSTART'), calendar)
  if (!start) return 'no-start'
  const recurrenceId = propertyOf(component, 'RECURRENCE-ID')
  const replaces = readTime(recurrenceId, calendar)
  if (recurrenceId && !replaces) return 'bad-recurrence-id'
  return {
    ...texts,
    ...readAvailability(component, start.isDate, addresses),
    sequence: Number(propertyOf(component, 'SEQUENCE')?.value) || 0,
    start,
    isAllDay: start.isDate,
    length: readLength(component, calendar, start),
    replaces,
    replacesLater: recurrenceId?.parameters.RANGE?.toUpperCase() === 'THISANDFUTURE',
    rules: propertiesOf(component, 'RRULE').map(({ value }) => value),
    excludedRules: propertiesOf(component, 'EXRULE').map(({ value }) => value),
    dates: propertiesOf(component, 'RDATE'),
    excludedDates: propertiesOf(component, 'EXDATE'),
  }
}

type Texts = Pick<CalendarEvent, 'uid' | 'title' | 'location'>

export function readTexts(component: Component, limits: Limits): Texts {
  const read = (name: string) => {
    const value = propertyOf(component, name)?.value
    return value === undefined ? null : unescapeText(value.slice(0, limits.text))
  }
  return { uid: read('UID'), title: read('SUMMARY') ?? '', location: read('LOCATION') }
}

function readLength(component: Component, calendar: Calendar, start: LocalTime): Length {
  const end = readTime(propertyOf(component, 'DTEND'), calendar)
  const given = propertyOf(component, 'DURATION')
  const duration = given && parseDuration(given.value)
  if (start.isDate) {
    const days = end?.isDate
      ? (end.wall - start.wall) / dayLength
      : duration && duration.days + Math.ceil(duration.seconds / dayLength)
    return { days: Math.max(1, days ?? 1), seconds: 0 }
  }
  if (end && !end.isDate) return { exact: Math.max(0, instantOf(end) - instantOf(start)) }
  return duration ?? { exact: 0 }
}

/** The longest that an event with this length can last, in seconds. */
export const longestOf = (length: Length) =>
  'exact' in length ? length.exact : length.days * dayLength + length.seconds + dayLength

/** When an event takes place if it starts at this wall time. */
export function spanAt({ start: { zone }, length }: CalendarEvent, wall: number) {
  const start = zone.toInstant(wall)
  if ('exact' in length) return { start, end: start + length.exact }
  const nominal = length.days === 0 ? start : zone.toInstant(wall + length.days * dayLength)
  return { start, end: nominal + length.seconds }
}
