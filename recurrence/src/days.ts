// Days as text, as numbers and in a time zone.
import { dateOf, dayNumber } from '@daywright/ical'

export function numberOf(day: string) {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return dayNumber(year, month, date)
}

export function dayOf(number: number) {
  const { year, month, day } = dateOf(number)
  const pad = (value: number, length: number) => String(value).padStart(length, '0')
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

export const addDays = (day: string, days: number) => dayOf(numberOf(day) + days)

/** Whether `day` is a day of the calendar: 2026-02-30 is not. */
export const isDay = (day: string) => /^\d{4}-\d\d-\d\d$/.test(day) && dayOf(numberOf(day)) === day

export const localDay = (at: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()

/** Whether the zone has this day. Some zones skipped a day when they moved across the date line. */
export const existsIn = (zone: string, day: string) =>
  Temporal.PlainDate.from(day).toZonedDateTime(zone).toPlainDate().toString() === day

/**
 * The instant of a local time. Of a time that occurs twice, the first is used. A skipped due time moves after the
 * gap and a skipped start before it, so that no window becomes shorter.
 */
export function instantOf(day: string, time: string, zone: string, isStart: boolean) {
  const disambiguation = isStart ? 'earlier' : 'compatible'
  const { epochMilliseconds } = Temporal.PlainDate.from(day)
    .toPlainDateTime(time)
    .toZonedDateTime(zone, { disambiguation })
  return new Date(epochMilliseconds)
}
