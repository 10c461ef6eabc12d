// The interpretation of the contract, case by case.
import { describe, expect, it } from 'vitest'
import { check } from '../src/checker/check.ts'
import type { Plan, Problem, Task } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { aBlock, ALWAYS, aProblem, at, aTask } from './problem.ts'

/** `a 09:00-10:00` per block on the first day, with the date on others. */
const blocksOf = ({ create }: Plan): string[] =>
  create.map(({ taskId, startAt, endAt }) => {
    const [start, end] = [startAt, endAt].map((instant) => new Date(instant).toISOString())
    const day = start!.slice(5, 10)
    return `${taskId} ${day === '01-05' ? '' : `${day} `}${start!.slice(11, 16)}-${end!.slice(11, 16)}`
  })
const lengths = ({ create }: Plan) => create.map((b) => (b.endAt - b.startAt) / 60_000)
const made = (given: Partial<Problem>): Plan => {
  const problem = aProblem(given)
  const result = plan(problem)
  expect(check(problem, result)).toEqual([])
  return result
}
const one = (given: Partial<Task>, rest: Partial<Problem> = {}) =>
  made({ tasks: [aTask('a', given)], ...rest })
const summary = ({ atRisk, unscheduled, oversized }: Plan) => ({
  atRisk: atRisk.map((reason) => reason.taskId),
  unscheduled: unscheduled.map(({ taskId, minutes }) => `${taskId} ${minutes}`),
  oversized,
})
const nothing = { atRisk: [], unscheduled: [], oversized: [] }

describe('sessions', () => {
  it('a: a need shorter than min is one session', () => {
    expect(blocksOf(one({ estimateMinutes: 20, minSessionMinutes: 30 }))).toEqual(['a 09:00-09:20'])
  })
  it('b: the remainder is distributed: 65 min in sessions of 30 to 60 are 35 and 30', () => {
    expect(lengths(one({ estimateMinutes: 65, minSessionMinutes: 30 }))).toEqual([35, 30])
  })
  it('c: the last piece is shorter if no cut is legal', () => {
    expect(lengths(one({ estimateMinutes: 100, minSessionMinutes: 60 }))).toEqual([60, 40])
  })
  it('d: if min is greater than max, the smaller value is used for both', () => {
    const result = one({ estimateMinutes: 60, minSessionMinutes: 40, maxSessionMinutes: 20 })

    expect(lengths(result)).toEqual([20, 20, 20])
  })
  it('e: without autoSplit a task is one piece, even if longer than max, or left over', () => {
    expect(lengths(one({ estimateMinutes: 300, autoSplit: false }))).toEqual([300])
    expect(summary(one({ estimateMinutes: 481, autoSplit: false }))).toEqual({
      ...nothing,
      unscheduled: ['a 481'],
      oversized: ['a'],
    })
  })
  it('f: without autoSplit the remainder after kept blocks is one piece, after the cooldown', () => {
    const kept = aBlock('x', 'a', '2026-01-05T09:00Z', '2026-01-05T10:00Z', { source: 'manual' })
    const task = { estimateMinutes: 200, autoSplit: false, cooldownMinutes: 15 }

    expect(blocksOf(one(task, { blocks: [kept] }))).toEqual(['a 10:15-12:35'])
  })
  it('g: a gap too short for a useful session is skipped if a longer one is possible', () => {
    const busy = aBlock('x', null, '2026-01-05T09:10Z', '2026-01-05T10:00Z')

    expect(blocksOf(one({ estimateMinutes: 60 }, { blocks: [busy] }))).toEqual(['a 10:00-11:00'])
  })
  it('g: sessions of 15 minutes are used to meet the due date, but no shorter ones', () => {
    const busyFrom = (start: string) => aBlock('x', null, start, '2026-01-05T10:00Z')
    const task = { estimateMinutes: 60, dueAt: at('2026-01-05T10:50Z') }

    expect(blocksOf(one(task, { blocks: [busyFrom('2026-01-05T09:15Z')] }))).toEqual([
      'a 09:00-09:15',
      'a 10:00-10:45',
    ])
    expect(blocksOf(one(task, { blocks: [busyFrom('2026-01-05T09:10Z')] }))).toEqual([
      'a 10:00-11:00',
    ])
  })
  it('g: shorter sessions are used if the work would be left over otherwise', () => {
    const windows = [
      { day: [1], start: '09:00', end: '09:10' },
      { day: [1], start: '10:00', end: '10:50' },
    ]
    // The window of the next Monday is busy.
    const busy = aBlock('x', null, '2026-01-12T09:00Z', '2026-01-12T11:00Z')

    expect(blocksOf(one({ estimateMinutes: 60, windows }, { blocks: [busy] }))).toEqual([
      'a 09:00-09:10',
      'a 10:00-10:50',
    ])
  })
})

