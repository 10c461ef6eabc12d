import { describe, expect, it } from 'vitest'
import { clock, countFormats, dayName, formatsKept, localDay } from './local-time.ts'

describe('localDay', () => {
  it.for([
    ['UTC', '2026-03-02T00:00:00Z', '2026-03-02', '2026-03-02T00:00Z', 24],
    ['UTC', '2026-03-02T23:59:59.999Z', '2026-03-02', '2026-03-02T00:00Z', 24],
    ['Australia/Sydney', '2026-03-02T12:59:59.999Z', '2026-03-02', '2026-03-01T13:00Z', 24],
    ['Australia/Sydney', '2026-03-02T13:00:00Z', '2026-03-03', '2026-03-02T13:00Z', 24],
    ['America/Los_Angeles', '2026-01-01T07:59:59.999Z', '2025-12-31', '2025-12-31T08:00Z', 24],
    ['Asia/Kathmandu', '2026-03-01T18:15:00Z', '2026-03-02', '2026-03-01T18:15Z', 24],
    ['Pacific/Kiritimati', '2026-03-02T10:00:00Z', '2026-03-03', '2026-03-02T10:00Z', 24],
    ['Etc/GMT+12', '2026-03-02T11:59:00Z', '2026-03-01', '2026-03-01T12:00Z', 24],
    // The clock is put forward and back within the day.
    ['Europe/Berlin', '2026-03-29T12:00:00Z', '2026-03-29', '2026-03-28T23:00Z', 23],
    ['Europe/Berlin', '2026-10-25T12:00:00Z', '2026-10-25', '2026-10-24T22:00Z', 25],
    ['America/New_York', '2026-03-08T04:59:00Z', '2026-03-07', '2026-03-07T05:00Z', 24],
    ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01', '2026-11-01T04:00Z', 25],
    ['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01', '2026-11-01T04:00Z', 25],
    ['Australia/Lord_Howe', '2026-10-03T20:00:00Z', '2026-10-04', '2026-10-03T13:30Z', 23.5],
    ['Australia/Lord_Howe', '2026-04-04T20:00:00Z', '2026-04-05', '2026-04-04T13:00Z', 24.5],
    // The clock changes at midnight: the day begins at 01:00, or has two midnights and begins at the first.
    ['Africa/Cairo', '2026-04-24T12:00:00Z', '2026-04-24', '2026-04-23T22:00Z', 23],
    ['America/Havana', '2026-11-01T04:30:00Z', '2026-11-01', '2026-11-01T04:00Z', 25],
    ['America/Havana', '2026-11-01T05:30:00Z', '2026-11-01', '2026-11-01T04:00Z', 25],
    // The clock goes back from 24:00 to 23:00: the last hour comes twice, and both belong to the day.
    ['Africa/Cairo', '2026-10-29T21:30:00Z', '2026-10-29', '2026-10-28T21:00Z', 25],
    // Samoa had no 30 December 2011.
    ['Pacific/Apia', '2011-12-30T09:59:00Z', '2011-12-29', '2011-12-29T10:00Z', 24],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31', '2011-12-30T10:00Z', 24],
  ] as const)('%s at %s: %s, from %s, for %d hours', ([timezone, now, date, start, hours]) => {
    const day = localDay(new Date(now), timezone)

    expect(day.date).toBe(date)
    expect(day.start).toEqual(new Date(start))
    expect((day.end.getTime() - day.start.getTime()) / 3_600_000).toBe(hours)
  })
})

describe('clock and dayName', () => {
  it.for([
    ['UTC', '2026-03-06T16:00:00Z', '16:00', 'Fri 6 Mar, 16:00'],
    ['UTC', '2026-03-06T00:00:00Z', '00:00', 'Fri 6 Mar, 00:00'],
    ['UTC', '2026-03-06T09:05:59.999Z', '09:05', 'Fri 6 Mar, 09:05'],
    ['Australia/Sydney', '2026-03-06T16:00:00Z', '03:00', 'Sat 7 Mar, 03:00'],
    ['Asia/Kolkata', '2026-03-06T16:00:00Z', '21:30', 'Fri 6 Mar, 21:30'],
    ['Europe/Berlin', '2026-03-29T00:59:00Z', '01:59', 'Sun 29 Mar, 01:59'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '03:00', 'Sun 29 Mar, 03:00'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '02:30', 'Sun 25 Oct, 02:30'],
    ['Europe/Berlin', '2026-10-25T01:30:00Z', '02:30', 'Sun 25 Oct, 02:30'],
  ] as const)('%s at %s: %s, %s', ([timezone, instant, time, day]) => {
    expect(clock(new Date(instant), timezone)).toBe(time)
    expect(dayName(new Date(instant), timezone)).toBe(day)
  })
})

describe('the cached formats', () => {
  it('are bounded, however many zones and spellings are asked for', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const now = new Date('2026-03-02T08:00:00Z')

    for (const zone of [...zones, ...zones.map((name) => name.toLowerCase())]) clock(now, zone)

    expect(countFormats()).toBe(formatsKept)
  })
})
