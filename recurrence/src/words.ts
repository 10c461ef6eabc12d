// A series in words: "every 2 weeks on Friday, until 30 June 2026".
import type { Rule } from '@daywright/ical'
import { readRule } from './read-rule.ts'
import type { Series } from './series.ts'

export function describeSeries(series: Series): string {
  const rule = readRule(series.kind, series.rule)
  const parts = [
    describe[series.kind](rule, series),
    series.endsOn === null ? undefined : `until ${dateText(series.endsOn)}`,
    series.most === null ? undefined : `${series.most} ${plural('time', series.most)} in all`,
  ]
  return parts.filter((part) => part !== undefined).join(', ')
}

const describe = {
  calendar: (rule: Rule, { startsOn }: Series) => calendarWords(rule, startsOn),
  completion: (rule: Rule) => {
    const days = dayWords(rule)
    const after = `${count(rule.interval, unitOf(rule))} after the last one`
    return days ? `${after}, ${days}` : after
  },
  times: (rule: Rule, { times }: Series) => {
    const often = { 1: 'once', 2: 'twice' }[times ?? 1] ?? `${times} times`
    const unit = unitOf(rule)
    const period = rule.interval === 1 ? `a ${unit}` : `every ${count(rule.interval, unit)}`
    const days = dayWords(rule)
    return days ? `${often} ${period}, ${days}` : `${often} ${period}`
  },
}

function calendarWords(rule: Rule, startsOn: string) {
  const { interval, frequency, byDay } = rule
  const every = interval === 1 ? `every ${unitOf(rule)}` : `every ${count(interval, unitOf(rule))}`
  const isPlain = !rule.byMonth && !rule.byMonthDay && !rule.bySetPosition
  if (frequency === 'WEEKLY' && byDay && interval === 1 && isPlain) {
    return `every ${listOfDays(rule, 'or')}`.replace('every Monday to Friday', 'every weekday')
  }
  const implied = impliedDay(rule, startsOn)
  const days = dayWords(rule) ?? (implied && `on ${implied}`)
  return days ? `${every} ${days}` : every
}

/** The day that a rule takes from the start of its series. */
function impliedDay({ frequency }: Rule, startsOn: string) {
  const { day, month, dayOfWeek } = Temporal.PlainDate.from(startsOn)
  if (frequency === 'WEEKLY') return weekdays[dayOfWeek % 7]
  if (frequency === 'MONTHLY') return monthDays([day])
  return frequency === 'YEARLY' ? `${day} ${months[month - 1]}` : undefined
}

/** The days that the rule names, with their preposition, or nothing. */
function dayWords(rule: Rule): string | undefined {
  const { byDay, byMonthDay, byMonth, bySetPosition, byYearDay, byWeekNumber, frequency } = rule
  if (byYearDay) return `on the ${list([...byYearDay].map(ordinal), 'and')} day of the year`
  const inMonths =
    byMonth &&
    list(
      sorted(byMonth).map((month) => months[month - 1]!),
      'and',
    )
  const inWeeks = byWeekNumber && `week ${list(sorted(byWeekNumber).map(String), 'and')}`
  let days: string | undefined
  if (byDay && bySetPosition) {
    const positions = list([...bySetPosition].map(ordinal), 'and')
    days = `the ${positions} ${isWorkweek(rule) ? 'weekday' : listOfDays(rule, 'or')}`
  } else if (byDay && byMonthDay) days = `${listOfDays(rule, 'or')} ${monthDays([...byMonthDay])}`
  else if (byDay) days = listOfDays(rule, 'and')
  else if (byMonthDay && frequency === 'YEARLY' && byMonth?.size === 1 && byMonthDay.size === 1) {
    const [day = 1] = byMonthDay
    return day > 0 ? `on ${day} ${inMonths}` : `on the ${ordinal(day)} day of ${inMonths}`
  } else if (byMonthDay) days = monthDays([...byMonthDay])
  const parts = [days && `on ${days}`, inMonths && `in ${inMonths}`, inWeeks && `in ${inWeeks}`]
  return parts.filter(Boolean).join(' ') || undefined
}

function monthDays(days: number[]) {
  const named = days.toSorted((a, b) => a - b)
  const text = list(
    named.map((day) => (day > 0 ? `the ${ordinal(day)}` : `the ${ordinal(day)} day`)),
    'and',
  )
  const isClamped = named.some((day) => day > 28)
  return isClamped ? `${text} (the last day of a shorter month)` : text
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const units = { YEARLY: 'year', MONTHLY: 'month', WEEKLY: 'week', DAILY: 'day' }

const unitOf = ({ frequency }: Rule) => units[frequency as keyof typeof units]

const isWorkweek = ({ byDay = [] }: Rule) =>
  byDay.length === 5 && byDay.every(({ weekday, position }) => position === 0 && weekday % 6 > 0)

function listOfDays(rule: Rule, last: string) {
  if (isWorkweek(rule)) return 'Monday to Friday'
  const days = (rule.byDay ?? []).toSorted((a, b) => ((a.weekday + 6) % 7) - ((b.weekday + 6) % 7))
  return list(
    days.map(({ position, weekday }) =>
      position === 0 ? weekdays[weekday]! : `the ${ordinal(position)} ${weekdays[weekday]}`,
    ),
    last === 'or' && rule.frequency === 'WEEKLY' ? 'and' : last,
  )
}

function ordinal(number: number): string {
  if (number === -1) return 'last'
  if (number < 0) return `${ordinal(-number)} to last`
  const teens = number % 100 > 10 && number % 100 < 14
  return `${number}${teens ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[number % 10] ?? 'th')}`
}

const sorted = (numbers: Set<number>) => [...numbers].toSorted((a, b) => a - b)
const plural = (unit: string, n: number) => (n === 1 ? unit : `${unit}s`)
const count = (n: number, unit: string) => `${n} ${plural(unit, n)}`

function list(items: string[], last: string) {
  return items.length < 2
    ? (items[0] ?? '')
    : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`
}

function dateText(day: string) {
  const { day: number, month, year } = Temporal.PlainDate.from(day)
  return `${number} ${months[month - 1]} ${year}`
}
