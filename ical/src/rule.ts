// Recurrence rules as text (RFC 5545, 3.3.10).
import { parseWall } from './days.ts'

export const frequencies = [
  'YEARLY',
  'MONTHLY',
  'WEEKLY',
  'DAILY',
  'HOURLY',
  'MINUTELY',
  'SECONDLY',
] as const

export type Frequency = (typeof frequencies)[number]

/** MO has the position 0: every Monday. 2MO and -1MO count within a month or a year. */
export type NumberedWeekday = { position: number; weekday: number }

export type Rule = {
  frequency: Frequency
  interval: number
  count?: number
  /** As it is written: it may be a date, a local time or UTC. */
  until?: string
  firstWeekday: number
  byMonth?: Set<number>
  byMonthDay?: Set<number>
  byYearDay?: Set<number>
  byWeekNumber?: Set<number>
  byDay?: NumberedWeekday[]
  byHour?: Set<number>
  byMinute?: Set<number>
  bySecond?: Set<number>
  bySetPosition?: Set<number>
}

export class RuleNotUnderstood extends Error {}

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Parses the value of an RRULE. Throws `RuleNotUnderstood`. */
export function parseRule(text: string): Rule {
  const rule: Partial<Rule> = { interval: 1, firstWeekday: 1 }
  for (const part of text.toUpperCase().split(';')) {
    const [name = '', value = ''] = part.split('=').map((each) => each.trim())
    if (name !== '' && !name.startsWith('X-')) readPart(rule, name, value)
  }
  if (!rule.frequency) throw new RuleNotUnderstood('FREQ')
  return rule as Rule
}

function readPart(rule: Partial<Rule>, name: string, value: string) {
  switch (name) {
    case 'FREQ':
      rule.frequency = frequencies.find((each) => each === value)
      return
    case 'INTERVAL':
      rule.interval = readNumber(name, value)
      return
    case 'COUNT':
      rule.count = readNumber(name, value)
      return
    case 'UNTIL':
      if (parseWall(value) === undefined) throw new RuleNotUnderstood(name)
      rule.until = value
      return
    case 'WKST':
      rule.firstWeekday = readWeekday(value)
      return
    case 'BYDAY':
      rule.byDay = [...new Set(value.split(','))].map(readNumberedWeekday)
      return
    default: {
      const list = lists[name]
      if (!list) throw new RuleNotUnderstood(name)
      rule[list.key] = readNumbers(name, value, list.least, list.most)
    }
  }
}

type ListKey = Exclude<
  { [key in keyof Rule]-?: Rule[key] extends Set<number> | undefined ? key : never }[keyof Rule],
  undefined
>

const lists: Record<string, { key: ListKey; least: number; most: number }> = {
  BYMONTH: { key: 'byMonth', least: 1, most: 12 },
  BYMONTHDAY: { key: 'byMonthDay', least: -31, most: 31 },
  BYYEARDAY: { key: 'byYearDay', least: -366, most: 366 },
  BYWEEKNO: { key: 'byWeekNumber', least: -53, most: 53 },
  BYHOUR: { key: 'byHour', least: 0, most: 23 },
  BYMINUTE: { key: 'byMinute', least: 0, most: 59 },
  BYSECOND: { key: 'bySecond', least: 0, most: 60 },
  BYSETPOS: { key: 'bySetPosition', least: -366, most: 366 },
}

function readNumbers(name: string, value: string, least: number, most: number) {
  const numbers = value.split(',').map((each) => {
    const number = /^[+-]?\d{1,3}$/.test(each.trim()) ? Number(each) : Number.NaN
    // Positions count from 1, or backwards from -1.
    const isPosition = least < 0
    if (!(number >= least && number <= most) || (isPosition && number === 0)) {
      throw new RuleNotUnderstood(name)
    }
    return number
  })
  return new Set(numbers)
}

function readNumber(name: string, value: string) {
  const number = Number(value)
  if (!/^\d{1,15}$/.test(value) || number < 1) throw new RuleNotUnderstood(name)
  return number
}

function readWeekday(value: string) {
  const weekday = weekdays.indexOf(value)
  if (weekday < 0) throw new RuleNotUnderstood(value)
  return weekday
}

function readNumberedWeekday(value: string): NumberedWeekday {
  const [, position = '0', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(value.trim()) ?? []
  return { position: Number(position), weekday: readWeekday(name) }
}
