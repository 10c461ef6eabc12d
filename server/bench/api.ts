// npm run bench: the same prepared SQL through pgbench on the bare engine and through the API, alternating in one
// run, since a busy machine slows both. Prints the ratio API : engine.
//
// BENCH_ROUNDS (6) and BENCH_SECONDS (2) set its length; it speaks to 127.0.0.1 only.
import { loadApi, loadEngine, requireTools } from './load.ts'
import { seed } from './seed.ts'
import { startApi } from './start-api.ts'
import { withDatabase } from './with-database.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 6)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
const goals = { 'list of 50': 0.85, 'point read': 0.35, create: 0.45, update: 0.4 }

await requireTools()
await withDatabase(async (url, folder) => {
  const world = await seed(url)
  const api = await startApi(url)
  try {
    print(`${rounds} rounds of ${seconds} s each, 16 clients; 10,000 tasks of one user among 200\n`)
    const ratios = Object.entries(goals).map(([name, goal]) => ({
      name,
      goal,
      seen: [] as number[],
    }))
    for (let round = 0; round <= rounds; round += 1) {
      for (const { name, seen } of ratios) {
        const engine = await loadEngine(url, folder, world, name, seconds)
        const through = await loadApi(api.origin, folder, world, name, seconds)
        if (round > 0) seen.push(through / engine) // the first round only warms up
        print(`${name.padEnd(12)} engine ${engine.toFixed(0)}/s, API ${through.toFixed(0)}/s\n`)
      }
    }
    print('\n              median    range          goal\n')
    for (const { name, goal, seen } of ratios) {
      const sorted = seen.toSorted((a, b) => a - b)
      const median = sorted[Math.floor(sorted.length / 2)]?.toFixed(2)
      const range = `${sorted[0]?.toFixed(2)}–${sorted.at(-1)?.toFixed(2)}`
      print(`${name.padEnd(12)}  ${median}      ${range.padEnd(13)}  ${goal}\n`)
    }
  } finally {
    await api.stop()
  }
})

function print(text: string) {
  process.stdout.write(text)
}
