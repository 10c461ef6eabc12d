import { Piscina } from 'piscina'
import type { CalendarReading, RefusalReason } from '@daywright/ical'
import type { FileOptions, ReadTask } from './calendar-reader.ts'

/** Enough to hold a file of 50 MB as well. */
const mostHeapMb = 512
const patienceMs = 30_000
/** The most files that wait for the thread; each has up to 50 MB. */
const mostWaiting = 4

export type Refused = { refused: RefusalReason | 'too-expensive' | 'busy' }
export type ReadFile = (
  /** One file, or several files that form one calendar. */
  files: Uint8Array | Uint8Array[],
  options: FileOptions,
) => Promise<CalendarReading | Refused>

/**
 * Reads calendar files in a thread with a limited heap: a hostile file ends the thread and not the process. The
 * thread starts with the first file and stops when idle.
 */
export function readInThread() {
  let pool: Piscina | undefined
  const startPool = () =>
    (pool ??= new Piscina({
      filename: new URL('./calendar-reader.ts', import.meta.url).href,
      minThreads: 0,
      maxThreads: 1,
      maxQueue: mostWaiting,
      idleTimeout: 60_000,
      concurrentTasksPerWorker: 1,
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
    }))

  const readFile: ReadFile = async (files, options) => {
    const threads = startPool()
    if (threads.queueSize >= mostWaiting) return { refused: 'busy' }
    try {
      const task: ReadTask = { files, options }
      const signal = AbortSignal.timeout(patienceMs)
      return (await threads.run(task, { signal })) as CalendarReading | Refused
    } catch {
      return { refused: 'too-expensive' }
    }
  }
  return { readFile, stop: async () => pool?.destroy() }
}
