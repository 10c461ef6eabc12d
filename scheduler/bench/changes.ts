// Changes to two planned weeks: one thing changes, and the planner runs again.
import type { Block, Plan, Problem, Task } from '../src/model.ts'
import { newDice } from './dice.ts'
import type { Instance } from './instances.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type Change = { name: string; apply: (instance: Instance, planned: Problem) => Problem }

/** The problem once the plan is in the calendar. */
export const withPlan = (problem: Problem, plan: Plan): Problem => ({
  ...problem,
  blocks: [
    ...problem.blocks.filter((block) => !plan.cancel.includes(block.id)),
    ...plan.create.map(({ taskId, startAt, endAt, explanation }): Block => ({
      id: `planned-${taskId}-${startAt}`,
      taskId,
      type: 'task',
      source: 'auto',
      status: 'scheduled',
      locked: false,
      startAt,
      endAt,
      explanation,
      plannedAt: problem.now,
    })),
  ],
})

/** The problem without the blocks that the planner may move, as if it had never planned them. */
export const withoutPlan = (problem: Problem): Problem => ({
  ...problem,
  blocks: problem.blocks.filter((block) => !isMovable(problem, block)),
})

/** The share of the earlier blocks before this time that the new plan does not have at the same time. */
export const movedShare = (problem: Problem, plan: Plan, until = Infinity): number => {
  const again = new Set(plan.create.map(key))
  const open = new Set(
    problem.tasks.filter((task) => task.status !== 'completed').map((task) => task.id),
  )
  const earlier = problem.blocks.filter(
    (block) => isMovable(problem, block) && block.startAt < until && open.has(block.taskId!),
  )
  if (earlier.length === 0) return 0
  return earlier.filter((block) => !again.has(key(block))).length / earlier.length
}

const key = ({
  taskId,
  startAt,
  endAt,
}: {
  taskId: string | null
  startAt: number
  endAt: number
}) => `${taskId} ${startAt} ${endAt}`

const isMovable = ({ now }: Problem, block: Block) => block.source === 'auto' && block.startAt > now

export const CHANGES: Change[] = [
  { name: 'nothing changed', apply: (_, problem) => problem },
  { name: 'an hour passed', apply: (_, problem) => ({ ...problem, now: problem.now + HOUR }) },
  {
    name: 'a low task added',
    apply: (_, problem) => withNewTask(problem, { priority: 'low', estimateMinutes: 60 }),
  },
  {
    name: 'a task completed',
    apply: ({ name }, problem) => {
      // One of the next tasks, because those are worked on first.
      const soon = problem.blocks
        .filter((block) => isMovable(problem, block))
        .toSorted((a, b) => a.startAt - b.startAt)
        .slice(0, 8)
      const done = newDice(`${name} done`).pick(soon)?.taskId
      return {
        ...problem,
        tasks: problem.tasks.map((task) =>
          task.id === done ? { ...task, status: 'completed' as const } : task,
        ),
      }
    },
  },
  {
    name: 'a medium task due in four days',
    apply: (_, problem) =>
      withNewTask(problem, {
        priority: 'medium',
        estimateMinutes: 120,
        dueAt: workday(problem.now + 4 * DAY),
      }),
  },
  {
    name: 'an urgent one due tomorrow',
    apply: (_, problem) =>
      withNewTask(problem, {
        priority: 'urgent',
        estimateMinutes: 120,
        dueAt: workday(problem.now + DAY),
      }),
  },
  {
    name: 'a new meeting',
    apply: ({ name }, problem) => {
      const soon = problem.blocks.filter(
        (block) => isMovable(problem, block) && block.startAt < problem.now + 4 * DAY,
      )
      const over = newDice(`${name} meeting`).pick(soon)
      if (!over) return problem
      const meeting: Block = {
        ...over,
        id: 'meeting-new',
        taskId: null,
        type: 'event',
        source: 'manual',
        endAt: over.startAt + 90 * MINUTE,
      }
      return { ...problem, blocks: [...problem.blocks, meeting] }
    },
  },
]

/** Moves a due date on a weekend to Monday, because no work is possible on a weekend. */
const workday = (instant: number): number =>
  [0, 6].includes(new Date(instant).getUTCDay()) ? workday(instant + DAY) : instant

const withNewTask = (problem: Problem, given: Partial<Task>): Problem => ({
  ...problem,
  tasks: [
    ...problem.tasks,
    {
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
      minSessionMinutes: 30,
      maxSessionMinutes: 60,
      cooldownMinutes: 5,
      windows: null,
      ...given,
    },
  ],
})
