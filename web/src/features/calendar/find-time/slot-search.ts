import type { Window } from '@daywright/contract'
import { startOfDay, type Zone } from '../../../time/zone.ts'

/** The fields of the dialog. Both days are in the user's zone, and both are included. */
export type SlotForm = { minutes: number; first: string; last: string }

export const lengths = [15, 30, 45, 60, 90, 120, 180, 240]

/** Slots lie within the fourteen days that a plan covers. */
export const maxDays = 14

export const initialForm = (today: Temporal.PlainDate): SlotForm => ({
  minutes: 60,
  first: today.toString(),
  last: today.add({ days: 6 }).toString(),
})

/** The search, or undefined if the days are missing or invalid. Without `from` it begins now, and without
 *  `windows` it covers the hours of any task. */
export function searchOf(
  { minutes, first, last }: SlotForm,
  windows: Window[] | undefined,
  today: Temporal.PlainDate,
  zone: Zone,
) {
  if (first === '' || last === '' || last < first || last < today.toString()) return undefined
  const until = startOfDay(Temporal.PlainDate.from(last).add({ days: 1 }), zone)
  return {
    minutes,
    until,
    count: 5,
    ...(first > today.toString() && { from: startOfDay(Temporal.PlainDate.from(first), zone) }),
    ...(windows && { windows }),
  }
}
