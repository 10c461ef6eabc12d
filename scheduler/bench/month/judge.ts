// What four weeks with a planner were like: due dates missed, blocks moved, work out of order.
import type { Block, Plan, PlannedBlock, Priority, Problem, Task } from '../../src/model.ts'
import { LATE_PENALTY, WEIGHT } from '../../src/problem/weights.ts'
import { mean, median } from '../figures.ts'
import type { Life, Replan } from './live.ts'
import { DAYS, MINUTE } from './person.ts'

const HOUR = 60 * MINUTE
export const priorities = ['urgent', 'high', 'medium', 'low', 'none'] as const

export type Month = {
  /** Due dates within the four weeks, and those of them that were missed, by priority. */
  due: Record<Priority, number>
  missed: Record<Priority, number>
  /** A day for each missed due date, and every minute until the work was done, by weight. */
  lateness: number
  /** Days until undated work was done, by priority. */
  waits: Record<Priority, number[]>
  /** Days with work; switches between tasks, and those back to the task before the last one. */
  days: number
  switches: number
  interruptions: number
}

export const judgeLife = ({ person, done, left, work }: Life): Month => {
  const zero = () => Object.fromEntries(priorities.map((each) => [each, 0])) as Month['due']
  const month: Month = {
    due: zero(),
    missed: zero(),
    lateness: 0,
    waits: { urgent: [], high: [], medium: [], low: [], none: [] },
    ...countSwitches(person.midnights, work),
  }
  const end = person.midnights[DAYS]!
  for (const { at, task } of person.arrivals) {
    const { id, priority, dueAt } = task
    const doneAt = done.get(id) ?? end + (left.get(id) ?? 0) * MINUTE
    if (dueAt === null) month.waits[priority].push((doneAt - at) / (24 * HOUR))
    else if (dueAt < end) {
      month.due[priority]++
      if (doneAt <= dueAt) continue
      month.missed[priority]++
      month.lateness += WEIGHT[priority] * (LATE_PENALTY + (doneAt - dueAt) / MINUTE)
    }
  }
  return month
}

const countSwitches = (midnights: readonly number[], work: Life['work']) => {
  const counts = { days: 0, switches: 0, interruptions: 0 }
  for (const [day, midnight] of midnights.slice(0, DAYS).entries()) {
    const tasks = work
      .filter(({ startAt }) => startAt >= midnight && startAt < midnights[day + 1]!)
      .map(({ taskId }) => taskId)
      .filter((id, i, all) => id !== all[i - 1])
    if (tasks.length === 0) continue
    counts.days++
    counts.switches += tasks.length - 1
    counts.interruptions += tasks.filter((id, i) => id === tasks[i - 2]).length
  }
  return counts
}

/** What a person sees when the planner has run again. */
export type Change = {
  moved: number
  /** Those of them in the next 48 hours. */
  movedSoon: number
  inversions: number
  blocks: number
  minutes: number
}

export const judgeReplan = ({ problem, plan }: Replan): Change => {
  const moved = movedBlocks(problem, plan)
  return {
    moved: moved.length,
    movedSoon: moved.filter(({ startAt }) => startAt < problem.now + 48 * HOUR).length,
    inversions: countInversions(problem, plan),
    blocks: plan.create.length,
    minutes: plan.create.reduce((sum, { startAt, endAt }) => sum + (endAt - startAt) / MINUTE, 0),
  }
}

/** The planner's earlier blocks of open tasks that are at another time now. */
export const movedBlocks = (problem: Problem, plan: Plan): Block[] => {
  const again = new Set(plan.create.map(keyOf))
  const open = new Set(problem.tasks.map(({ id }) => id))
  const cancelled = new Set(plan.cancel)
  return problem.blocks.filter(
    (block) => cancelled.has(block.id) && open.has(block.taskId!) && !again.has(keyOf(block)),
  )
}

const keyOf = ({ taskId, startAt, endAt }: Pick<Block, 'taskId' | 'startAt' | 'endAt'>) =>
  `${taskId} ${startAt} ${endAt}`

/**
 * Blocks of medium or higher priority with a block four hours or more before them that is at least as long, in the
 * same hours, and of a task of at most a quarter of the weight that is due no sooner.
 */
const countInversions = ({ tasks }: Problem, { create }: Plan): number => {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const entries = create.map((block) => ({ block, task: byId.get(block.taskId)! }))
  return entries.filter(
    ({ block, task }) =>
      WEIGHT[task.priority] >= WEIGHT.medium &&
      entries.some((other) => mattersLess(other.task, task) && couldTake(block, other.block, task)),
  ).length
}

const mattersLess = (other: Task, task: Task): boolean =>
  4 * WEIGHT[other.priority] <= WEIGHT[task.priority] &&
  (other.dueAt ?? Infinity) >= (task.dueAt ?? Infinity) &&
  JSON.stringify(other.windows) === JSON.stringify(task.windows)

const couldTake = (block: PlannedBlock, earlier: PlannedBlock, { startAfter }: Task): boolean =>
  earlier.startAt + 4 * HOUR <= block.startAt &&
  earlier.endAt - earlier.startAt >= block.endAt - block.startAt &&
  earlier.startAt >= (startAfter ?? 0)

/** The figures of several people together. */
export const sumOf = (months: readonly Month[]): Month => ({
  due: sumByPriority(months.map(({ due }) => due)),
  missed: sumByPriority(months.map(({ missed }) => missed)),
  lateness: months.reduce((sum, { lateness }) => sum + lateness, 0),
  waits: Object.fromEntries(
    priorities.map((each) => [each, months.flatMap(({ waits }) => waits[each])]),
  ) as Month['waits'],
  days: months.reduce((sum, { days }) => sum + days, 0),
  switches: months.reduce((sum, { switches }) => sum + switches, 0),
  interruptions: months.reduce((sum, { interruptions }) => sum + interruptions, 0),
})

const sumByPriority = (counts: readonly Month['due'][]) =>
  Object.fromEntries(
    priorities.map((each) => [each, counts.reduce((sum, one) => sum + one[each], 0)]),
  ) as Month['due']

export const total = (counts: Month['due']): number =>
  priorities.reduce((sum, each) => sum + counts[each], 0)

/** Medians and the maximum of the days that undated work waits. */
export const waitsOf = ({ waits }: Month) => ({
  byPriority: priorities.map((each) => median(waits[each])),
  longest: Math.max(0, ...priorities.flatMap((each) => waits[each])),
})

export const meanOf = (changes: readonly Change[], key: keyof Change): number =>
  mean(changes.map((change) => change[key]))