describe('the horizon', () => {
  it('h: now is rounded up to five minutes', () => {
    const now = at('2026-01-05T09:01Z')

    expect(blocksOf(one({}, { now }))).toEqual(['a 09:05-10:05'])
  })
  it('h: a block that starts now counts as started', () => {
    const now = at('2026-01-05T09:00Z')
    const block = aBlock('x', 'a', '2026-01-05T09:00Z', '2026-01-05T10:00Z')
    const result = one({}, { now, blocks: [block] })

    expect([result.cancel, result.create]).toEqual([[], []])
  })
  it('i: ends at the same local time after 14 days, even if the clocks change', () => {
    // In Berlin the clocks go forward on 29 March: 14 days from noon are 335 hours.
    const startAfter = at('2026-04-03T09:00Z')
    const problem = { now: at('2026-03-20T11:00Z'), timezone: 'Europe/Berlin' }
    const task = { windows: ALWAYS, startAfter, estimateMinutes: 60, autoSplit: false }

    expect(one(task, problem).create.map((block) => block.endAt)).toEqual([at('2026-04-03T10:00Z')])
    expect(one({ ...task, estimateMinutes: 61 }, problem).create).toEqual([])
  })
  it('j: a task that starts after it is unscheduled, and at risk only if due within it', () => {
    const startAfter = at('2026-01-25T00:00Z')

    expect(summary(one({ startAfter }))).toEqual({ ...nothing, unscheduled: ['a 60'] })
    expect(summary(one({ startAfter, dueAt: at('2026-01-19T08:00Z') }))).toEqual({
      ...nothing,
      atRisk: ['a'],
      unscheduled: ['a 60'],
    })
    expect(summary(one({ startAfter, dueAt: at('2026-01-26T00:00Z') }))).toEqual({
      ...nothing,
      unscheduled: ['a 60'],
    })
  })
})

describe('due dates', () => {
  it('k: overdue work is at risk and planned as soon as possible', () => {
    const result = one({ dueAt: at('2026-01-04T09:00Z') })

    expect([blocksOf(result), summary(result).atRisk]).toEqual([['a 09:00-10:00'], ['a']])
  })
  it('m: work that ends exactly at the due date is on time', () => {
    expect(summary(one({ dueAt: at('2026-01-05T10:00Z') }))).toEqual(nothing)
    expect(summary(one({ dueAt: at('2026-01-05T09:59:59Z') })).atRisk).toEqual(['a'])
  })
  it('m: a manual block that ends exactly at the due date is on time, at any second', () => {
    const block = (endAt: string) =>
      made({
        tasks: [aTask('a', { dueAt: at('2026-01-05T13:27:53.211Z') })],
        blocks: [aBlock('mine', 'a', '2026-01-05T11:00Z', endAt, { source: 'manual' })],
      })

    expect(summary(block('2026-01-05T13:27:53.211Z'))).toEqual(nothing)
    expect(summary(block('2026-01-05T13:27:53.212Z')).atRisk).toEqual(['a'])
  })
  it('E: urgent work without a due date does not make other work late', () => {
    const result = made({
      tasks: [
        aTask('a', { priority: 'urgent', estimateMinutes: 480 }),
        aTask('b', { priority: 'low', dueAt: at('2026-01-05T17:00Z') }),
      ],
    })

    expect(summary(result).atRisk).toEqual([])
  })
  it('more important work comes first', () => {
    const result = made({ tasks: [aTask('a'), aTask('b', { priority: 'high' })] })

    expect(blocksOf(result)).toEqual(['b 09:00-10:00', 'a 10:00-11:00'])
  })
})

