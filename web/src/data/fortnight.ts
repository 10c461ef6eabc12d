// The next fourteen days: available and planned time of each.
import type { CalendarEvent, ListedTimeBlock, Window } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNow } from '../time/clock.ts'
import { useZone } from './profile.ts'
import { dayOf, minutesBetween, startOfDay, type Zone } from '../time/zone.ts'
import { type Meeting, minutesOfAll, openSpans } from './open-time.ts'
import { useOpenWindows } from './preferences.ts'
import { queries } from './queries.ts'

const fortnightDays = 14

export type DayLoad = {
  day: Temporal.PlainDate
  /** Working time minus meetings. */
  capacityMinutes: number
  plannedMinutes: number
}

type Blocked = Pick<ListedTimeBlock, 'startAt' | 'endAt' | 'status'>

/** The minutes of a block within a local day. */
function minutesIn(block: Blocked, day: Temporal.PlainDate, zone: Zone) {
  const from = Math.max(block.startAt.getTime(), startOfDay(day, zone).getTime())
  const to = Math.min(block.endAt.getTime(), startOfDay(day.add({ days: 1 }), zone).getTime())
  return Math.max(0, (to - from) / 60_000)
}

export const plannedOn = (blocks: Blocked[], day: Temporal.PlainDate, zone: Zone) =>
  blocks
    .filter(({ status }) => status !== 'cancelled')
    .reduce((sum, block) => sum + minutesIn(block, day, zone), 0)

export const daysFrom = (first: Temporal.PlainDate, count = fortnightDays) =>
  Array.from({ length: count }, (_, index) => first.add({ days: index }))

export const loadOf = (
  first: Temporal.PlainDate,
  windows: Window[],
  blocks: Blocked[],
  events: Meeting[],
  zone: Zone,
): DayLoad[] =>
  daysFrom(first).map((day) => ({
    day,
    capacityMinutes: minutesOfAll(openSpans(day, windows, events, zone)),
    plannedMinutes: plannedOn(blocks, day, zone),
  }))

/** The first day of the fortnight, and the blocks and meetings from the day before on. */
export function useFortnight() {
  const zone = useZone()
  const today = dayOf(useNow(), zone).toString()
  const first = useMemo(() => Temporal.PlainDate.from(today), [today])
  const from = startOfDay(first.subtract({ days: 1 }), zone)
  const to = startOfDay(first.add({ days: fortnightDays }), zone)
  const { data: blocks, isPending } = useQuery(queries.blocks(from, to))
  const { data: events = noEvents } = useQuery(queries.calendarEvents(from, to))
  const windows = useOpenWindows()
  return { first, zone, windows, events, blocks: blocks ?? none, isPending }
}
const none: ListedTimeBlock[] = []
const noEvents: CalendarEvent[] = []

export const lengthOf = ({ startAt, endAt }: Blocked) => minutesBetween(startAt, endAt)
