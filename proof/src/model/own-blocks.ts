// The planner's own blocks, which a run and other changes may cancel.
import type { Answer } from './client.ts'
import { type Block, isOpen, now, type Rows, touch } from './model.ts'
import { steady } from './quiet.ts'

/** Whether it is a planner block in the future that the user has not changed: rule 4 of the contract. */
const isOwn = ({ startAt, source, status, locked }: Block, moment: number) =>
  startAt > moment && source === 'auto' && status === 'scheduled' && !locked

/** Whether a run would move or remove the block: not if its open task is locked or not planned automatically. */
export function isMovable(rows: Rows, block: Block, moment: number) {
  const task = rows.tasks.get(block.taskId ?? '')
  if (!task || !isOwn(block, moment)) return false
  const project = rows.projects.get(task.projectId ?? '')
  return !isOpen(task) || (!task.locked && task.autoSchedule && (project?.autoSchedule ?? true))
}

export function cancelBlock(block: Block, answer: Answer, reason: Block['cancelReason'] = null) {
  block.status = 'cancelled'
  block.cancelledAt = now(answer)
  block.cancelReason = reason
  touch(block, answer)
}

/** What `blocks=cancel` does for a closed or deleted task. */
export function cancelOwnBlocks({ blocks }: Rows, taskId: string, answer: Answer) {
  const ids = steady(answer, (moment) =>
    [...blocks.values()]
      .filter((block) => block.taskId === taskId && isOwn(block, moment))
      .map(({ id }) => id),
  )
  for (const id of ids) {
    const block = blocks.get(id)
    if (block) cancelBlock(block, answer)
  }
}
