import { type Format, within } from '../inputs.ts'
import { characters, letters } from './characters.ts'

const lines = (...all: string[]) => all.map((line) => `${line}\r\n`).join('')
const event = (...more: string[]) =>
  lines('BEGIN:VEVENT', 'UID:a', 'DTSTART:20260105T090000Z', ...more, 'END:VEVENT')
const inCalendar = (text: string) => `BEGIN:VCALENDAR\r\n${text}\r\nEND:VCALENDAR\r\n`
const inEvent = (text: string) =>
  inCalendar(`BEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260105T090000Z\r\n${text}\r\nEND:VEVENT`)
const listIn = (property: string) => (values: string) =>
  inEvent(`${property}:${values.replace(/,$/, '')}`)

export const calendarFile: Format = {
  wrappers: {
    'a file': (text) => text,
    'a calendar': inCalendar,
    'an event': inEvent,
    'a time zone': (text) =>
      inCalendar(`BEGIN:VTIMEZONE\r\nTZID:Own\r\n${text}\r\nEND:VTIMEZONE\r\n`),
    'the name of a property': (text) => inEvent(text),
    'the parameters of ATTENDEE': (text) => inEvent(`ATTENDEE${text}:mailto:ada@example.com`),
    SUMMARY: (text) => inEvent(`SUMMARY:${text}`),
    RDATE: listIn('RDATE'),
    'RDATE with a zone': listIn('RDATE;TZID=Europe/Berlin'),
    EXDATE: listIn('EXDATE'),
    FREEBUSY: (text) =>
      inCalendar(`BEGIN:VFREEBUSY\r\nFREEBUSY:${text.replace(/,$/, '')}\r\nEND:VFREEBUSY`),
    'the days of a rule': (text) =>
      inEvent(`RRULE:FREQ=MONTHLY;BYMONTHDAY=${text.replace(/,$/, '')}`),
  },
  groups: [
    {
      within: ['a file', 'a calendar', 'SUMMARY', 'the parameters of ATTENDEE'],
      tokens: [...characters, ...letters],
    },
    {
      within: ['a file', 'a calendar', 'an event'],
      tokens: [
        ...['VTIMEZONE', 'VEVENT', 'VCALENDAR'].map((kind) => lines(`BEGIN:${kind}`)),
        ...['VTIMEZONE', 'VEVENT', 'VCALENDAR'].map((kind) => lines(`END:${kind}`)),
        lines('BEGIN:VALARM', 'END:VALARM'),
        lines('X-A:a'),
        lines('A'),
        lines('DTSTAMP:20260101T000000Z'),
        lines('last-modified;X=y:20260101T000000Z'),
        lines('DTSTART:20260101T000000Z'),
        lines('SEQUENCE:{n}'),
        lines('SUMMARY:x'),
      ],
    },
    {
      within: ['a calendar'],
      tokens: [
        lines('BEGIN:VTIMEZONE', 'TZID:Zone/{n}', 'END:VTIMEZONE'),
        event(),
        event('SEQUENCE:{n}'),
        event('RRULE:FREQ=DAILY'),
        event('RRULE:FREQ=DAILY;COUNT=1000'),
        event('RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'),
        event('RECURRENCE-ID:20260105T090000Z'),
        event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260105T090000Z'),
        lines('BEGIN:VEVENT', 'UID:{n}', 'DTSTART;TZID=Zone/{n}:20260105T090000', 'END:VEVENT'),
        lines(
          'BEGIN:VEVENT',
          'UID:{n}',
          'DTSTART;TZID=Europe/Berlin:20260105T090000',
          'END:VEVENT',
        ),
        lines('BEGIN:VFREEBUSY', 'FREEBUSY:20260105T090000Z/PT1H', 'END:VFREEBUSY'),
      ],
    },
    {
      within: ['an event'],
      tokens: [
        lines('ATTENDEE;CN=x:mailto:ada@example.com'),
        lines('EXDATE;TZID=Zone/{n}:20260105T090000'),
        lines('RDATE;TZID=a/b/c/{n}:20260105T090000'),
        lines('RRULE:FREQ=DAILY'),
        lines('EXRULE:FREQ=DAILY;BYHOUR=1,2,3'),
        lines('DURATION:PT1H'),
      ],
    },
    {
      within: ['a time zone'],
      tokens: [
        lines('X-LIC-LOCATION:Europe/Berlin'),
        lines(
          'BEGIN:STANDARD',
          'DTSTART:19700101T000000',
          'TZOFFSETFROM:+0100',
          'TZOFFSETTO:+0200',
          'RRULE:FREQ=DAILY',
          'END:STANDARD',
        ),
      ],
    },
    {
      within: ['RDATE', 'RDATE with a zone', 'EXDATE', 'FREEBUSY'],
      tokens: ['20260105T090000Z,', '20260105T090000,', '20260105,', ',', '20260105T090000Z/PT1H,'],
    },
    { within: ['the days of a rule'], tokens: ['1,', '-1,', '+1,', 'x'] },
  ],
}

/** Whole components only. */
export const components = within(calendarFile, ['a calendar'])
