import { describe, expect, it } from 'vitest'
import { addHours, coverOf, paint, weekOf, windowsFrom } from './week-ranges.ts'

const office = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]
const hours = (start: number, end: number) => ({ start: start * 60, end: end * 60 })

describe('a painted week', () => {
  it('converts back to its windows', () => {
    const windows = [
      { day: [1, 2], start: '08:15', end: '12:00' },
      { day: [1], start: '13:00', end: '17:50' },
    ]
    expect(windowsFrom(weekOf(windows))).toEqual(windows)
  })

  it('splits a range when its middle is erased, and merges it when repainted', () => {
    const lunch = paint(weekOf(office), 1, hours(12, 13), false)
    expect(lunch[1]).toEqual([hours(9, 12), hours(13, 17)])
    expect(paint(lunch, 1, hours(12, 13), true)).toEqual(weekOf(office))
  })

  it('keeps a start that is not on a half hour', () => {
    const odd = weekOf([{ day: [1], start: '09:07', end: '10:00' }])
    expect(paint(odd, 1, hours(10, 11), true)[1]).toEqual([{ start: 547, end: 660 }])
  })

  it('splits hours that cross midnight', () => {
    expect(windowsFrom(addHours(weekOf([]), [6], 22 * 60, 2 * 60))).toEqual([
      { day: [0], start: '00:00', end: '02:00' },
      { day: [6], start: '22:00', end: '23:59' },
    ])
  })

  it('keeps hours that end at midnight when converted to windows and back', () => {
    const late = addHours(weekOf([]), [3], 20 * 60, 0)
    expect(windowsFrom(late)).toEqual([{ day: [3], start: '20:00', end: '23:59' }])
    expect(weekOf(windowsFrom(late))).toEqual(late)
  })

  it('tells a partly covered half hour from a full and an empty one', () => {
    const ranges = [{ start: 540, end: 555 }]
    expect(coverOf(ranges, { start: 540, end: 570 })).toBe('part')
    expect(coverOf(ranges, { start: 510, end: 540 })).toBe('none')
    expect(coverOf(ranges, { start: 540, end: 555 })).toBe('full')
  })
})
