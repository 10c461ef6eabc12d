import { describe, expect, it } from 'vitest'
import { parseCalendars } from './components.ts'
import { CalendarRefused, defaultLimits } from './limits.ts'
import { parseLine } from './lines.ts'

const parse = (text: string, limits = {}) =>
  parseCalendars(
    new TextEncoder().encode(text),
    { ...defaultLimits, ...limits },
    { left: defaultLimits.steps },
  )

const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')

const reasonOf = (text: string, limits = {}) => {
  try {
    parse(text, limits)
  } catch (error) {
    if (error instanceof CalendarRefused) return error.reason
    throw error
  }
  return 'accepted'
}

describe('a content line', () => {
  const all = () => true

  it('has a name, parameters and a value', () => {
    expect(parseLine('attendee;cn="a;b:c";PARTSTAT=ACCEPTED:mailto:a@b.c ', all)).toEqual({
      name: 'ATTENDEE',
      parameters: { CN: 'a;b:c', PARTSTAT: 'ACCEPTED' },
      value: 'mailto:a@b.c',
    })
  })

  it('may have a colon in the name of a zone', () => {
    expect(parseLine('DTSTART;TZID=tzone://Microsoft/Utc:20261117T140000', all)).toEqual({
      name: 'DTSTART',
      parameters: { TZID: 'tzone://Microsoft/Utc' },
      value: '20261117T140000',
    })
  })

  it.each(['nonsense', ':value', 'X;A="open:value', 'X;A:value', ''])(
    'is ignored if it makes no sense: %j',
    (line) => {
      expect(parseLine(line, all)).toBeUndefined()
    },
  )
})

describe('a file', () => {
  it('is unfolded before it is decoded', () => {
    const bytes = new TextEncoder().encode(calendar('X-WR-CALNAME:Füße 日本'))
    const [found] = parseCalendars(foldEverywhere(bytes), defaultLimits, {
      left: defaultLimits.steps,
    })
    expect(found?.properties[0]?.value).toBe('Füße 日本')
  })

  it('may have LF line ends, a byte order mark and lower case', () => {
    const text = '\uFEFFbegin:vcalendar\n\nx-wr-calname:A \nend:vcalendar\n'
    expect(parse(text)[0]?.properties[0]?.value).toBe('A')
  })

  it('may contain several calendars', () => {
    expect(parse(calendar() + '\r\n' + calendar())).toHaveLength(2)
  })

  it('keeps the properties of an alarm apart from those of its event', () => {
    const text = calendar(
      'BEGIN:VEVENT',
      'BEGIN:VALARM',
      'SUMMARY:Alarm',
      'END:VALARM',
      'SUMMARY:Event',
      'END:VEVENT',
    )
    expect(parse(text)[0]?.children[0]).toEqual({
      kind: 'VEVENT',
      properties: [{ name: 'SUMMARY', parameters: {}, value: 'Event' }],
      children: [],
    })
  })

  it.each([
    ['no-calendar', '<!doctype html><p>Sign in: please</p>'],
    ['no-calendar', ''],
    ['incomplete', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a'],
    ['incomplete', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nEND:VCALENDAR'],
    ['incomplete', calendar() + '\r\nBEGIN:VCALENDAR'],
    ['nested-too-deeply', calendar(...Array<string>(11).fill('BEGIN:VEVENT'))],
  ])('is refused: %s', (reason, text) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it('is refused if it is too large or has too many events', () => {
    const events = calendar('BEGIN:VEVENT', 'END:VEVENT', 'BEGIN:VEVENT', 'END:VEVENT')
    expect(reasonOf(events, { events: 2 })).toBe('accepted')
    expect(reasonOf(events, { events: 1 })).toBe('too-many-events')
    expect(reasonOf(events, { bytes: events.length - 1 })).toBe('too-large')
  })
})

/** Folds the line with the calendar's name after every byte. */
function foldEverywhere(bytes: Uint8Array) {
  const start = new TextDecoder('latin1').decode(bytes).indexOf('X-WR')
  const end = bytes.lastIndexOf(13)
  return Uint8Array.from(
    [...bytes].flatMap((byte, i) => (i > start && i < end ? [13, 10, 32, byte] : [byte])),
  )
}
