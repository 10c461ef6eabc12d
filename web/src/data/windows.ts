// The weekly windows of a schedule.
import type { Window } from '@daywright/contract'

export type Minutes = { start: number; end: number }

/** Minutes past midnight of `09:30`. */
export const minutesOf = (clock: string) => {
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
