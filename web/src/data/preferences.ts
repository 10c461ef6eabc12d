// The hours in which work is planned. A task uses its own schedule, or that of its project, space or account, or
// else the planner's default hours. If none of them has a schedule, a new task is given the user's first one.
import type {
  ListedProject,
  ListedSpace,
  ListedTask,
  SchedulePreference,
  Settings,
  Window,
} from '@daywright/contract'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache } from './query-client.ts'
import { keys } from './keys.ts'
import { queries } from './queries.ts'

/** The planner's default hours, for a task without a schedule. */
export const plannersWindows: Window[] = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

const first = (preferences: SchedulePreference[] | undefined) =>
  preferences?.toSorted((one, other) => other.priority - one.priority)[0]

/** All time in which something may be planned; the calendar shows it as open. */
export function useOpenWindows() {
  const { data } = useQuery(queries.preferences())
  return useMemo(
    () => (data?.length ? data.flatMap(({ windows }) => windows) : plannersWindows),
    [data],
  )
}

type Placed = { projectId?: string | null; spaceId?: string | null }

const find = <Record extends { id: string }>(key: QueryKey, wanted: string | null | undefined) =>
  cache.getQueryData<Record[]>(key)?.find(({ id }) => id === wanted)

/** The id of the schedule that a task inherits: that of its project, else of its space, else of the account. */
const inheritedPreference = ({ projectId, spaceId }: Placed) =>
  find<ListedProject>(keys.projects, projectId)?.schedulePreferenceId ??
  find<ListedSpace>(keys.spaces, spaceId)?.schedulePreferenceId ??
  cache.getQueryData<Settings>(keys.settings)?.schedulePreferenceId ??
  null

/** The schedule that a new task is given: the first one, unless the task inherits one. */
export const scheduleForNew = (task: Placed) =>
  inheritedPreference(task) === null
    ? (first(cache.getQueryData<SchedulePreference[]>(keys.preferences))?.id ?? null)
    : null

/** The windows that a task is planned in. */
export function windowsOf(taskId: string | null) {
  const task = find<ListedTask>(keys.openTasks, taskId)
  const chosen = task?.schedulePreferenceId ?? inheritedPreference(task ?? {})
  return find<SchedulePreference>(keys.preferences, chosen)?.windows ?? plannersWindows
}

export type Minutes = { start: number; end: number }

const minutesOf = (clock: string) => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return hours * 60 + minutes
}

/** The windows of one weekday (0 is Sunday), in minutes past midnight, merged and sorted. */
export function windowsOn(windows: Window[], weekday: number): Minutes[] {
  const ofDay = windows
    .filter(({ day }) => day.includes(weekday))
    .map(({ start, end }) => ({ start: minutesOf(start), end: minutesOf(end) }))
    .toSorted((one, other) => one.start - other.start)
  const joined: Minutes[] = []
  for (const window of ofDay) {
    const last = joined.at(-1)
    if (last && window.start <= last.end) last.end = Math.max(last.end, window.end)
    else joined.push({ ...window })
  }
  return joined
}
