// Days and times without a zone, as whole numbers: a day is counted from 1970-01-01, a wall time in seconds
// from midnight of that day. Rules compute with these, and zones turn them into instants.

export const dayLength = 86_400

// The Gregorian calendar repeats itself after 400 years. Years are taken from March to February here, so that
// the leap day is the last of its year. (`Date` would do as well, but takes ten times as long.)
const daysOf400Years = 146_097
const marchOfYear0 = -719_468

/** The number of a day. Months outside of their range carry over. */
export function dayNumber(year: number, month: number, day: number) {
  const monthsFromMarch = year * 12 + month - 3
  const marchYear = Math.floor(monthsFromMarch / 12)
  const leapDays =
    Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  const daysBefore = Math.floor((153 * (monthsFromMarch - marchYear * 12) + 2) / 5)
  return marchOfYear0 + marchYear * 365 + leapDays + daysBefore + day - 1
}

export function dateOf(number: number) {
  const days = number - marchOfYear0
  const cycle = Math.floor(days / daysOf400Years)
  const dayOfCycle = days - cycle * daysOf400Years
  const leapDays =
    Math.floor(dayOfCycle / 1460) -
    Math.floor(dayOfCycle / 36_524) +
    Math.floor(dayOfCycle / 146_096)
  const yearOfCycle = Math.floor((dayOfCycle - leapDays) / 365)
  const dayOfYear =
    dayOfCycle - (yearOfCycle * 365 + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const isNextYear = monthFromMarch > 9
  return {
    year: cycle * 400 + yearOfCycle + (isNextYear ? 1 : 0),
    month: monthFromMarch + (isNextYear ? -9 : 3),
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  }
}

export const dayOf = (wall: number) => Math.floor(wall / dayLength)

/** 0 is Sunday. */
export const weekdayOf = (day: number) => (((day + 4) % 7) + 7) % 7

export const weekStartOf = (day: number, firstWeekday: number) =>
  day - ((weekdayOf(day) - firstWeekday + 7) % 7)

const dateTime = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/i

/** 20261117T090000 or 20261117 as a wall time; undefined if there is no such date or time. */
export function parseWall(text: string): number | undefined {
  const match = dateTime.exec(text)
  if (!match) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const number = dayNumber(year, month, day)
  const date = dateOf(number)
  if (date.month !== month || date.day !== day) return undefined
  if (hour > 23 || minute > 59 || second > 60) return undefined
  // A leap second counts as the last second of its minute, because Unix time has no leap seconds.
  return number * dayLength + hour * 3600 + minute * 60 + Math.min(second, 59)
}

export const isDateOnly = (text: string) => /^\d{8}$/.test(text)

export const isUtc = (text: string) => /z$/i.test(text)

/** A wall time in the format of calendar files. */
export function formatWall(wall: number, isDate: boolean) {
  const text = new Date(wall * 1000).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')
  return isDate ? text.slice(0, 8) : text
}
