// The first gap in the open time that is long enough.
import { type Hours, openSpans } from '../../data/open-time.ts'
import { dayOf, plusMinutes, type Zone } from '../../time/zone.ts'

type Span = { startAt: Date; endAt: Date }

const snapMs = 15 * 60_000

export function nextFree(
  minutes: number,
  from: Date,
  { blocks, hours, zone, days = 28 }: { blocks: Span[]; hours: Hours; zone: Zone; days?: number },
): Span | undefined {
  const busy = blocks.toSorted((one, other) => one.startAt.getTime() - other.startAt.getTime())
  const today = dayOf(from, zone)
  for (let ahead = 0; ahead < days; ahead += 1) {
    for (const open of openSpans(today.add({ days: ahead }), hours, zone)) {
      let start = snapUp(later(open.from, from))
      for (const block of busy) {
        if (plusMinutes(start, minutes) <= block.startAt) break
        if (block.endAt > start) start = snapUp(block.endAt)
      }
      if (plusMinutes(start, minutes) <= open.to) {
        return { startAt: start, endAt: plusMinutes(start, minutes) }
      }
    }
  }
  return undefined
}

const later = (one: Date, other: Date) => (one > other ? one : other)
const snapUp = (date: Date) => new Date(Math.ceil(date.getTime() / snapMs) * snapMs)
