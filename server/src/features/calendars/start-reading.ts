import { shareMemory } from '../../platform/outbound/share-memory.ts'
import { startReaders } from '../../platform/readers/readers.ts'
import { createUseMeter } from '../../platform/http/use-meter.ts'
import { makeReader } from './reader.ts'

/** The most bytes that all fetches of a process hold while they are received and read. */
const mostHeldBytes = 96_000_000

export type Reading = ReturnType<typeof startReading>

/** Starts what a process needs to read calendars. The readers themselves start with the first file. */
export function startReading({ now, log }: { now: () => Date; log: (fault: string) => void }) {
  const meter = createUseMeter()
  const readers = startReaders(new URL('./reader-tasks.ts', import.meta.url), now, meter.add)
  return {
    reader: makeReader(readers.run, log),
    memory: shareMemory(mostHeldBytes),
    listUse: meter.list,
    stop: readers.stop,
  }
}
