// The first gap in the working time that is long enough.
import type { Window } from '@daywright/contract'
import { windowsOn } from '../../data/preferences.ts'
import { dayOf, instantAt, plusMinutes, type Zone } from '../../time/zone.ts'

type Span = { startAt: Date; endAt: Date }

const snapMs = 15 * 60_000

export function nextFree(
  minutes: number,
  from: Date,
  {
    blocks,
    windows,
    zone,
    days = 28,
  }: { blocks: Span[]; windows: Window[]; zone: Zone; days?: number },
): Span | undefined {
  const busy = blocks.toSorted((one, other) => one.startAt.getTime() - other.startAt.getTime())
  const today = dayOf(from, zone)
  for (let ahead = 0; ahead < days; ahead += 1) {
    const day = today.add({ days: ahead })
    for (const window of windowsOn(windows, day.dayOfWeek % 7)) {
      const end = instantAt(day, window.end, zone)
      let start = later(instantAt(day, window.start, zone), snapUp(from))
      for (const block of busy) {
        if (plusMinutes(start, minutes) <= block.startAt) break
        if (block.endAt > start) start = snapUp(block.endAt)
      }
      if (plusMinutes(start, minutes) <= end) {
        return { startAt: start, endAt: plusMinutes(start, minutes) }
      }
    }
  }
  return undefined
}

const later = (one: Date, other: Date) => (one > other ? one : other)
const snapUp = (date: Date) => new Date(Math.ceil(date.getTime() / snapMs) * snapMs)
