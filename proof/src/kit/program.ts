// The programs of server/bin as an operator runs them, with a fault planted or without.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './harness.ts'
import type { Edit } from './plant.ts'
import { watchForSecrets } from './secrets.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** What Node is told by `npm start`. */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}
const usual = scripts.start.split(' ').filter((word) => word.startsWith('--max'))

export type Options = {
  databaseUrl: string
  mutant?: Mutant
  settings?: Record<string, string>
  /** For Node itself. */
  flags?: string[]
  /** Changes of the source that only let something be seen from outside. */
  observe?: Edit[]
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
  { databaseUrl, mutant, settings = {}, flags = [], observe = [] }: Options,
) {
  const edits = [...(mutant?.edits ?? []), ...observe]
  const child = spawn(
    process.execPath,
    [
      ...usual,
      ...flags,
      '--import',
      './server/bin/runtime.mjs',
      ...(edits.length > 0 ? ['--import', './proof/src/kit/plant.ts'] : []),
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
        UNSAFE_DATABASE: 'allow', // TEST_DATABASE_URL's may be a quick one
        ...settings,
        ...mutant?.settings,
        ...(edits.length > 0 && { DAYWRIGHT_PLANT: JSON.stringify(edits) }),
      },
    },
  )
  running.add(child)
  child.once('exit', () => running.delete(child))
  // A planted fault may be that secrets show: its harness looks for itself.
  if (!mutant) for (const stream of [child.stdout, child.stderr]) watchForSecrets(stream)
  return child
}

// Whatever happens to us, nothing of ours stays behind.
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
