import type { RepeatRule } from '../../data/actions/recurrences.ts'
import { dayOf, type Zone, zoned } from '../../time/zone.ts'

export type RepeatChoice = { key: string; name: string; rule: RepeatRule }

export const dayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
export const dayNames = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

/** The first day of a new recurrence: the day on which the task is due, or today. */
export const firstDayOf = (dueAt: Date | null, zone: Zone, now: Date) => dayOf(dueAt ?? now, zone)

/** The time at which the task is due; null without a due date or at the end of the day. */
export function dueTimeOf(dueAt: Date | null, zone: Zone) {
  const time = dueAt && zoned(dueAt, zone).toPlainTime().toString().slice(0, 5)
  return time === '00:00' || time === '23:59' ? null : time
}

/** The preset rules offered for a task with this due date. */
export function choicesFor(dueAt: Date | null, zone: Zone, now: Date): RepeatChoice[] {
  const day = firstDayOf(dueAt, zone, now)
  const weekday = dayNames[day.dayOfWeek - 1]
  const code = dayCodes[day.dayOfWeek - 1]
  const date = day.toLocaleString('en-GB', { day: 'numeric', month: 'long' })
  const choices: [string, string][] = [
    ['Every day', 'FREQ=DAILY'],
    ['Every weekday', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    [`Every ${weekday}`, `FREQ=WEEKLY;BYDAY=${code}`],
    [`Every 2 weeks on ${weekday}`, `FREQ=WEEKLY;INTERVAL=2;BYDAY=${code}`],
    [`Every month on the ${ordinal(day.day)}`, `FREQ=MONTHLY;BYMONTHDAY=${day.day}`],
    [`Every year on ${date}`, `FREQ=YEARLY;BYMONTH=${day.month};BYMONTHDAY=${day.day}`],
  ]
  const given = { startsOn: day.toString(), dueTime: dueTimeOf(dueAt, zone) }
  return choices.map(([name, rule]) => ({
    key: rule,
    name,
    rule: { kind: 'calendar', rule, ...given },
  }))
}

export function ordinal(number: number) {
  const rest = number % 10
  const isTeen = number >= 11 && number <= 13
  const ending = isTeen ? 'th' : rest === 1 ? 'st' : rest === 2 ? 'nd' : rest === 3 ? 'rd' : 'th'
  return `${number}${ending}`
}
