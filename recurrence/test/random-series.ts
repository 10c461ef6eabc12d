// Random series, each with a second, independent definition of its days: `isWanted` decides for a single day and
// uses only `Date`.
import type { Series } from '../src/index.ts'
import type { Random } from './random.ts'

export type Wanted = (day: string) => boolean
export type RandomRule = { rule: string; isWanted: Wanted }

const codes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const dayMs = 86_400_000
const at = (day: string) => new Date(`${day}T00:00:00Z`)
export const plus = (day: string, days: number) =>
  new Date(at(day).getTime() + days * dayMs).toISOString().slice(0, 10)
export const daysBetween = (a: string, b: string) => (at(b).getTime() - at(a).getTime()) / dayMs
const monthLength = (day: string) => {
  const date = at(day)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
}
const monthsBetween = (a: string, b: string) =>
  (at(b).getUTCFullYear() - at(a).getUTCFullYear()) * 12 + at(b).getUTCMonth() - at(a).getUTCMonth()
/** Weeks begin on Monday. */
const mondayOf = (day: string) => plus(day, -((at(day).getUTCDay() + 6) % 7))

export function randomRule(random: Random, startsOn: string): RandomRule {
  const interval = random.pick([1, 1, 1, 2, 3, 5])
  const every = interval > 1 ? `;INTERVAL=${interval}` : ''
  const kinds = [daily, weekly, monthly, monthly, lastWeekday, monthlyByPosition, yearly]
  return random.pick(kinds)()

  function daily(): RandomRule {
    return {
      rule: `FREQ=DAILY${every}`,
      isWanted: (day) => daysBetween(startsOn, day) % interval === 0,
    }
  }

  function weekly(): RandomRule {
    const days = codes.filter(() => random.chance(0.35))
    const wanted = days.length > 0 ? days : [random.pick(codes)]
    return {
      rule: `FREQ=WEEKLY${every};BYDAY=${wanted.join(',')}`,
      isWanted: (day) =>
        wanted.includes(codes[at(day).getUTCDay()]!) &&
        (daysBetween(mondayOf(startsOn), mondayOf(day)) / 7) % interval === 0,
    }
  }

  function monthly(): RandomRule {
    const dates = [random.pick([1, 15, 28, 29, 30, 31, 31]), random.pick([0, 0, 14, 31])].filter(
      Boolean,
    )
    return {
      rule: `FREQ=MONTHLY${every};BYMONTHDAY=${[...new Set(dates)].join(',')}`,
      isWanted: (day) =>
        monthsBetween(startsOn, day) % interval === 0 &&
        dates.some((date) => at(day).getUTCDate() === Math.min(date, monthLength(day))),
    }
  }

  function lastWeekday(): RandomRule {
    const isWorkday = (day: string) => ![0, 6].includes(at(day).getUTCDay())
    return {
      rule: `FREQ=MONTHLY${every};BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1`,
      isWanted: (day) => {
        if (monthsBetween(startsOn, day) % interval !== 0 || !isWorkday(day)) return false
        for (let next = plus(day, 1); next.slice(0, 7) === day.slice(0, 7); next = plus(next, 1)) {
          if (isWorkday(next)) return false
        }
        return true
      },
    }
  }

  function monthlyByPosition(): RandomRule {
    const position = random.pick([1, 2, 3, 4, -1])
    const weekday = random.below(7)
    return {
      rule: `FREQ=MONTHLY${every};BYDAY=${position}${codes[weekday]}`,
      isWanted: (day) => {
        const date = at(day).getUTCDate()
        if (at(day).getUTCDay() !== weekday || monthsBetween(startsOn, day) % interval !== 0)
          return false
        return position > 0 ? Math.ceil(date / 7) === position : date + 7 > monthLength(day)
      },
    }
  }

  /** Includes 29 February. */
  function yearly(): RandomRule {
    const month = random.pick([1, 2, 2, 6, 12])
    const date = random.pick([1, 15, 29, 31])
    return {
      rule: `FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=${date}`,
      isWanted: (day) =>
        at(day).getUTCMonth() + 1 === month &&
        at(day).getUTCDate() === Math.min(date, monthLength(day)),
    }
  }
}

export function randomSeries(random: Random, today: string) {
  const kind = random.pick(['calendar', 'calendar', 'completion', 'times'] as const)
  const startsOn = plus(today, random.pick([-400, -20, -3, 0, 0, 0, 5, 40]))
  const days = random.pick([1, 1, 2, 3, 7, 10, 30])
  const weeks = random.pick([1, 2])
  const rules = {
    calendar: () => randomRule(random, startsOn),
    completion: () => ({ rule: `FREQ=DAILY;INTERVAL=${days}`, isWanted: () => true }),
    times: () => ({ rule: `FREQ=WEEKLY;INTERVAL=${weeks}`, isWanted: () => true }),
  }
  const { rule, isWanted } = rules[kind]()
  const dueTime = random.pick([null, null, '09:00', '17:30', '02:30'])
  const series: Series = {
    kind,
    rule,
    times: kind === 'times' ? 1 + random.below(5) : null,
    startsOn,
    endsOn: random.chance(0.15) ? plus(today, 60 + random.below(200)) : null,
    most: random.chance(0.1) ? 1 + random.below(40) : null,
    startTime: dueTime === '02:30' ? '00:00' : random.pick(['00:00', '06:00']),
    dueTime,
    leadDays: kind === 'times' ? 0 : random.pick([0, 0, 0, 2, 9]),
    missed: random.pick(['lapse', 'wait', 'pile'] as const),
  }
  return { series, isWanted, interval: kind === 'times' ? weeks * 7 : days }
}
