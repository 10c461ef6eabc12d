// A thread that ends the process when its main thread is blocked, so that a supervisor can start it again: a blocked
// process serves nobody, and reacts to no signal.
import { url as debuggerUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { cells, tickMs, type WatchdogData } from './cells.ts'

export type Watchdog = ReturnType<typeof startWatchdog>

/** Ends the process when its main thread has not run for this long. Does nothing in a debugger, which blocks it. */
export function startWatchdog(patienceMs: number) {
  const buffer = new SharedArrayBuffer(Object.keys(cells).length * Int32Array.BYTES_PER_ELEMENT)
  const shared = new Int32Array(buffer)
  Atomics.store(shared, cells.ticksToEnd, -1)
  const beating = setInterval(() => Atomics.add(shared, cells.beats, 1), tickMs)
  beating.unref()
  if (debuggerUrl() === undefined) {
    const workerData: WatchdogData = { buffer, mostTicks: Math.ceil(patienceMs / tickMs) }
    new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData }).unref()
  }

  return {
    /** Ends the process after this time, whatever its main thread does. */
    endAfter: (ms: number) => void Atomics.store(shared, cells.ticksToEnd, Math.ceil(ms / tickMs)),
  }
}
