// Weeks in which people wondered about a block, each with the plan that a sensible assistant would make.
import { describe, expect, it } from 'vitest'
import { check } from '../src/checker/check.ts'
import type { Plan, Problem, Task } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { carriedOut } from './calendar.ts'
import { aProblem, at, aTask } from './problem.ts'

const sessions = { minSessionMinutes: 30, maxSessionMinutes: 120, cooldownMinutes: 10 }
const task = (id: string, given: Partial<Task>) => aTask(id, { ...sessions, ...given })

const book = task('book', { estimateMinutes: 240 })
const flights = task('flights', { estimateMinutes: 30, dueAt: at('2026-01-16T17:00Z') })
const slides = task('slides', {
  estimateMinutes: 180,
  priority: 'high',
  dueAt: at('2026-01-07T17:00Z'),
})

/** The tasks are planned; then these are added. */
const add = (problem: Problem, now: string, ...added: Task[]): Problem => ({
  ...problem,
  now: at(now),
  blocks: carriedOut(problem, plan(problem)),
  tasks: [...problem.tasks, ...added],
  changed: added.map(({ id }) => id),
  lastRunAt: problem.now,
})

const planChecked = (problem: Problem): Plan => {
  const made = plan(problem)
  expect(check(problem, made)).toEqual([])
  return made
}

/** `book 09:00-11:00`, with the day of the month before it if it is not the fifth. */
const blocksOf = ({ create }: Plan) =>
  create
    .toSorted((a, b) => a.startAt - b.startAt)
    .map(({ taskId, startAt, endAt }) => {
      const time = (instant: number) => new Date(instant).toISOString().slice(11, 16)
      const day = new Date(startAt).toISOString().slice(8, 10)
      return `${taskId} ${day === '05' ? '' : `${day} `}${time(startAt)}-${time(endAt)}`
    })

describe('an urgent task that is due soon', () => {
  it('is not left to the last slot before its due date', () => {
    const problem = aProblem({ tasks: [book, flights, slides] })
    const bug = task('bug', {
      estimateMinutes: 90,
      priority: 'urgent',
      dueAt: at('2026-01-06T17:00Z'),
    })

    const made = planChecked(add(problem, '2026-01-05T08:22Z', bug))

    expect(blocksOf(made)[0]).toBe('bug 09:00-10:30')
  })

  it('comes before work of later days, also in the middle of the day', () => {
    const problem = aProblem({ tasks: [slides, book] })
    const outage = task('outage', {
      estimateMinutes: 90,
      priority: 'urgent',
      dueAt: at('2026-01-05T17:00Z'),
    })

    const made = planChecked(add(problem, '2026-01-05T11:30Z', outage))

    // Only the session of the slides that has begun comes before it.
    expect(blocksOf(made)[0]).toBe('outage 12:10-13:40')
    expect(made.atRisk).toEqual([])
  })
})

describe('room before a due date', () => {
  it('is left by a small task before a large one that has time', () => {
    const small = task('small', {
      estimateMinutes: 60,
      priority: 'low',
      dueAt: at('2026-01-06T17:00Z'),
    })
    const large = task('large', { estimateMinutes: 480, priority: 'high' })

    expect(blocksOf(planChecked(aProblem({ tasks: [large, small] })))[0]).toBe('small 09:00-10:00')
  })

  it('is left by the task that is due today before one of the same priority that is due in nine days', () => {
    const trip = task('trip', {
      estimateMinutes: 25,
      priority: 'urgent',
      minSessionMinutes: 25,
      dueAt: at('2026-01-14T17:00Z'),
    })
    const invoice = task('invoice', {
      estimateMinutes: 65,
      priority: 'urgent',
      dueAt: at('2026-01-05T17:00Z'),
    })

    expect(blocksOf(planChecked(aProblem({ tasks: [trip, invoice] })))).toEqual([
      'invoice 09:00-10:05',
      'trip 10:05-10:30',
    ])
  })

  it('is left by a long task that is due today before a short one that is due tomorrow', () => {
    const report = task('report', { estimateMinutes: 120, dueAt: at('2026-01-05T12:00Z') })
    const budget = task('budget', { estimateMinutes: 60, dueAt: at('2026-01-06T10:00Z') })

    expect(blocksOf(planChecked(aProblem({ tasks: [budget, report] })))).toEqual([
      'report 09:00-11:00',
      'budget 11:00-12:00',
    ])
  })
})
