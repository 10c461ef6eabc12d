// A week as ranges of minutes for each day, which can be painted, and its conversion from and to the API's
// windows. A window cannot cross midnight, so hours that do are split.
import type { Window } from '@daywright/contract'
import { type Minutes, windowsOn } from '../../../data/windows.ts'

/** The ranges of each weekday; 0 is Sunday. */
export type Week = Minutes[][]

export const wholeDay = 1440
// The API has no 24:00; the last minute of a day stands for it.
const lastClock = '23:59'
const lastMinute = wholeDay - 1

export const weekOf = (windows: Window[]): Week =>
  Array.from({ length: 7 }, (_, day) =>
    windowsOn(windows, day).map(({ start, end }) => ({
      start,
      end: end === lastMinute ? wholeDay : end,
    })),
  )

export const clockOf = (minutes: number) =>
  minutes >= wholeDay
    ? lastClock
    : `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Equal hours on several days become one window. */
export function windowsFrom(week: Week): Window[] {
  const days = new Map<string, number[]>()
  week.forEach((ranges, day) => {
    for (const { start, end } of ranges) {
      const hours = `${clockOf(start)} ${clockOf(end)}`
      days.set(hours, [...(days.get(hours) ?? []), day])
    }
  })
  return [...days]
    .map(([hours, day]) => {
      const [start = '', end = ''] = hours.split(' ')
      return { day, start, end }
    })
    .toSorted((one, other) => one.start.localeCompare(other.start))
}

/** Adds the range to the day, or removes it; other ranges are not changed. */
export function paint(week: Week, day: number, stretch: Minutes, isOn: boolean): Week {
  const kept = (week[day] ?? []).flatMap(({ start, end }) => [
    { start, end: Math.min(end, stretch.start) },
    { start: Math.max(start, stretch.end), end },
  ])
  const ranges = [...kept, ...(isOn ? [stretch] : [])]
    .filter(({ start, end }) => start < end)
    .toSorted((one, other) => one.start - other.start)
  return week.map((each, index) => (index === day ? mergeRanges(ranges) : each))
}

function mergeRanges(ranges: Minutes[]) {
  const whole: Minutes[] = []
  for (const range of ranges) {
    const last = whole.at(-1)
    if (last && range.start <= last.end) last.end = Math.max(last.end, range.end)
    else whole.push({ ...range })
  }
  return whole
}

/** Adds hours on these days; a part after midnight belongs to the next day. */
export function addHours(week: Week, days: number[], start: number, end: number): Week {
  return days.reduce((now, day) => {
    if (end > start) return paint(now, day, { start, end }, true)
    const evening = paint(now, day, { start, end: wholeDay }, true)
    return end === 0 ? evening : paint(evening, (day + 1) % 7, { start: 0, end }, true)
  }, week)
}

export type Cover = 'none' | 'part' | 'full'

export function coverOf(ranges: Minutes[] | undefined, stretch: Minutes): Cover {
  const covered = (ranges ?? []).reduce(
    (sum, { start, end }) =>
      sum + Math.max(0, Math.min(end, stretch.end) - Math.max(start, stretch.start)),
    0,
  )
  if (covered === 0) return 'none'
  return covered >= stretch.end - stretch.start ? 'full' : 'part'
}

export const minutesOf = (week: Week) =>
  week.flat().reduce((sum, { start, end }) => sum + end - start, 0)
