// The user's hours, from the schedules, events, blocks and settings.
import type { BareTimeBlock, CalendarEvent } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNow } from '../time/clock.ts'
import { cachedEvents } from './actions/block-cache.ts'
import { busyTimeOf, type Hours } from './open-time.ts'
import { cache } from './query-client.ts'
import { queries } from './queries.ts'
import { useOpenWindows, windowsOf } from './schedules.ts'

type Block = Pick<BareTimeBlock, 'source' | 'status' | 'locked' | 'startAt' | 'endAt'>

/** The blocks that the planner does not move. It plans those that it made and that were missed again. */
export const keptBlocks = <Any extends Block>(blocks: Any[], time: Date) =>
  blocks.filter(
    ({ source, status, locked, startAt, endAt }) =>
      status !== 'cancelled' &&
      (source !== 'auto' || status !== 'scheduled' || locked || (startAt <= time && endAt > time)),
  )

/** The hours of all schedules in use, with the given blocks and events. */
export function useHours(blocks: Block[], events: CalendarEvent[]): Hours {
  const windows = useOpenWindows()
  const { data: settings } = useQuery(queries.settings())
  const { data: calendars } = useQuery(queries.calendars())
  const lunch = settings?.planning.lunch ?? null
  const time = useNow().getTime()
  const busy = useMemo(() => busyTimeOf(events, calendars ?? []), [events, calendars])
  const kept = useMemo(() => keptBlocks(blocks, new Date(time)), [blocks, time])
  return useMemo(() => ({ windows, busy, kept, lunch }), [windows, busy, kept, lunch])
}

/** The hours in which an open task is planned, for code outside of components. */
export async function hoursOf(taskId: string | null, blocks: Block[], time: Date): Promise<Hours> {
  const [windows, settings, calendars] = await Promise.all([
    windowsOf(taskId),
    cache.ensureQueryData(queries.settings()),
    cache.ensureQueryData(queries.calendars()),
  ])
  return {
    windows,
    busy: busyTimeOf(cachedEvents(), calendars),
    kept: keptBlocks(blocks, time),
    lunch: settings.planning.lunch,
  }
}
