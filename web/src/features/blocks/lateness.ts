// Whether a block ends after its task is due, in words.
import { now } from '../../time/clock.ts'
import { formatMinutes, formatWhenInText } from '../../time/format.ts'
import { minutesBetween, type Zone } from '../../time/zone.ts'

/** `Late: due Mon 16 Nov 17:00`; undefined if the block ends in time. */
export const lateText = (endAt: Date, dueAt: Date | null | undefined, zone: Zone) =>
  dueAt && endAt > dueAt ? `Late: due ${formatWhenInText(dueAt, zone, now())}` : undefined

/** `40m late`, `3h late`, `2d late`: short enough for a block of the week. */
export function lateBy(endAt: Date, dueAt: Date) {
  const minutes = Math.max(1, Math.floor(minutesBetween(dueAt, endAt)))
  if (minutes < 60) return `${formatMinutes(minutes)} late`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours}h late` : `${Math.floor(hours / 24)}d late`
}
