// Reads the times of an earlier text, so that they can be written as of now.
import { days, months, type TimeFormat } from './format.ts'

const day = `(?:${days.join('|')})`
const TIME = new RegExp(
  `(${day})(?: (\\d{1,2}) (${months.join('|')})(?: (\\d{4}))?)? (\\d\\d):(\\d\\d)`,
)
const QUOTED_OR_TIME = new RegExp(`“[^”]*”|${TIME.source}`, 'g')

/** `written` is the instant at which the text was written. */
export function timeReader(timezone: string, format: TimeFormat) {
  const known = new Map<string, number | null>()

  /** The instant that the text means; null if it is not a time. */
  function instantOf(text: string, written: number): number | null {
    const match = TIME.exec(text)
    if (!match || match[0] !== text) return null
    const [, weekday, date, month, year, hour, minute] = match
    const today = Temporal.Instant.fromEpochMilliseconds(written).toZonedDateTimeISO(timezone)
    // Without a date, the text means one of the seven days from the day of writing on.
    const ahead = (days.indexOf(weekday!) - (today.dayOfWeek % 7) + 7) % 7
    const meant = date
      ? today.toPlainDate().with({
          year: year ? Number(year) : today.year,
          month: months.indexOf(month!) + 1,
          day: Number(date),
        })
      : today.toPlainDate().add({ days: ahead })
    const clock = { hour: Number(hour), minute: Number(minute) }
    return meant.toZonedDateTime({ timeZone: timezone, plainTime: clock }).epochMilliseconds
  }
  function read(text: string, written: number) {
    // The same text has the same meaning if it was written on the same day.
    const key = `${format.daysBetween(0, written)} ${text}`
    let instant = known.get(key)
    if (instant === undefined) known.set(key, (instant = instantOf(text, written)))
    return instant
  }
  return {
    read,
    /** The text with all its times written as of now; titles stay as they are. */
    rewrite: (text: string, written: number) =>
      text.replace(QUOTED_OR_TIME, (found) => {
        if (found.startsWith('“')) return found
        const instant = read(found, written)
        return instant === null ? found : format.time(instant)
      }),
  }
}
