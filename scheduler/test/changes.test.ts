// What the planner does if it knows which tasks have changed since the last run.
import { describe, expect, it } from 'vitest'
import { check } from '../src/checker/check.ts'
import type { Block, Plan, Problem, Task } from '../src/model.ts'
import { plan, version } from '../src/solve/plan.ts'
import { carriedOut, entries } from './calendar.ts'
import { aBlock, aProblem, at, aTask } from './problem.ts'

const DAY = 86_400_000

/** Twenty tasks of four hours in ten days of eight hours: there is no gap. */
const fullFortnight = (): Problem =>
  aProblem({
    tasks: Array.from({ length: 20 }, (_, i) =>
      aTask(`t${String(i).padStart(2, '0')}`, {
        priority: 'medium',
        estimateMinutes: 240,
        maxSessionMinutes: 240,
        cooldownMinutes: 0,
        dueAt: at('2026-01-19T08:00Z') + i * DAY,
      }),
    ),
  })

/** `planned` puts the first plan into the calendar; `edited` then changes one task. */
const withPlan = (problem: Problem): Problem => ({
  ...problem,
  blocks: carriedOut(problem, plan(problem)),
})
const withEdit = (problem: Problem, id: string, given: Partial<Task>): Problem => ({
  ...problem,
  tasks: problem.tasks.map((task) => (task.id === id ? { ...task, ...given } : task)),
  changed: [id],
})
const planChecked = (problem: Problem): Plan => {
  const result = plan(problem)
  expect(check(problem, result)).toEqual([])
  return result
}
const endOf = ({ create }: Plan, id: string) =>
  Math.max(...create.filter(({ taskId }) => taskId === id).map(({ endAt }) => endAt))
/** Planner blocks that the new plan does not have at the same time. */
const listMoved = (problem: Problem, result: Plan): string[] => {
  const again = new Set(entries(carriedOut(problem, result)))
  return entries(problem.blocks).filter((entry) => !again.has(entry))
}

describe('if tasks changed', () => {
  it('a task of low priority whose due date is moved forward is on time', () => {
    const problem = withEdit(withPlan(fullFortnight()), 't19', {
      priority: 'low',
      dueAt: at('2026-01-06T17:00Z'),
    })

    const result = planChecked(problem)

    expect(result.atRisk).toEqual([])
    expect(endOf(result, 't19')).toBeLessThanOrEqual(at('2026-01-06T17:00Z'))
    expect(listMoved(problem, result).length).toBeLessThanOrEqual(4)
  })

  it('a task that becomes urgent is done soon without a due date', () => {
    const problem = withEdit(withPlan(fullFortnight()), 't19', { priority: 'urgent', dueAt: null })

    const result = planChecked(problem)

    expect(endOf(result, 't19')).toBeLessThanOrEqual(at('2026-01-07T17:00Z'))
    expect(result.atRisk).toEqual([])
    expect(listMoved(problem, result).length).toBeLessThanOrEqual(4)
  })

  it('a task that becomes urgent without a due date makes no other task late', () => {
    const tight = fullFortnight()
    tight.tasks = tight.tasks.map((task, i) => ({
      ...task,
      // Each is due when a plan in this order completes it.
      dueAt: i === 19 ? null : at('2026-01-05T13:00Z') + dayOf(i) * DAY + (i % 2) * 4 * 3_600_000,
    }))
    const problem = withEdit(withPlan(tight), 't19', { priority: 'urgent' })

    expect(planChecked(problem).atRisk).toEqual([])
  })

  it('the time of a closed task is used for later work, and nothing else moves', () => {
    const before = withPlan(fullFortnight())
    const first = before.blocks.toSorted((a, b) => a.startAt - b.startAt)[1]!
    const problem = withEdit(before, first.taskId!, { status: 'completed' })

    const result = planChecked(problem)

    const there = result.create.find(({ startAt }) => startAt === first.startAt)
    expect(there).toBeDefined()
    const gone = listMoved(problem, result)
    expect(gone).toHaveLength(2)
    // The work that fills the time comes from at least a day and at most a week later.
    const from = problem.blocks.find(({ taskId }) => taskId === there!.taskId)!
    expect(from.startAt - first.startAt).toBeGreaterThanOrEqual(DAY)
    expect(from.startAt - first.startAt).toBeLessThanOrEqual(7 * DAY)
  })

  it('the time that a shorter estimate frees is used for later work', () => {
    const hours = fullFortnight()
    hours.tasks = hours.tasks.map((task) => ({ ...task, maxSessionMinutes: 60 }))
    const before = withPlan(hours)
    const inOrder = before.blocks.toSorted((a, b) => a.startAt - b.startAt)
    const problem = withEdit(before, inOrder[0]!.taskId!, { estimateMinutes: 60 })

    const result = planChecked(problem)

    // Three of its hours are freed, and three other hours of work take their place.
    expect(listMoved(problem, result)).toHaveLength(6)
    expect(result.create.filter(({ endAt }) => endAt <= at('2026-01-05T17:00Z'))).toHaveLength(8)
  })

  it('the time of a block that was removed before the run is used for later work', () => {
    const before = withPlan(fullFortnight())
    const first = before.blocks.find(({ startAt }) => startAt === at('2026-01-05T09:00Z'))!
    const closed = withEdit(before, first.taskId!, { status: 'completed' })
    const problem = {
      ...closed,
      blocks: closed.blocks.filter(({ taskId }) => taskId !== first.taskId),
      freed: [{ startAt: first.startAt, endAt: first.endAt }],
    }

    const result = planChecked(problem)

    expect(result.create.map(({ startAt }) => startAt)).toContain(first.startAt)
    expect(listMoved(problem, result)).toHaveLength(1)
  })

  it('the time that is left of a block completed early is used for later work', () => {
    const before = withPlan(fullFortnight())
    const first = before.blocks.find(({ startAt }) => startAt === at('2026-01-05T09:00Z'))!
    const done: Block = { ...first, status: 'completed', busyUntil: first.startAt }
    const blocks = before.blocks.map((block) => (block === first ? done : block))

    const result = planChecked({ ...before, blocks, changed: [first.taskId!] })

    expect(result.create.map(({ startAt }) => startAt)).toContain(first.startAt)
  })

  it('gives the same plan again in the next run without changes', () => {
    const changed = withEdit(withPlan(fullFortnight()), 't19', { priority: 'urgent', dueAt: null })
    const next = { ...changed, blocks: carriedOut(changed, planChecked(changed)), changed: [] }

    expect(listMoved(next, planChecked(next))).toEqual([])
  })
})

