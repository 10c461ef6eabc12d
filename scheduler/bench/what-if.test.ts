// Tests that the plan responds to changes, with a fixed part of `npm run bench -- what-if`.
import { describe, expect, it } from 'vitest'
import { check, plan } from '../src/index.ts'
import { CHANGES, withPlan } from './changes.ts'
import { mean } from './figures.ts'
import { backlogs } from './instances.ts'
import { people } from './people.ts'
import { planOnce } from './plan-once.ts'
import { answer, whatIfs } from './what-if.ts'

describe('the plan after a change', { timeout: 120_000 }, () => {
  it('has few late tasks that are on time in a plan from scratch', () => {
    const changes = people(2).flatMap((week) => whatIfs(week, planOnce))
    const answers = changes
      .filter(({ change }) => change === 'due in two days')
      .map((whatIf) => answer(planOnce, whatIf))

    expect(answers).toHaveLength(30)
    expect(answers.filter((one) => one.isAvoidablyLate).length).toBeLessThanOrEqual(1)
    expect(answers.filter((one) => one.violations > 0)).toEqual([])
    expect(answers.filter((one) => one.movedAgain > 0)).toEqual([])
  })

  it('completes urgent tasks without a due date about as soon as a plan from scratch', () => {
    const changes = people(1).flatMap((week) => whatIfs(week, planOnce))
    for (const name of ['urgent, no due date', 'new and urgent, no due date']) {
      const answers = changes
        .filter(({ change }) => change === name)
        .map((whatIf) => answer(planOnce, whatIf))
      const placed = answers.filter(({ doneAfter }) => doneAfter !== undefined)
      const fresh = mean(placed.map((one) => one.freshDoneAfter!))

      expect(placed.length).toBeGreaterThanOrEqual(13)
      expect(mean(placed.map((one) => one.doneAfter!))).toBeLessThanOrEqual(1.5 * fresh)
      expect(answers.filter((one) => one.violations > 0)).toEqual([])
    }
  })

  it('has a place for a new urgent task in nearly every long backlog', () => {
    const { apply } = CHANGES.find(({ name }) => name === 'an urgent one due tomorrow')!
    const unplaced = backlogs(1000).filter((backlog) => {
      const planned = withPlan(backlog.problem, plan(backlog.problem))
      const problem = { ...apply(backlog, planned), changed: ['task-new'] }
      const again = plan(problem)
      expect(check(problem, again)).toEqual([])
      return again.create.every(({ taskId }) => taskId !== 'task-new')
    })

    expect(unplaced.length).toBeLessThanOrEqual(1)
  })
})
