import { describe, expect, it } from 'vitest'
import { check } from '../src/checker/check.ts'
import type { Plan, Problem, Task } from '../src/model.ts'
import { aBlock, ALWAYS, aPlan, aProblem, at, aTask, planned } from './problem.ts'

type Case = { rule: string; problem?: Partial<Problem>; plan: Partial<Plan> }

const one = (given: Partial<Task>) => ({ tasks: [aTask('a', given)] })
const always = (given: Partial<Task> = {}) => one({ windows: ALWAYS, ...given })
const reason = (taskId: string) => ({ taskId, text: 'It is late.', proof: null })
const hour = planned('a', '2026-01-05T09:00Z', '2026-01-05T10:00Z')
const second = planned('b', '2026-01-05T10:00Z', '2026-01-05T11:00Z')
const dependency = [{ taskId: 'b', dependsOnTaskId: 'a' }]
const both = [aTask('a'), aTask('b')]

const broken: Case[] = [
  {
    rule: 'plans in the zone of the user, or in Sydney',
    problem: { timezone: 'Nowhere/Land' },
    plan: {},
  },
  {
    rule: 'plans considered tasks only',
    problem: one({ autoSchedule: false, estimateMinutes: 60 }),
    plan: { create: [hour] },
  },
  {
    rule: 'blocks start and end on whole minutes, and end after their start',
    problem: one({}),
    plan: { create: [planned('a', '2026-01-05T09:00:30Z', '2026-01-05T10:00:30Z')] },
  },
  {
    rule: 'no block starts before the next mark of five minutes',
    problem: { now: at('2026-01-05T08:56Z'), ...always() },
    plan: { create: [planned('a', '2026-01-05T08:59Z', '2026-01-05T09:59Z')] },
  },
  {
    rule: 'blocks end within fourteen days',
    problem: always(),
    plan: { create: [planned('a', '2026-01-19T07:01Z', '2026-01-19T08:01Z')] },
  },
  {
    rule: 'no work before startAfter',
    problem: one({ startAfter: at('2026-01-05T09:00:01Z') }),
    plan: { create: [hour] },
  },
  {
    rule: 'blocks lie inside the windows',
    problem: one({}),
    plan: { create: [planned('a', '2026-01-05T16:01Z', '2026-01-05T17:01Z')] },
  },
  {
    rule: 'blocks keep clear of busy time',
    problem: {
      ...one({}),
      blocks: [aBlock('x', null, '2026-01-05T09:59Z', '2026-01-05T12:00Z')],
    },
    plan: { create: [hour] },
  },
  {
    rule: 'blocks do not overlap',
    problem: { tasks: both },
    plan: { create: [hour, planned('b', '2026-01-05T09:59Z', '2026-01-05T10:59Z')] },
  },
  {
    rule: 'a task gets no more than it needs',
    problem: one({ estimateMinutes: 59 }),
    plan: { create: [hour] },
  },
  {
    rule: 'sessions are between min and max',
    problem: one({ maxSessionMinutes: 59 }),
    plan: { create: [hour] },
  },
  {
    rule: 'sessions are between min and max',
    problem: one({ estimateMinutes: 65, minSessionMinutes: 30 }),
    plan: { create: [hour, planned('a', '2026-01-05T11:00Z', '2026-01-05T11:05Z')] },
  },
  {
    rule: 'without autoSplit one block of the whole need',
    problem: one({ autoSplit: false, estimateMinutes: 120 }),
    plan: { create: [hour, planned('a', '2026-01-05T11:00Z', '2026-01-05T12:00Z')] },
  },
  {
    rule: 'cooldown between the blocks of a task',
    problem: one({ estimateMinutes: 120, cooldownMinutes: 5 }),
    plan: { create: [hour, planned('a', '2026-01-05T10:04Z', '2026-01-05T11:04Z')] },
  },
  {
    rule: 'cooldown between the blocks of a task',
    problem: {
      ...one({ estimateMinutes: 120 }),
      blocks: [aBlock('x', 'a', '2026-01-05T10:04Z', '2026-01-05T11:04Z', { locked: true })],
    },
    plan: { create: [hour] },
  },
  {
    rule: 'a task starts after the last block of what it waits for',
    problem: { tasks: both, dependencies: [{ taskId: 'a', dependsOnTaskId: 'b' }] },
    plan: { create: [hour, second] },
  },
  {
    rule: 'a task is planned only if what it waits for is planned in full',
    problem: { tasks: both, dependencies: dependency },
    plan: { create: [second], unscheduled: [{ ...reason('a'), minutes: 60 }] },
  },
  {
    rule: 'a task is planned only if what it waits for is planned in full',
    problem: { tasks: [aTask('a', { autoSchedule: false }), both[1]!], dependencies: dependency },
    plan: { create: [second] },
  },
  {
    rule: "cancels the planner's own future blocks and no others",
    problem: {
      ...one({}),
      blocks: [aBlock('x', 'a', '2026-01-05T12:00Z', '2026-01-05T13:00Z')],
    },
    plan: { create: [hour] },
  },
  {
    rule: "cancels the planner's own future blocks and no others",
    problem: {
      ...one({}),
      blocks: [aBlock('x', null, '2026-01-05T12:00Z', '2026-01-05T13:00Z')],
    },
    plan: { create: [hour], cancel: ['x'] },
  },
  {
    rule: 'at risk: overdue, ending after the due date, or left over and due within the horizon',
    problem: one({ dueAt: at('2026-01-05T09:59Z') }),
    plan: { create: [hour] },
  },
  {
    rule: 'at risk: overdue, ending after the due date, or left over and due within the horizon',
    problem: one({ dueAt: at('2026-01-05T10:00Z') }),
    plan: { create: [hour], atRisk: [reason('a')] },
  },
  {
    rule: 'unscheduled: any left-over minutes',
    problem: one({ estimateMinutes: 61 }),
    plan: { create: [hour] },
  },
  {
    rule: 'oversized: an estimate over eight hours',
    problem: one({ estimateMinutes: 481 }),
    plan: { unscheduled: [{ ...reason('a'), minutes: 481 }] },
  },
  {
    rule: 'every block is explained',
    problem: one({}),
    plan: { create: [{ ...hour, explanation: ' ' }] },
  },
  {
    rule: 'lunch stays free as far as kept blocks leave time for it',
    problem: { ...one({}), preferences: { lunch: { from: '09:00', to: '11:00', minutes: 61 } } },
    plan: { create: [hour] },
  },
  {
    rule: 'lunch stays free as far as kept blocks leave time for it',
    problem: {
      ...one({}),
      blocks: [aBlock('x', null, '2026-01-05T10:00Z', '2026-01-05T10:30Z')],
      preferences: { lunch: { from: '09:00', to: '11:00', minutes: 45 } },
    },
    plan: { create: [hour] },
  },
  {
    rule: 'no more work than the daily limit, beside kept blocks',
    problem: {
      tasks: both,
      blocks: [aBlock('x', 'b', '2026-01-05T01:00Z', '2026-01-05T02:00Z', { locked: true })],
      preferences: { dailyLimitMinutes: 119 },
    },
    plan: { create: [hour] },
  },
  {
    rule: 'a break after a long session',
    problem: { tasks: both, preferences: { breaks: { afterMinutes: 60, minutes: 1 } } },
    plan: { create: [hour, second] },
  },
  {
    rule: 'a break after a long session',
    problem: {
      tasks: [both[1]!, aTask('x', { autoSchedule: false })],
      blocks: [aBlock('x', 'x', '2026-01-05T08:30Z', '2026-01-05T09:30Z', { locked: true })],
      preferences: { breaks: { afterMinutes: 60, minutes: 31 } },
    },
    plan: { create: [second] },
  },
  {
    rule: 'a buffer between sessions of different tasks',
    problem: { tasks: both, preferences: { bufferMinutes: 1 } },
    plan: { create: [hour, second] },
  },
  {
    rule: 'blocks keep clear of busy time',
    problem: {
      ...one({}),
      blocks: [
        {
          ...aBlock('x', null, '2026-01-05T08:00Z', '2026-01-05T11:00Z', { status: 'completed' }),
          busyUntil: at('2026-01-05T09:01Z'),
        },
      ],
    },
    plan: { create: [hour] },
  },
]

