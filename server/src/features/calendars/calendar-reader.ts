// Runs in a thread (`read-in-thread.ts`).
import { CalendarRefused, readCalendar, type ReadingOptions } from '@daywright/ical'

export type ReadTask = { bytes: Uint8Array; options: ReadingOptions }

export default function readFile({ bytes, options }: ReadTask) {
  try {
    return readCalendar(bytes, options)
  } catch (error) {
    if (error instanceof CalendarRefused) return { refused: error.reason }
    throw error
  }
}
