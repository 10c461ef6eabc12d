// Files of 1 MB that are meant to cost time or memory.

const size = 1_000_000

const wrap = (text: string) => `BEGIN:VCALENDAR\r\n${text}END:VCALENDAR\r\n`

/** A calendar of 1 MB, filled with `partOf(0)`, `partOf(1)` and so on. */
function fill(partOf: (i: number) => string) {
  let text = ''
  for (let i = 0; text.length < size - 1000; i += 1) text += partOf(i)
  return wrap(text)
}

const event = (i: number, ...lines: string[]) =>
  ['BEGIN:VEVENT', `UID:${i}`, ...lines, 'END:VEVENT', ''].join('\r\n')

const start = 'DTSTART:19700101T000000Z'

const recurring = (rule: string) => fill((i) => event(i, start, `RRULE:${rule}`))

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i)

/** A list of numbers for a part of a rule, without 0. */
const list = (first: number, last: number) =>
  range(first, last)
    .filter((n) => n !== 0)
    .join(',')

const everyTime = `BYHOUR=${list(0, 23)};BYMINUTE=${list(1, 59)};BYSECOND=${list(1, 59)}`

const zoned = (i: number, year: number, ...rules: string[]) =>
  [
    'BEGIN:VTIMEZONE',
    `TZID:Zone ${i}`,
    ...rules.flatMap((rule) => [
      'BEGIN:STANDARD',
      'DTSTART:16010101T000000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      `RRULE:${rule}`,
      'END:STANDARD',
    ]),
    'END:VTIMEZONE',
    event(i, `DTSTART;TZID=Zone ${i}:${year}0101T000000`, 'DURATION:P9999D'),
  ].join('\r\n')

const dates = (count: number, suffix = '') =>
  Array.from({ length: count }, (_, i) => date(i) + suffix).join(',')

/** Times in March and October, when clocks change. */
const date = (i: number) =>
  `2026${pad(3 + (i % 2) * 7)}${pad(1 + (i % 28))}T${pad(i % 24)}${pad(Math.floor(i / 672) % 60)}${pad(i % 60)}`

const pad = (n: number) => String(n).padStart(2, '0')

/** An ordinary calendar of one-hour meetings, with which the hostile files are compared. */
export const ordinaryFile = () =>
  fill((i) => event(i, `DTSTART:${date(i)}`, 'DURATION:PT1H', `SUMMARY:Meeting ${i}`))

export const hostileFiles: Record<string, () => string> = {
  'endless rules of seconds': () => recurring('FREQ=SECONDLY'),
  'endless daily rules': () => recurring('FREQ=DAILY'),
  'rules that count to a milliard': () => recurring('FREQ=HOURLY;COUNT=1000000000'),
  'rules that never match': () => recurring('FREQ=YEARLY;BYYEARDAY=366;BYMONTH=2;COUNT=9'),
  'week numbers': () => recurring('FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO;BYYEARDAY=1;COUNT=99'),
  'numbered weekdays': () => recurring('FREQ=YEARLY;BYDAY=53MO,-53TU;COUNT=9999'),
  'all times of the day': () => recurring(`FREQ=YEARLY;COUNT=1000000;${everyTime}`),
  'many positions': () => recurring(`FREQ=SECONDLY;BYSETPOS=${list(-366, 366)}`),
  'one rule of 1 MB': () =>
    wrap(
      event(1, start, `RRULE:FREQ=YEARLY;COUNT=9999;BYDAY=${'+01MO,-53TU,1WE,'.repeat(62_000)}MO`),
    ),
  'one event with many rules': () =>
    wrap(
      event(1, start, ...Array<string>(20_000).fill('RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30')),
    ),
  'one series with many dates': () =>
    wrap(
      event(
        1,
        'DTSTART;TZID=Europe/Berlin:20260101T000000',
        `RDATE;TZID=Europe/Berlin:${dates(60_000)}`,
        'RRULE:FREQ=DAILY',
      ),
    ),
  'one series with many exceptions': () =>
    wrap(
      event(
        1,
        'DTSTART;TZID=Europe/Berlin:20260101T000000',
        `EXDATE;TZID=Europe/Berlin:${dates(60_000)}`,
        'RRULE:FREQ=DAILY',
      ),
    ),
  'one series with many changes': () =>
    fill((i) =>
      i === 0
        ? event(1, 'DTSTART:20260101T000000', 'RRULE:FREQ=HOURLY;INTERVAL=2')
        : event(1, `RECURRENCE-ID;RANGE=THISANDFUTURE:${date(i)}`, `DTSTART:${date(i + 1)}`),
    ),
  'many events at the same time': () =>
    fill((i) => event(i, 'DTSTART:20261117T090000Z', 'DURATION:PT1H')),
  'one UID': () =>
    fill((i) => event(1, `DTSTART:20261117T0900${pad(i % 60)}Z`, `DURATION:PT${i}S`)),
  'long texts in a series': () =>
    wrap(
      event(
        1,
        `SUMMARY:${'a'.repeat(900_000)}`,
        'DTSTART:20260101T000000Z',
        'RRULE:FREQ=HOURLY;INTERVAL=2',
      ),
    ),
  'one line': () => wrap(`SUMMARY:${'x'.repeat(size)}\r\n`),
  'one parameter': () => wrap(`ATTENDEE;CN="${'x;:='.repeat(size / 4)}":a\r\n`),
  'many parameters': () => wrap(`ATTENDEE${';A=B'.repeat(size / 4)}:a\r\n`),
  'a fold after every character': () => wrap(`SUMMARY:${'x\r\n '.repeat(size / 4)}\r\n`),
  'deep nesting': () => wrap('BEGIN:VEVENT\r\n'.repeat(size / 14)),
  'many components': () => wrap('BEGIN:VALARM\r\nEND:VALARM\r\n'.repeat(size / 28)),
  'many calendars': () => wrap('').repeat(size / 32),
  'empty lines': () => wrap('\n'.repeat(size)),
  'no calendar': () => ':;="\n'.repeat(size / 5),
  'many zones': () =>
    fill((i) =>
      zoned(i, 2000, 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'),
    ),
  'zones that change every second': () =>
    fill((i) => zoned(i, 2000, 'FREQ=SECONDLY', 'FREQ=DAILY;COUNT=999999')),
  'a zone of many rules, in many years': () =>
    wrap(
      zoned(0, 2000, ...Array<string>(3000).fill('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')) +
        range(1000, 7000)
          .map((year) => event(year, `DTSTART;TZID=Zone 0:${year}0101T000000`, 'DURATION:P9D'))
          .join(''),
    ),
  'zones without a name': () => fill((i) => event(i, `DTSTART;TZID=Nowhere/${i}:20261117T090000`)),
  'many zones of the database': () => {
    const zones = Intl.supportedValuesOf('timeZone')
    return fill((i) =>
      event(i, `DTSTART;TZID=${zones[i % zones.length]}:20260329T023000`, 'DURATION:P300D'),
    )
  },
  'busy times': () =>
    wrap(`BEGIN:VFREEBUSY\r\nFREEBUSY:${dates(45_000, 'Z/PT5H')}\r\nEND:VFREEBUSY\r\n`),
}
