// Runs in a worker thread (`read-in-thread.ts`).
import { isOwnUid } from '../feeds/own-uid.ts'
import {
  CalendarRefused,
  readCalendar,
  readCalendarFiles,
  type ReadingOptions,
} from '@daywright/ical'

/** `own` selects only Daywright's own events. By default they are left out, so that they do not count as busy time. */
export type FileOptions = ReadingOptions & { events?: 'own' | 'others' }
export type ReadTask = { files: Uint8Array | Uint8Array[]; options: FileOptions }

export default function readFile({ files, options }: ReadTask) {
  try {
    const reading = Array.isArray(files)
      ? readCalendarFiles(files, options)
      : readCalendar(files, options)
    const isOwn = options.events === 'own'
    const occurrences = reading.occurrences.filter(({ uid }) => isOwnUid(uid) === isOwn)
    return { ...reading, occurrences }
  } catch (error) {
    if (error instanceof CalendarRefused) return { refused: error.reason }
    throw error
  }
}