describe('kept blocks', () => {
  const hour = (given = {}) => aBlock('x', 'a', '2026-01-06T09:00Z', '2026-01-06T10:00Z', given)

  it('n: with enough manual blocks nothing is added; at risk only if they are late', () => {
    const blocks = [hour({ source: 'manual' })]

    expect(one({ dueAt: at('2026-01-06T10:00Z') }, { blocks })).toMatchObject({
      create: [],
      atRisk: [],
      unscheduled: [],
    })
    expect(summary(one({ dueAt: at('2026-01-06T09:30Z') }, { blocks })).atRisk).toEqual(['a'])
    expect(one({ estimateMinutes: 0 }).create).toEqual([])
  })
  it('o: overlapping blocks count once, and past blocks count', () => {
    const blocks = [
      hour({ source: 'manual' }),
      { ...hour({ source: 'manual' }), id: 'y' },
      aBlock('z', 'a', '2026-01-04T09:00Z', '2026-01-04T09:30Z'),
    ]

    expect(lengths(one({ estimateMinutes: 120 }, { blocks }))).toEqual([30])
  })
  it('q: are busy time, even without a task', () => {
    const blocks = [aBlock('x', null, '2026-01-05T09:00Z', '2026-01-05T12:00Z')]

    expect(blocksOf(one({}, { blocks }))).toEqual(['a 12:00-13:00'])
  })
  it.for([
    ['locked', { locked: true }],
    ['in progress', { status: 'in_progress' }],
    ['u: completed', { status: 'completed' }],
    ['r: dragged', { source: 'manual' }],
    ['of another type', { type: 'event' }],
  ] as const)('are neither cancelled nor planned again: %s', ([, given]) => {
    const result = one({}, { blocks: [hour(given)] })

    expect([result.cancel, result.create]).toEqual([[], []])
  })
  it.for([
    ['s: of a locked task', { locked: true }],
    ['of a manual task', { autoSchedule: false }],
  ] as const)('are neither cancelled nor planned again: %s', ([, given]) => {
    const result = one(given, { blocks: [hour()] })

    expect([result.cancel, result.create]).toEqual([[], []])
  })
  it('s: what the blocks of a locked task do not cover is planned', () => {
    expect(lengths(one({ locked: true, estimateMinutes: 90 }, { blocks: [hour()] }))).toEqual([30])
  })
  it.for([
    ['completed', { status: 'completed' }],
    ['cancelled', { status: 'cancelled' }],
    ['archived', { status: 'archived' }],
    ['t: its estimate is gone', { estimateMinutes: null }],
  ] as const)('are cancelled if the task is not planned any more: %s', ([, given]) => {
    const result = one(given, { blocks: [hour()] })

    expect([result.cancel, result.create]).toEqual([['x'], []])
  })
  it('D: planner blocks are rewritten at the same time if nothing changed', () => {
    const result = one({}, { blocks: [hour()] })

    expect([result.cancel, blocksOf(result)]).toEqual([['x'], ['a 01-06 09:00-10:00']])
  })
})

