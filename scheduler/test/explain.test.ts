import { describe, expect, it } from 'vitest'
import type { Block, Plan, Problem } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { aBlock, aProblem, at, aTask } from './problem.ts'
import { randomProblem } from './random-problem.ts'

const planOf = (given: Partial<Problem>) => plan(aProblem(given))
const textsOf = (made: Plan) => made.create.map((block) => `${block.taskId}: ${block.explanation}`)
const texts = (given: Partial<Problem>) => textsOf(planOf(given))

/** The calendar once the plan is carried out, with the texts of the blocks. */
const carriedOut = (problem: Problem, { create }: Plan): Block[] =>
  create.map(({ taskId, startAt, endAt, explanation }, i) => ({
    ...aBlock(`planned-${i}`, taskId, '', ''),
    startAt,
    endAt,
    explanation,
    plannedAt: problem.now,
  }))

/** Plans, changes the problem, and plans again. */
const planAgain = (given: Partial<Problem>, change: Partial<Problem>) => {
  const before = aProblem(given)
  const blocks = [...before.blocks, ...carriedOut(before, plan(before)), ...(change.blocks ?? [])]
  return plan({ ...before, ...change, blocks })
}

const monday = at('2026-01-05T17:00Z')
const anAppointment = (from: string, to: string) =>
  aBlock('meeting', null, `2026-01-05T${from}Z`, `2026-01-05T${to}Z`, { type: 'event' })

