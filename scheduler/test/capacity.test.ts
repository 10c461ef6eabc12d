import { describe, expect, it } from 'vitest'
import type { Problem, Window } from '../src/model.ts'
import { plan } from '../src/solve/plan.ts'
import { randomProblem } from './random-problem.ts'

const standard: Window = { day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }
const always: Window = { day: [0, 1, 2, 3, 4, 5, 6], start: '00:00', end: '23:59' }

/** The problem with every hour open. */
const withMoreTime = (problem: Problem): Problem => ({
  ...problem,
  tasks: problem.tasks.map((task) => ({
    ...task,
    windows: [...(task.windows ?? [standard]), always],
  })),
})

const chunks = [1, 51, 101].map((from) => ({ from, until: from + 50 }))

describe('more time', () => {
  it.for(chunks)(
    'never makes lateness worse by more than the gap: seeds $from up to $until',
    { timeout: 60_000 },
    ({ from, until }) => {
      let better = 0
      for (let seed = from; seed < until; seed++) {
        const problem = randomProblem(seed)
        const narrow = plan(problem)
        const wide = plan(withMoreTime(problem))

        // The narrow plan is still possible, so the bound must not lie above its lateness.
        expect(wide.bound.lateness, `seed ${seed}`).toBeLessThanOrEqual(narrow.cost.lateness)
        const gap = wide.cost.lateness - wide.bound.lateness
        expect(wide.cost.lateness - narrow.cost.lateness, `seed ${seed}`).toBeLessThanOrEqual(gap)
        if (wide.cost.lateness < narrow.cost.lateness) better += 1
      }
      expect(better).toBeGreaterThan(10)
    },
  )
})
