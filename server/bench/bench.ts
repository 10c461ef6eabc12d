// npm run bench: the same prepared SQL through pgbench, on the bare engine, and through the API,
// turn by turn in one run, since a busy machine slows both. Prints the ratio API : engine.
//
// BENCH_ROUNDS (6) and BENCH_SECONDS (2) set its length; it speaks to 127.0.0.1 only.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer, urlOf } from '../test/template-database.ts'
import { embeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'
import { loadApi, loadEngine, requireTools } from './load.ts'
import { seed } from './seed.ts'
import { startApi } from './start-api.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 6)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const goals = { 'list of 50': 0.85, 'point read': 0.35, create: 0.45, update: 0.4 }

await requireTools()
const folder = await mkdtemp(join(tmpdir(), 'daywright-bench-'))
const own = process.env.DATABASE_URL ? undefined : embeddedPostgres(folder)
await own?.start()
const server = process.env.DATABASE_URL ?? own?.url ?? ''
const database = `daywright_bench_${process.pid}`
await administer(server, `create database ${database}`)
const url = urlOf(server, database)
try {
  const world = await seed(url)
  const api = await startApi(url)
  try {
    print(`${rounds} rounds of ${seconds} s each, 16 clients; 10,000 tasks of one user among 200\n`)
    const ratios = Object.keys(goals).map((name) => [name, [] as number[]] as const)
    for (let round = 0; round <= rounds; round += 1) {
      for (const [name, seen] of ratios) {
        const engine = await loadEngine(url, folder, world, name, seconds)
        const through = await loadApi(api.origin, folder, world, name, seconds)
        if (round > 0) seen.push(through / engine) // the first round only warms up
        print(`${name.padEnd(12)} engine ${engine.toFixed(0)}/s, API ${through.toFixed(0)}/s\n`)
      }
    }
    print('\n              median    range          goal\n')
    for (const [name, seen] of ratios) {
      const sorted = seen.toSorted((a, b) => a - b)
      const median = sorted[Math.floor(sorted.length / 2)] ?? 0
      const range = `${sorted[0]?.toFixed(2)}–${sorted.at(-1)?.toFixed(2)}`
      print(
        `${name.padEnd(12)}  ${median.toFixed(2)}      ${range.padEnd(13)}  ${goals[name as keyof typeof goals]}\n`,
      )
    }
  } finally {
    await api.stop()
  }
} finally {
  await administer(server, `drop database ${database} with (force)`)
  await own?.stop()
  await rm(folder, { recursive: true, force: true })
}

function print(text: string) {
  process.stdout.write(text)
}