describe('a plan that breaks one rule', () => {
  it.for(broken)('$rule', ({ rule, problem, plan }) => {
    const violations = check(aProblem(problem), aPlan(plan))

    expect(violations.map((violation) => violation.rule)).toEqual([rule])
  })
})

const fine: (Case & { rule: string })[] = [
  { rule: 'nothing to do', plan: {} },
  { rule: 'one block', problem: one({}), plan: { create: [hour] } },
  {
    rule: 'a need shorter than min',
    problem: one({ estimateMinutes: 60, minSessionMinutes: 60, maxSessionMinutes: 90 }),
    plan: { create: [hour] },
  },
  {
    rule: 'no legal cut: one shorter piece',
    problem: one({ estimateMinutes: 100, minSessionMinutes: 60 }),
    plan: { create: [hour, planned('a', '2026-01-05T11:00Z', '2026-01-05T11:40Z')] },
  },
  {
    rule: 'a session longer than max, without autoSplit',
    problem: one({ estimateMinutes: 60, autoSplit: false, maxSessionMinutes: 10 }),
    plan: { create: [hour] },
  },
  {
    rule: 'a task after the one it waits for',
    problem: { tasks: both, dependencies: dependency },
    plan: { create: [hour, second] },
  },
  {
    rule: 'a dependency that closes a cycle is ignored',
    problem: {
      tasks: both,
      dependencies: [...dependency, { taskId: 'a', dependsOnTaskId: 'b' }],
    },
    plan: {
      create: [planned('b', '2026-01-05T09:00Z', '2026-01-05T10:00Z'), { ...second, taskId: 'a' }],
    },
  },
  {
    rule: 'blocks of a closed task are cancelled',
    problem: {
      ...one({ status: 'archived' }),
      blocks: [aBlock('x', 'a', '2026-01-05T12:00Z', '2026-01-05T13:00Z')],
    },
    plan: { cancel: ['x'] },
  },
  {
    rule: 'a shorter lunch if a meeting leaves less time',
    problem: {
      ...one({}),
      blocks: [aBlock('x', null, '2026-01-05T10:00Z', '2026-01-05T12:00Z')],
      preferences: { lunch: { from: '10:00', to: '12:15', minutes: 45 } },
    },
    plan: { create: [hour] },
  },
  {
    rule: 'the limit of each day',
    problem: { tasks: both, preferences: { dailyLimitMinutes: 60 } },
    plan: { create: [hour, planned('b', '2026-01-06T09:00Z', '2026-01-06T10:00Z')] },
  },
  {
    rule: 'a pause between sessions, none before a kept block',
    problem: {
      tasks: [...both, aTask('x', { autoSchedule: false })],
      blocks: [aBlock('x', 'x', '2026-01-05T11:10Z', '2026-01-05T12:00Z', { locked: true })],
      preferences: { breaks: { afterMinutes: 60, minutes: 10 }, bufferMinutes: 10 },
    },
    plan: { create: [hour, planned('b', '2026-01-05T10:10Z', '2026-01-05T11:10Z')] },
  },
  {
    rule: 'a session in the time of a block that was completed early',
    problem: {
      ...one({ estimateMinutes: 240, cooldownMinutes: 0 }),
      blocks: [
        {
          ...aBlock('x', 'a', '2026-01-05T08:00Z', '2026-01-05T11:00Z', { status: 'completed' }),
          busyUntil: at('2026-01-05T09:00Z'),
        },
      ],
    },
    plan: { create: [hour] },
  },
]

describe('a plan that breaks no rule', () => {
  it.for(fine)('$rule', ({ problem, plan }) => {
    expect(check(aProblem(problem), aPlan(plan))).toEqual([])
  })
})

it('checks a plan of 200 tasks', () => {
  const tasks = Array.from({ length: 200 }, (_, i) =>
    aTask(`${i}`, { windows: ALWAYS, estimateMinutes: 80 }),
  )
  const start = at('2026-01-05T08:00Z')
  const create = tasks.map((task, i) => ({
    ...planned(task.id, '', ''),
    startAt: start + i * 3_600_000,
    endAt: start + i * 3_600_000 + 2_400_000,
  }))
  const unscheduled = tasks.map((task) => ({ ...reason(task.id), minutes: 40 }))
  const problem = aProblem({ tasks })
  const plan = aPlan({ create, unscheduled })

  expect(check(problem, plan)).toEqual([])
})
