// Concurrent requests, interleaved statement by statement by a seed: the outcome must equal that of some serial
// order (serializability).
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { newDatabase } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Trial } from '../kit/harness.ts'
import { watchForSecrets } from '../kit/secrets.ts'
import type { Part, Report } from './explorer.ts'
import { scenarios } from './scenarios.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const interleavings = { short: 300, long: 10_000 }

export const harness: Harness = {
  name: 'races',
  mutants: faultsOf('races'),
  atOnce: 2,
  mutantsInShort: 3,
  async prove(trial) {
    const { dose, mutant } = trial
    const worlds = mutant ? 1 : 2
    const count = mutant ? 1200 : interleavings[dose] / worlds
    const reports = await Promise.all(
      Array.from({ length: worlds }, (_, world) => exploreWorld(trial, { world, worlds, count })),
    )
    const sum = (of: 'tried' | 'traces' | 'waits') =>
      reports.reduce((total, report) => total + report[of], 0)
    return {
      tried: `${sum('tried').toLocaleString('en')} interleavings`,
      findings: reports.flatMap(({ findings }) => findings),
      figures: [
        `${scenarios.length} scenarios; ${sum('traces')} interleavings were different, in ${sum('waits')} a statement waited for a lock`,
      ],
    }
  },
}

async function exploreWorld(
  { postgres, seed, mutant, signal }: Trial,
  share: Pick<Part, 'world' | 'worlds' | 'count'>,
) {
  const database = await newDatabase(postgres)
  const part: Part = {
    ...share,
    databaseUrl: database.url,
    seed,
    stopAtFirst: mutant !== undefined,
    ...(mutant?.control && { begin: mutant.control }),
  }
  const child = fork('proof/src/races/explorer.ts', {
    cwd: root,
    signal,
    killSignal: 'SIGKILL',
    execArgv: [
      '--import',
      './server/bin/runtime.mjs',
      ...(mutant?.patch ? ['--import', './proof/src/kit/plant.ts'] : []),
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      ...process.env,
      DAYWRIGHT_RACES: JSON.stringify(part),
      ...(mutant?.patch && { DAYWRIGHT_PLANT: JSON.stringify([mutant.patch]) }),
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue
    watchForSecrets(stream)
    stream.on('data', (chunk) => (output = (output + String(chunk)).slice(-5000)))
  }
  let report: Report | undefined
  child.on('message', (message) => (report = message as Report))
  try {
    await once(child, 'exit')
    if (!report) throw new Error(`The explorer ended without a word: ${output}`)
    return report
  } finally {
    child.kill('SIGKILL')
    await database.drop()
  }
}
