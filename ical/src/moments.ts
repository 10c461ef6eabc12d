// Occurrences that a file refers to: to exclude them (EXDATE) or to replace them (RECURRENCE-ID). A date refers
// to whatever begins on that day, a time to what begins at that instant.
import { dayOf } from './days.ts'
import { instantOf, type LocalTime } from './times.ts'

export type Moments<T> = { byInstant: Map<number, T>; byDay: Map<number, T> }

export const makeMoments = <T>(): Moments<T> => ({ byInstant: new Map(), byDay: new Map() })

export function setMoment<T>(moments: Moments<T>, isAllDay: boolean, time: LocalTime, value: T) {
  // Exchange excludes days of an all-day series by the time of their midnight.
  if (time.isDate || isAllDay) moments.byDay.set(dayOf(time.wall), value)
  else moments.byInstant.set(instantOf(time), value)
}

export const findMoment = <T>(moments: Moments<T>, start: number, wall: number) =>
  moments.byInstant.get(start) ?? moments.byDay.get(dayOf(wall))
