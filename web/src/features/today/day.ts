// The content of a day, from blocks and tasks.
import type { ListedTask, ListedTimeBlock } from '@daywright/contract'
import {
  type Hours,
  minutesAfter,
  minutesOfAll,
  openSpans,
  workingSpans,
} from '../../data/open-time.ts'
import type { ShownEvent } from '../calendars/shown-events.ts'
import { dayOf, startOfDay, type Zone } from '../../time/zone.ts'

export type Day = {
  /** Today's blocks in order, without cancelled ones. */
  blocks: ListedTimeBlock[]
  current: ListedTimeBlock | undefined
  next: ListedTimeBlock | undefined
  due: ListedTask[]
  /** Work that is still to come. */
  openMinutes: number
  doneMinutes: number
  /** The working time of the day. */
  workingMinutes: number
  /** The working time that is left today. */
  workingMinutesLeft: number
  /** The working time that is left today, without meetings and lunch. */
  leftMinutes: number
}

type Given = {
  blocks: ListedTimeBlock[]
  tasks: ListedTask[]
  hours: Hours
  now: Date
  zone: Zone
}

export function dayFrom({ blocks, tasks, hours, now, zone }: Given): Day {
  const today = dayOf(now, zone)
  const [start, end] = [startOfDay(today, zone), startOfDay(today.add({ days: 1 }), zone)]
  const there = blocks.filter(({ status }) => status !== 'cancelled').toSorted(byStart)
  const ofToday = there.filter(({ startAt, endAt }) => endAt > start && startAt < end)
  const open = ofToday.filter(({ status }) => status !== 'completed')
  const running = there.find(({ status }) => status === 'in_progress')
  const minutesIn = (from: Date, to: Date, of: ListedTimeBlock[]) =>
    of.reduce((sum, block) => sum + overlap(block.startAt, block.endAt, from, to), 0)
  const working = workingSpans(today, hours.windows, zone)
  return {
    blocks: ofToday,
    current: running ?? open.find(({ startAt, endAt }) => startAt <= now && now < endAt),
    next: open.find(({ startAt, status }) => startAt > now && status === 'scheduled'),
    due: tasks
      .filter(({ dueAt }) => dueAt !== null && dueAt < end)
      .toSorted((one, other) => (one.dueAt?.getTime() ?? 0) - (other.dueAt?.getTime() ?? 0)),
    openMinutes: minutesIn(now, end, open),
    doneMinutes: minutesIn(
      start,
      end,
      ofToday.filter(({ status }) => status === 'completed'),
    ),
    workingMinutes: minutesOfAll(working),
    workingMinutesLeft: minutesAfter(now, working),
    leftMinutes: minutesAfter(now, openSpans(today, hours, zone)),
  }
}

export type AgendaItem = { id: string; startAt: Date; endAt: Date } & (
  | { block: ListedTimeBlock; event?: undefined }
  | { event: ShownEvent; block?: undefined }
)

/** Blocks and events in order of time, all-day events first. */
export function agendaOf(blocks: ListedTimeBlock[], events: ShownEvent[]): AgendaItem[] {
  const items = [
    ...events.map((event) => ({ id: event.id, ...spanOf(event), event })),
    ...blocks.map((block) => ({ id: block.id, ...spanOf(block), block })),
  ]
  const rank = ({ event }: AgendaItem) => (event?.allDay ? 0 : 1)
  return items.toSorted((one, other) => rank(one) - rank(other) || byStart(one, other))
}

const spanOf = ({ startAt, endAt }: { startAt: Date; endAt: Date }) => ({ startAt, endAt })

/** The start of each task's next block, by task id. */
export function nextByTask(blocks: ListedTimeBlock[], now: Date) {
  const next = new Map<string, Date>()
  for (const { taskId, status, startAt, endAt } of blocks.toSorted(byStart)) {
    const isToCome = endAt > now && (status === 'scheduled' || status === 'in_progress')
    if (taskId !== null && isToCome && !next.has(taskId)) next.set(taskId, startAt)
  }
  return next
}

const byStart = (one: { startAt: Date }, other: { startAt: Date }) =>
  one.startAt.getTime() - other.startAt.getTime()

function overlap(from: Date, to: Date, start: Date, end: Date) {
  const first = Math.max(from.getTime(), start.getTime())
  const last = Math.min(to.getTime(), end.getTime())
  return Math.max(0, (last - first) / 60_000)
}
