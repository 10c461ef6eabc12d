// npm run proof [-- --long] [--all] [--seed 7] [harness …]
//
// Runs each harness once on the service as it is, then once for every planted fault, and prints one table.
// Exits with 0 only if nothing was found in the first run and every fault was found. The short dose plants
// only some of the faults, chosen by the seed; --all plants all of them.
import { parseArgs } from 'node:util'
import { harnesses } from '../src/harnesses.ts'
import type { Harness } from '../src/kit/harness.ts'
import { postgresServer } from '../src/kit/database.ts'
import { leaks } from '../src/kit/secrets.ts'
import { runHarness, type Row } from '../src/run-harness.ts'
import { table } from '../src/table.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    long: { type: 'boolean' },
    all: { type: 'boolean' },
    seed: { type: 'string' },
  },
})
const names = positionals.length > 0 ? positionals : Object.keys(harnesses)
const unknown = names.filter((name) => !harnesses[name])
if (unknown.length > 0) {
  process.stderr.write(
    `No harness ${unknown.join(' ')}. There are: ${Object.keys(harnesses).join(' ')}\n`,
  )
  process.exit(2)
}

// An early end leaves nothing running: our processes are killed in the 'exit' event.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const dose = values.long ? 'long' : 'short'
const seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed)
const say = (line: string) => void process.stderr.write(`${line}\n`)
say(`seed ${seed}: repeat this run with --seed ${seed}`)
const postgres = await postgresServer()
const loaded = await Promise.all(names.map(async (name) => (await harnesses[name]?.())?.harness))
const chosen = loaded.filter((harness) => harness !== undefined)
const found = new Map<string, Row>()
try {
  // In the long dose, harnesses run one at a time.
  const groups = Map.groupBy(chosen, ({ mostTogether = 3 }) => (dose === 'long' ? 1 : mostTogether))
  for (const count of [3, 2, 1]) {
    const queue = groups.get(count) ?? []
    await Promise.all(Array.from({ length: count }, () => runAll(queue)))
  }
} finally {
  await postgres.leave()
}
const rows = chosen.flatMap(({ name }) => found.get(name) ?? [])
process.stdout.write(table(rows, leaks))
const isClean = rows.every(({ findings, missed }) => findings.length + missed.length === 0)
process.exit(isClean && leaks.length === 0 ? 0 : 1)

async function runAll(queue: Harness[]) {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { name } = next
    const named = (line: string) => say(`${name}: ${line.trimStart()}`)
    const allMutants = values.all === true
    const trial = { dose, seed, postgres: postgres.url, say: named, allMutants } as const
    found.set(name, await runHarness(next, trial))
  }
}
