// A process with a watchdog, for its test: blocks its main thread, is stopped, or just runs.
import { setTimeout as sleep } from 'node:timers/promises'
import { startWatchdog } from '../src/platform/watchdog/watchdog.ts'

const [, , what] = process.argv
const watchdog = startWatchdog(1000)
process.stdout.write('started\n')
await sleep(500)
if (what === 'block') for (;;);
if (what === 'hang') {
  watchdog.endAfter(1000)
  await sleep(60_000)
}
await sleep(2000)
process.stdout.write('done\n')
