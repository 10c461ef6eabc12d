// Ends the process if its main thread does not beat. Counts its own ticks instead of reading a clock: while the whole
// process is suspended, the ticks pause as well.
import { writeSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { cells, tickMs, type WatchdogData } from './cells.ts'

const { buffer, mostTicks } = workerData as WatchdogData
const shared = new Int32Array(buffer)

let beats = Atomics.load(shared, cells.beats)
let missed = 0
for (;;) {
  Atomics.wait(shared, cells.never, 0, tickMs)
  const now = Atomics.load(shared, cells.beats)
  missed = now === beats ? missed + 1 : 0
  beats = now
  if (missed > mostTicks) end(`its main thread has not run for ${(missed * tickMs) / 1000} s`)
  const left = Atomics.load(shared, cells.ticksToEnd)
  if (left === 0) end('it did not stop in time')
  if (left > 0) Atomics.sub(shared, cells.ticksToEnd, 1)
}

function end(reason: string) {
  writeSync(2, `${JSON.stringify({ level: 60, msg: `The process is ended, because ${reason}` })}\n`)
  process.kill(process.pid, 'SIGKILL')
}
