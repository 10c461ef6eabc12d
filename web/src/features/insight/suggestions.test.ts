import type { ListedTask } from '@daywright/contract'
import { describe, expect, it } from 'vitest'
import { laterDue, lessWork, longerDays, type Risk } from './suggestions.ts'

const zone = 'Europe/Paris'
const now = new Date('2026-03-02T08:00:00Z')
const task = {
  id: 't',
  estimateMinutes: 240,
  dueAt: new Date('2026-03-03T16:00:00Z'),
} as ListedTask
const risk = (more: Partial<Risk>): Risk => ({
  task,
  text: '',
  proof: null,
  missingMinutes: 0,
  endsAt: undefined,
  inTimeMinutes: 0,
  ...more,
})

describe('suggestions', () => {
  it('move the due date to 17:00 on the day on which the plan ends', () => {
    const due = laterDue(risk({ endsAt: new Date('2026-03-04T10:00:00Z') }), now, zone)
    expect(due.toISOString()).toBe('2026-03-04T16:00:00.000Z')
  })

  it('move the due date to the next full hour if the plan ends after 17:00', () => {
    const due = laterDue(risk({ endsAt: new Date('2026-03-04T18:40:00Z') }), now, zone)
    expect(due.toISOString()).toBe('2026-03-04T19:00:00.000Z')
  })

  it('move the due date by a week if the task does not fit', () => {
    const due = laterDue(risk({ missingMinutes: 60 }), now, zone)
    expect(due.toISOString()).toBe('2026-03-10T16:00:00.000Z')
  })

  it.for([
    [{ missingMinutes: 100 }, 135],
    [{ inTimeMinutes: 90 }, 90],
    [{}, 120],
  ] as const)('shorten %o to %i minutes', ([more, minutes]) => {
    expect(lessWork(risk(more))).toBe(minutes)
  })

  it('extend each working day by an hour, but not past midnight', () => {
    expect(
      longerDays([
        { day: [1], start: '09:00', end: '12:00' },
        { day: [1], start: '13:00', end: '17:00' },
        { day: [2], start: '20:00', end: '23:30' },
      ]),
    ).toEqual([
      { day: [1], start: '09:00', end: '12:00' },
      { day: [1], start: '13:00', end: '18:00' },
      { day: [2], start: '20:00', end: '23:59' },
    ])
  })
})
