// Runs the programs of server/bin as an operator does, with or without a planted fault.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './harness.ts'
import { watchForSecrets } from './secrets.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The Node flags of `npm start`. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}
const usual = scripts.start.split(' ').filter((word) => word.startsWith('--max'))

export type Options = {
  databaseUrl: string
  mutant?: Mutant
  settings?: Record<string, string>
  /** Flags for Node itself. */
  flags?: string[]
  /** Patches besides the mutant's. */
  patches?: string[]
  /** Called before the process has written anything, so that all of its output can be read. */
  onSpawn?: (child: ChildProcess) => void
}

/** Runs a program to its end. */
export async function runProgram(command: string[], options: Options) {
  const child = startProgram(command, options)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (output += String(chunk)))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

export function startProgram(
  command: string[],
  { databaseUrl, mutant, settings = {}, flags = [], patches = [], onSpawn }: Options,
) {
  const planted = [...(mutant?.patch ? [mutant.patch] : []), ...patches]
  const child = spawn(
    process.execPath,
    [
      ...usual,
      ...flags,
      '--import',
      './server/bin/runtime.mjs',
      ...(planted.length > 0 ? ['--import', './proof/src/kit/plant.ts'] : []),
      ...command,
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
        UNSAFE_DATABASE: 'allow', // TEST_DATABASE_URL may not be durable
        ...settings,
        ...mutant?.settings,
        ...(planted.length > 0 && { DAYWRIGHT_PLANT: JSON.stringify(planted) }),
      },
    },
  )
  onSpawn?.(child)
  running.add(child)
  child.once('exit', () => running.delete(child))
  // A planted fault may reveal secrets: its harness checks that itself.
  if (!mutant) for (const stream of [child.stdout, child.stderr]) watchForSecrets(stream)
  return child
}

// Kill all our processes when this one exits.
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
