// Dates and times of properties, with their zones.
import { isDateOnly, isUtc, parseWall } from './days.ts'
import type { Property } from './lines.ts'
import { parseDuration } from './values.ts'
import type { ZoneFinder } from './zone-finder.ts'
import { utc, type Zone } from './zone.ts'

export type LocalTime = { wall: number; zone: Zone; isDate: boolean }

export type Calendar = { zones: ZoneFinder; userZone: Zone }

/** Reads a date, which is a day in the user's zone, or a time, whose default is the zone of the calendar. */
export function readTime(
  property: Property | undefined,
  calendar: Calendar,
  text = property?.value ?? '',
): LocalTime | undefined {
  const wall = parseWall(text.trim())
  if (wall === undefined) return undefined
  if (isDateOnly(text.trim())) return { wall, zone: calendar.userZone, isDate: true }
  return { wall, zone: zoneOf(text.trim(), property, calendar), isDate: false }
}

function zoneOf(text: string, property: Property | undefined, { zones }: Calendar) {
  if (isUtc(text)) return utc
  const name = property?.parameters.TZID
  return name ? zones.find(name) : zones.floating
}

export const instantOf = ({ wall, zone }: LocalTime) => zone.toInstant(wall)

/** A value of type PERIOD: a start with an end or a duration. */
export function readPeriod(property: Property, calendar: Calendar, text: string) {
  const [first = '', second = ''] = text.split('/')
  const start = readTime(property, calendar, first)
  if (!start) return undefined
  const end = readTime(property, calendar, second)
  if (end) return { start, end: Math.max(instantOf(start), instantOf(end)) }
  const { days, seconds } = parseDuration(second)
  return { start, end: start.zone.toInstant(start.wall + days * 86_400) + seconds }
}