describe('if nothing changed', () => {
  const bound = { lateness: 0, leftOver: 0, version }

  it('keeps every block and the earlier bound', () => {
    const first = fullFortnight()
    // More work than time: the plan is late, and a bound would have to be computed.
    first.tasks = first.tasks.map((task) => ({ ...task, dueAt: at('2026-01-07T17:00Z') }))
    const problem = { ...withPlan(first), changed: [], previousBound: bound }

    const result = planChecked(problem)

    expect(listMoved(problem, result)).toEqual([])
    expect(result.cost.lateness).toBeGreaterThan(0)
    expect(result.bound).toEqual({ lateness: 0, leftOver: 0 })
    expect(plan({ ...problem, previousBound: undefined }).bound.lateness).toBeGreaterThan(0)
    const previousBound = { ...bound, version: 'another' }
    expect(plan({ ...problem, previousBound }).bound.lateness).toBeGreaterThan(0)
  })

  it('never claims a bound above its plan', () => {
    const previousBound = { lateness: 1e9, leftOver: 0, version }
    const problem = { ...withPlan(fullFortnight()), changed: [], previousBound }

    expect(planChecked(problem).bound.lateness).toBe(0)
  })

  it('except for a new meeting: moves the block in its time, and computes a new bound', () => {
    const before = withPlan(fullFortnight())
    const [first] = before.blocks.toSorted((a, b) => a.startAt - b.startAt)
    const meeting: Block = aBlock('meeting', null, '2026-01-05T09:00Z', '2026-01-05T10:00Z')
    const previousBound = { lateness: 1e9, leftOver: 0, version }
    const problem = { ...before, blocks: [...before.blocks, meeting], changed: [], previousBound }

    const result = planChecked(problem)

    expect(listMoved(problem, result)).toContain(entries([first!])[0])
    expect(result.bound.lateness).toBe(0)
  })
})

/** The day of the i-th task if two are done on each working day from Monday on. */
function dayOf(i: number) {
  const workday = Math.floor(i / 2)
  return workday + 2 * Math.floor(workday / 5)
}
