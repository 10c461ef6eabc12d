import type { BareTimeBlock, ListedTimeBlock, Task, TimeBlock } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { newProvisionalId, resolveProvisionalId } from '../provisional-ids.ts'
import { revertLast } from '../undo.ts'
import { hideBlocks, patchBlock, revertBlock } from './block-cache.ts'

export type Place = { startAt: Date; endAt: Date }

/** Whether a block is an event: it has a title of its own instead of a task. */
export const isEvent = ({ type }: Pick<BareTimeBlock, 'type'>) => type === 'event'

const around = [keys.planner, keys.blocks]

/** Moves or resizes a block. It becomes `manual`, so the planner no longer moves it. */
export const moveBlock = (block: ListedTimeBlock, place: Place, says: string): Action => ({
  says,
  expect: (expect) =>
    patchBlock(expect, block.id, { ...place, source: 'manual', explanation: null }),
  record: block.id,
  send: () => api.timeBlocks.update(block.id, place),
  settle: (answer, expect) => patchBlock(expect, block.id, bare(answer as TimeBlock)),
  refreshes: [keys.planner],
  undo: (answer) =>
    revertBlock(block, answer, {
      startAt: block.startAt,
      endAt: block.endAt,
      source: block.source,
      explanation: block.explanation,
    }),
})

export const lockBlock = (block: ListedTimeBlock, locked: boolean): Action => ({
  says: locked
    ? `Locked “${block.title}”. The planner won’t move it.`
    : `Unlocked “${block.title}”.`,
  expect: (expect) => patchBlock(expect, block.id, { locked }),
  record: block.id,
  send: () => api.timeBlocks.update(block.id, { locked }),
  refreshes: [keys.planner],
  undo: (answer) => revertBlock(block, answer, { locked: block.locked }),
})

/**
 * Removes a block from the calendar. An event is deleted. A block of a task is only cancelled, so that the planner
 * can read that; the task stays and may be planned again.
 */
export const removeBlock = (block: Pick<BareTimeBlock, 'id' | 'title' | 'type'>): Action => ({
  says: isEvent(block) ? `Deleted “${block.title}”.` : `Unscheduled “${block.title}”.`,
  expect: (expect) => hideBlocks(expect, ({ id }) => id === block.id),
  record: block.id,
  send: () =>
    isEvent(block)
      ? api.timeBlocks.delete(block.id)
      : api.timeBlocks.update(block.id, { status: 'cancelled' }),
  refreshes: around,
  undo: () => ({
    send: () => (isEvent(block) ? revertLast(block.id) : revertLast(block.id, ['status'])),
    refreshes: around,
  }),
})

/** Places a task on the calendar by hand. */
export const placeBlock = (
  task: Pick<Task, 'id' | 'title' | 'priority' | 'status'>,
  place: Place,
  says: string,
): Action<ListedTimeBlock> => {
  const { id, title, priority, status } = task
  const shown = { taskId: id, title, type: 'task', task: { id, title, priority, status } }
  return createBlock(shown, place, says, () => api.timeBlocks.create({ taskId: id, ...place }))
}

/** Creates an appointment: a block without a task, which the planner never moves. */
export const createEvent = (title: string, place: Place, says: string) =>
  createBlock({ taskId: null, title, type: 'event', task: null }, place, says, () =>
    api.timeBlocks.create({ type: 'event', title, ...place }),
  )

export const renameEvent = (block: ListedTimeBlock, title: string): Action => ({
  says: `Renamed “${block.title}” to “${title}”.`,
  expect: (expect) => patchBlock(expect, block.id, { title }),
  record: block.id,
  send: () => api.timeBlocks.update(block.id, { title }),
  undo: (answer) => revertBlock(block, answer, { title: block.title }),
})

const createBlock = (
  shown: Pick<ListedTimeBlock, 'taskId' | 'title' | 'type' | 'task'>,
  place: Place,
  says: string,
  send: () => Promise<ListedTimeBlock>,
): Action<ListedTimeBlock> => {
  const provisional = newProvisionalId()
  return {
    says,
    expect: (expect) =>
      expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) => [
        ...blocks,
        {
          ...shown,
          ...place,
          id: provisional,
          userId: '',
          locked: false,
          defended: false,
          source: 'manual',
          sortOrder: 0,
          status: 'scheduled',
          explanation: null,
          cancelReason: null,
          startedAt: null,
          completedAt: null,
          createdAt: place.startAt,
          updatedAt: place.startAt,
        },
      ]),
    send: () => resolveProvisionalId(provisional, send()),
    settle: (made, expect) =>
      expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
        blocks.some(({ id }) => id === provisional)
          ? blocks
              .filter(({ id }) => id !== made.id)
              .map((block) => (block.id === provisional ? { ...made, ...shownOf(block) } : block))
          : blocks,
      ),
    refreshes: [keys.planner],
    undo: (made) => removeBlock(made),
  }
}

/** The fields that the user may have changed while the block was being created. */
const shownOf = ({ title, startAt, endAt, locked, status }: ListedTimeBlock) => ({
  title,
  startAt,
  endAt,
  locked,
  status,
})

/** Drops the fields that the answer of an update lacks or has as null, so that the cached ones stay. */
function bare(block: TimeBlock): Partial<BareTimeBlock> {
  const { task: _task, cancelReason: _reason, startedAt: _s, completedAt: _c, ...rest } = block
  return rest
}
