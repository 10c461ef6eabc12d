// The data of the calendar: the blocks of the shown days, open tasks, and their scheduled minutes.
import type {
  CalendarEvent,
  ComingOccurrence,
  ListedTask,
  ListedTimeBlock,
} from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { queries } from '../../data/queries.ts'
import { useNow } from '../../time/clock.ts'
import { dayOf, startOfDay, type Zone } from '../../time/zone.ts'
import type { Due } from './day-head.tsx'
import { colorOf } from './entries.ts'
import { plannedMinutes } from './planned.ts'

const noBlocks: ListedTimeBlock[] = []
const noTasks: ListedTask[] = []
const noEvents: CalendarEvent[] = []
const noOccurrences: ComingOccurrence[] = []
const horizonDays = 35

export function useWeek(days: Temporal.PlainDate[], zone: Zone) {
  const first = days[0] as Temporal.PlainDate
  const last = days.at(-1) as Temporal.PlainDate
  // Starts a day earlier, to include blocks that cross midnight.
  const from = startOfDay(first.subtract({ days: 1 }), zone)
  const to = startOfDay(last.add({ days: 1 }), zone)
  const today = dayOf(useNow(), zone)
  const ahead = [
    startOfDay(today.subtract({ days: 1 }), zone),
    startOfDay(today.add({ days: horizonDays }), zone),
  ] as const
  const { data: blocks = noBlocks } = useQuery(queries.blocks(from, to))
  const { data: upcoming = noBlocks } = useQuery(queries.blocks(...ahead))
  const { data: events = noEvents } = useQuery(queries.calendarEvents(from, to))
  // The service lists coming occurrences for at most a year ahead.
  const isNear = Temporal.PlainDate.compare(last, today.add({ days: 366 })) <= 0
  const isAhead = Temporal.PlainDate.compare(last, today) > 0
  const { data: coming = noOccurrences } = useQuery({
    ...queries.comingOccurrences(first, last),
    enabled: isNear && isAhead,
  })
  // Only fills the cache, for `cachedEvents`.
  useQuery(queries.calendarEvents(...ahead))
  const { data: tasks = noTasks, isPending } = useQuery(queries.openTasks())
  const todayName = today.toString()

  return {
    blocks,
    upcoming,
    events,
    tasks,
    isPending,
    byId: useMemo(() => new Map(tasks.map((task) => [task.id, task])), [tasks]),
    planned: useMemo(
      () => plannedMinutes(upcoming, startOfDay(Temporal.PlainDate.from(todayName), zone)),
      [upcoming, todayName, zone],
    ),
    due: useMemo(() => dueByDay(tasks, zone), [tasks, zone]),
    coming: useMemo(() => comingByDay(coming, zone), [coming, zone]),
  }
}

/** The titles of occurrences without a task, by the day on which they are due. */
function comingByDay(occurrences: ComingOccurrence[], zone: Zone) {
  const titles = new Map<string, string[]>()
  for (const { title, dueAt } of occurrences) {
    const day = dayOf(dueAt, zone).toString()
    titles.set(day, [...(titles.get(day) ?? []), title])
  }
  return titles
}

function dueByDay(tasks: ListedTask[], zone: Zone) {
  const due = new Map<string, Due[]>()
  for (const task of tasks) {
    if (!task.dueAt) continue
    const day = dayOf(task.dueAt, zone).toString()
    const list = due.get(day) ?? []
    list.push({ id: task.id, title: task.title, color: colorOf(task) })
    due.set(day, list)
  }
  return due
}
