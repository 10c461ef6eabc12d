// The ways to plan that are compared over a month.
import { plan } from '../../src/index.ts'
import type { Problem } from '../../src/model.ts'
import { earliestDueFirst } from '../baselines.ts'
import type { Options } from './live.ts'

export type Way = Omit<Options, 'watch'> & { name: string }

const shortestSession = 15

const withoutCrumbs = (problem: Problem): Problem => ({
  ...problem,
  tasks: problem.tasks.map((task) => ({
    ...task,
    minSessionMinutes: Math.max(
      task.minSessionMinutes,
      Math.min(shortestSession, task.maxSessionMinutes, task.estimateMinutes!),
    ),
  })),
})

const fresh = (problem: Problem) => plan({ ...problem, fromScratch: true })

export const mornings: Way = { name: 'each morning', planner: plan, mode: 'mornings' }
export const events: Way = { name: 'each event', planner: plan, mode: 'events' }
export const freshMornings: Way = { name: 'fresh', planner: fresh, mode: 'mornings' }
export const dueFirst: Way = {
  name: 'due first',
  planner: earliestDueFirst,
  mode: 'mornings',
}
export const dueFirstWhole: Way = {
  name: 'due first in sessions',
  planner: (problem) => earliestDueFirst(withoutCrumbs(problem)),
  mode: 'mornings',
}
export const oracle: Way = {
  name: 'fresh with foresight',
  planner: fresh,
  mode: 'mornings',
  knowsActual: true,
}
export const once: Way = { name: 'one plan', planner: plan, mode: 'once' }

export const ways: Way[] = [once, mornings, events, freshMornings, dueFirst, dueFirstWhole, oracle]
