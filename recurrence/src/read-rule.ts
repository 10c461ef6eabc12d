// The rules that a series may have, and their days.
import {
  dateOf,
  expandRule,
  dayLength,
  LimitExceeded,
  parseRule,
  type Rule,
  RuleNotUnderstood,
} from '@daywright/ical'
import type { Kind } from './series.ts'

/** The rule is not one that a series of this kind can have. The message is for the user. */
export class RuleRefused extends Error {}

const mostInterval = 1000
const mostYears = 100
const longest = { YEARLY: 366, MONTHLY: 31, WEEKLY: 7, DAILY: 1 }

/** The most days that a period of the rule can have. */
export const longestPeriod = ({ frequency, interval }: Rule) =>
  longest[frequency as keyof typeof longest] * interval

const read = new Map<string, Rule>()

/** Parses a rule. Throws `RuleRefused` if a series of this kind cannot have it. */
export function readRule(kind: Kind, text: string): Rule {
  const known = read.get(`${kind} ${text}`)
  if (known) return known
  const rule = parse(text)
  refuseParts(kind, rule)
  if (read.size > 1000) read.clear()
  read.set(`${kind} ${text}`, rule)
  return rule
}

function parse(text: string) {
  try {
    return parseRule(text)
  } catch (error) {
    if (!(error instanceof RuleNotUnderstood)) throw error
    throw new RuleRefused(`Must be a recurrence rule like FREQ=WEEKLY;BYDAY=FR`)
  }
}

function refuseParts(kind: Kind, rule: Rule) {
  const refuse = (isRefused: unknown, message: string) => {
    if (isRefused) throw new RuleRefused(message)
  }
  const { frequency, byDay, byMonth, byMonthDay, byYearDay, byWeekNumber, bySetPosition } = rule
  refuse(
    !['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(frequency),
    'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY',
  )
  refuse(rule.count ?? rule.until, 'Must not have COUNT or UNTIL: use most or endsOn')
  refuse(rule.byHour ?? rule.byMinute ?? rule.bySecond, 'Must not have times of day: use dueTime')
  const most = frequency === 'YEARLY' ? mostYears : mostInterval
  refuse(rule.interval > most, `INTERVAL must be at most ${most}`)
  // The days of a whole period are computed at once.
  refuse(kind === 'times' && longestPeriod(rule) > 366, 'A period must not be longer than a year')
  const numbered = byDay?.some(({ position }) => position !== 0)
  refuse(
    numbered && (frequency === 'DAILY' || frequency === 'WEEKLY'),
    'Numbers before days need FREQ=MONTHLY or YEARLY',
  )
  const others = byMonth ?? byMonthDay ?? byYearDay ?? byWeekNumber ?? bySetPosition
  refuse(
    kind === 'times' && (others || numbered),
    'May have only FREQ, INTERVAL, WKST and plain days if there are times',
  )
}

/** The days of a rule from `from` to `to`, as numbers, for a series that begins on `start`. */
export function ruleDays(rule: Rule, start: number, from: number, to: number): number[] {
  const days = withoutShortMonths(rule, start).flatMap((each) =>
    expandRule(each, {
      start: start * dayLength,
      startIsFirst: false,
      from: Math.max(start, from) * dayLength,
      to: to * dayLength,
      limit: 5000,
      steps: { left: 200_000 },
    }),
  )
  return [...new Set(days.map((wall) => wall / dayLength))].toSorted((a, b) => a - b)
}

/** Search windows in days: the next day is mostly near, but 29 February on a Monday comes every 28 or 40 years. */
const searched = [31, 366, 366 * 8, 366 * 41]

/** The first day of the rule from `from` to `last`, or nothing if there is none. */
export function firstRuleDay(
  rule: Rule,
  start: number,
  from: number,
  last: number,
): number | undefined {
  try {
    for (const length of searched) {
      const to = Math.min(Math.max(start, from) + length, last)
      const [first] = to < from ? [] : ruleDays(rule, start, from, to)
      if (first !== undefined) return first
      if (to >= last) return undefined
    }
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
  }
  return undefined
}

/**
 * RFC 5545 leaves out months without a 31st. People mean the last day of such a month. So each wanted day after
 * the 28th becomes a rule of its own: the last existing day from the 28th up to it.
 */
function withoutShortMonths(given: Rule, start: number): Rule[] {
  const rule = withDayOfStart(given, start)
  const { frequency, byMonth, byMonthDay, byDay, byYearDay, byWeekNumber, bySetPosition } = rule
  const isLong = frequency === 'MONTHLY' || frequency === 'YEARLY'
  const late = [...(byMonthDay ?? [])].filter((day) => day > 28)
  if (!isLong || late.length === 0) return [rule]
  if (byDay || byYearDay || byWeekNumber || bySetPosition) return [rule]
  const others = new Set([...byMonthDay!].filter((day) => day <= 28))
  // BYSETPOS counts within a year for YEARLY, so each month needs a rule of its own.
  const months = frequency === 'YEARLY' ? [...(byMonth ?? allMonths)] : [undefined]
  const clamped = late.flatMap((day) =>
    months.map((month) => ({
      ...rule,
      ...(month !== undefined && { byMonth: new Set([month]) }),
      byMonthDay: new Set(Array.from({ length: day - 27 }, (_, i) => 28 + i)),
      bySetPosition: new Set([-1]),
    })),
  )
  return others.size > 0 ? [{ ...rule, byMonthDay: others }, ...clamped] : clamped
}

const allMonths = Array.from({ length: 12 }, (_, i) => i + 1)

/** Gives a rule without a day the day of its start, which may be the 31st or 29 February. */
function withDayOfStart(rule: Rule, start: number): Rule {
  const { frequency, byDay, byMonthDay, byYearDay, byWeekNumber, byMonth } = rule
  if (byDay || byMonthDay || byYearDay || byWeekNumber) return rule
  const { month, day } = dateOf(start)
  if (frequency === 'MONTHLY') return { ...rule, byMonthDay: new Set([day]) }
  if (frequency !== 'YEARLY') return rule
  return { ...rule, byMonth: byMonth ?? new Set([month]), byMonthDay: new Set([day]) }
}
