import { describe, expect, it } from 'vitest'
import { busyTimeOf, type Hours, minutesOfAll, openSpans } from './open-time.ts'

const zone = 'Europe/Berlin'
const monday = Temporal.PlainDate.from('2026-11-16')
const windows = [
  { day: [1], start: '09:00', end: '12:00' },
  { day: [1], start: '13:00', end: '17:00' },
]

const meeting = (from: string, to: string, blocks = true) => ({
  calendarId: 'work',
  startAt: new Date(`2026-11-16T${from}:00+01:00`),
  endAt: new Date(`2026-11-16T${to}:00+01:00`),
  blocks,
})

type Meeting = ReturnType<typeof meeting>

const hoursWith = (events: Meeting[], more: Partial<Hours> = {}): Hours => ({
  windows,
  busy: busyTimeOf(events, []),
  kept: [],
  lunch: null,
  ...more,
})

const inUtc = (hours: Hours) =>
  openSpans(monday, hours, zone).map(({ from, to }) =>
    [from, to].map((instant) => instant.toISOString().slice(11, 16)).join('–'),
  )

const openWith = (...events: Meeting[]) => inUtc(hoursWith(events))

describe('open time', () => {
  it('is the working time of a day without meetings', () => {
    expect(openWith()).toEqual(['08:00–11:00', '12:00–16:00'])
    expect(openSpans(monday.add({ days: 1 }), hoursWith([]), zone)).toEqual([])
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
    expect(minutesOfAll(openSpans(monday, hoursWith(meetings), zone))).toBe(7 * 60 - 90)
  })

  it('keeps the time of events that do not block it', () => {
    expect(openWith(meeting('10:00', '11:00', false))).toEqual(['08:00–11:00', '12:00–16:00'])
  })

  it('leaves out the time that a calendar keeps free around its events', () => {
    const busy = busyTimeOf([meeting('10:00', '10:30')], [{ id: 'work', paddingMinutes: 15 }])

    expect(inUtc(hoursWith([], { busy }))).toEqual(['08:00–08:45', '09:45–11:00', '12:00–16:00'])
  })
})

describe('lunch', () => {
  const allDay = [{ day: [1], start: '09:00', end: '17:00' }]
  const lunch = { from: '12:00', to: '14:00', minutes: 60 }
  const openWithLunch = (...kept: Meeting[]) =>
    inUtc(hoursWith([], { windows: allDay, lunch, kept }))

  it('is in the middle of its span', () => {
    expect(openWithLunch()).toEqual(['08:00–11:30', '12:30–16:00'])
  })

  it('makes way for a block that the planner does not move', () => {
    expect(openWithLunch(meeting('12:30', '13:00'))).toEqual(['08:00–12:00', '13:00–16:00'])
  })

  it('makes way for a meeting, and is shorter if the meeting leaves less time', () => {
    const hours = hoursWith([meeting('12:15', '13:15')], { windows: allDay, lunch })

    expect(inUtc(hours)).toEqual(['08:00–11:15', '13:00–16:00'])
  })

  it('takes no time outside the working hours', () => {
    expect(inUtc(hoursWith([], { lunch }))).toEqual(['08:00–11:00', '12:30–16:00'])
  })
})
