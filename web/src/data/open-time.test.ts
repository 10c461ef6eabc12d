import { describe, expect, it } from 'vitest'
import { type Meeting, minutesOfAll, openSpans } from './open-time.ts'

const zone = 'Europe/Berlin'
const monday = Temporal.PlainDate.from('2026-11-16')
const windows = [
  { day: [1], start: '09:00', end: '12:00' },
  { day: [1], start: '13:00', end: '17:00' },
]

const meeting = (from: string, to: string, blocks = true): Meeting => ({
  startAt: new Date(`2026-11-16T${from}:00+01:00`),
  endAt: new Date(`2026-11-16T${to}:00+01:00`),
  blocks,
})

const openWith = (...events: Meeting[]) =>
  openSpans(monday, windows, events, zone).map(({ from, to }) =>
    [from, to].map((instant) => instant.toISOString().slice(11, 16)).join('–'),
  )

describe('open time', () => {
  it('is the working time of a day without meetings', () => {
    expect(openWith()).toEqual(['08:00–11:00', '12:00–16:00'])
    expect(openSpans(monday.add({ days: 1 }), windows, [], zone)).toEqual([])
  })

  it('leaves out a meeting within a window, at its edge and across a break', () => {
    expect(openWith(meeting('10:00', '10:30'))).toEqual([
      '08:00–09:00',
      '09:30–11:00',
      '12:00–16:00',
    ])
    expect(openWith(meeting('08:00', '09:30'))).toEqual(['08:30–11:00', '12:00–16:00'])
    expect(openWith(meeting('11:00', '14:00'))).toEqual(['08:00–10:00', '13:00–16:00'])
    expect(openWith(meeting('00:00', '23:59'))).toEqual([])
  })

  it('counts overlapping meetings once, in any order', () => {
    const meetings = [
      meeting('10:30', '11:30'),
      meeting('10:00', '11:00'),
      meeting('10:10', '10:20'),
    ]
    expect(openWith(...meetings)).toEqual(['08:00–09:00', '10:30–11:00', '12:00–16:00'])
    expect(minutesOfAll(openSpans(monday, windows, meetings, zone))).toBe(7 * 60 - 90)
  })

  it('keeps the time of events that do not block it', () => {
    expect(openWith(meeting('10:00', '11:00', false))).toEqual(['08:00–11:00', '12:00–16:00'])
  })
})
