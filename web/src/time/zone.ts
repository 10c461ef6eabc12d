// Converts between instants, as in the API, and local time in the user's time zone.
export type Zone = string

export const browserZone = (): Zone => Intl.DateTimeFormat().resolvedOptions().timeZone

export const zoned = (date: Date, zone: Zone) =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO(zone)

/** The local date. */
export const dayOf = (date: Date, zone: Zone) => zoned(date, zone).toPlainDate()

/** Minutes past local midnight. */
export function wallMinutes(date: Date, zone: Zone) {
  const { hour, minute, second } = zoned(date, zone)
  return hour * 60 + minute + second / 60
}

/**
 * The instant of a local time. A time that is skipped in spring becomes an hour later. Of a time that occurs
 * twice in autumn, the first is used.
 */
export function instantAt(day: Temporal.PlainDate, minutes: number, zone: Zone) {
  const date = day.add({ days: Math.floor(minutes / 1440) })
  const rest = ((minutes % 1440) + 1440) % 1440
  const time = Temporal.PlainTime.from({
    hour: Math.floor(rest / 60),
    minute: Math.floor(rest % 60),
  })
  const { epochMilliseconds } = date.toPlainDateTime(time).toZonedDateTime(zone)
  return new Date(epochMilliseconds)
}

export const startOfDay = (day: Temporal.PlainDate, zone: Zone) =>
  new Date(day.toZonedDateTime(zone).epochMilliseconds)

export const plusMinutes = (date: Date, minutes: number) =>
  new Date(date.getTime() + minutes * 60_000)

export const minutesBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 60_000

export const mondayOf = (day: Temporal.PlainDate) => day.subtract({ days: day.dayOfWeek - 1 })
