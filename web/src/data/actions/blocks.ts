import type { BareTimeBlock, ListedTimeBlock, Task } from '@daywright/contract'
import { api } from '../api.ts'
import type { Expect } from '../expectation.ts'
import { keys } from '../keys.ts'
import type { Action } from '../perform.ts'
import { revertChange, revertLast } from '../undo.ts'

export type Place = { startAt: Date; endAt: Date }
type Named = Pick<BareTimeBlock, 'id' | 'title'>

const around = [keys.planner, keys.blocks]

function patchBlock(expect: Expect, id: string, patch: Partial<BareTimeBlock>) {
  expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
    blocks.map((block) => (block.id === id ? { ...block, ...patch } : block)),
  )
}

const revert = (
  block: ListedTimeBlock,
  answer: unknown,
  former: Partial<BareTimeBlock>,
): Action => ({
  expect: (expect) => patchBlock(expect, block.id, former),
  send: () => revertChange(block, answer, Object.keys(former)),
  refreshes: around,
})

/** A block moved or resized by hand belongs to the user, and no plan moves it. */
export const moveBlock = (block: ListedTimeBlock, place: Place, says: string): Action => ({
  says,
  expect: (expect) =>
    patchBlock(expect, block.id, { ...place, source: 'manual', explanation: null }),
  record: block.id,
  send: () => api.timeBlocks.update(block.id, place),
  settle: (answer, expect) => patchBlock(expect, block.id, bare(answer as ListedTimeBlock)),
  refreshes: [keys.planner],
  undo: (answer) =>
    revert(block, answer, {
      startAt: block.startAt,
      endAt: block.endAt,
      source: block.source,
      explanation: block.explanation,
    }),
})

export const lockBlock = (block: ListedTimeBlock, locked: boolean): Action => ({
  says: locked ? `Locked “${block.title}”. No plan will move it.` : `Unlocked “${block.title}”.`,
  expect: (expect) => patchBlock(expect, block.id, { locked }),
  record: block.id,
  send: () => api.timeBlocks.update(block.id, { locked }),
  refreshes: [keys.planner],
  undo: (answer) => revert(block, answer, { locked: block.locked }),
})

export const startBlock = (block: ListedTimeBlock): Action => ({
  says: `Started “${block.title}”.`,
  expect: (expect) => patchBlock(expect, block.id, { status: 'in_progress' }),
  record: block.id,
  send: () => api.timeBlocks.update(block.id, { status: 'in_progress' }),
  refreshes: around,
  undo: (answer) => revert(block, answer, { status: block.status }),
})

export const completeBlock = (block: ListedTimeBlock): Action => ({
  says: `Session finished. “${block.title}” is still open.`,
  expect: (expect) => patchBlock(expect, block.id, { status: 'completed' }),
  record: block.id,
  send: () => api.timeBlocks.update(block.id, { status: 'completed' }),
  refreshes: around,
  undo: (answer) => revert(block, answer, { status: block.status }),
})

/** Removes it from the calendar; its task stays and may be planned again. */
export const removeBlock = (block: Named): Action => ({
  says: `Unscheduled “${block.title}”.`,
  expect: (expect) =>
    expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
      blocks.filter(({ id }) => id !== block.id),
    ),
  record: block.id,
  send: () => api.timeBlocks.update(block.id, { status: 'cancelled' }),
  refreshes: around,
  undo: () => ({ send: () => revertLast(block.id, ['status']), refreshes: around }),
})

/** Places a task on the calendar by hand. */
export const placeBlock = (
  task: Pick<Task, 'id' | 'title' | 'priority' | 'status'>,
  place: Place,
  says: string,
): Action<ListedTimeBlock> => {
  const provisional = `new-${task.id}-${place.startAt.getTime()}`
  return {
    says,
    expect: (expect) =>
      expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) => [
        ...blocks,
        {
          ...place,
          id: provisional,
          userId: '',
          taskId: task.id,
          title: task.title,
          type: 'task',
          locked: false,
          defended: false,
          source: 'manual',
          sortOrder: 0,
          status: 'scheduled',
          explanation: null,
          createdAt: place.startAt,
          updatedAt: place.startAt,
          task: { id: task.id, title: task.title, priority: task.priority, status: task.status },
        },
      ]),
    send: () => api.timeBlocks.create({ taskId: task.id, ...place }),
    settle: (made, expect) =>
      expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) => [
        ...blocks.filter(({ id }) => id !== provisional && id !== made.id),
        made,
      ]),
    refreshes: [keys.planner],
    undo: (made) => removeBlock(made),
  }
}

const bare = ({ task: _task, ...block }: ListedTimeBlock): Partial<BareTimeBlock> => block
