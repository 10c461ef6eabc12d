// Time zones turn wall times into instants: seconds since 1970 in UTC.
import { dateOf, dayLength, dayOf } from './days.ts'

export type Zone = {
  /** Null if the zone is described only in the file. */
  name: string | null
  toInstant(wall: number): number
  toWall(instant: number): number
}

export const utc: Zone = {
  name: 'UTC',
  toInstant: (wall) => wall,
  toWall: (instant) => instant,
}

/** A zone of the IANA database. A skipped time moves later by the gap; a repeated time means the first one. */
export function makeZone(name: string): Zone {
  return {
    name,
    toInstant(wall) {
      const { year, month, day } = dateOf(dayOf(wall))
      const seconds = wall - dayOf(wall) * dayLength
      const time = new Temporal.PlainDateTime(
        year,
        month,
        day,
        Math.floor(seconds / 3600),
        Math.floor(seconds / 60) % 60,
        Math.floor(seconds) % 60,
      )
      return time.toZonedDateTime(name).epochMilliseconds / 1000
    },
    toWall: (instant) => instant + zonedAt(instant, name).offsetNanoseconds / 1e9,
  }
}

const zonedAt = (instant: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant * 1000)).toZonedDateTimeISO(zone)

/** The zone with this name in the IANA database, ignoring case; undefined for offsets and other names. */
export function findZoneName(name: string | undefined): string | undefined {
  if (!name || !/^[a-z][\w+/-]*$/i.test(name)) return undefined
  try {
    return zonedAt(0, name).timeZoneId
  } catch {
    return undefined
  }
}