describe('why a block is there', () => {
  it('the earliest time, and the status of the task', () => {
    expect(texts({ tasks: [aTask('a', { dueAt: monday })] })).toEqual([
      'a: This is the earliest time in your hours. Done Mon 10:00, due 17:00.',
    ])
  })

  it('right after an appointment or a fixed block, or a pause after its own block', () => {
    const tasks = [aTask('a', { estimateMinutes: 120 })]
    const after = (block: Block) => texts({ tasks, blocks: [block] })[0]

    expect(after(anAppointment('09:00', '10:15'))).toBe(
      'a: Part 1 of 2, the earliest time, right after your 09:00 appointment.',
    )
    const fixed = aBlock('x', 'b', '2026-01-05T09:00Z', '2026-01-05T10:00Z', { locked: true })
    expect(texts({ tasks: [...tasks, aTask('b')], blocks: [fixed] })[0]).toBe(
      'a: Part 1 of 2, the earliest time, right after “Task b”, which is fixed at 09:00.',
    )
    expect(after({ ...fixed, taskId: 'a' })).toBe('a: The earliest time, after a 5-minute pause.')
  })

  it('as early as its start date allows', () => {
    const tasks = [
      aTask('a', { startAfter: at('2026-01-06T10:30Z') }),
      aTask('b', { startAfter: at('2026-01-10T10:30Z') }),
    ]

    expect(texts({ tasks })).toEqual([
      'a: As early as you allow: from Tue 10:30.',
      'b: The first time in your hours from Sat 10:30, as early as you allow.',
    ])
  })

  it('once the task that it waits for is done, in parts', () => {
    const tasks = [
      aTask('a'),
      aTask('b', { estimateMinutes: 120, cooldownMinutes: 10, minSessionMinutes: 60 }),
    ]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(texts({ tasks, dependencies })).toEqual([
      'a: This is the earliest time in your hours. Done Mon 10:00; “Task b” waits for it.',
      'b: Part 1 of 2, once “Task a” is done (Mon 10:00).',
      'b: Part 2 of 2, after a 10-minute pause.',
    ])
  })

  it('once a task that is planned by hand is done', () => {
    const tasks = [aTask('a', { autoSchedule: false }), aTask('b')]
    const blocks = [aBlock('x', 'a', '2026-01-05T11:00Z', '2026-01-05T12:00Z')]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]

    expect(texts({ tasks, blocks, dependencies })).toEqual([
      'b: Starts once “Task a” is done (Mon 12:00).',
    ])
  })

  it('the next part in the next open hours', () => {
    const windows = [{ day: [1, 2], start: '09:00', end: '10:00' }]

    expect(texts({ tasks: [aTask('a', { estimateMinutes: 120, windows })] })).toEqual([
      'a: Part 1 of 2, the earliest time in your hours.',
      'a: Part 2 of 2, the next time in your hours.',
    ])
  })

  it('after one task that is due sooner or matters more', () => {
    const whole = { autoSplit: false }
    const due = (id: string, dueAt: number | null) => aTask(id, { ...whole, dueAt })
    const second = (tasks: Problem['tasks']) => texts({ tasks })[1]

    expect(second([due('a', monday), due('b', at('2026-01-05T10:00Z'))])).toBe(
      'a: After “Task b”, which is due sooner (Mon 10:00). Done Mon 11:00, due 17:00.',
    )
    expect(second([due('a', null), due('b', monday)])).toBe(
      'a: After “Task b”, which is due Mon 17:00.',
    )
    expect(second([due('a', monday), due('b', at('2026-01-04T10:00Z'))])).toBe(
      'a: After “Task b”, which is overdue. Done Mon 11:00, due 17:00.',
    )
    expect(second([due('a', null), aTask('b', { ...whole, priority: 'high' })])).toBe(
      'a: After “Task b”, which matters more.',
    )
    expect(second([due('a', null), due('b', null)])).toBe(
      'b: After “Task a”, which matters as much.',
    )
  })

  it('after several tasks, of which it names those that keep it from being earlier', () => {
    const tasks = [
      aTask('a', { estimateMinutes: 30, priority: 'urgent' }),
      aTask('b', { estimateMinutes: 60, priority: 'high', dueAt: monday }),
      aTask('c', { estimateMinutes: 60, priority: 'high' }),
      aTask('d', { estimateMinutes: 60, priority: 'low', autoSplit: false }),
    ]

    expect(texts({ tasks })[3]).toBe(
      'd: 3 tasks come first because they have due dates or matter more: “Task c”, “Task b” and 1 more.',
    )
  })

  it('mentions less important tasks in front', () => {
    const tasks = [aTask('b', { autoSplit: false })]
    const important = aTask('a', { autoSplit: false, priority: 'high' })

    expect(textsOf(planAgain({ tasks }, { tasks: [...tasks, important] }))[1]).toBe(
      'a: After “Task b”, which matters less but fits here without making anything late.',
    )
  })

  it('where earlier gaps are too short', () => {
    const blocks = [anAppointment('09:40', '10:00')]
    const first = (given: object) => texts({ tasks: [aTask('a', given)], blocks })[0]

    expect(first({ autoSplit: false })).toBe('a: Earlier gaps are too short for 1 h in one piece.')
    expect(first({ minSessionMinutes: 45 })).toBe(
      'a: Earlier gaps are too short for a session of 1 h.',
    )
    expect(first({ estimateMinutes: 50, minSessionMinutes: 25 })).toBe(
      'a: It could begin Mon 09:00, but only with a session of 25 min.',
    )
  })

  it('where it could begin earlier only in short pieces', () => {
    const blocks = [anAppointment('09:10', '10:00')]

    expect(texts({ tasks: [aTask('a')], blocks })).toEqual([
      'a: It could begin Mon 09:00, but only in pieces of under 15 min.',
    ])
  })

  it.each([
    ['Australia/Sydney', 'Tue 10:00, due 17:00'],
    ['America/New_York', 'Mon 10:00, the day before it is due'],
    ['Asia/Kathmandu', 'Tue 10:00, due 11:45'],
  ])('in the zone of the user: %s', (timezone, done) => {
    const tasks = [aTask('a', { dueAt: at('2026-01-06T06:00Z') })]

    expect(texts({ timezone, tasks, now: at('2026-01-05T12:20Z') })[0]).toContain(`Done ${done}`)
  })
})

describe('the status of a task', () => {
  const second = (given: object) => planOf({ tasks: [aTask('a', given)] }).create[0]?.explanation

  it('in days before the due date, on the first part only', () => {
    const tasks = [aTask('a', { estimateMinutes: 120, dueAt: at('2026-01-08T12:00Z') })]

    expect(texts({ tasks })).toEqual([
      'a: Part 1 of 2, the earliest time in your hours. Done Mon 11:05, three days before it is due.',
      'a: Part 2 of 2, after a 5-minute pause.',
    ])
  })

  it('tight: no other time is left, and the due date is near', () => {
    const whole = { autoSplit: false, estimateMinutes: 420 }

    expect(second({ ...whole, dueAt: at('2026-01-05T16:30Z') })).toContain(
      'Done Mon 16:00, due 16:30: there is no other time left before that.',
    )
    const week = [{ day: [5], start: '09:00', end: '17:00' }]
    expect(second({ ...whole, windows: week, dueAt: at('2026-01-09T17:00Z') })).toContain(
      'Done Fri 16:00, due 17:00.',
    )
  })

  it('late, overdue, or left over', () => {
    expect(second({ dueAt: at('2026-01-05T09:30Z') })).toContain(
      'Late: done Mon 10:00, due Mon 09:30.',
    )
    expect(second({ dueAt: at('2026-01-04T12:00Z') })).toContain(
      'Overdue since Sun 4 Jan 12:00; planned for Mon 09:00.',
    )
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    expect(second({ windows, estimateMinutes: 180, dueAt: monday })).toContain(
      '1 h of 3 h does not fit into the next 14 days; it is due Mon 17:00.',
    )
  })
})

