// The components of a file as a tree: calendars with their events, busy times and time zones. Other
// components are ignored, but each BEGIN needs its END.
import { CalendarRefused, costs, type Limits, type Steps } from './limits.ts'
import { decodeText, parseLine, splitLines, type Property } from './lines.ts'

export type Component = { kind: string; properties: Property[]; children: Component[] }

/** Generous: the standard has at most three levels, for an alarm in an event in a calendar. */
const deepest = 10

const wantedKinds = new Set([
  'VCALENDAR',
  'VEVENT',
  'VFREEBUSY',
  'VTIMEZONE',
  'STANDARD',
  'DAYLIGHT',
])

const wantedNames = new Set([
  'BEGIN',
  'END',
  'ATTENDEE',
  'DTEND',
  'DTSTART',
  'DURATION',
  'EXDATE',
  'EXRULE',
  'FREEBUSY',
  'LOCATION',
  'NAME',
  'RDATE',
  'RECURRENCE-ID',
  'RRULE',
  'SEQUENCE',
  'STATUS',
  'SUMMARY',
  'TRANSP',
  'TZID',
  'TZOFFSETFROM',
  'TZOFFSETTO',
  'UID',
  'X-LIC-LOCATION',
  'X-MICROSOFT-CDO-BUSYSTATUS',
  'X-WR-CALNAME',
  'X-WR-TIMEZONE',
])

const isWanted = (name: string) => wantedNames.has(name)

/** The calendars of a file. Throws `CalendarRefused` if it is not a calendar, is incomplete or exceeds a limit. */
export function parseCalendars(bytes: Uint8Array, limits: Limits, steps: Steps): Component[] {
  if (bytes.length > limits.bytes) throw new CalendarRefused('too-large')
  const calendars: Component[] = []
  const open: Component[] = []
  let events = 0
  for (const line of splitLines(decodeText(bytes))) {
    steps.left -= costs.line
    if (steps.left < 0) throw new CalendarRefused('too-many-steps')
    const property = parseLine(line, isWanted)
    if (!property) continue
    steps.left -= costs.parameter * Object.keys(property.parameters).length
    const kind = property.value.toUpperCase()
    if (property.name === 'BEGIN') {
      if (open.length === 0 && kind !== 'VCALENDAR') continue
      if (open.length === deepest) throw new CalendarRefused('nested-too-deeply')
      if (kind === 'VEVENT' && (events += 1) > limits.events) {
        throw new CalendarRefused('too-many-events')
      }
      open.push({ kind, properties: [], children: [] })
    } else if (property.name === 'END') {
      if (open.length > 0) closeComponent(open, kind, calendars)
    } else {
      const component = open.at(-1)
      if (component && wantedKinds.has(component.kind)) component.properties.push(property)
    }
  }
  if (open.length > 0) throw new CalendarRefused('incomplete')
  if (calendars.length === 0) throw new CalendarRefused('no-calendar')
  return calendars
}

function closeComponent(open: Component[], kind: string, calendars: Component[]) {
  const component = open.pop()!
  if (component.kind !== kind) throw new CalendarRefused('incomplete')
  const parent = open.at(-1)
  if (!parent) calendars.push(component)
  else if (wantedKinds.has(kind)) parent.children.push(component)
}

export const childrenOf = (component: Component, kind: string) =>
  component.children.filter((child) => child.kind === kind)

export const propertyOf = (component: Component, name: string) =>
  component.properties.find((property) => property.name === name)

export const propertiesOf = (component: Component, name: string) =>
  component.properties.filter((property) => property.name === name)
