// Preferred parts of the free time, which are tried before the whole free time.
import type { Preferences, Task } from '../model.ts'
import { intersect, pairsOf, subtract, union } from './intervals.ts'

/** A part of the free time. A task uses it only if that makes the task neither late nor left over. */
export type PreferredTime = {
  free: Int32Array
  /** By how many minutes the task may end later than in the previous part of the list. */
  maxDelay: number
}

/** Focus hours delay work by at most two days. With no limit, the other hours would stay empty. */
const MAX_FOCUS_DELAY = 2 * 1440

export type PreferredTimes = {
  /** For all work, and for long work. In each list, every part is contained in the one before it. */
  all: PreferredTime[]
  long: PreferredTime[]
}

/** Returns a function that gives the preferred parts of the free time of a window set. `days` are the
 *  first minutes of the local days; `spansOf` gives the minutes between two local times of each. */
export const preferredTimeFinder = (
  { keepFreePercent, deepWorkUntil, focusHours }: Preferences,
  days: Int32Array,
  spansOf: (from: string, to: string) => (readonly [number, number])[],
) => {
  const early = deepWorkUntil ? union(spansOf('00:00', deepWorkUntil)) : null
  const focus = focusHours ? union(spansOf(focusHours.from, focusHours.to)) : null
  const share = (keepFreePercent ?? 0) / 100
  return (free: Int32Array): PreferredTimes => {
    const all: PreferredTime[] = []
    let part = free
    const add = (times: PreferredTime[], next: Int32Array, maxDelay = Infinity) => {
      part = next
      times.push({ free: part, maxDelay })
    }
    if (share > 0) add(all, withoutEnds(free, days, share))
    const long = all.slice()
    if (early) add(long, intersect(part, early))
    if (focus) {
      // The delay is measured against the previous part, so there must be one.
      if (long.length === 0) add(long, free)
      add(long, intersect(part, focus), MAX_FOCUS_DELAY)
    }
    return { all, long }
  }
}

/** The free time without the last `share` of each day's free minutes. */
const withoutEnds = (free: Int32Array, days: Int32Array, share: number) => {
  const ends: [number, number][] = []
  for (let day = 0; day + 1 < days.length; day++) {
    const ofDay = pairsOf(intersect(free, days.subarray(day, day + 2)))
    let rest = Math.ceil(share * ofDay.reduce((sum, [start, end]) => sum + end - start, 0))
    for (const [start, end] of ofDay.toReversed()) {
      if (rest <= 0) break
      ends.push([Math.max(start, end - rest), end])
      rest -= end - start
    }
  }
  return subtract(free, union(ends))
}

/** Long work: tasks of two hours or more, and those whose sessions may last an hour or more. */
export const isLongWork = ({ estimateMinutes, autoSplit, maxSessionMinutes }: Task): boolean => {
  const minutes = estimateMinutes ?? 0
  return minutes >= 120 || (minutes >= 60 && (!autoSplit || maxSessionMinutes >= 60))
}
