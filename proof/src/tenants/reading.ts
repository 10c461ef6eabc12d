import type { CalendarReading } from '../../../ical/src/index.ts'
import type { Reader } from '../../../server/src/features/calendars/reader.ts'
import { createSlowLimit } from '../../../server/src/platform/outbound/limit-slow.ts'
import { shareMemory } from '../../../server/src/platform/outbound/share-memory.ts'

export const emptyReading: CalendarReading = {
  name: null,
  zone: null,
  completeUntil: '2026-09-01T00:00:00.000Z',
  occurrences: [],
  skipped: [],
  skippedCount: 0,
}

/** What a job needs to read a calendar with this reader. */
export const reading = (reader: Reader) => ({
  reader,
  memory: shareMemory(100_000_000),
  limitSlow: createSlowLimit({ most: 1, afterMs: 3000 }),
  instance: 'here',
  stopping: new AbortController().signal,
})
