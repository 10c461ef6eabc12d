// The occurrences of a rule in a window of wall times. The expansion begins at the window, not at the start
// of the series, unless the rule has a COUNT.
import { dateOf, dayLength, dayNumber, dayOf, weekStartOf } from './days.ts'
import { LimitExceeded, spend, type Steps } from './limits.ts'
import { candidateDays, completeRule, makeDayFilter } from './rule-days.ts'
import { clockOf, timesWithin } from './rule-times.ts'
import { frequencies, type Rule } from './rule.ts'

export type Expansion = {
  /** The wall time of DTSTART. */
  start: number
  /** Whether DTSTART is the first occurrence even if the rule does not match it. */
  startIsFirst: boolean
  /** The first and the last wall time that are wanted. */
  from: number
  to: number
  /** The wall time after which the rule ends. */
  until?: number
  /** The maximum number of occurrences in the window. */
  limit: number
  steps: Steps
}

/** The wall times of the occurrences in the window. Throws `LimitExceeded`. */
export function expandRule(given: Rule, expansion: Expansion): number[] {
  const { start, steps } = expansion
  const rule = completeRule(given, dayOf(start))
  const { found, add } = makeCollection(rule, expansion)
  if (expansion.startIsFirst && !add(start)) return found
  const periods = isClockRule(rule) ? clockPeriods(rule, expansion) : dayPeriods(rule, expansion)
  for (const times of periods) {
    spend(steps, 1 + (rule.bySetPosition?.size ?? 0))
    for (const time of pickPositions(times, rule.bySetPosition)) {
      if (time < start || (time === start && expansion.startIsFirst)) continue
      if (!add(time)) return found
    }
  }
  return found
}

const isClockRule = ({ frequency }: Rule) => frequencies.indexOf(frequency) > 3

/** Collects the occurrences in the window. `add` returns false once no further occurrence can follow. */
function makeCollection(rule: Rule, { from, to, until = Infinity, limit, start }: Expansion) {
  const found: number[] = []
  const { count = Infinity } = rule
  let counted = 0
  const add = (time: number) => {
    counted += 1
    if (counted > count || time > to || (time > until && time !== start)) return false
    if (time >= from && found.push(time) > limit) throw new LimitExceeded('too-many-occurrences')
    return true
  }
  return { found, add }
}

function pickPositions(times: number[], positions: Set<number> | undefined) {
  if (!positions) return times
  const picked = [...positions].map((each) => times.at(each > 0 ? each - 1 : each))
  return [...new Set(picked)].filter((time) => time !== undefined).toSorted((a, b) => a - b)
}

/** No period is longer than this many days. */
const longest = { YEARLY: 366, MONTHLY: 31, WEEKLY: 7, DAILY: 1 }

/** The times of each year, month, week or day of the rule. */
function* dayPeriods(rule: Rule, expansion: Expansion) {
  const { start, from, to, until = Infinity, limit, steps } = expansion
  const frequency = rule.frequency as keyof typeof longest
  const isWanted = makeDayFilter(rule)
  const times = timesWithin(rule, expansion.start, dayLength, limit)
  const distance = (dayOf(from) - dayOf(start)) / (longest[frequency] * rule.interval)
  for (let i = firstIndex(rule, distance); ; i += 1) {
    const [first, end] = daysOfPeriod(frequency, rule, dayOf(start), i * rule.interval)
    // Negated, so that NaN, in case a huge interval leads to it, ends the loop as well.
    if (!(first * dayLength <= Math.min(to, until))) return
    const candidates = candidateDays(rule, first, end)
    spend(steps, 1 + candidates.length)
    const days = candidates.filter(isWanted)
    // Spent before the list is built, because the list may be long.
    spend(steps, days.length * times.length)
    yield days.flatMap((day) => times.map((time) => day * dayLength + time))
  }
}

/** The index of the first period to examine. Without a COUNT, the periods before the window are skipped. */
const firstIndex = (rule: Rule, distance: number) =>
  rule.count === undefined ? Math.max(0, Math.floor(distance) - 1) : 0

/** The first day of a period, and the day after its last. `offset` is its distance from the start in periods. */
function daysOfPeriod(
  frequency: keyof typeof longest,
  rule: Rule,
  startDay: number,
  offset: number,
): [number, number] {
  const { year, month } = dateOf(startDay)
  if (frequency === 'YEARLY') {
    return [dayNumber(year + offset, 1, 1), dayNumber(year + offset + 1, 1, 1)]
  }
  if (frequency === 'MONTHLY') {
    return [dayNumber(year, month + offset, 1), dayNumber(year, month + offset + 1, 1)]
  }
  const length = longest[frequency]
  const start = frequency === 'WEEKLY' ? weekStartOf(startDay, rule.firstWeekday) : startDay
  return [start + offset * length, start + (offset + 1) * length]
}

const unitLengths = { HOURLY: 3600, MINUTELY: 60, SECONDLY: 1 }

/** The times of each hour, minute or second of the rule. Days, hours and minutes without any are skipped. */
function* clockPeriods(rule: Rule, expansion: Expansion) {
  const { start, from, to, until = Infinity, limit, steps } = expansion
  const unit = unitLengths[rule.frequency as keyof typeof unitLengths]
  const isWanted = makeDayFilter(rule)
  const times = timesWithin(rule, start, unit, limit)
  const base = Math.floor(start / unit) * unit
  const stride = unit * rule.interval
  let i = firstIndex(rule, (from - base) / stride)
  for (;;) {
    const period = base + i * stride
    if (period > Math.min(to, until)) return
    spend(steps, 1)
    const excluded = excludedLength(rule, period, unit, isWanted)
    if (excluded === undefined) yield times.map((time) => period + time)
    const next = excluded && (Math.floor(period / excluded) + 1) * excluded
    i = next === undefined ? i + 1 : Math.max(i + 1, Math.ceil((next - base) / stride))
  }
}

/** If the rule excludes a period: the length of the day, hour, minute or second that is excluded with it. */
function excludedLength(rule: Rule, at: number, unit: number, isWanted: (day: number) => boolean) {
  if (!isWanted(dayOf(at))) return dayLength
  const { hour, minute, second } = clockOf(at)
  if (rule.byHour && !rule.byHour.has(hour)) return 3600
  if (unit <= 60 && rule.byMinute && !rule.byMinute.has(minute)) return 60
  if (unit === 1 && rule.bySecond && !rule.bySecond.has(second)) return 1
  return undefined
}