describe('an overdue task', () => {
  const overdue = at('2026-01-04T12:00Z')
  const reason = (block: Block, now = at('2026-01-05T08:00Z')) =>
    planOf({ tasks: [aTask('a', { dueAt: overdue })], blocks: [block], now }).atRisk[0]?.text
  const own = (from: string, to: string) => aBlock('x', 'a', from, to, { locked: true })

  it('is not called done if its time is over without work', () => {
    expect(reason(own('2026-01-04T09:45Z', '2026-01-04T10:45Z'))).toBe(
      'Its time (Sun 4 Jan 09:45–10:45) is over and it is not ticked off. ' +
        'Is it done, or does it need more time?',
    )
  })

  it('is planned, or under way', () => {
    expect(reason(own('2026-01-06T09:00Z', '2026-01-06T10:00Z'))).toBe(
      'Overdue since Sun 4 Jan 12:00; planned for Tue 09:00.',
    )
    expect(reason(own('2026-01-05T07:30Z', '2026-01-05T08:30Z'))).toBe(
      'Overdue since Sun 4 Jan 12:00; under way until Mon 08:30.',
    )
  })
})

describe('a block that stays', () => {
  const later = at('2026-01-05T08:30Z')
  const whole = (id: string, given: object = {}) => aTask(id, { autoSplit: false, ...given })

  it('keeps its reason, and says since when it has been there', () => {
    const tasks = [whole('a', { dueAt: monday }), whole('b')]

    expect(textsOf(planAgain({ tasks }, { now: later }))).toEqual([
      'a: Unchanged since Mon 08:00. This is the earliest time in your hours. ' +
        'Done Mon 10:00, due 17:00.',
      'b: Unchanged since Mon 08:00. After “Task a”, which is due Mon 17:00.',
    ])
  })

  it('keeps its first reason when the task in front has begun', () => {
    const tasks = [whole('a', { dueAt: monday }), whole('b')]

    expect(textsOf(planAgain({ tasks }, { now: at('2026-01-05T09:30Z') }))).toEqual([
      'b: Unchanged since Mon 08:00. After “Task a”, which is due Mon 17:00.',
    ])
  })

  it('still states the first time a week later, and writes past dates in full', () => {
    const windows = [{ day: [3], start: '09:00', end: '11:00' }]
    const tasks = [
      whole('a', { dueAt: at('2026-01-07T10:00Z'), windows }),
      whole('b', { startAfter: at('2026-01-07T09:00Z'), windows }),
      whole('c', { startAfter: at('2026-01-14T09:00Z'), windows }),
    ]
    const first = aProblem({ tasks })
    const second = {
      ...first,
      now: at('2026-01-06T08:00Z'),
      blocks: carriedOut(first, plan(first)),
    }
    const blocks = carriedOut(second, plan(second))
    const third = { ...second, now: at('2026-01-08T08:00Z'), blocks }

    expect(textsOf(plan(second))[1]).toBe(
      'b: Unchanged since Mon 5 Jan 08:00. After “Task a”, which is due Wed 10:00.',
    )
    expect(textsOf(plan(third))).toEqual([
      'c: Unchanged since Mon 5 Jan 08:00. As early as you allow: from Wed 09:00.',
    ])
  })

  it('says that earlier time is free now', () => {
    const tasks = [whole('a', { dueAt: monday }), whole('b')]
    const [, ...rest] = tasks
    const done = { ...tasks[0]!, status: 'completed' as const }

    expect(textsOf(planAgain({ tasks }, { tasks: [done, ...rest] }))).toEqual([
      'b: Unchanged since Mon 08:00. Mon 09:00 is free too; it stays here to keep your plan stable.',
    ])
  })

  it('is explained as if it were new if its earlier text is not known', () => {
    const tasks = [aTask('a', { dueAt: monday })]
    const blocks = [aBlock('x', 'a', '2026-01-05T09:00Z', '2026-01-05T10:00Z')]

    expect(texts({ tasks, blocks })).toEqual([
      'a: This is the earliest time in your hours. Done Mon 10:00, due 17:00.',
    ])
  })
})

