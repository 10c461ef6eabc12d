// Builds small problems for tests: set what matters, the rest has defaults.
import type { Block, Plan, PlannedBlock, Problem, Task, Window } from '../src/model.ts'

export const at = (stamp: string): number => Date.parse(stamp)

/** Any time of any day except its last minute. */
export const ALWAYS: Window[] = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '00:00', end: '23:59' }]

export const aTask = (id: string, given: Partial<Task> = {}): Task => ({
  id,
  title: `Task ${id}`,
  status: 'todo',
  priority: 'none',
  autoSchedule: true,
  autoSplit: true,
  locked: false,
  dueAt: null,
  startAfter: null,
  estimateMinutes: 60,
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  windows: null,
  ...given,
})

export const aBlock = (
  id: string,
  taskId: string | null,
  startAt: string,
  endAt: string,
  given: Partial<Block> = {},
): Block => ({
  id,
  taskId,
  type: 'task',
  source: 'auto',
  status: 'scheduled',
  locked: false,
  startAt: at(startAt),
  endAt: at(endAt),
  ...given,
})

/** A problem on Monday, 5 January 2026, at eight in the morning in UTC. */
export const aProblem = (given: Partial<Problem> = {}): Problem => ({
  now: at('2026-01-05T08:00Z'),
  timezone: 'UTC',
  tasks: [],
  blocks: [],
  dependencies: [],
  ...given,
})

export const planned = (taskId: string, startAt: string, endAt: string): PlannedBlock => ({
  taskId,
  startAt: at(startAt),
  endAt: at(endAt),
  defended: false,
  explanation: 'The first free time.',
})

export const aPlan = (given: Partial<Plan> = {}): Plan => ({
  version: 'test',
  timezone: 'UTC',
  create: [],
  cancel: [],
  atRisk: [],
  unscheduled: [],
  oversized: [],
  cost: { lateness: 0, leftOver: 0, earliness: 0 },
  bound: { lateness: 0, leftOver: 0 },
  ...given,
})
