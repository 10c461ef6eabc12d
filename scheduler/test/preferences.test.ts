import { describe, expect, it } from 'vitest'
import { check } from '../src/checker/check.ts'
import type { Preferences, Problem, Task } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { carriedOut } from './calendar.ts'
import { aBlock, aProblem, at, aTask } from './problem.ts'

/** `a 09:00-10:00` per block on the first day, with the date on others. */
const blocksOf = (problem: Problem): string[] => {
  const made = plan(problem)
  expect(check(problem, made)).toEqual([])
  return made.create.map(({ taskId, startAt, endAt }) => {
    const [start, end] = [startAt, endAt].map((instant) => new Date(instant).toISOString())
    const day = start!.slice(5, 10)
    return `${taskId} ${day === '01-05' ? '' : `${day} `}${start!.slice(11, 16)}-${end!.slice(11, 16)}`
  })
}

const whole = (id: string, estimateMinutes: number, given: Partial<Task> = {}) =>
  aTask(id, { estimateMinutes, autoSplit: false, ...given })

/** A problem with these preferences. Tasks without windows may be planned from nine to five. */
const day = (preferences: Preferences, tasks: Task[], given: Partial<Problem> = {}): Problem =>
  aProblem({ tasks, preferences, ...given })

const first: Partial<Task> = { priority: 'urgent' }
const second: Partial<Task> = { priority: 'medium' }

const meeting = (start: string, end: string) =>
  aBlock(`meeting ${start}`, null, `2026-01-05T${start}Z`, `2026-01-05T${end}Z`, { type: 'event' })

const handPlaced = (taskId: string, start: string, end: string) =>
  aBlock(`hand ${start}`, taskId, `2026-01-05T${start}Z`, `2026-01-05T${end}Z`, {
    source: 'manual',
  })

/** The problem with its plan in the calendar, and with new preferences. */
const switchedOn = (preferences: Preferences, problem: Problem): Problem => ({
  ...problem,
  preferences,
  blocks: carriedOut(problem, plan(problem)),
})

describe('lunch', () => {
  const lunch = { from: '11:30', to: '14:00', minutes: 45 }

  it('keeps the middle of the span free', () => {
    expect(blocksOf(day({ lunch }, [whole('a', 200), whole('b', 235)]))).toEqual([
      'a 09:00-12:20',
      'b 13:05-17:00',
    ])
  })
  it('is as close to the middle as meetings allow', () => {
    const blocks = [meeting('12:15', '13:00')]

    expect(blocksOf(day({ lunch }, [whole('a', 195), whole('b', 180)], { blocks }))).toEqual([
      'a 09:00-12:15',
      'b 13:45-16:45',
    ])
  })
  it('is shorter if meetings leave less', () => {
    const blocks = [meeting('11:00', '12:30'), meeting('13:00', '14:00')]

    expect(blocksOf(day({ lunch }, [whole('a', 120), whole('b', 20)], { blocks }))).toEqual([
      'a 09:00-11:00',
      'b 14:00-14:20',
    ])
  })
  it('is omitted if meetings take the whole span', () => {
    const blocks = [meeting('11:30', '14:00')]

    expect(blocksOf(day({ lunch }, [whole('a', 150), whole('b', 180)], { blocks }))).toEqual([
      'a 09:00-11:30',
      'b 14:00-17:00',
    ])
  })
  it('is in the user’s time zone', () => {
    const problem = day({ lunch }, [whole('a', 200), whole('b', 235)], {
      timezone: 'Asia/Tokyo',
      now: at('2026-01-04T23:00Z'),
    })

    expect(blocksOf(problem)).toEqual(['a 00:00-03:20', 'b 04:05-08:00'])
  })
  it('moves only the blocks that it needs when it is switched on', () => {
    const before = day({}, [whole('a', 60, first), whole('b', 120, second), whole('c', 180)])

    const after = switchedOn({ lunch }, before)

    expect(blocksOf(before)).toEqual(['a 09:00-10:00', 'b 10:00-12:00', 'c 12:00-15:00'])
    expect(blocksOf(after)).toEqual(['a 09:00-10:00', 'b 10:00-12:00', 'c 13:05-16:05'])
    expect(blocksOf(switchedOn({ lunch }, after))).toEqual(blocksOf(after))
  })
  it('stays where it was when an appointment in the span is completed early', () => {
    // Lunch is from 11:55 to 12:40; without the appointment it would be later.
    const now = at('2026-01-05T12:41Z')
    const blocks = [{ ...meeting('12:40', '12:55'), status: 'completed' as const, busyUntil: now }]

    expect(blocksOf(day({ lunch }, [whole('a', 235)], { blocks, now }))).toEqual(['a 12:45-16:40'])
  })
})

