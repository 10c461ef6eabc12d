// The wall times at which an event recurs, by its rules and dates, near a window.
import { dayLength, dayOf, isDateOnly, isUtc, parseWall } from './days.ts'
import { longestOf, spanAt, type CalendarEvent } from './event.ts'
import { expandRule } from './expand-rule.ts'
import { LimitExceeded, stepsForRule, type Limits, type Steps } from './limits.ts'
import { splitDates } from './date-lists.ts'
import type { Window } from './occurrences.ts'
import { parseRule, RuleNotUnderstood, type Rule } from './rule.ts'
import type { SkippedList } from './skipped.ts'
import { instantOf, readPeriod, readTime, type Calendar, type LocalTime } from './times.ts'

export type Context = {
  calendar: Calendar
  window: Window
  limits: Limits
  steps: Steps
  skipped: SkippedList
}

export type Recurrence = { wall: number; start: number; end: number; isPeriod: boolean }

/** No real event needs more rules; further rules are ignored. */
const mostRules = 10

/** Wall times of all zones are within this distance of the instant. */
const zoneMargin = 2 * dayLength

/** Wall times near the window. `reach` is how far a changed series may have been moved. */
export const wallsNear = ({ from, to }: Window, event: CalendarEvent, reach: number) => ({
  from: from - longestOf(event.length) - reach - zoneMargin,
  to: to + reach + zoneMargin,
})

/** When the event takes place near the window, in order. Throws `LimitExceeded`. */
export function findRecurrences(event: CalendarEvent, reach: number, context: Context) {
  const near = wallsNear(context.window, event, reach)
  const isNear = (wall: number) => wall >= near.from && wall <= near.to
  const walls = new Set([event.start.wall])
  for (const rule of parseRules(event, event.rules, context)) {
    for (const wall of expand(rule, event, near, true, context)) walls.add(wall)
  }
  for (const rule of parseRules(event, event.excludedRules, context)) {
    for (const wall of expand(rule, event, near, false, context)) walls.delete(wall)
  }
  const found = new Map<number, Recurrence>()
  for (const wall of walls) {
    if (isNear(wall)) addRecurrence(found, { wall, ...spanAt(event, wall), isPeriod: false })
  }
  for (const each of datesOf(event, isNear, context)) addRecurrence(found, each)
  if (found.size > context.limits.occurrencesPerSeries) {
    throw new LimitExceeded('too-many-occurrences')
  }
  return [...found.values()].toSorted((a, b) => a.start - b.start)
}

/** Adds each instant once: two wall times are the same instant if a clock change skips one of them. */
function addRecurrence(found: Map<number, Recurrence>, each: Recurrence) {
  if (!found.has(each.start)) found.set(each.start, each)
}

function parseRules(event: CalendarEvent, texts: string[], { skipped }: Context) {
  return texts.slice(0, mostRules).flatMap((text) => {
    try {
      return [parseRule(text)]
    } catch (error) {
      if (!(error instanceof RuleNotUnderstood)) throw error
      skipped.add(event, 'rule-not-understood')
      return []
    }
  })
}

function expand(
  rule: Rule,
  { start }: CalendarEvent,
  near: Window,
  startIsFirst: boolean,
  { limits, steps }: Context,
) {
  return expandRule(rule, {
    ...near,
    start: start.wall,
    startIsFirst,
    until: rule.until === undefined ? undefined : untilOf(rule.until, start),
    limit: limits.occurrencesPerSeries,
    steps: stepsForRule(steps, limits),
  })
}

/** The last wall time that UNTIL allows. A date includes its whole day. */
function untilOf(text: string, start: LocalTime) {
  const wall = parseWall(text)!
  if (isDateOnly(text)) return wall + dayLength - 1
  return isUtc(text) && !start.isDate ? start.zone.toWall(wall) : wall
}

/** The dates and periods of RDATE. */
function* datesOf(event: CalendarEvent, isNear: (wall: number) => boolean, context: Context) {
  for (const { property, text } of splitDates(event.dates, context.steps)) {
    const period = text.includes('/') ? readPeriod(property, context.calendar, text) : undefined
    const time = period?.start ?? readTime(property, context.calendar, text)
    if (!time || !isNear(time.wall)) continue
    const wall = wallInSeries(time, event.start)
    if (period) yield { wall, start: instantOf(time), end: period.end, isPeriod: true }
    else yield { wall, ...spanAt(event, wall), isPeriod: false }
  }
}

/** Converts a time to the wall time of the corresponding occurrence, in the zone of the series. */
export function wallInSeries(time: LocalTime, start: LocalTime) {
  if (start.isDate) return dayOf(time.wall) * dayLength
  // A date without a time, in a series with times, means the usual time of day.
  if (time.isDate) return time.wall + (start.wall - dayOf(start.wall) * dayLength)
  return time.zone === start.zone ? time.wall : start.zone.toWall(instantOf(time))
}
