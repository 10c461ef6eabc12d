import { describe, expect, it } from 'vitest'
import { loadOf } from './fortnight.ts'

const zone = 'Europe/Berlin'
const monday = Temporal.PlainDate.from('2026-11-16')
const at = (time: string) => new Date(`2026-11-${time}:00+01:00`)
const block = (from: string, to: string, status: 'scheduled' | 'completed' | 'cancelled') => ({
  startAt: at(from),
  endAt: at(to),
  status,
})

describe('the load of a day', () => {
  const given = {
    first: monday,
    hours: {
      windows: [{ day: [1, 2], start: '09:00', end: '17:00' }],
      busy: [{ startAt: at('16T14:00'), endAt: at('16T15:00') }],
      kept: [],
      lunch: null,
    },
    blocks: [
      block('16T10:00', '16T11:00', 'scheduled'),
      block('16T12:00', '16T14:00', 'scheduled'),
      block('16T15:00', '16T16:00', 'completed'),
      block('17T09:00', '17T12:00', 'scheduled'),
      block('17T13:00', '17T14:00', 'cancelled'),
    ],
    zone,
  }
  const loadAt = (time: string) =>
    loadOf(given, at(time)).map((load) => [load.plannedMinutes, load.capacityMinutes])

  it('is the planned work and the working time without meetings', () => {
    expect(loadAt('16T08:00').slice(0, 3)).toEqual([
      [180, 420],
      [180, 480],
      [0, 0],
    ])
  })

  it('leaves out the hours of today that have passed', () => {
    expect(loadAt('16T13:00').slice(0, 2)).toEqual([
      [60, 180],
      [180, 480],
    ])
    expect(loadAt('16T18:00')[0]).toEqual([0, 0])
  })

  it('leaves out lunch', () => {
    const lunch = { from: '12:00', to: '13:00', minutes: 45 }
    const hours = { ...given.hours, busy: [], lunch }

    expect(loadOf({ ...given, hours }, at('16T08:00'))[0]?.capacityMinutes).toBe(8 * 60 - 45)
  })
})