describe('breaks', () => {
  const breaks = { afterMinutes: 45, minutes: 10 }

  it('follow a long session, whichever task comes next', () => {
    const tasks = [whole('a', 45, first), whole('b', 60, second), whole('c', 240)]

    expect(blocksOf(day({ breaks }, tasks))).toEqual([
      'a 09:00-09:45',
      'b 09:55-10:55',
      'c 11:05-15:05',
    ])
  })
  it('do not follow a shorter session', () => {
    const tasks = [whole('a', 30, first), whole('b', 44, second), whole('c', 60)]

    expect(blocksOf(day({ breaks }, tasks))).toEqual([
      'a 09:00-09:30',
      'b 09:30-10:14',
      'c 10:14-11:14',
    ])
  })
  it('are shortened by a meeting, but not by work', () => {
    const blocks = [meeting('10:00', '10:05')]

    expect(blocksOf(day({ breaks }, [whole('a', 60), whole('b', 90)], { blocks }))).toEqual([
      'a 09:00-10:00',
      'b 10:10-11:40',
    ])
  })
  it('move the next session of a task when they are switched on, and nothing after that', () => {
    const before = day({}, [aTask('a', { estimateMinutes: 120 })])

    const after = switchedOn({ breaks }, before)

    expect(blocksOf(before)).toEqual(['a 09:00-10:00', 'a 10:05-11:05'])
    expect(blocksOf(after)).toEqual(['a 09:00-10:00', 'a 10:10-11:10'])
    expect(blocksOf(switchedOn({ breaks }, after))).toEqual(blocksOf(after))
  })
  it('follow a block that is kept', () => {
    const blocks = [handPlaced('x', '09:00', '10:00')]
    const tasks = [aTask('x', { autoSchedule: false }), whole('a', 60)]

    expect(blocksOf(day({ breaks }, tasks, { blocks }))).toEqual(['a 10:10-11:10'])
  })
})

describe('the buffer', () => {
  const bufferMinutes = 15

  it('lies between sessions of different tasks', () => {
    expect(blocksOf(day({ bufferMinutes }, [whole('a', 30, first), whole('b', 60)]))).toEqual([
      'a 09:00-09:30',
      'b 09:45-10:45',
    ])
  })
  it('is shortened by a kept block, and follows it', () => {
    const blocks = [handPlaced('x', '09:30', '10:00')]
    const tasks = [aTask('x', { autoSchedule: false }), whole('a', 30), whole('b', 60)]

    expect(blocksOf(day({ bufferMinutes }, tasks, { blocks }))).toEqual([
      'a 09:00-09:30',
      'b 10:15-11:15',
    ])
  })
  it('moves blocks that are too close when it is switched on, and nothing after that', () => {
    const before = day({}, [whole('a', 30, first), whole('b', 60)])

    const after = switchedOn({ bufferMinutes }, before)

    expect(blocksOf(after)).toEqual(['a 09:00-09:30', 'b 09:45-10:45'])
    expect(blocksOf(switchedOn({ bufferMinutes }, after))).toEqual(blocksOf(after))
  })
})

