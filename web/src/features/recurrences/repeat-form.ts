// The fields of the form, and the recurrence rule (RFC 5545) that they stand for.
import type { Recurrence } from '@daywright/contract'
import type { RepeatRule } from '../../data/actions/recurrences.ts'
import { dayCodes, ordinal } from './repeat-choices.ts'

export const units = { DAILY: 'days', WEEKLY: 'weeks', MONTHLY: 'months', YEARLY: 'years' } as const
export type Unit = keyof typeof units

export type RepeatForm = {
  kind: Recurrence['kind']
  interval: number
  unit: Unit
  /** For a weekly rule: its weekdays, MO to SU. */
  days: string[]
  /** For a monthly rule: the same day of the month, or the same weekday, such as the third Friday. */
  monthly: 'day' | 'weekday'
  /** For a habit: how many times in each period. */
  times: number
  startsOn: string
  ends: 'never' | 'day' | 'count'
  endsOn: string
  most: number
  /** Empty for the end of the day. */
  dueTime: string
  /** Empty for any time. */
  preferredTime: string
  missed: Recurrence['missed']
  /** A rule that the other fields cannot express. */
  ownRule: string | null
}

export function newForm(startsOn: string, dueTime: string | null | undefined): RepeatForm {
  const day = Temporal.PlainDate.from(startsOn)
  return {
    kind: 'calendar',
    interval: 1,
    unit: 'WEEKLY',
    days: [dayCodes[day.dayOfWeek - 1]!],
    monthly: 'day',
    times: 3,
    startsOn,
    ends: 'never',
    endsOn: day.add({ months: 3 }).toString(),
    most: 10,
    dueTime: dueTime ?? '',
    preferredTime: '',
    missed: 'wait',
    ownRule: null,
  }
}

/** The position of a day among the same weekdays of its month, as in BYDAY: 1 to 4, or -1 for the last. */
const weekOf = (day: Temporal.PlainDate) =>
  day.day + 7 > day.daysInMonth ? -1 : Math.ceil(day.day / 7)

export function describeWeekday(startsOn: string) {
  const day = Temporal.PlainDate.from(startsOn)
  const week = weekOf(day)
  const name = day.toLocaleString('en-GB', { weekday: 'long' })
  return `the ${week === -1 ? 'last' : ordinal(week)} ${name}`
}

export function ruleOf(form: RepeatForm): string {
  if (form.ownRule !== null) return form.ownRule
  const { kind, unit, interval, days, monthly, startsOn } = form
  const day = Temporal.PlainDate.from(startsOn)
  const parts = [`FREQ=${unit}`]
  if (interval > 1 && kind !== 'times') parts.push(`INTERVAL=${interval}`)
  if (kind !== 'calendar') return parts.join(';')
  if (unit === 'WEEKLY' && days.length > 0) {
    parts.push(`BYDAY=${dayCodes.filter((code) => days.includes(code)).join()}`)
  }
  if (unit === 'MONTHLY') {
    const weekday = `BYDAY=${weekOf(day)}${dayCodes[day.dayOfWeek - 1]}`
    parts.push(monthly === 'day' ? `BYMONTHDAY=${day.day}` : weekday)
  }
  return parts.join(';')
}

export const inputOf = (form: RepeatForm): RepeatRule => ({
  kind: form.kind,
  rule: ruleOf(form),
  times: form.kind === 'times' ? form.times : null,
  startsOn: form.startsOn,
  endsOn: form.ends === 'day' ? form.endsOn : null,
  most: form.ends === 'count' ? form.most : null,
  dueTime: form.dueTime || null,
  preferredTime: form.preferredTime || null,
  missed: form.missed,
})

/** The form of a stored recurrence. A rule that the fields cannot express is kept as `ownRule`. */
export function formOf(recurrence: Recurrence): RepeatForm {
  const { kind, rule, times, startsOn, endsOn, most, dueTime, preferredTime, missed } = recurrence
  const start = newForm(startsOn, dueTime)
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]))
  const byDay = parts.get('BYDAY')
  const form: RepeatForm = {
    ...start,
    kind,
    unit: parts.get('FREQ') as Unit,
    interval: Number(parts.get('INTERVAL') ?? 1),
    days: byDay?.split(',') ?? [],
    monthly: byDay ? 'weekday' : 'day',
    times: times ?? start.times,
    ends: endsOn ? 'day' : most ? 'count' : 'never',
    endsOn: endsOn ?? start.endsOn,
    most: most ?? start.most,
    preferredTime: preferredTime ?? '',
    missed,
  }
  return ruleOf(form) === rule ? form : { ...form, ownRule: rule }
}
