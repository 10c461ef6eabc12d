// Loaded into the service with --import and --expose-gc: on SIGUSR2 it collects garbage and reports its memory.
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  process.on('SIGUSR2', () => {
    globalThis.gc?.()
    globalThis.gc?.()
    process.stdout.write(`${JSON.stringify({ collected: process.memoryUsage() })}\n`)
  })
}
