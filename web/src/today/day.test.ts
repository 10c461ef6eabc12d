import type { ListedTimeBlock } from '@daywright/contract'
import { describe, expect, it } from 'vitest'
import { dayFrom } from './day.ts'

const zone = 'Europe/Berlin'
const windows = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '00:00', end: '08:00' }]

const block = (startAt: string, endAt: string, more: Partial<ListedTimeBlock> = {}) =>
  ({
    id: startAt,
    startAt: new Date(startAt),
    endAt: new Date(endAt),
    status: 'scheduled',
    task: { id: 't', title: 't', priority: 'none', status: 'todo' },
    ...more,
  }) as ListedTimeBlock

const dayAt = (now: string, blocks: ListedTimeBlock[]) =>
  dayFrom({ blocks, tasks: [], windows, now: new Date(now), zone })

describe('the day', () => {
  it('has the current and the next block', () => {
    const day = dayAt('2026-11-17T09:30:00Z', [
      block('2026-11-17T10:00:00Z', '2026-11-17T11:00:00Z'),
      block('2026-11-17T09:00:00Z', '2026-11-17T10:00:00Z'),
      block('2026-11-17T08:00:00Z', '2026-11-17T09:00:00Z', { status: 'completed' }),
    ])

    expect(day.current?.id).toBe('2026-11-17T09:00:00Z')
    expect(day.next?.id).toBe('2026-11-17T10:00:00Z')
    expect(day).toMatchObject({ plannedMinutes: 180, doneMinutes: 60 })
  })

  it('counts only the part of a block that is on the day', () => {
    const over = block('2026-11-16T22:00:00Z', '2026-11-17T00:00:00Z')

    expect(dayAt('2026-11-17T09:30:00Z', [over])).toMatchObject({
      plannedMinutes: 60,
      unfinished: [],
    })
  })

  it('includes yesterday’s unfinished blocks, unless the task is done', () => {
    const left = block('2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z')
    const task = { id: 'd', title: 'd', priority: 'none', status: 'completed' } as const
    const done = block('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z', { task })

    expect(dayAt('2026-11-17T09:30:00Z', [left, done]).unfinished).toEqual([left])
  })

  it.for([
    ['2026-03-29', 7 * 60],
    ['2026-10-25', 9 * 60],
    ['2026-11-17', 8 * 60],
  ] as const)('has the real number of hours on %s', ([date, minutes]) => {
    expect(dayAt(`${date}T12:00:00Z`, []).capacityMinutes).toBe(minutes)
  })
})
