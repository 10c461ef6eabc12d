import { describe, expect, it } from 'vitest'
import { isPast } from './index.ts'

const from = new Date('2026-11-19T08:00:00Z')
const judge = (...lines: string[]) => isPast(new TextEncoder().encode(lines.join('\r\n')), from)

describe('isPast', () => {
  it.for<[string, boolean, string[]]>([
    ['an event before the time', true, ['DTSTART:20260301T090000Z', 'DTEND:20260301T100000Z']],
    ['an event of the day before, which may be in any zone', false, ['DTSTART:20261118T090000']],
    ['an event that ends later', false, ['DTSTART:20260301', 'DTEND;VALUE=DATE:20261201']],
    ['a folded date', false, ['DTSTART:20260301', 'DTEND;VALUE=DA', ' TE:2026', '\t1201']],
    ['a series', false, ['DTSTART:20260301', 'rrule:FREQ=DAILY']],
    ['a list of dates', false, ['DTSTART:20260301', 'RDATE;VALUE=DATE:20261201']],
    ['an event with a duration', false, ['DTSTART:20260301', 'DURATION:P1D']],
    ['a date that cannot be read', false, ['DTSTART:20260301', 'DTEND:soon']],
    ['a file without dates', false, ['SUMMARY:None']],
    [
      'the rules of a time zone, which do not count',
      true,
      ['BEGIN:VTIMEZONE', 'DTSTART:20300101', 'RRULE:X', 'END:VTIMEZONE', 'DTSTART:20260301'],
    ],
    ['a time zone without an end', false, ['BEGIN:VTIMEZONE', 'DTSTART:20260301']],
  ])('judges %s', ([, expected, lines]) => {
    expect(judge(...lines)).toBe(expected)
  })

  // A regular expression over the whole file took more than an hour.
  it('reads nine megabytes of time zones without an end', () => {
    expect(judge('BEGIN:VTIMEZONE\n'.repeat(562_500))).toBe(false)
  })
})
