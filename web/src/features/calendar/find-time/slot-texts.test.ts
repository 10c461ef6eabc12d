import { describe, expect, it } from 'vitest'
import { formatDay } from '../../../time/format.ts'
import { describeCost, isCostly, type Slot } from './slot-texts.ts'

const titleOf = (id: string) => `Task ${id}`
const place = { startAt: new Date('2026-03-02T09:00Z'), endAt: new Date('2026-03-02T10:00Z') }
const later = { startAt: new Date('2026-03-05T14:30Z'), endAt: new Date('2026-03-05T15:30Z') }
const slot = (effect: Partial<Slot['effect']>) => ({
  effect: {
    becomeLate: [],
    becomeOnTime: [],
    lateMinutes: 0,
    leftOverMinutes: 0,
    moves: [],
    ...effect,
  },
})
const costOf = (effect: Partial<Slot['effect']>) => describeCost(slot(effect), titleOf, 'UTC')

describe('the cost of a slot', () => {
  it('is nothing if the slot is free', () => {
    expect(costOf({})).toBe('Nothing else changes.')
  })
  it('names the one block that moves, and where it goes', () => {
    expect(costOf({ moves: [{ taskId: 'a', from: place, to: later }] })).toBe(
      `Moves “Task a” to ${formatDay(later.startAt, 'UTC')} 14:30.`,
    )
  })
  it('counts the blocks that move or disappear, but not new ones', () => {
    const moves = [
      { taskId: 'a', from: place, to: later },
      { taskId: 'b', from: place, to: null },
      { taskId: 'b', from: null, to: later },
    ]

    expect(costOf({ moves })).toBe('Moves 2 planned blocks.')
  })
  it('begins with the tasks that become late', () => {
    const moves = [
      { taskId: 'a', from: place, to: later },
      { taskId: 'b', from: place, to: later },
    ]

    expect(costOf({ becomeLate: ['a', 'b'], lateMinutes: 90, moves })).toBe(
      'Makes “Task a” and “Task b” late. Moves 2 planned blocks.',
    )
  })
  it('says by how much late work is delayed, and what no longer fits', () => {
    expect(costOf({ lateMinutes: 30, leftOverMinutes: 75 })).toBe(
      'Work that is already late will be 30m later. 1h 15m of work no longer fits into the next two weeks.',
    )
  })
})

describe('a slot', () => {
  it.for([{ becomeLate: ['a'] }, { lateMinutes: 10 }, { leftOverMinutes: 15 }])(
    'is costly with %o',
    (effect) => {
      expect(isCostly(slot(effect))).toBe(true)
    },
  )
  it('is not costly if work only moves', () => {
    expect(isCostly(slot({ moves: [{ taskId: 'a', from: place, to: later }] }))).toBe(false)
  })
})
