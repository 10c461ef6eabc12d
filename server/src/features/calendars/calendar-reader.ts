// Runs in a thread (`read-in-thread.ts`).
import { isOwnUid } from '../feeds/own-uid.ts'
import { CalendarRefused, readCalendar, type ReadingOptions } from '@daywright/ical'

export type ReadTask = { bytes: Uint8Array; options: ReadingOptions }

export default function readFile({ bytes, options }: ReadTask) {
  try {
    const reading = readCalendar(bytes, options)
    return { ...reading, occurrences: reading.occurrences.filter(({ uid }) => !isOwnUid(uid)) }
  } catch (error) {
    if (error instanceof CalendarRefused) return { refused: error.reason }
    throw error
  }
}
