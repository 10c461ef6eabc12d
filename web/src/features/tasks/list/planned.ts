import type { ListedTimeBlock } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../../data/queries.ts'
import { useNow } from '../../../time/clock.ts'
import { useZone } from '../../../data/profile.ts'
import { dayOf, startOfDay, type Zone } from '../../../time/zone.ts'

const none: ListedTimeBlock[] = []

/** The start of each task's next block, by task id. */
export function usePlanned() {
  const zone = useZone()
  const now = useNow()
  const { data: blocks = none } = useQuery(queries.blocks(...comingWeeks(now, zone)))
  const minute = Math.floor(now.getTime() / 60_000)
  return useMemo(() => nextOf(blocks, new Date(minute * 60_000)), [blocks, minute])
}

/** From yesterday, to include blocks that cross midnight, to four weeks ahead. */
export function comingWeeks(now: Date, zone: Zone): [Date, Date] {
  const today = dayOf(now, zone)
  return [startOfDay(today.subtract({ days: 1 }), zone), startOfDay(today.add({ days: 28 }), zone)]
}

function nextOf(blocks: ListedTimeBlock[], now: Date) {
  const next = new Map<string, number>()
  for (const { taskId, status, startAt, endAt } of blocks) {
    if (taskId === null || endAt <= now || (status !== 'scheduled' && status !== 'in_progress')) {
      continue
    }
    next.set(taskId, Math.min(next.get(taskId) ?? Infinity, startAt.getTime()))
  }
  return next
}
