// The calendar after a plan is carried out.
import type { Block, Plan, Problem } from '../src/model.ts'

export const carriedOut = (problem: Problem, plan: Plan): Block[] => {
  const gone = new Set(plan.cancel)
  return [
    ...problem.blocks.filter((block) => !gone.has(block.id)),
    ...plan.create.map(({ taskId, startAt, endAt }, i) => ({
      id: `planned-${i}`,
      taskId,
      type: 'task',
      source: 'auto',
      status: 'scheduled' as const,
      locked: false,
      startAt,
      endAt,
    })),
  ]
}

/** The task and time of each block, in a form that can be compared. */
export const entries = (blocks: Block[]): string[] =>
  blocks.map(({ taskId, startAt, endAt }) => `${taskId} ${startAt} ${endAt}`).toSorted()

/**
 * Whether the next run finds another problem although nothing was changed: blocks of a locked
 * task, and a block that starts right now, are kept from then on.
 */
export const keepsMoreNextTime = (problem: Problem, plan: Plan): boolean => {
  const locked = new Set(problem.tasks.filter((task) => task.locked).map((task) => task.id))
  return plan.create.some((block) => locked.has(block.taskId) || block.startAt <= problem.now)
}
