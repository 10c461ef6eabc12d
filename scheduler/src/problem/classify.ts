// Which blocks a run keeps, rewrites or cancels: rules 4 and 5 of the contract.
import type { Block, Problem, Task } from '../model.ts'

export type ClassifiedBlocks = {
  /** Blocks that stay as they are. They are busy time and count toward the estimate of their task. */
  kept: Block[]
  /** Blocks that are cancelled and whose work is planned again. */
  rewritten: Block[]
  /** Blocks of closed tasks, which are cancelled without being planned again. */
  tidied: Block[]
}

export const classifyBlocks = (problem: Problem, tasks: Map<string, Task>): ClassifiedBlocks => {
  const blocks: ClassifiedBlocks = { kept: [], rewritten: [], tidied: [] }
  for (const block of problem.blocks) {
    const task = block.taskId === null ? undefined : tasks.get(block.taskId)
    const own =
      block.startAt > problem.now &&
      block.type === 'task' &&
      block.source === 'auto' &&
      block.status === 'scheduled' &&
      !block.locked
    if (!own || !task) blocks.kept.push(block)
    else if (isClosed(task)) blocks.tidied.push(block)
    else if (task.locked || !task.autoSchedule) blocks.kept.push(block)
    else blocks.rewritten.push(block)
  }
  return blocks
}

export const isClosed = (task: Task): boolean =>
  task.status === 'completed' || task.status === 'cancelled' || task.status === 'archived'
