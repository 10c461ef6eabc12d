import { describe, expect, it } from 'vitest'
import { clockChangeOn } from './clock-change.ts'
import { nextFree } from '../blocks/next-free.ts'
import { segmentsOf } from './segments.ts'

const sydney = 'Australia/Sydney'
const days = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) => Temporal.PlainDate.from(first).add({ days: index }))
const at = (wall: string, zone = sydney) =>
  new Date(Temporal.PlainDateTime.from(wall).toZonedDateTime(zone).epochMilliseconds)
const block = (id: string, start: string, end: string) => ({
  id,
  startAt: at(start),
  endAt: at(end),
})

describe('segments', () => {
  it('are in the local time of the zone', () => {
    const [monday] = segmentsOf(
      [block('a', '2026-11-16T09:00', '2026-11-16T10:30')],
      days('2026-11-16', 7),
      sydney,
    )
    expect(monday).toMatchObject([{ day: 0, start: 540, end: 630, lane: 0, lanes: 1 }])
  })

  it('are split at midnight, and may begin before the first day', () => {
    const columns = segmentsOf(
      [
        block('a', '2026-11-16T22:00', '2026-11-17T02:00'),
        block('b', '2026-11-15T23:00', '2026-11-16T01:00'),
        block('c', '2026-11-17T20:00', '2026-11-18T00:00'),
      ],
      days('2026-11-16', 3),
      sydney,
    )
    expect(
      columns.map((column) => column.map(({ item, start, end }) => [item.id, start, end])),
    ).toEqual([
      [
        ['b', 0, 60],
        ['a', 1320, 1440],
      ],
      [
        ['a', 0, 120],
        ['c', 1200, 1440],
      ],
      [],
    ])
  })

  it('are side by side where they overlap, and have the full width otherwise', () => {
    const [column] = segmentsOf(
      [
        block('a', '2026-11-16T09:00', '2026-11-16T11:00'),
        block('b', '2026-11-16T09:30', '2026-11-16T10:00'),
        block('c', '2026-11-16T10:00', '2026-11-16T10:30'),
        block('d', '2026-11-16T11:00', '2026-11-16T12:00'),
      ],
      days('2026-11-16', 1),
      sydney,
    )
    expect(column?.map(({ lane, lanes }) => [lane, lanes])).toEqual([
      [0, 2],
      [1, 2],
      [1, 2],
      [0, 1],
    ])
  })

  it('span local time when the clock jumps forward', () => {
    // 4 October 2026: 2:00 becomes 3:00, so this is one hour of work.
    const [column] = segmentsOf(
      [block('a', '2026-10-04T01:30', '2026-10-04T03:30')],
      days('2026-10-04', 1),
      sydney,
    )
    expect(column).toMatchObject([{ start: 90, end: 210 }])
  })

  it('keep their duration when the clock is set back', () => {
    // 5 April 2026: 3:00 becomes 2:00. From the first 2:30 to the second is an hour.
    const startAt = at('2026-04-05T02:30')
    const endAt = new Date(startAt.getTime() + 3_600_000)
    const [column] = segmentsOf([{ id: 'a', startAt, endAt }], days('2026-04-05', 1), sydney)
    expect(column).toMatchObject([{ start: 150, end: 210 }])
  })
})

describe('clockChangeOn', () => {
  it.each([
    ['2026-10-04', sydney, { kind: 'skipped', start: 120, end: 180 }],
    ['2026-04-05', sydney, { kind: 'repeated', start: 120, end: 180 }],
    ['2026-03-29', 'Europe/Paris', { kind: 'skipped', start: 120, end: 180 }],
    ['2026-11-16', sydney, undefined],
    // The clock jumps at midnight itself: that day begins at 1:00.
    ['2026-04-24', 'Africa/Cairo', { kind: 'skipped', start: 0, end: 60 }],
  ])('finds the clock change, or none, on %s in %s', (day, zone, expected) => {
    expect(clockChangeOn(Temporal.PlainDate.from(day), zone)).toEqual(expected)
  })
})

describe('nextFree', () => {
  const windows = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '12:00' }]
  const free = (minutes: number, from: string, ...blocks: ReturnType<typeof block>[]) => {
    const hours = { windows, busy: [], kept: [], lunch: null }
    const found = nextFree(minutes, at(from), { blocks, hours, zone: sydney })
    return (
      found &&
      Temporal.Instant.from(found.startAt.toISOString())
        .toZonedDateTimeISO(sydney)
        .toPlainDateTime()
        .toString()
    )
  }

  it('is the first gap that is long enough', () => {
    const busy = block('a', '2026-11-16T09:30', '2026-11-16T11:00')
    expect(free(30, '2026-11-16T07:00', busy)).toBe('2026-11-16T09:00:00')
    expect(free(60, '2026-11-16T07:00', busy)).toBe('2026-11-16T11:00:00')
    expect(free(90, '2026-11-16T07:00', busy)).toBe('2026-11-17T09:00:00')
  })

  it('is not in the past, nor outside the windows', () => {
    expect(free(60, '2026-11-16T09:07')).toBe('2026-11-16T09:15:00')
    expect(free(60, '2026-11-20T11:30')).toBe('2026-11-23T09:00:00')
    expect(free(240, '2026-11-16T09:00')).toBe(undefined)
  })

  it('is not at lunch', () => {
    const hours = {
      windows: [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }],
      busy: [],
      kept: [],
      lunch: { from: '12:00', to: '14:00', minutes: 60 },
    }
    const found = (minutes: number) =>
      nextFree(minutes, at('2026-11-16T11:00'), { blocks: [], hours, zone: sydney })?.startAt

    expect(found(90)).toEqual(at('2026-11-16T11:00'))
    expect(found(120)).toEqual(at('2026-11-16T13:30'))
    expect(found(240)).toBe(undefined)
  })
})
