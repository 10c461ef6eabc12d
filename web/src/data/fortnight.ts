// The next fourteen days: available and planned time of each.
import type { CalendarEvent, ListedTimeBlock } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNow } from '../time/clock.ts'
import { useZone } from './profile.ts'
import { dayOf, minutesBetween, startOfDay, type Zone } from '../time/zone.ts'
import { useHours } from './hours.ts'
import { type Hours, minutesAfter, openSpans } from './open-time.ts'
import { queries } from './queries.ts'

const fortnightDays = 14

export type DayLoad = {
  day: Temporal.PlainDate
  /** Working time minus meetings and lunch, still to come. */
  capacityMinutes: number
  /** Planned work that is still to come. */
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

type Given = {
  first: Temporal.PlainDate
  hours: Hours
  blocks: Blocked[]
  zone: Zone
}

/** The load of each day. The hours of today that have passed are neither free nor planned. */
export function loadOf({ first, hours, blocks, zone }: Given, now: Date): DayLoad[] {
  const coming = blocks
    .filter(({ status, endAt }) => status !== 'completed' && endAt > now)
    .map((block) => (block.startAt < now ? { ...block, startAt: now } : block))
  return daysFrom(first).map((day) => ({
    day,
    capacityMinutes: minutesAfter(now, openSpans(day, hours, zone)),
    plannedMinutes: plannedOn(coming, day, zone),
  }))
}

/** The first day of the fortnight, and the blocks and meetings from the day before on. */
export function useFortnight() {
  const zone = useZone()
  const today = dayOf(useNow(), zone).toString()
  const first = useMemo(() => Temporal.PlainDate.from(today), [today])
  const from = startOfDay(first.subtract({ days: 1 }), zone)
  const to = startOfDay(first.add({ days: fortnightDays }), zone)
  const { data: blocks = none, isPending } = useQuery(queries.blocks(from, to))
  const { data: events = noEvents } = useQuery(queries.calendarEvents(from, to))
  const hours = useHours(blocks, events)
  return { first, zone, hours, blocks, isPending }
}
const none: ListedTimeBlock[] = []
const noEvents: CalendarEvent[] = []

export const lengthOf = ({ startAt, endAt }: Blocked) => minutesBetween(startAt, endAt)
