// The service as an operator runs it: a process of its own, on a port of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './harness.ts'
import { watchForSecrets } from './secrets.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const patienceMs = 30_000

export type Server = Awaited<ReturnType<typeof startServer>>

type Options = {
  databaseUrl: string
  mutant?: Mutant
  settings?: Record<string, string>
  /** For Node itself. */
  flags?: string[]
}

export async function startServer({ databaseUrl, mutant, settings = {}, flags = [] }: Options) {
  const child = spawn(
    process.execPath,
    [
      ...flags,
      '--import',
      './server/bin/runtime.mjs',
      ...(mutant?.edits ? ['--import', './proof/src/kit/plant.ts'] : []),
      'server/bin/api.ts',
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        NODE_COMPILE_CACHE: join(tmpdir(), 'daywright-compile-cache'),
        HOST: '127.0.0.1',
        PORT: '0',
        DATABASE_URL: databaseUrl,
        RATE_LIMIT: 'off',
        UNSAFE_DATABASE: 'allow', // TEST_DATABASE_URL's may be a quick one
        ...settings,
        ...mutant?.settings,
        ...(mutant?.edits && { DAYWRIGHT_PLANT: JSON.stringify(mutant.edits) }),
      },
    },
  )
  running.add(child)
  child.once('exit', () => running.delete(child))
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let tail = ''
  for (const stream of [child.stdout, child.stderr]) {
    watchForSecrets(stream)
    stream.on('data', (chunk) => (tail = (tail + String(chunk)).slice(-20_000)))
  }
  const origin = await listening()
  await ready()
  return {
    origin,
    child,
    pid: child.pid ?? 0,
    exited,
    /** The end of what it has written. */
    tail: () => tail,
    /** Politely, as an operator does. */
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

// Whatever happens to us, nothing of ours stays behind.
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
