// npm run bench -- streams: opens thousands of event streams on one API while another API writes; once with polling,
// and once with LISTEN/NOTIFY patched in instead. Measures CPU, memory and the delay from the writer's response to
// the arrival of the event, and what NOTIFY costs writers.
//
// BENCH_STREAMS (5000), BENCH_SECONDS (15) and BENCH_WRITES (100 a second) set the size of the benchmark.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../src/platform/db/migrate.ts'
import { cpuSeconds, memoryMib } from './cpu-seconds.ts'
import { priceOfNotify } from './price-of-notify.ts'
import { openReaders } from './stream-readers.ts'
import { newUsers } from './new-users.ts'
import { startApi } from './start-api.ts'
import { withDatabase } from './with-database.ts'

const streams = Number(process.env.BENCH_STREAMS ?? 5000)
const seconds = Number(process.env.BENCH_SECONDS ?? 15)
// Patches in the alternative to polling, which is not part of the product.
const notifying = { DAYWRIGHT_PLANT: JSON.stringify(['server/bench/notifying.patch']) }
const writesPerSecond = Number(process.env.BENCH_WRITES ?? 100)

await withDatabase(async (url, folder) => {
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const keys = await newUsers(client, streams)
  print(`${streams} streams, ${writesPerSecond} writes/s elsewhere, ${seconds} s each\n`)
  for (const [name, flags, settings] of [
    ['poll', [], {}],
    ['LISTEN/NOTIFY', ['--import', './proof/src/kit/plant.ts'], notifying],
  ] as const) {
    const writer = await startApi(url, [...flags], settings)
    const api = await startApi(url, [...flags], settings)
    const emptyMib = memoryMib(api.pid)
    const arrivals = new Map<string, number>()
    const close = await openReaders(api.origin, keys, (label, at) => arrivals.set(label, at))
    await sleep(3000)
    const idle = await measured(api.pid, client, () => sleep(seconds * 1000))
    const answered = new Map<string, number>()
    const busy = await measured(api.pid, client, () => write(writer.origin, keys, answered))
    await sleep(2000)
    const delays = [...answered].map(([label, at]) => (arrivals.get(label) ?? Infinity) - at)
    const sorted = delays.toSorted((a, b) => a - b)
    const share = (part: number) => sorted[Math.floor(part * (sorted.length - 1))]?.toFixed(0)
    print(
      `${name}: idle API ${idle.api} % CPU, PostgreSQL ${idle.postgres} %; busy API ${busy.api} %, ` +
        `PostgreSQL ${busy.postgres} %; ${memoryMib(api.pid).toFixed(0)} MiB (${emptyMib.toFixed(0)} without ` +
        `streams); delay of ${sorted.length} events p50 ${share(0.5)} ms, p99 ${share(0.99)} ms, ` +
        `max ${share(1)} ms\n`,
    )
    close()
    await Promise.all([api.kill(), writer.kill()]) // SIGKILL, because a listening process keeps its connection
  }
  await priceOfNotify(url, folder, client)
  await client.end()
})

/** Creates labels at the given rate through the other API, and records when each request was answered. */
async function write(origin: string, keys: string[], answered: Map<string, number>) {
  const writes: Promise<void>[] = []
  const began = performance.now()
  const run = Math.floor(began) % 1000
  for (let n = 0; n < seconds * writesPerSecond; n += 1) {
    const due = began + (n / writesPerSecond) * 1000
    if (due > performance.now()) await sleep(due - performance.now())
    const key = keys[Math.floor(Math.random() * keys.length)] ?? ''
    const name = `bench ${run}${String(n).padStart(6, '0')}`
    writes.push(post(origin, key, name).then(() => void answered.set(name, performance.now())))
  }
  await Promise.all(writes)
}

async function post(origin: string, key: string, name: string) {
  const answer = await fetch(`${origin}/api/labels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`A write was answered ${answer.status}`)
}

/** Runs `work`; returns the CPU time of the API and the time that statements ran, in percent of the time it took. */
async function measured(pid: number, client: pg.Client, work: () => Promise<unknown>) {
  const used = async () => ({ api: cpuSeconds(pid), postgres: await activeSeconds(client) })
  const before = await used()
  const began = performance.now()
  await work()
  const tookSeconds = (performance.now() - began) / 1000
  const after = await used()
  const percent = (a: number, b: number) => (((b - a) / tookSeconds) * 100).toFixed(0)
  return { api: percent(before.api, after.api), postgres: percent(before.postgres, after.postgres) }
}

async function activeSeconds(client: pg.Client) {
  const { rows } = await client.query<{ seconds: number }>(
    `select active_time / 1000 as seconds
       from pg_stat_database
      where datname = current_database()`,
  )
  return rows[0]?.seconds ?? Number.NaN
}

function print(text: string) {
  process.stdout.write(text)
}
