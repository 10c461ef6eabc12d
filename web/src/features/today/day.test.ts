import type { ListedTimeBlock } from '@daywright/contract'
import { describe, expect, it } from 'vitest'
import type { Hours } from '../../data/open-time.ts'
import { missedAmong } from '../blocks/missed.ts'
import type { ShownEvent } from '../calendars/shown-events.ts'
import { agendaOf, dayFrom, nextByTask } from './day.ts'

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

const dayAt = (now: string, blocks: ListedTimeBlock[], busy: Hours['busy'] = []) =>
  dayFrom({
    blocks,
    tasks: [],
    hours: { windows, busy, kept: [], lunch: null },
    now: new Date(now),
    zone,
  })

describe('the day', () => {
  it('has the current and the next block', () => {
    const day = dayAt('2026-11-17T09:30:00Z', [
      block('2026-11-17T10:00:00Z', '2026-11-17T11:00:00Z'),
      block('2026-11-17T09:00:00Z', '2026-11-17T10:00:00Z'),
      block('2026-11-17T08:00:00Z', '2026-11-17T09:00:00Z', { status: 'completed' }),
    ])

    expect(day.current?.id).toBe('2026-11-17T09:00:00Z')
    expect(day.next?.id).toBe('2026-11-17T10:00:00Z')
    expect(day).toMatchObject({ openMinutes: 90, doneMinutes: 60 })
  })

  it('counts only work that is still ahead and on this day', () => {
    const past = block('2026-11-17T08:00:00Z', '2026-11-17T09:00:00Z')
    const over = block('2026-11-17T22:00:00Z', '2026-11-18T00:00:00Z')

    expect(dayAt('2026-11-17T09:30:00Z', [past, over])).toMatchObject({ openMinutes: 60 })
  })

  it('has a block that was started yesterday and still runs as its current block', () => {
    const running = block('2026-11-16T15:00:00Z', '2026-11-16T16:00:00Z', { status: 'in_progress' })

    expect(dayAt('2026-11-17T09:30:00Z', [running]).current).toBe(running)
  })

  it.for([
    ['2026-03-29', 7 * 60],
    ['2026-10-25', 9 * 60],
    ['2026-11-17', 8 * 60],
  ] as const)('has the real number of hours on %s', ([date, minutes]) => {
    expect(dayAt(`${date}T12:00:00Z`, []).workingMinutes).toBe(minutes)
  })
})

describe('the time left', () => {
  it('is the rest of the working hours, without meetings', () => {
    const meeting = (from: string, to: string) => ({
      startAt: new Date(`2026-11-17T${from}:00Z`),
      endAt: new Date(`2026-11-17T${to}:00Z`),
    })
    const meetings = [meeting('01:00', '02:00'), meeting('05:30', '06:30')]

    expect(dayAt('2026-11-17T03:00:00Z', [], meetings)).toMatchObject({
      workingMinutes: 8 * 60,
      workingMinutesLeft: 4 * 60,
      leftMinutes: 3 * 60,
    })
    expect(dayAt('2026-11-17T05:45:00Z', [], [meeting('05:30', '09:00')])).toMatchObject({
      workingMinutesLeft: 75,
      leftMinutes: 0,
    })
  })
})

describe('the agenda', () => {
  it('has events and blocks in order of time, all-day events first', () => {
    const event = (startAt: string, endAt: string, allDay = false) =>
      ({ id: startAt, startAt: new Date(startAt), endAt: new Date(endAt), allDay }) as ShownEvent
    const blocks = [block('2026-11-17T08:00:00Z', '2026-11-17T09:00:00Z')]
    const events = [
      event('2026-11-17T07:00:00Z', '2026-11-17T07:30:00Z'),
      event('2026-11-17T09:00:00Z', '2026-11-17T10:00:00Z'),
      event('2026-11-17T23:00:00Z', '2026-11-18T23:00:00Z', true),
    ]

    const hours = agendaOf(blocks, events).map(({ startAt }) => startAt.getUTCHours())
    expect(hours).toEqual([23, 7, 8, 9])
  })
})

describe('missed blocks', () => {
  const time = new Date('2026-11-17T09:30:00Z')

  it('are the blocks of any day that ended without being started, the latest first', () => {
    const friday = block('2026-11-13T08:00:00Z', '2026-11-13T09:00:00Z')
    const today = block('2026-11-17T08:00:00Z', '2026-11-17T09:00:00Z')
    const toCome = block('2026-11-17T10:00:00Z', '2026-11-17T11:00:00Z')
    const started = block('2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z', { status: 'in_progress' })

    expect(missedAmong([friday, today, toCome, started, friday], time)).toEqual([today, friday])
  })

  it('include blocks that a run has cancelled as missed, unless their task is done', () => {
    const cancelled = { status: 'cancelled', cancelReason: 'missed' } as const
    const missed = block('2026-11-16T08:00:00Z', '2026-11-16T09:00:00Z', cancelled)
    const task = { id: 'd', title: 'd', priority: 'none', status: 'completed' } as const
    const done = block('2026-11-16T10:00:00Z', '2026-11-16T11:00:00Z', { ...cancelled, task })
    const skipped = block('2026-11-16T12:00:00Z', '2026-11-16T13:00:00Z', {
      status: 'cancelled',
      cancelReason: 'skipped',
    })

    expect(missedAmong([missed, done, skipped], time)).toEqual([missed])
  })

  it('show when their task is planned next', () => {
    const coming = block('2026-11-18T10:00:00Z', '2026-11-18T11:00:00Z', { taskId: 't' })
    const later = block('2026-11-19T10:00:00Z', '2026-11-19T11:00:00Z', { taskId: 't' })

    expect(nextByTask([later, coming], time)).toEqual(new Map([['t', coming.startAt]]))
  })
})
