import { now } from '../../time/clock.ts'
import { formatRelativeDay, formatTime } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'

type Place = { startAt: Date; endAt: Date }

/** Tue 17 Nov, 9:00–10:30 */
export const formatRange = ({ startAt, endAt }: Place, zone: Zone) =>
  `${formatRelativeDay(startAt, zone, now())}, ${formatTime(startAt, zone)}–${formatTime(endAt, zone)}`
