// Runs the programs of bin/ for tests as an operator does: real processes, signals and ports.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished, vi } from 'vitest'

export const root = fileURLToPath(new URL('../../', import.meta.url))
export const run = promisify(execFile)

export type Settings = Record<string, string>

/** Only the given settings reach the program, not the developer's DATABASE_URL. */
export const environment = (settings: Settings) => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: join(tmpdir(), 'daywright-compile-cache'),
  HOST: '127.0.0.1',
  PORT: '0',
  UNSAFE_DATABASE: 'allow', // TEST_DATABASE_URL may not be durable
  ...settings,
})

const command = (program: string, ...args: string[]) => [
  '--import',
  './server/bin/runtime.mjs',
  `server/bin/${program}`,
  ...args,
]

/** Runs a program to its end, and returns its exit code and output. */
export async function finish(settings: Settings, program: string, ...args: string[]) {
  const options = { cwd: root, env: environment(settings) }
  return run(process.execPath, command(program, ...args), options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

/** Starts the service; it is killed after the test if it still runs. */
export function serve(settings: Settings, program = 'start.ts') {
  const child = spawn(process.execPath, command(program), {
    cwd: root,
    env: environment(settings),
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output += String(chunk)))
  }
  const exit = once(child, 'exit') as Promise<[number | null, string | null]>

  async function origin() {
    return vi.waitFor(
      () => {
        const [, found] = /Server listening at (http:\/\/[\d.:]+)/.exec(output) ?? []
        if (!found) throw new Error(`It does not listen: ${output}`)
        return found
      },
      { timeout: 60_000, interval: 20 },
    )
  }
  async function ready() {
    const at = await origin()
    await vi.waitFor(
      async () => {
        const answer = await fetch(`${at}/health/ready`).catch(() => undefined)
        if (!answer?.ok) throw new Error(`It is not ready: ${output}`)
      },
      { timeout: 60_000, interval: 20 },
    )
    return at
  }
  return { child, exit, origin, ready, output: () => output }
}

export async function newFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-process-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
