// What people change in a planned week, and how well the next plan responds. A plan from scratch for
// the changed week shows what was possible.
import { check } from '../src/checker/check.ts'
import type { Block, Plan, Priority, Problem, Task } from '../src/model.ts'
import { excess } from './bounds.ts'
import { movedShare, withoutPlan, withPlan } from './changes.ts'
import { type Dice, newDice } from './dice.ts'
import { timed } from './figures.ts'
import { type Instance, range } from './instances.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Each change is made this many times to each week. */
const REPEATS = 3

/** `taskId` is the task that changed, or the one whose block a new meeting covers. */
export type WhatIf = { change: string; taskId: string; problem: Problem }

export type Answer = {
  /**
   * The task is late or left over, although it is on time in a plan from scratch with less lateness.
   */
  isAvoidablyLate: boolean
  /** The share of the earlier blocks that moved, and what a plan from scratch would have moved. */
  moved: number
  freshMoved: number
  /** Days until the task is done, and in a plan from scratch; both only if both plans place it. */
  doneAfter?: number
  freshDoneAfter?: number
  /** Lateness above that of the plan from scratch. */
  excess: number
  ms: number
  violations: number
  /** Blocks that the next run moves although nothing has changed since. */
  movedAgain: number
}

/** The six changes, three times each where the week has a task for them. */
export const whatIfs = (
  { name, problem }: Instance,
  plan: (problem: Problem) => Plan,
): WhatIf[] => {
  const first = plan(problem)
  const planned = withPlan(problem, first)
  const dice = newDice(`${name} what if`)
  return range(REPEATS).flatMap((i) => [
    ...changesToTask(dice, planned, first),
    ...newTasks(dice, planned),
    ...newMeeting(dice, planned, first, i),
  ])
}

export const answer = (plan: (problem: Problem) => Plan, { problem, taskId }: WhatIf): Answer => {
  const { result: again, ms } = timed(() => plan(problem))
  const fresh = plan(withoutPlan(problem))
  const next = { ...withPlan(problem, again), changed: [] }
  const ends = [lastEnd(again, taskId), lastEnd(fresh, taskId)]
  const days = ends.map((end) => (end === undefined ? undefined : (end - problem.now) / DAY))
  const isPlaced = days.every((day) => day !== undefined)
  return {
    isAvoidablyLate:
      isLate(again, taskId) && !isLate(fresh, taskId) && fresh.cost.lateness < again.cost.lateness,
    moved: movedShare(problem, again),
    freshMoved: movedShare(problem, fresh),
    ...(isPlaced ? { doneAfter: days[0]!, freshDoneAfter: days[1]! } : {}),
    excess: excess(again.cost.lateness, fresh.cost.lateness),
    ms,
    violations: check(problem, again).length,
    movedAgain: movedShare(next, plan(next)) * next.blocks.length,
  }
}

/** Changes to a task that is planned for later: due sooner, urgent, or twice as long. */
const changesToTask = (dice: Dice, planned: Problem, plan: Plan): WhatIf[] => {
  const linked = new Set(
    planned.dependencies.flatMap(({ taskId, dependsOnTaskId }) => [taskId, dependsOnTaskId]),
  )
  const later = planned.tasks.filter((task) => {
    const end = lastEnd(plan, task.id) ?? 0
    return (
      !linked.has(task.id) &&
      end > planned.now + 3 * DAY &&
      (task.dueAt === null || task.dueAt > end) &&
      task.startAfter === null &&
      task.estimateMinutes! <= 240
    )
  })
  if (later.length === 0) return []
  const { id: taskId, estimateMinutes } = dice.pick(later)
  const withChange = (change: string, given: Partial<Task>): WhatIf => {
    const tasks = planned.tasks.map((task) => (task.id === taskId ? { ...task, ...given } : task))
    return { change, taskId, problem: { ...planned, tasks, changed: [taskId] } }
  }
  return [
    withChange('due in two days', { dueAt: planned.now + 2 * DAY }),
    withChange('urgent, no due date', { priority: 'urgent', dueAt: null }),
    withChange('estimate doubled', { estimateMinutes: Math.min(960, 2 * estimateMinutes!) }),
  ]
}

const newTasks = (dice: Dice, planned: Problem): WhatIf[] => {
  const priority = dice.pick<Priority>(['low', 'medium', 'high', 'urgent'])
  const estimateMinutes = dice.pick([60, 90, 120])
  return [
    withNewTask('new, due in two days', planned, {
      priority,
      estimateMinutes,
      dueAt: planned.now + 2 * DAY,
    }),
    withNewTask('new and urgent, no due date', planned, {
      priority: 'urgent',
      estimateMinutes: dice.pick([30, 60, 120]),
    }),
  ]
}

const withNewTask = (change: string, planned: Problem, given: Partial<Task>): WhatIf => {
  const task: Task = {
    id: 'task-new',
    title: 'New',
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
    windows: planned.tasks[0]!.windows,
    ...given,
  }
  const tasks = [...planned.tasks, task]
  return { change, taskId: task.id, problem: { ...planned, tasks, changed: [task.id] } }
}

/** A meeting over a planned block of the next three days, for at least an hour. */
const newMeeting = (dice: Dice, planned: Problem, plan: Plan, number: number): WhatIf[] => {
  const soon = plan.create.filter(
    ({ startAt }) => startAt > planned.now + HOUR && startAt < planned.now + 3 * DAY,
  )
  if (soon.length === 0) return []
  const { taskId, startAt, endAt } = dice.pick(soon)
  const meeting: Block = {
    id: `meeting-new-${number}`,
    taskId: null,
    type: 'event',
    source: 'manual',
    status: 'scheduled',
    locked: false,
    startAt,
    endAt: Math.max(endAt, startAt + HOUR),
  }
  const problem = { ...planned, blocks: [...planned.blocks, meeting], changed: [] }
  return [{ change: 'a meeting over a block', taskId, problem }]
}

const isLate = ({ atRisk, unscheduled }: Plan, taskId: string): boolean =>
  [...atRisk, ...unscheduled].some((reason) => reason.taskId === taskId)

const lastEnd = ({ create }: Plan, taskId: string): number | undefined =>
  create.reduce<number | undefined>(
    (end, block) => (block.taskId === taskId ? Math.max(end ?? 0, block.endAt) : end),
    undefined,
  )
