// The days that are shown.
import { mondayOf } from '../../time/zone.ts'
import type { View } from './calendar-search.ts'

type Day = Temporal.PlainDate

const lengths: Record<View, number> = { day: 1, work: 5, week: 7, '2week': 14 }

/** The days of the period that contains this day, in order. */
export function daysOf(view: View, day: Day): Day[] {
  const first = view === 'day' ? day : mondayOf(day)
  return Array.from({ length: lengths[view] }, (_, index) => first.add({ days: index }))
}

/** The day that is `by` periods later, or earlier if `by` is negative. */
export const shift = (view: View, day: Day, by: number) =>
  day.add({ days: by * (view === 'day' ? 1 : view === '2week' ? 14 : 7) })

/** `November 2026`, `Nov 2026` on a narrow screen, or `Nov – Dec 2026` */
export function nameOf(days: Day[], isNarrow = false) {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return ''
  const month = (day: Day, style: 'long' | 'short') =>
    day.toLocaleString(undefined, { month: style, calendar: 'iso8601' })
  if (first.month === last.month) {
    return `${month(first, isNarrow ? 'short' : 'long')} ${first.year}`
  }
  const year = first.year === last.year ? '' : ` ${first.year}`
  return `${month(first, 'short')}${year} – ${month(last, 'short')} ${last.year}`
}
