// The cached blocks: reads them, and updates them before the service has answered.
import type { BareTimeBlock, CalendarEvent, ListedTimeBlock } from '@daywright/contract'
import type { Query } from '@tanstack/react-query'
import type { Action } from '../action.ts'
import { keys } from '../keys.ts'
import type { Expect } from '../optimistic-update.ts'
import { cache } from '../query-client.ts'
import { revertChange } from '../undo.ts'

export function patchBlock(expect: Expect, id: string, patch: Partial<BareTimeBlock>) {
  expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
    blocks.map((block) => (block.id === id ? { ...block, ...patch } : block)),
  )
}

export const hideBlocks = (expect: Expect, isHidden: (block: ListedTimeBlock) => boolean) =>
  expect.update<ListedTimeBlock[]>(keys.blocks, (blocks) =>
    blocks.filter((block) => !isHidden(block)),
  )

/**
 * The cached blocks, each once. Where cached ranges overlap, the most recent decides: a range that is not on the
 * screen may still have blocks that were moved or cancelled since.
 */
export function cachedBlocks() {
  const ranges = cache
    .getQueryCache()
    .findAll({ queryKey: keys.blocks })
    .toSorted((one, other) => rankOf(one) - rankOf(other) || updatedAt(other) - updatedAt(one))
    .map(({ queryKey: [, from, to], state }) => ({
      covers: ({ startAt }: ListedTimeBlock) =>
        typeof from === 'number' &&
        typeof to === 'number' &&
        startAt.getTime() >= from &&
        startAt.getTime() < to,
      blocks: (state.data ?? []) as ListedTimeBlock[],
      isLoaded: state.data !== undefined,
    }))
    .filter(({ isLoaded }) => isLoaded)
  const byId = new Map<string, ListedTimeBlock>()
  for (const [index, { blocks }] of ranges.entries()) {
    const better = ranges.slice(0, index)
    for (const block of blocks) {
      if (!byId.has(block.id) && !better.some(({ covers }) => covers(block)))
        byId.set(block.id, block)
    }
  }
  return [...byId.values()]
}

/** Shown ranges first, then those that are not invalidated. */
const rankOf = (query: Query) => (query.isActive() ? 0 : query.state.isInvalidated ? 2 : 1)
const updatedAt = ({ state }: Query) => state.dataUpdatedAt

/** The cached events of other calendars. */
export function cachedEvents() {
  const lists = cache.getQueriesData<CalendarEvent[]>({ queryKey: keys.calendarEvents })
  return lists.flatMap(([, list = []]) => list)
}

/** Whether the service may cancel a block to use its time: an unlocked future block of the planner. */
export const isMovable = ({ source, status, locked, startAt }: BareTimeBlock, time: Date) =>
  source === 'auto' && status === 'scheduled' && !locked && startAt > time

export const revertBlock = (
  block: ListedTimeBlock,
  answer: unknown,
  former: Partial<BareTimeBlock>,
): Action => ({
  expect: (expect) => patchBlock(expect, block.id, former),
  send: () => revertChange(block, answer, Object.keys(former)),
  refreshes: [keys.planner, keys.blocks],
})
