import { describe, expect, it } from 'vitest'
import {
  createTimeFormat,
  formatList,
  formatMinutes,
  formatNumber,
  formatTitle,
} from '../src/explain/format.ts'
import { at } from './problem.ts'

describe('times', () => {
  const now = at('2026-01-05T08:00Z')

  it.each([
    ['UTC', '2026-01-06T13:55Z', 'Tue 13:55'],
    ['Australia/Sydney', '2026-01-06T13:55Z', 'Wed 00:55'],
    ['America/St_Johns', '2026-01-06T13:55Z', 'Tue 10:25'],
    ['Asia/Kathmandu', '2026-01-06T13:55Z', 'Tue 19:40'],
    ['UTC', '2026-01-11T09:00Z', 'Sun 09:00'],
    ['UTC', '2026-01-12T09:00Z', 'Mon 12 Jan 09:00'],
    ['UTC', '2026-01-04T09:00Z', 'Sun 4 Jan 09:00'],
    ['UTC', '2025-12-31T09:00Z', 'Wed 31 Dec 2025 09:00'],
  ])('in %s, %s is %s', (zone, stamp, text) => {
    expect(createTimeFormat(zone, now).time(at(stamp))).toBe(text)
  })

  it('need no year for the next days', () => {
    const format = createTimeFormat('UTC', at('2026-12-30T08:00Z'))

    expect(format.time(at('2027-01-02T09:00Z'))).toBe('Sat 09:00')
    expect(format.time(at('2027-01-09T09:00Z'))).toBe('Sat 9 Jan 2027 09:00')
  })

  it('follow clock changes as Intl does, in any order', () => {
    for (const zone of ['Europe/Berlin', 'Africa/Cairo', 'Australia/Lord_Howe', 'America/Havana']) {
      const format = createTimeFormat(zone, now)
      const clock = new Intl.DateTimeFormat('en-GB', {
        timeZone: zone,
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      })
      for (let i = 0; i < 2000; i++) {
        const moment = now + ((i * 7919) % 9000) * 3_600_000
        expect(format.clock(moment)).toBe(clock.format(moment))
      }
    }
  })

  it('are exact to the minute of a clock change', () => {
    const format = createTimeFormat('Europe/Berlin', at('2026-03-28T08:00Z'))
    const change = at('2026-03-29T01:00Z')

    expect([change, change - 60_000].map(format.time)).toEqual(['Sun 03:00', 'Sun 01:59'])
  })
})

describe('lengths and names', () => {
  it.each([
    [5, '5 min'],
    [60, '1 h'],
    [95, '1 h 35 min'],
  ])('%i minutes are %s', (minutes, text) => {
    expect(formatMinutes(minutes)).toBe(text)
  })

  it('writes numbers in words up to ten', () => {
    expect([2, 10, 11].map(formatNumber)).toEqual(['two', 'ten', '11'])
  })

  it('quotes titles on one line, cut to a length and never inside a character', () => {
    expect(formatTitle(' Pay\n rent ')).toBe('“Pay rent”')
    expect(formatTitle('Read “Emma”')).toBe('“Read ‘Emma’”')
    expect(formatTitle(`${'a'.repeat(58)}😀😀`)).toBe(`“${'a'.repeat(58)}…”`)
    expect(formatTitle(`${'a'.repeat(58)}😀😀`).isWellFormed()).toBe(true)
  })

  it('lists at most three names', () => {
    expect(formatList(['A'])).toBe('A')
    expect(formatList(['A', 'B', 'C'])).toBe('A, B and C')
    expect(formatList(['A', 'B', 'C'], 6)).toBe('A, B and 4 more')
  })
})
