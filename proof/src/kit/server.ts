// Runs the service as an operator does: a separate process on its own port.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Options, startProgram } from './program.ts'

const patienceMs = 30_000

export type Server = Awaited<ReturnType<typeof startServer>>

export async function startServer(options: Options, program = 'server/bin/api.ts') {
  const child = startProgram([program], options)
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (tail = (tail + String(chunk)).slice(-20_000)))
  }
  const origin = await listening()
  await ready()
  return {
    origin,
    child,
    pid: child.pid ?? 0,
    exited,
    /** The end of its output. */
    tail: () => tail,
    /** Stops it by SIGTERM, as an operator does. */
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      return exited
    },
  }

  async function listening() {
    for (let waited = 0; waited < patienceMs; waited += 20) {
      const [, found] = /Server listening at (http:\/\/[\d.:]+)/.exec(tail) ?? []
      if (found) return found
      await alive()
    }
    throw new Error(`It does not listen: ${tail}`)
  }

  async function ready() {
    for (let waited = 0; waited < patienceMs; waited += 20) {
      const answer = await fetch(`${origin}/health/ready`).catch(() => undefined)
      if (answer?.ok) return
      await alive()
    }
    throw new Error(`It is not ready: ${tail}`)
  }

  async function alive() {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended: ${tail}`)
    await sleep(20)
  }
}