describe('the daily limit', () => {
  it('limits the work of a day', () => {
    const task = aTask('a', { estimateMinutes: 270, cooldownMinutes: 0 })

    expect(blocksOf(day({ dailyLimitMinutes: 120 }, [task]))).toEqual([
      'a 09:00-10:00',
      'a 10:00-11:00',
      'a 01-06 09:00-10:00',
      'a 01-06 10:00-11:00',
      'a 01-07 09:00-09:30',
    ])
  })
  it('counts kept blocks of tasks, including earlier ones of the day, but no meetings', () => {
    const blocks = [handPlaced('x', '07:00', '08:30'), meeting('09:00', '12:00')]
    const tasks = [aTask('x', { autoSchedule: false }), whole('a', 30), whole('b', 30)]
    const problem = day({ dailyLimitMinutes: 120 }, tasks, {
      blocks,
      now: at('2026-01-05T08:55Z'),
    })

    expect(blocksOf(problem)).toEqual(['a 12:00-12:30', 'b 01-06 09:00-09:30'])
  })
  it('does not change manual blocks beyond it', () => {
    const blocks = [handPlaced('x', '09:00', '12:00')]
    const tasks = [aTask('x', { estimateMinutes: 200 })]
    const problem = day({ dailyLimitMinutes: 120 }, tasks, { blocks })

    expect(blocksOf(problem)).toEqual(['x 01-06 09:00-09:20'])
    expect(plan(problem).cancel).toEqual([])
  })
  it('counts a kept block at odd seconds by its exact length', () => {
    const blocks = [handPlaced('x', '07:10:20', '08:40:20')]
    const tasks = [aTask('x', { estimateMinutes: 90 }), whole('a', 30)]

    expect(blocksOf(day({ dailyLimitMinutes: 120 }, tasks, { blocks }))).toEqual(['a 09:00-09:30'])
  })
  it('is filled with due work first', () => {
    const due = { dueAt: at('2026-01-05T17:00Z') }
    const tasks = [whole('a', 120), whole('b', 90, due)]

    expect(blocksOf(day({ dailyLimitMinutes: 120 }, tasks))).toEqual([
      'b 09:00-10:30',
      'a 01-06 09:00-11:00',
    ])
  })
  it('moves only what is beyond it when it is switched on, and nothing after that', () => {
    const before = day({}, [whole('a', 60, first), whole('b', 90, second), whole('c', 120)])
    const preferences = { dailyLimitMinutes: 180 }

    const after = switchedOn(preferences, before)

    expect(blocksOf(before)).toEqual(['a 09:00-10:00', 'b 10:00-11:30', 'c 11:30-13:30'])
    expect(blocksOf(after)).toEqual(['a 09:00-10:00', 'b 10:00-11:30', 'c 01-06 09:00-11:00'])
    expect(blocksOf(switchedOn(preferences, after))).toEqual(blocksOf(after))
  })
  it('applies from midnight to midnight where the clocks change', () => {
    // In Havana the clocks go from 01:00 back to 00:00 on 1 November: that day has 25 hours.
    const windows = [{ day: [0, 6], start: '21:00', end: '23:59' }]
    const tasks = [whole('a', 60, { windows }), whole('b', 60, { windows })]
    const problem = day({ dailyLimitMinutes: 60 }, tasks, {
      timezone: 'America/Havana',
      now: at('2026-10-31T22:00Z'),
    })

    expect(blocksOf(problem)).toEqual(['a 11-01 01:00-02:00', 'b 11-02 02:00-03:00'])
  })
})

