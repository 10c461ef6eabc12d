// The cached blocks: reads them, and updates them before the service has answered.
import type { BareTimeBlock, CalendarEvent, ListedTimeBlock } from '@daywright/contract'
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

/** All blocks in the cache, without duplicates. */
export function cachedBlocks() {
  const lists = cache.getQueriesData<ListedTimeBlock[]>({ queryKey: keys.blocks })
  const byId = new Map(lists.flatMap(([, list = []]) => list.map((each) => [each.id, each])))
  return [...byId.values()]
}

/** The cached events of other calendars that block time. */
export function cachedBusyEvents() {
  const lists = cache.getQueriesData<CalendarEvent[]>({ queryKey: keys.calendarEvents })
  return lists.flatMap(([, list = []]) => list.filter(({ blocks }) => blocks))
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