describe('windows', () => {
  const monday = (...times: [string, string][]) =>
    times.map(([start, end]) => ({ day: [1], start, end }))

  it('v: touching and overlapping windows are merged', () => {
    const windows = monday(['09:00', '10:00'], ['10:00', '11:00'], ['10:30', '12:00'])

    expect(lengths(one({ windows, estimateMinutes: 180, autoSplit: false }))).toEqual([180])
  })
  it('A: without any window nothing is planned', () => {
    expect(summary(one({ windows: [] }))).toEqual({ ...nothing, unscheduled: ['a 60'] })
  })
  it('z: an invalid time zone is replaced by Sydney', () => {
    const result = one({}, { timezone: 'Mars/Olympus' })

    expect(result.timezone).toBe('Australia/Sydney')
    // 22:00 in UTC is nine in the morning in Sydney.
    expect(blocksOf(result)).toEqual(['a 22:00-23:00'])
  })
  it('x: a window edge at a skipped local time is the instant of the clock change', () => {
    const problem = { now: at('2026-03-28T12:00Z'), timezone: 'Europe/Berlin' }
    const sunday = (start: string, end: string) => [{ day: [0], start, end }]
    const first = (start: string, end: string) => {
      const task = { windows: sunday(start, end), estimateMinutes: 960, minSessionMinutes: 1 }
      const { create } = one({ ...task, maxSessionMinutes: 480 }, problem)
      return create
        .filter((block) => block.startAt < at('2026-03-30T00:00Z'))
        .map((block) => [block.startAt, block.endAt].map((t) => new Date(t).toISOString()))
    }

    // The clock goes from 02:00 to 03:00 at 01:00 in UTC.
    expect(first('02:15', '03:45')).toEqual([
      ['2026-03-29T01:00:00.000Z', '2026-03-29T01:45:00.000Z'],
    ])
    expect(first('02:10', '02:50')).toEqual([])
  })
  it('y: in a repeated hour a window lasts from its first start to its first end', () => {
    const problem = { now: at('2026-10-24T12:00Z'), timezone: 'Europe/Berlin' }
    const first = (start: string, end: string) => {
      const windows = [{ day: [0], start, end }]
      const { create } = one({ windows, estimateMinutes: 240, maxSessionMinutes: 480 }, problem)
      const day = create.filter((block) => block.startAt < at('2026-10-26T00:00Z'))
      return day.map((block) => (block.endAt - block.startAt) / 60_000)
    }

    expect(first('02:15', '02:45')).toEqual([30])
    expect(first('01:30', '02:30')).toEqual([60])
    expect(first('01:00', '03:00')).toEqual([180])
    expect(first('02:30', '03:15')).toEqual([105])
  })
})

describe('dependencies', () => {
  const pair = { taskId: 'a', dependsOnTaskId: 'b' }
  const two = (b: Partial<Task>, rest: Partial<Problem> = {}) =>
    made({
      tasks: [aTask('a', { priority: 'urgent' }), aTask('b', b)],
      dependencies: [pair],
      ...rest,
    })

  it('C: a task comes after what it waits for', () => {
    expect(blocksOf(two({}))).toEqual(['b 09:00-10:00', 'a 10:00-11:00'])
  })
  it('C: a task comes after the kept blocks of what it waits for', () => {
    const kept = aBlock('x', 'b', '2026-01-06T09:00Z', '2026-01-06T10:00Z', { locked: true })

    expect(blocksOf(two({}, { blocks: [kept] }))).toEqual(['a 01-06 10:00-11:00'])
  })
  it('C: a task is not planned if what it waits for is not planned in full', () => {
    expect(summary(two({ windows: [] }))).toEqual({ ...nothing, unscheduled: ['a 60', 'b 60'] })
    expect(summary(two({ autoSchedule: false }))).toEqual({ ...nothing, unscheduled: ['a 60'] })
  })
  it('C: a task that is closed or has no estimate delays no other', () => {
    expect(blocksOf(two({ status: 'completed' }))).toEqual(['a 09:00-10:00'])
    expect(blocksOf(two({ estimateMinutes: null }))).toEqual(['a 09:00-10:00'])
    expect(blocksOf(one({}, { dependencies: [pair] }))).toEqual(['a 09:00-10:00'])
  })
  it('C: a dependency that closes a cycle is ignored', () => {
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }, pair]

    expect(blocksOf(two({}, { dependencies }))).toEqual(['b 09:00-10:00', 'a 10:00-11:00'])
  })
})

it('B: the estimate decides what is oversized, not the remaining work', () => {
  const blocks = [aBlock('x', 'a', '2026-01-06T09:00Z', '2026-01-06T16:00Z', { locked: true })]

  expect(one({ estimateMinutes: 481 }, { blocks }).oversized).toEqual(['a'])
  expect(one({ estimateMinutes: 480 }).oversized).toEqual([])
})
it('F: a task in the backlog is planned', () => {
  expect(lengths(one({ status: 'backlog' }))).toEqual([60])
})
it('G: a negative cooldown counts as zero', () => {
  expect(blocksOf(one({ estimateMinutes: 120, cooldownMinutes: -5 }))).toEqual([
    'a 09:00-10:00',
    'a 10:00-11:00',
  ])
})
