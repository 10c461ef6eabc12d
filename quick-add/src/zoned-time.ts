// Local times as instants. Days are computed in the user's time zone, so that clock changes are handled correctly.

export const dayOf = (now: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate()

/**
 * The instant of a local time. A time skipped in spring moves an hour later; of a time that occurs twice in
 * autumn, the first one is used.
 */
export function instantAt(day: Temporal.PlainDate, minutes: number, zone: string) {
  const date = day.add({ days: Math.floor(minutes / 1440) })
  const time = new Temporal.PlainTime(Math.floor((minutes % 1440) / 60), minutes % 60)
  return new Date(date.toPlainDateTime(time).toZonedDateTime(zone).epochMilliseconds)
}

/** Abbreviations of zones that people write after a time. In capitals only: "et" is a French word. */
export const zoneNames: Record<string, string> = {
  UTC: 'UTC',
  GMT: 'UTC',
  ET: 'America/New_York',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CT: 'America/Chicago',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PT: 'America/Los_Angeles',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  BST: 'Europe/London',
  CET: 'Europe/Berlin',
  CEST: 'Europe/Berlin',
  IST: 'Asia/Kolkata',
  JST: 'Asia/Tokyo',
  AEST: 'Australia/Sydney',
  AEDT: 'Australia/Sydney',
}
