import { describe, expect, it } from 'vitest'
import { check, plan } from '../src/index.ts'
import type { Plan, Problem, Recurring, Task } from '../src/model.ts'
import { aBlock, aPlan, aProblem, at, aTask, planned } from './problem.ts'

// It is Monday, 5 January 2026, 8:00 UTC.
const EVENINGS = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '18:00', end: '21:00' }]

const habitTask = (
  id: string,
  from: string,
  until: string,
  given: Partial<Task> = {},
  recurring: Partial<Recurring> = {},
): Task =>
  aTask(id, {
    autoSplit: false,
    startAfter: at(from),
    dueAt: at(until),
    recurring: {
      notAfter: at(until),
      series: 'gym',
      doneAt: null,
      preferredTime: null,
      ...recurring,
    },
    ...given,
  })

/** Three times a week: neighbouring slices share a day. */
const gym = [
  habitTask('gym1', '2026-01-05T00:00Z', '2026-01-07T23:59Z', { windows: EVENINGS }),
  habitTask('gym2', '2026-01-07T00:00Z', '2026-01-09T23:59Z', { windows: EVENINGS }),
  habitTask('gym3', '2026-01-09T00:00Z', '2026-01-11T23:59Z', { windows: EVENINGS }),
]

const daysOf = ({ create }: Plan) =>
  create
    .toSorted((a, b) => (a.taskId < b.taskId ? -1 : 1))
    .map(({ taskId, startAt }) => `${taskId} ${new Date(startAt).toISOString().slice(5, 16)}`)

const planOf = (given: Partial<Problem>) => {
  const problem = aProblem(given)
  const made = plan(problem)
  expect(check(problem, made)).toEqual([])
  return made
}

const busyEvening = (day: string, id = day) =>
  aBlock(id, null, `2026-01-${day}T17:00Z`, `2026-01-${day}T22:00Z`, {
    type: 'event',
    source: 'manual',
  })

describe('a habit three times a week', () => {
  it('is spread over the week', () => {
    expect(daysOf(planOf({ tasks: gym }))).toEqual([
      'gym1 01-05T18:00',
      'gym2 01-07T18:00',
      'gym3 01-09T18:00',
    ])
  })

  it('uses the shared day for the occurrence that has no other day', () => {
    const blocks = [busyEvening('05'), busyEvening('06')]
    expect(daysOf(planOf({ tasks: gym, blocks }))).toEqual([
      'gym1 01-07T18:00',
      'gym2 01-08T18:00',
      'gym3 01-09T18:00',
    ])
  })

  it('is not planned late, and says why', () => {
    const blocks = ['05', '06', '07'].map((day) => busyEvening(day))
    const made = planOf({ tasks: gym, blocks })
    expect(daysOf(made)).toEqual(['gym2 01-08T18:00', 'gym3 01-09T18:00'])
    expect(made.unscheduled).toMatchObject([
      {
        taskId: 'gym1',
        minutes: 60,
        text: 'Its 1 h does not fit before Wed 23:59. Your hours have no time for it before Wed 23:59.',
      },
    ])
  })

  it('says that the only day with room has another occurrence', () => {
    const blocks = ['05', '06', '08', '09'].map((day) => busyEvening(day))
    const made = planOf({ tasks: gym.slice(0, 2), blocks })
    expect(daysOf(made)).toEqual(['gym1 01-07T18:00'])
    expect(made.unscheduled[0]!.text).toMatch(/It would be on the same day as another one\.$/)
  })

  it('is not planned on a day on which another occurrence was done or is placed by hand', () => {
    const tuesday = { now: at('2026-01-07T08:00Z'), tasks: gym.slice(1) }
    const done = {
      ...gym[1]!,
      recurring: { ...gym[1]!.recurring!, doneAt: at('2026-01-07T07:00Z') },
    }
    expect(daysOf(planOf({ ...tuesday, tasks: [done, gym[2]!] }))[0]).toBe('gym2 01-08T18:00')

    const byHand = aBlock('hand', 'gym3', '2026-01-09T18:00Z', '2026-01-09T19:00Z', {
      source: 'manual',
    })
    const blocks = [busyEvening('07'), busyEvening('08'), byHand]
    expect(daysOf(planOf({ ...tuesday, blocks }))).toEqual([])
  })

  it('may be more than once a day if it has no series', () => {
    const twice = ['a', 'b'].map((id) =>
      habitTask(id, '2026-01-05T00:00Z', '2026-01-05T23:59Z', {}, { series: null }),
    )
    expect(planOf({ tasks: twice }).create).toHaveLength(2)
  })

  it('gives way to work that matters more and would be late', () => {
    const windows = EVENINGS
    const work = aTask('work', {
      priority: 'medium',
      autoSplit: false,
      estimateMinutes: 150,
      dueAt: at('2026-01-05T21:00Z'),
      windows,
    })
    const once = habitTask('gym1', '2026-01-05T00:00Z', '2026-01-05T23:59Z', { windows })
    expect(daysOf(planOf({ tasks: [once, work] }))).toEqual(['work 01-05T18:00'])
  })
})

