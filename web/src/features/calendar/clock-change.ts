import type { Zone } from '../../time/zone.ts'

export type ClockChange = { kind: 'skipped' | 'repeated'; start: number; end: number }

/** The daylight saving change on that day, if there is one. */
export function clockChangeOn(day: Temporal.PlainDate, zone: Zone): ClockChange | undefined {
  const midnight = day.toZonedDateTime(zone)
  const minutes = midnight.hoursInDay * 60
  if (minutes === 1440) return undefined
  const change = midnight.subtract({ nanoseconds: 1 }).getTimeZoneTransition('next')
  if (!change) return undefined
  const before = change.subtract({ nanoseconds: 1 }).toPlainTime().round('minute')
  const [was, is] = [minutesOf(before), minutesOf(change.toPlainTime())]
  return minutes < 1440
    ? { kind: 'skipped', start: was, end: is }
    : { kind: 'repeated', start: is, end: was }
}

const minutesOf = ({ hour, minute }: Temporal.PlainTime) => hour * 60 + minute
