import { describe, expect, it } from 'vitest'
import type { Problem } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { aBlock, aProblem, at, aTask } from './problem.ts'
import { randomProblem } from './random-problem.ts'

const explained = (given: Partial<Problem>) => plan(aProblem(given))
const texts = (given: Partial<Problem>) =>
  explained(given).create.map((block) => `${block.taskId}: ${block.explanation}`)

describe('why a block is there', () => {
  const monday = at('2026-01-05T17:00Z')

  it('the first open time, and whether it meets its due date', () => {
    expect(texts({ tasks: [aTask('a', { dueAt: monday })] })).toEqual([
      'a: The first open time in its windows. Done Mon 10:00, due Mon 17:00.',
    ])
  })

  it('behind what is due earlier or matters more', () => {
    const tasks = [
      aTask('a', { dueAt: monday, autoSplit: false }),
      aTask('b', { dueAt: at('2026-01-05T10:00Z'), autoSplit: false }),
      aTask('c', { autoSplit: false }),
    ]

    expect(texts({ tasks })).toEqual([
      'b: The first open time in its windows. Done Mon 10:00, due Mon 10:00.',
      'a: The first free time behind “Task b”, which is due earlier (Mon 10:00). ' +
        'Done Mon 11:00, due Mon 17:00.',
      'c: The first free time behind “Task a”, which is due earlier (Mon 17:00).',
    ])
  })

  it('in parts, after what it waits for', () => {
    const tasks = [
      aTask('a'),
      aTask('b', { estimateMinutes: 120, cooldownMinutes: 15, minSessionMinutes: 60 }),
    ]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(texts({ tasks, dependencies })).toEqual([
      'a: The first open time in its windows. Done Mon 10:00; “Task b” waits for it.',
      'b: Part 1 of 2: the first open time after “Task a”, which it waits for.',
      'b: Part 2 of 2: the next open time after the part before.',
    ])
  })

  it('after startAfter; overdue; late', () => {
    const tasks = [
      aTask('a', { startAfter: at('2026-01-06T10:30Z') }),
      aTask('b', { dueAt: at('2026-01-04T12:00Z'), autoSplit: false }),
      aTask('c', { dueAt: at('2026-01-05T09:30Z'), autoSplit: false }),
    ]

    expect(texts({ tasks })).toEqual([
      'b: As soon as possible. Overdue since Sun 4 Jan 12:00; done Mon 10:00.',
      'c: The first free time behind “Task b”, which is due earlier (Sun 4 Jan 12:00). ' +
        'Late: done Mon 11:00, 1 h 30 min after it was due Mon 09:30.',
      'a: The first open time after Tue 10:30 (start after).',
    ])
  })

  it('kept where it was', () => {
    const tasks = [aTask('a', { dueAt: monday })]
    const blocks = [aBlock('x', 'a', '2026-01-05T09:00Z', '2026-01-05T10:00Z')]

    expect(texts({ tasks, blocks })).toEqual([
      'a: Kept at its earlier time. Done Mon 10:00, due Mon 17:00.',
    ])
  })

  it.each([
    ['Australia/Sydney', 'Tue 10:00', 'Tue 17:00'],
    ['America/New_York', 'Mon 10:00', 'Tue 01:00'],
    ['Asia/Kathmandu', 'Tue 10:00', 'Tue 11:45'],
  ])('in the zone of the user: %s', (timezone, done, due) => {
    const tasks = [aTask('a', { dueAt: at('2026-01-06T06:00Z') })]

    expect(texts({ timezone, tasks, now: at('2026-01-05T12:20Z') })).toEqual([
      `a: The first open time in its windows. Done ${done}, due ${due}.`,
    ])
  })
})

describe('defended', () => {
  const defended = (given: Partial<Problem>) =>
    explained(given).create.map((block) => `${block.taskId} ${block.defended}`)
  const until = (time: string) => ({ dueAt: at(`2026-01-05T${time}Z`), autoSplit: false })

  it('without another place before the due date; a mere shift is none', () => {
    expect(defended({ tasks: [aTask('a', until('10:00'))] })).toEqual(['a true'])
    expect(defended({ tasks: [aTask('a', until('10:59'))] })).toEqual(['a true'])
    expect(defended({ tasks: [aTask('a', until('11:00'))] })).toEqual(['a false'])
    expect(defended({ tasks: [aTask('a')] })).toEqual(['a false'])
  })

  it('with all others where they are', () => {
    expect(defended({ tasks: [aTask('a', until('11:00')), aTask('b', until('11:00'))] })).toEqual([
      'a true',
      'b true',
    ])
  })

  it('by the pause to its other parts, and by what waits for it', () => {
    const parts = aTask('a', {
      dueAt: at('2026-01-05T12:10Z'),
      estimateMinutes: 120,
      minSessionMinutes: 60,
      cooldownMinutes: 10,
    })
    expect(defended({ tasks: [parts] })).toEqual(['a true', 'a false'])

    const tasks = [aTask('a', until('12:00')), aTask('b', until('11:00'))]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]
    expect(defended({ tasks, dependencies })).toEqual(['a true', 'b true'])
  })
})

describe('where no proof is found', () => {
  it('says that it was the choice of the planner', () => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    const tasks = [
      aTask('a', { windows, autoSplit: false, estimateMinutes: 40, priority: 'high' }),
      aTask('b', { windows, autoSplit: false, estimateMinutes: 40, priority: 'high' }),
      aTask('c', { windows, autoSplit: false, estimateMinutes: 40, priority: 'low' }),
    ]

    const [reason] = explained({ tasks }).unscheduled

    expect(reason).toEqual({
      taskId: 'c',
      minutes: 40,
      text:
        'Its 40 min found no place in the next 14 days. A better plan may exist: ' +
        'the planner put “Task a” and “Task b” first because they matter more.',
      proof: null,
    })
  })
})

describe('any plan', () => {
  it('has whole sentences, and the same ones in every run', { timeout: 60_000 }, () => {
    for (let seed = 1; seed <= 200; seed++) {
      const problem = randomProblem(seed)
      const made = plan(problem)
      const said = [
        ...made.create.map(({ explanation }) => explanation),
        ...[...made.atRisk, ...made.unscheduled].map(({ text }) => text),
      ]

      for (const text of said) expect(text, `seed ${seed}`).toMatch(/^[A-Z0-9“].*\.$/)
      expect(said.join(), `seed ${seed}`).not.toMatch(/NaN|undefined|null|Infinity| {2}|\.\./)
      expect(plan(problem), `seed ${seed}`).toEqual(made)
    }
  })
})
