import { fork } from 'node:child_process'
import { on } from 'node:events'
import type { Load, Outcome } from './generate.ts'

type Message = { counted?: true; outcome?: Outcome; failure?: string }

/** The process that generates load; stop it when done. */
export function startGenerator() {
  const child = fork(new URL('./generate.ts', import.meta.url), {
    execArgv: [],
    serialization: 'advanced', // results may contain Infinity
  })
  const stop = () => void child.kill('SIGKILL')
  process.once('exit', stop)
  return {
    pid: child.pid ?? 0,
    /** `afterwards` runs after the count, while the load still continues. */
    async offer(load: Load, afterwards = async () => {}): Promise<Outcome> {
      child.send(load)
      const heard = on(child, 'message') as AsyncIterable<[Message]>
      for await (const [{ counted, outcome, failure }] of heard) {
        if (counted) await afterwards()
        if (failure) throw new Error(`The generator failed: ${failure}`)
        if (outcome) return outcome
      }
      throw new Error('The generator ended')
    },
    stop() {
      process.off('exit', stop)
      stop()
    },
  }
}