describe('free time', () => {
  const keepFreePercent = 25

  it('is kept at the end of each day', () => {
    const task = aTask('a', { estimateMinutes: 420, maxSessionMinutes: 420 })

    expect(blocksOf(day({ keepFreePercent }, [task]))).toEqual([
      'a 09:00-15:00',
      'a 01-06 09:00-10:00',
    ])
  })
  it('is used by work that would be late', () => {
    const task = whole('a', 480, { dueAt: at('2026-01-05T17:00Z') })

    expect(blocksOf(day({ keepFreePercent }, [task]))).toEqual(['a 09:00-17:00'])
  })
  it('is used by work that would be left over', () => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]

    expect(blocksOf(day({ keepFreePercent }, [whole('a', 60, { windows })]))).toEqual([
      'a 09:00-10:00',
    ])
  })
  it('moves nothing when it is switched on', () => {
    const before = day({}, [whole('a', 480)])

    expect(blocksOf(switchedOn({ keepFreePercent }, before))).toEqual(blocksOf(before))
  })
})

describe('long work', () => {
  const focusHours = { from: '13:00', to: '16:00' }

  it('is placed in the focus hours, other work is not', () => {
    expect(blocksOf(day({ focusHours }, [whole('a', 180), whole('b', 30)]))).toEqual([
      'b 09:00-09:30',
      'a 13:00-16:00',
    ])
  })
  it('is placed elsewhere if it would be late', () => {
    const task = whole('a', 180, { dueAt: at('2026-01-05T15:00Z') })

    expect(blocksOf(day({ focusHours }, [task]))).toEqual(['a 09:00-12:00'])
  })
  it('does not wait for focus hours for more than two days', () => {
    const tasks = [whole('a', 170), whole('b', 170), whole('c', 170), whole('d', 170)]

    expect(blocksOf(day({ focusHours }, tasks))).toHaveLength(4)
    expect(blocksOf(day({ focusHours }, tasks)).at(-1)).toMatch(/^. 01-07 13:00/)
  })
  it('does not start late in the day', () => {
    const tasks = [
      whole('a', 180, first),
      whole('b', 120, second),
      whole('c', 90, { autoSplit: true, maxSessionMinutes: 45 }),
    ]

    expect(blocksOf(day({ deepWorkUntil: '13:00' }, tasks))).toEqual([
      'a 09:00-12:00',
      'c 12:00-12:45',
      'c 12:50-13:35',
      'b 01-06 09:00-11:00',
    ])
  })
  it('starts late in the day if it would miss its due date otherwise', () => {
    const task = whole('a', 360, { dueAt: at('2026-01-05T17:00Z') })

    expect(blocksOf(day({ deepWorkUntil: '13:00' }, [task]))).toEqual(['a 09:00-15:00'])
  })
})

describe('no preference', () => {
  it('changes nothing', () => {
    const problem = aProblem({ tasks: [whole('a', 240), aTask('b'), whole('c', 300)] })
    const none = { lunch: null, bufferMinutes: 0, keepFreePercent: 0, dailyLimitMinutes: null }

    expect(plan({ ...problem, preferences: none })).toEqual(plan(problem))
  })
})

describe('a block that was completed early', () => {
  const completed = (taskId: string, start: string, end: string, busyUntil: string) => ({
    ...aBlock('x', taskId, `2026-01-05T${start}Z`, `2026-01-05T${end}Z`, { status: 'completed' }),
    busyUntil: at(`2026-01-05T${busyUntil}Z`),
  })

  it('is busy until its completion and counts in full', () => {
    const blocks = [completed('a', '08:00', '11:00', '09:30')]
    const tasks = [aTask('a', { estimateMinutes: 200, cooldownMinutes: 0 }), whole('b', 60)]
    const problem = day({}, tasks, { blocks, now: at('2026-01-05T09:30Z') })

    expect(blocksOf(problem)).toEqual(['a 09:30-09:50', 'b 09:50-10:50'])
  })
  it('occupies no time if it was completed before its start', () => {
    const blocks = [completed('a', '09:00', '11:00', '08:00')]
    const tasks = [aTask('a', { estimateMinutes: 120 }), whole('b', 60)]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(blocksOf(day({}, tasks, { blocks, dependencies }))).toEqual(['b 09:00-10:00'])
  })
})
