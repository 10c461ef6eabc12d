// When work is planned. A task uses its own schedule, or else the planner's default hours. So new tasks are
// given the user's first schedule, which the app calls "working hours".
import type { SchedulePreference, Window } from '@daywright/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { cache } from './cache.ts'
import { keys } from './keys.ts'
import { queries } from './queries.ts'

/** The planner's default hours, for a task without a schedule. */
export const plannersWindows: Window[] = [{ day: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' }]

const first = (preferences: SchedulePreference[] | undefined) =>
  preferences?.toSorted((one, other) => other.priority - one.priority)[0]

export const workingHoursId = () =>
  first(cache.getQueryData<SchedulePreference[]>(keys.preferences))?.id ?? null

/** All time in which something may be planned; the calendar shows it as open. */
export function useOpenWindows() {
  const { data } = useQuery(queries.preferences())
  return useMemo(
    () => (data?.length ? data.flatMap(({ windows }) => windows) : plannersWindows),
    [data],
  )
}

/** The windows that a task is planned in. */
export function windowsOf({ schedulePreferenceId }: { schedulePreferenceId: string | null }) {
  const preferences = cache.getQueryData<SchedulePreference[]>(keys.preferences)
  return preferences?.find(({ id }) => id === schedulePreferenceId)?.windows ?? plannersWindows
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