describe('a preferred time of day', () => {
  const lunch = (day: string) =>
    habitTask(
      `lunch${day}`,
      `2026-01-${day}T11:30Z`,
      `2026-01-${day}T14:00Z`,
      { estimateMinutes: 45 },
      { series: 'lunch', preferredTime: '12:30' },
    )

  it('is used if it is free', () => {
    const made = planOf({ tasks: [lunch('05'), lunch('06')] })
    expect(daysOf(made)).toEqual(['lunch05 01-05T12:30', 'lunch06 01-06T12:30'])
    expect(made.create[0]!.explanation).toMatch(/^Planned at the time you prefer\./)
  })

  it('is replaced by a time near it if it is taken', () => {
    const meeting = aBlock('m', null, '2026-01-05T12:00Z', '2026-01-05T13:00Z', { type: 'event' })
    const made = planOf({ tasks: [lunch('05')], blocks: [meeting] })
    expect(daysOf(made)).toEqual(['lunch05 01-05T13:00'])
    expect(made.create[0]!.explanation).toMatch(/^Planned near 12:30, the time you prefer\./)
  })

  it('is given up before work becomes late', () => {
    const work = aTask('work', {
      autoSplit: false,
      estimateMinutes: 120,
      startAfter: at('2026-01-05T12:00Z'),
      dueAt: at('2026-01-05T14:15Z'),
    })
    expect(daysOf(planOf({ tasks: [lunch('05'), work] }))).toEqual([
      'lunch05 01-05T11:30',
      'work 01-05T12:15',
    ])
  })

  it('applies to work that does not lapse as well', () => {
    const chore = habitTask(
      'chore',
      '2026-01-05T00:00Z',
      '2026-01-06T23:59Z',
      {},
      {
        notAfter: null,
        series: null,
        preferredTime: '15:00',
      },
    )
    expect(daysOf(planOf({ tasks: [chore] }))).toEqual(['chore 01-05T15:00'])
  })

  it('does not move a plan that is unchanged', () => {
    const tasks = [lunch('05'), lunch('06')]
    const moved = aBlock('b', 'lunch05', '2026-01-05T11:30Z', '2026-01-05T12:15Z')
    const made = planOf({ tasks: tasks.slice(0, 1), blocks: [moved], changed: [] })
    expect(daysOf(made)).toEqual(['lunch05 01-05T11:30'])
  })
})

describe('the checker', () => {
  const problem = aProblem({ tasks: gym })
  const rulesOf = (...create: Plan['create']) =>
    check(problem, aPlan({ create })).map(({ rule }) => rule)

  it('finds work after a habit has lapsed', () => {
    const late = planned('gym1', '2026-01-08T18:00Z', '2026-01-08T19:00Z')
    expect(rulesOf(late)).toContain('no work of a habit after it lapses')
  })

  it('finds two occurrences of one habit on a day', () => {
    const first = planned('gym1', '2026-01-07T18:00Z', '2026-01-07T19:00Z')
    const second = planned('gym2', '2026-01-07T19:00Z', '2026-01-07T20:00Z')
    expect(rulesOf(first, second)).toContain('two occurrences of one habit are not on the same day')
  })
})
