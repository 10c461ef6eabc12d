// Blocks that ended without being started: those the service lists, and those that have ended since it answered.
import type { ListedTimeBlock } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isOpen } from '../../data/actions/change-tasks.ts'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'

const none: ListedTimeBlock[] = []

export const isMissed = (block: ListedTimeBlock, time: Date) =>
  block.endAt <= time &&
  block.task !== null &&
  isOpen(block.task) &&
  (block.status === 'scheduled' || block.cancelReason === 'missed')

/** The missed blocks among these, each once and the latest first. */
export function missedAmong(blocks: ListedTimeBlock[], time: Date) {
  const byId = new Map(blocks.map((block) => [block.id, block]))
  return [...byId.values()]
    .filter((block) => isMissed(block, time))
    .toSorted((one, other) => other.startAt.getTime() - one.startAt.getTime())
}

/** The missed blocks; none if the user has chosen that missed blocks count as done. */
export function useMissed(blocks: ListedTimeBlock[]) {
  const { data: listed = none } = useQuery(queries.missedBlocks())
  const { data: settings } = useQuery(queries.settings())
  const minute = Math.floor(useNow().getTime() / 60_000)
  return useMemo(
    () =>
      settings?.missedBlocks === 'assume-done'
        ? none
        : missedAmong([...listed, ...blocks], new Date(minute * 60_000)),
    [settings?.missedBlocks, listed, blocks, minute],
  )
}
