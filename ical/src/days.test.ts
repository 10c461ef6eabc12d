import { describe, expect, it } from 'vitest'
import { dateOf, dayNumber, formatWall, parseWall, weekdayOf, weekStartOf } from './days.ts'

describe('days', () => {
  it('have the numbers and dates that `Date` has, from the year 1 to 9999', () => {
    const wrong: number[] = []
    for (let day = dayNumber(1, 1, 1); day < dayNumber(10_000, 1, 1); day += 13) {
      const date = new Date(day * 86_400_000)
      const { year, month, day: dayOfMonth } = dateOf(day)
      const found = [year, month, dayOfMonth, dayNumber(year, month, dayOfMonth), weekdayOf(day)]
      const expected = [
        date.getUTCFullYear(),
        date.getUTCMonth() + 1,
        date.getUTCDate(),
        day,
        date.getUTCDay(),
      ]
      if (String(found) !== String(expected)) wrong.push(day)
    }
    expect(wrong).toEqual([])
    expect(dateOf(dayNumber(2000, 2, 29))).toEqual({ year: 2000, month: 2, day: 29 })
  })

  it('carry surplus months over to the next year', () => {
    expect(dateOf(dayNumber(2026, 14, 1))).toEqual({ year: 2027, month: 2, day: 1 })
  })

  it('have a week that may begin on any weekday', () => {
    const tuesday = dayNumber(2026, 11, 17)
    expect(weekStartOf(tuesday, 1)).toBe(tuesday - 1)
    expect(weekStartOf(tuesday, 2)).toBe(tuesday)
    expect(weekStartOf(tuesday, 3)).toBe(tuesday - 6)
  })
})

describe('a wall time', () => {
  it.each(['20261117', '00010101T000000', '20240229T235959', '16010101T030000'])(
    '%s is unchanged after it was parsed and formatted',
    (text) => {
      expect(formatWall(parseWall(text)!, text.length === 8)).toBe(text)
    },
  )

  it.each([
    '20260229',
    '20261301',
    '20261100',
    '20261117T240000',
    '2026-11-17',
    '20261117T0900',
    '',
  ])('%j is refused', (text) => {
    expect(parseWall(text)).toBeUndefined()
  })
})
