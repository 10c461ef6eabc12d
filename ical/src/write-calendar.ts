// Writes events as a calendar file (RFC 5545 and 7986).

export type WrittenEvent = {
  /** Identifies the event in calendar programs, so it is the same for every version of the event. */
  uid: string
  /** Instants, as are all times here; for an all-day event dates, of which the end is exclusive. */
  startAt: string
  endAt: string
  isAllDay?: boolean
  createdAt: string
  updatedAt: string
  title: string
  description?: string
  location?: string
  url?: string
  isTentative?: boolean
  /** Whether the event leaves its time free. */
  isFree?: boolean
  /** If true, programs hide the details from people with whom the calendar is shared. */
  isPrivate: boolean
}

export type WrittenCalendar = {
  name: string
  /** Identifies the program that writes the file. */
  product: string
  /** How often the file should be fetched. Google and Outlook choose for themselves. */
  refreshMinutes: number
  events: WrittenEvent[]
}

/** The same calendar always gives the same text, so that a hash of it says whether anything has changed. */
export function writeCalendar({ name, product, refreshMinutes, events }: WrittenCalendar) {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${escapeText(product)}`,
    'CALSCALE:GREGORIAN',
    // Without a method, Outlook takes a downloaded file for a single appointment.
    'METHOD:PUBLISH',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:PT${refreshMinutes}M`,
    `X-PUBLISHED-TTL:PT${refreshMinutes}M`,
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
  ]
  return joinLines(lines)
}

/** A file with one event, for a CalDAV server: such files have no method (RFC 4791, 4.1). */
export const writeEvent = (event: WrittenEvent, product: string) =>
  joinLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${escapeText(product)}`,
    ...linesOf(event),
    'END:VCALENDAR',
  ])

export const joinLines = (lines: string[]) => lines.map((line) => `${fold(line)}\r\n`).join('')

// Times are in UTC, so that no zone has to be described, and none can be misread. The end is a DTEND, because
// iCloud misreads DURATION.
export const linesOf = (event: WrittenEvent) => [
  'BEGIN:VEVENT',
  `UID:${escapeText(event.uid)}`,
  `DTSTAMP:${utc(event.updatedAt)}`,
  `CREATED:${utc(event.createdAt)}`,
  `LAST-MODIFIED:${utc(event.updatedAt)}`,
  `SEQUENCE:${sequenceOf(event.updatedAt)}`,
  `DTSTART${timeOf(event, event.startAt)}`,
  `DTEND${timeOf(event, event.endAt)}`,
  `SUMMARY:${escapeText(event.title)}`,
  ...(event.description ? [`DESCRIPTION:${escapeText(event.description)}`] : []),
  ...(event.location ? [`LOCATION:${escapeText(event.location)}`] : []),
  ...(event.url ? [`URL:${event.url}`] : []),
  `STATUS:${event.isTentative ? 'TENTATIVE' : 'CONFIRMED'}`,
  `TRANSP:${event.isFree ? 'TRANSPARENT' : 'OPAQUE'}`,
  `CLASS:${event.isPrivate ? 'PRIVATE' : 'PUBLIC'}`,
  'END:VEVENT',
]

const timeOf = ({ isAllDay }: WrittenEvent, at: string) =>
  isAllDay ? `;VALUE=DATE:${at.replaceAll('-', '')}` : `:${utc(at)}`

const utc = (at: string) => new Date(at).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')

const firstVersionAt = Date.UTC(2020, 0)

/**
 * Grows with each change; Google keeps the version with the highest number. Seconds since 2020 stay within the
 * 31 bits of an INTEGER until 2088.
 */
const sequenceOf = (updatedAt: string) =>
  Math.max(0, Math.floor((Date.parse(updatedAt) - firstVersionAt) / 1000))

/** Escapes text. Removes control characters, which a file may not contain, and replaces lone surrogates. */
const escapeText = (text: string) =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex -- these are the characters to remove
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)

const mostOctets = 75

/** A UTF-16 unit has at most three octets, so a line of this length is never too long. */
const alwaysShort = 25

const encoder = new TextEncoder()

/** Continues a longer line after a line break and a space; the space counts as well. Characters stay whole. */
function fold(line: string) {
  if (line.length <= alwaysShort) return line
  const pieces: string[] = []
  const octets = new Uint8Array(mostOctets)
  for (let at = 0; at < line.length;) {
    const room = at === 0 ? octets : octets.subarray(1)
    const { read } = encoder.encodeInto(line.slice(at, at + mostOctets), room)
    pieces.push(line.slice(at, at + read))
    at += read
  }
  return pieces.join('\r\n ')
}
