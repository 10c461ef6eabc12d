import { describe, expect, it } from 'vitest'
import { readCalendar, type ReadingOptions } from './read-calendar.ts'

const event = (uid: string, ...lines: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  `SUMMARY:${uid.toUpperCase()}`,
  ...lines,
  'END:VEVENT',
]

const read = (lines: string[], options: Partial<ReadingOptions> = {}) =>
  readCalendar(
    new TextEncoder().encode(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n')),
    { from: '2026-11-16T00:00:00Z', to: '2026-11-30T00:00:00Z', zone: 'Europe/Berlin', ...options },
  )

const keysOf = (lines: string[], options: Partial<ReadingOptions> = {}) =>
  read(lines, options).occurrences.map(({ key, startAt }) => [key, startAt.slice(0, 16)])

describe('a reading', () => {
  it('has the name and the zone of the calendar', () => {
    const lines = ['X-WR-CALNAME:Work\\, mostly', 'X-WR-TIMEZONE:Asia/Tokyo']
    expect(read(lines)).toMatchObject({ name: 'Work, mostly', zone: 'Asia/Tokyo' })
    expect(read([])).toMatchObject({ name: null, zone: null, skipped: [], occurrences: [] })
  })

  it('has the title and the location, cut to the limit', () => {
    const lines = event('a', 'DTSTART:20261117T090000Z', 'LOCATION:Room 1\\; left')
    expect(read(lines, { limits: { text: 6 } }).occurrences).toMatchObject([
      { title: 'A', location: 'Room 1' },
    ])
  })

  it('ends earlier if there are too many occurrences, and is complete until then', () => {
    const lines = [
      ...event('a', 'DTSTART:20261116T090000Z', 'RRULE:FREQ=DAILY'),
      ...event('b', 'DTSTART:20261117T090000Z', 'RRULE:FREQ=DAILY'),
    ]
    const { completeUntil, occurrences } = read(lines, { limits: { occurrences: 4 } })
    expect(completeUntil).toBe('2026-11-18T09:00:00.000Z')
    expect(occurrences.map(({ uid }) => uid)).toEqual(expect.arrayContaining(['a', 'b']))
    expect(occurrences).toHaveLength(3)
  })

  it.each(['', 'X-A:a', 'no property', 'SUMMARY:a'])('costs a step for each line %j', (line) => {
    const limits = { steps: 1000 }
    expect(() => read(Array<string>(900).fill(line), { limits })).not.toThrow()
    expect(() => read(Array<string>(1100).fill(line), { limits })).toThrow('too-many-steps')
  })

  it('lists what was skipped, and why', () => {
    const lines = [
      ...event('a', 'DTSTART:never'),
      ...event('b', 'DTSTART:20261117T090000Z', 'RECURRENCE-ID:never'),
      ...event('c', 'DTSTART:20261117T090000Z', 'RRULE:FREQ=SECONDLY'),
      ...event('d', 'DTSTART:19000101T090000Z', 'RRULE:FREQ=HOURLY;COUNT=999999999'),
      ...event('e', 'DTSTART:20261117T090000Z', 'RRULE:FREQ=SOMETIMES'),
    ]
    const { skipped, occurrences } = read(lines)
    expect(skipped).toEqual([
      { uid: 'a', title: 'A', reason: 'no-start' },
      { uid: 'b', title: 'B', reason: 'bad-recurrence-id' },
      { uid: 'c', title: 'C', reason: 'too-many-occurrences' },
      { uid: 'd', title: 'D', reason: 'too-many-steps' },
      { uid: 'e', title: 'E', reason: 'rule-not-understood' },
    ])
    expect(occurrences.map(({ uid }) => uid)).toEqual(['e'])
    expect(read(lines, { limits: { skipped: 2 } })).toMatchObject({
      skipped: skipped.slice(0, 2),
      skippedCount: 5,
    })
  })
})

describe('the key of an occurrence', () => {
  it('stays when a single event or an occurrence of a series is moved', () => {
    expect(keysOf(event('a', 'DTSTART:20261117T090000Z'))).toEqual([['a', '2026-11-17T09:00']])
    expect(keysOf(event('a', 'DTSTART:20261118T090000Z'))).toEqual([['a', '2026-11-18T09:00']])
    const series = event('b', 'DTSTART;TZID=Asia/Tokyo:20261117T090000', 'RRULE:FREQ=DAILY;COUNT=2')
    const moved = event('b', 'RECURRENCE-ID:20261118T000000Z', 'DTSTART:20261120T120000Z')
    expect(keysOf([...series, ...moved])).toEqual([
      ['b 20261117T090000', '2026-11-17T00:00'],
      ['b 20261118T090000', '2026-11-20T12:00'],
    ])
  })

  it("does not depend on the user's zone", () => {
    const lines = event('a', 'DTSTART:20261117T090000', 'RRULE:FREQ=DAILY;COUNT=1')
    expect(keysOf(lines)).toEqual([['a 20261117T090000', '2026-11-17T08:00']])
    expect(keysOf(lines, { zone: 'America/New_York' })).toEqual([
      ['a 20261117T090000', '2026-11-17T14:00'],
    ])
  })

  it('differs for different events with the same UID', () => {
    const lines = [
      ...event('a', 'DTSTART:20261117T090000Z'),
      ...event('a', 'DTSTART:20261117T090000Z', 'DURATION:PT1H'),
    ]
    expect(keysOf(lines).map(([key]) => key)).toEqual(['a 20261117T090000', 'a 20261117T090000 #2'])
  })
})
