// The times of day that a rule wants.
import { dayOf } from './days.ts'
import { LimitExceeded } from './limits.ts'
import type { Rule } from './rule.ts'

export const clockOf = (wall: number) => ({
  hour: Math.floor(wall / 3600) - dayOf(wall) * 24,
  minute: Math.floor(wall / 60) - Math.floor(wall / 3600) * 60,
  second: wall - Math.floor(wall / 60) * 60,
})

/** The times within one day, hour, minute or second, in seconds from its beginning. */
export function timesWithin(rule: Rule, start: number, unit: number, limit: number) {
  const { hour, minute, second } = clockOf(start)
  const hours = unit > 3600 ? [...(rule.byHour ?? [hour])] : [0]
  const minutes = unit > 60 ? [...(rule.byMinute ?? [minute])] : [0]
  const seconds = unit > 1 ? [...(rule.bySecond ?? [second])] : [0]
  if (hours.length * minutes.length * seconds.length > limit) {
    throw new LimitExceeded('too-many-occurrences')
  }
  const times = hours.flatMap((h) =>
    minutes.flatMap((m) => seconds.map((s) => h * 3600 + m * 60 + Math.min(s, 59))),
  )
  return [...new Set(times)].toSorted((a, b) => a - b)
}
