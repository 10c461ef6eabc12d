// Compiles the user's preferences to minutes of the horizon.
import type { Preferences } from '../model.ts'
import { type DailyLimit, dailyLimitOf } from './daily-limit.ts'
import { clip, union } from './intervals.ts'
import { lunchBreaks } from './lunch.ts'
import { pauseAfter, type Pauses, pausesOf } from './pauses.ts'
import { preferredTimeFinder, type PreferredTimes } from './preferred-times.ts'
import { type Day, dayStarts, minuteOfDay } from './windows.ts'

const MINUTE = 60_000

type Pair = readonly [number, number]

type Calendar = {
  timezone: string
  t0: number
  horizon: number
  days: readonly Day[]
  /** All kept blocks from their start to their end as scheduled. */
  kept: readonly Pair[]
  /** The kept blocks of tasks from their start to the end of their busy time, as instants. */
  work: readonly Pair[]
}

export type CompiledPreferences = {
  lunch: Int32Array
  pauses: Pauses | null
  dailyLimit: DailyLimit | null
  /** Closed to all sessions: lunch, and the pauses after kept blocks of tasks. */
  closed: Pair[]
  preferredTimes: (free: Int32Array) => PreferredTimes
}

export const compilePreferences = (
  preferences: Preferences,
  { timezone, t0, horizon, days, kept, work }: Calendar,
): CompiledPreferences => {
  const { lunch, dailyLimitMinutes } = preferences
  const minute = (day: Day, time: string) => (day.instant(minuteOfDay(time)) - t0) / MINUTE
  const spansOf = (from: string, to: string) =>
    days.map((day): Pair => [Math.ceil(minute(day, from)), Math.floor(minute(day, to))])
  const starts = dayStarts(timezone, t0, horizon)
  const breaks = lunch ? lunchBreaks(spansOf(lunch.from, lunch.to), lunch.minutes, kept) : []
  const pauses = pausesOf(preferences)
  const afterWork = pauses
    ? work.map(([start, end]): Pair => [
        Math.floor((end - t0) / MINUTE),
        Math.ceil((end - t0) / MINUTE) + pauseAfter(pauses, (end - start) / MINUTE),
      ])
    : []
  return {
    lunch: union(clip(breaks, 0, horizon)),
    pauses,
    dailyLimit:
      typeof dailyLimitMinutes === 'number'
        ? dailyLimitOf(dailyLimitMinutes, t0, starts, horizon, work)
        : null,
    closed: [...breaks, ...afterWork],
    preferredTimes: preferredTimeFinder(preferences, starts, spansOf),
  }
}