describe('a block that moves', () => {
  const whole = (id: string, given: object = {}) => aTask(id, { autoSplit: false, ...given })

  it('says which appointment needs its time', () => {
    const blocks = [anAppointment('09:30', '10:30')]

    expect(textsOf(planAgain({ tasks: [whole('a')] }, { blocks }))).toEqual([
      'a: Moved from Mon 09:00: your 09:30 appointment needs its time.',
    ])
  })

  it('says which task needs its time', () => {
    const tasks = [whole('a', { dueAt: at('2026-01-05T12:00Z'), priority: 'low' })]
    const outage = whole('b', { dueAt: at('2026-01-05T10:00Z'), priority: 'urgent' })

    expect(textsOf(planAgain({ tasks }, { tasks: [...tasks, outage] }))[1]).toBe(
      'a: Moved from Mon 09:00: “Task b” (urgent, due Mon 10:00) needs its time. ' +
        'Done Mon 11:00, due 12:00.',
    )
  })

  it('says that its place is no longer allowed', () => {
    const given = { tasks: [whole('a')] }
    const startAfter = at('2026-01-06T09:00Z')
    const hours = [{ day: [2], start: '09:00', end: '17:00' }]
    const dependencies = [{ taskId: 'a', dependsOnTaskId: 'b' }]

    expect(textsOf(planAgain(given, { tasks: [whole('a', { startAfter })] }))).toEqual([
      'a: Moved from Mon 09:00: you allow it only from Tue 09:00.',
    ])
    expect(textsOf(planAgain(given, { tasks: [whole('a', { windows: hours })] }))).toEqual([
      'a: Moved from Mon 09:00: that is outside your hours now.',
    ])
    const tasks = [whole('a'), whole('b')]
    expect(textsOf(planAgain(given, { tasks, dependencies }))[1]).toBe(
      'a: Moved from Mon 09:00: “Task b” is not done before Mon 10:00.',
    )
  })
})

describe('a block is defended', () => {
  const listDefended = (given: Partial<Problem>) =>
    planOf(given).create.map((block) => `${block.taskId} ${block.defended}`)
  const until = (time: string) => ({ dueAt: at(`2026-01-05T${time}Z`), autoSplit: false })

  it('if it has no other place before the due date; a shift does not count', () => {
    expect(listDefended({ tasks: [aTask('a', until('10:00'))] })).toEqual(['a true'])
    expect(listDefended({ tasks: [aTask('a', until('10:59'))] })).toEqual(['a true'])
    expect(listDefended({ tasks: [aTask('a', until('11:00'))] })).toEqual(['a false'])
    expect(listDefended({ tasks: [aTask('a')] })).toEqual(['a false'])
  })

  it('if the other blocks leave it no other place', () => {
    expect(
      listDefended({ tasks: [aTask('a', until('11:00')), aTask('b', until('11:00'))] }),
    ).toEqual(['a true', 'b true'])
  })

  it('if the pause to its other parts or a successor leaves it no other place', () => {
    const parts = aTask('a', {
      dueAt: at('2026-01-05T12:10Z'),
      estimateMinutes: 120,
      minSessionMinutes: 60,
      cooldownMinutes: 10,
    })
    expect(listDefended({ tasks: [parts] })).toEqual(['a true', 'a false'])

    const tasks = [aTask('a', until('12:00')), aTask('b', until('11:00'))]
    const dependencies = [{ taskId: 'b', dependsOnTaskId: 'a' }]
    expect(listDefended({ tasks, dependencies })).toEqual(['a true', 'b true'])
  })
})

describe('where no proof is found', () => {
  it('says that there may be a better order', () => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    const tasks = [
      aTask('a', { windows, autoSplit: false, estimateMinutes: 40, priority: 'high' }),
      aTask('b', { windows, autoSplit: false, estimateMinutes: 40, priority: 'high' }),
      aTask('c', { windows, autoSplit: false, estimateMinutes: 40, priority: 'low' }),
    ]

    const [reason] = planOf({ tasks }).unscheduled

    expect(reason).toEqual({
      taskId: 'c',
      minutes: 40,
      text:
        'Its 40 min do not fit into the next 14 days because “Task b” and “Task a” matter more. ' +
        'There may be a better order; none was found.',
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

      for (const text of said) expect(text, `seed ${seed}`).toMatch(/^[A-Z0-9“].*[.?]$/)
      expect(said.join(), `seed ${seed}`).not.toMatch(/NaN|undefined|null|Infinity| {2}|\.\./)
      expect(plan(problem), `seed ${seed}`).toEqual(made)
    }
  })
})
