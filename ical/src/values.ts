// Durations and offsets, as files write them.

/** Days are nominal: a day across a change of the clock has 23 or 25 hours. Hours are exact. */
export type Duration = { days: number; seconds: number }

const duration =
  /^\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/i

/** Parses a duration. A negative or malformed one counts as zero. */
export function parseDuration(text: string): Duration {
  const match = duration.exec(text.trim())
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (match ?? [])
    .slice(1)
    .map((part) => Number(part ?? 0))
  return { days: weeks * 7 + days, seconds: hours * 3600 + minutes * 60 + seconds }
}

/** An offset such as +0530 in seconds; undefined if it is malformed. */
export function parseOffset(text: string): number | undefined {
  const match = /^([+-]?)(\d\d)(\d\d)(\d\d)?$/.exec(text)
  if (!match) return undefined
  const [, sign, hours, minutes, seconds = '0'] = match
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '-' ? -size : size
}
