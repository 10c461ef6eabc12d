// Whether a block ends after its task is due, in words.
import { now } from '../../time/clock.ts'
import { formatWhenInText } from '../../time/format.ts'
import type { Zone } from '../../time/zone.ts'

/** `Late: due Mon 16 Nov 17:00`; undefined if the block ends in time. */
export const lateText = (endAt: Date, dueAt: Date | null | undefined, zone: Zone) =>
  dueAt && endAt > dueAt ? `Late: due ${formatWhenInText(dueAt, zone, now())}` : undefined
