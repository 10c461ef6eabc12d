// The days that a rule wants within a year, a month, a week or a single day.
import { dateOf, dayNumber, weekdayOf, weekStartOf } from './days.ts'
import type { NumberedWeekday, Rule } from './rule.ts'

/** The rule with the parts that it takes from the day of its start. */
export function completeRule(rule: Rule, startDay: number): Rule {
  const { byDay, byMonthDay, byYearDay, byWeekNumber } = rule
  if (byDay || byMonthDay || byYearDay) return rule
  const { month, day } = dateOf(startDay)
  const onWeekday: NumberedWeekday[] = [{ position: 0, weekday: weekdayOf(startDay) }]
  if (rule.frequency === 'WEEKLY') return { ...rule, byDay: onWeekday }
  if (rule.frequency === 'YEARLY' && byWeekNumber) return { ...rule, byDay: onWeekday }
  if (rule.frequency === 'YEARLY') {
    return { ...rule, byMonth: rule.byMonth ?? new Set([month]), byMonthDay: new Set([day]) }
  }
  if (rule.frequency === 'MONTHLY' && !byWeekNumber) return { ...rule, byMonthDay: new Set([day]) }
  return rule
}

/** The days from `first` up to, but excluding, `end` that may match the rule: often far fewer than all. */
export function candidateDays(rule: Rule, first: number, end: number): number[] {
  const isLong = rule.frequency === 'YEARLY' || rule.frequency === 'MONTHLY'
  if (!isLong || !(rule.byMonth || rule.byMonthDay)) return range(first, end)
  const days: number[] = []
  const { year, month } = dateOf(first)
  for (let i = 0; ; i += 1) {
    const monthStart = dayNumber(year, month + i, 1)
    if (monthStart >= end) return days
    if (rule.byMonth && !rule.byMonth.has(month + i)) continue
    const monthEnd = dayNumber(year, month + i + 1, 1)
    days.push(...daysOfMonth(rule.byMonthDay, monthStart, monthEnd))
  }
}

function daysOfMonth(positions: Set<number> | undefined, first: number, end: number) {
  if (!positions) return range(first, end)
  const days = [...positions].map((each) => (each > 0 ? first + each - 1 : end + each))
  return [...new Set(days)].filter((day) => day >= first && day < end).toSorted((a, b) => a - b)
}

function range(first: number, end: number) {
  const days: number[] = []
  for (let day = first; day < end; day += 1) days.push(day)
  return days
}

/** Tells for a day whether all BY parts of the rule allow it. */
export function makeDayFilter(rule: Rule): (day: number) => boolean {
  const { byDay, byMonth, byMonthDay, byYearDay, byWeekNumber } = rule
  const weekdays = byDay && new Set(byDay.map(({ weekday }) => weekday))
  const numbersCountIn = byDay?.some(({ position }) => position !== 0) && periodOfNumbers(rule)
  const hasNumber = makeNumberFilter(byDay ?? [])
  const hasDateParts = byMonth || byMonthDay || byYearDay || byWeekNumber || numbersCountIn

  return (day) => {
    if (weekdays && !weekdays.has(weekdayOf(day))) return false
    if (!hasDateParts) return true
    const { year, month, day: dayOfMonth } = dateOf(day)
    if (byMonth && !byMonth.has(month)) return false
    const monthLength = dayNumber(year, month + 1, 1) - day + dayOfMonth - 1
    if (byMonthDay && !hasPosition(byMonthDay, dayOfMonth, monthLength)) return false
    const dayOfYear = day - dayNumber(year, 1, 1) + 1
    const yearLength = dayNumber(year + 1, 1, 1) - dayNumber(year, 1, 1)
    if (byYearDay && !hasPosition(byYearDay, dayOfYear, yearLength)) return false
    if (byWeekNumber && !isInWeek(byWeekNumber, day, rule.firstWeekday)) return false
    if (!numbersCountIn) return true
    return numbersCountIn === 'month'
      ? hasNumber(weekdayOf(day), dayOfMonth, monthLength)
      : hasNumber(weekdayOf(day), dayOfYear, yearLength)
  }
}

/** Whether a set of positions has this one, counted from the start (1, 2, …) or from the end (-1, -2, …). */
const hasPosition = (positions: Set<number>, position: number, length: number) =>
  positions.has(position) || positions.has(position - length - 1)

/** The period within which the number of 2MO counts. Shorter frequencies ignore the number. */
function periodOfNumbers({ frequency, byMonth }: Rule) {
  if (frequency === 'MONTHLY') return 'month'
  if (frequency === 'YEARLY') return byMonth ? 'month' : 'year'
  return undefined
}

/** Tells whether the day at `position` in a period of `length` days is a wanted weekday with a wanted number. */
function makeNumberFilter(byDay: NumberedWeekday[]) {
  const keyOf = (position: number, weekday: number) => position * 7 + weekday
  const wanted = new Set(byDay.map(({ position, weekday }) => keyOf(position, weekday)))
  return (weekday: number, position: number, length: number) =>
    wanted.has(keyOf(0, weekday)) ||
    wanted.has(keyOf(Math.ceil(position / 7), weekday)) ||
    wanted.has(keyOf(-Math.ceil((length - position + 1) / 7), weekday))
}

/** Week 1 is the first with at least four days in the year, so the fourth day of a week determines its year. */
function isInWeek(wanted: Set<number>, day: number, firstWeekday: number) {
  const { year } = dateOf(weekStartOf(day, firstWeekday) + 3)
  // 28 December is always in the last week of its year.
  const lastDay = dayNumber(year, 12, 28)
  const weekOf = (other: number) =>
    Math.floor((weekStartOf(other, firstWeekday) + 3 - dayNumber(year, 1, 1)) / 7) + 1
  return hasPosition(wanted, weekOf(day), weekOf(lastDay))
}
