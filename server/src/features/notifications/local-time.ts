/** The user's local day at an instant: its date, and the instants at which it begins and ends. */
export function localDay(now: Date, timezone: string) {
  const date = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timezone)
    .toPlainDate()
  const startOf = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime(timezone).epochMilliseconds)
  return { date: date.toString(), start: startOf(date), end: startOf(date.add({ days: 1 })) }
}

/** A format takes about 77 KB, so their number is bounded. */
export const formatsKept = 100
const formats = new Map<string, Intl.DateTimeFormat>()
export const countFormats = () => formats.size

function format(date: Date, timezone: string, options: Intl.DateTimeFormatOptions) {
  const key = timezone + JSON.stringify(options)
  const known = formats.get(key)
  const made = known ?? new Intl.DateTimeFormat('en-GB', { timeZone: timezone, ...options })
  // Reinserted at the end, so that the first entry is the least recently used.
  formats.delete(key)
  formats.set(key, made)
  const [oldest] = formats.keys()
  if (formats.size > formatsKept && oldest !== undefined) formats.delete(oldest)
  return made.format(date)
}

const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** `09:30` */
export const clock = (date: Date, timezone: string) => format(date, timezone, time)

/** `Fri 6 Mar, 16:00` */
export const dayName = (date: Date, timezone: string) =>
  format(date, timezone, { weekday: 'short', day: 'numeric', month: 'short', ...time })

/** The same time of day, `days` later. */
export const daysAfter = (date: Date, days: number, timezone: string) =>
  new Date(
    Temporal.Instant.fromEpochMilliseconds(date.getTime())
      .toZonedDateTimeISO(timezone)
      .add({ days }).epochMilliseconds,
  )
