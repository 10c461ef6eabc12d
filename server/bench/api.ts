// npm run bench: compares the CPU time of each operation in PostgreSQL alone with that of a request to the API.
// Both run the same prepared statements on the same number of warm connections, alternating within one run.
// Ratio = CPU of PostgreSQL alone / (CPU of PostgreSQL behind the API + CPU of Node).
//
// BENCH_ROUNDS (6) sets the number of rounds. Connects to 127.0.0.1 only. Linux only, because it reads /proc.
import { Agent, request as send } from 'node:http'
import pg from 'pg'
import { applicationName } from '../src/platform/db/connection-watchdog.ts'
import { connect } from '../src/platform/db/database.ts'
import { cpuNanoseconds } from './cpu-seconds.ts'
import { type Operation, operations, type Request } from './operations.ts'
import { seed } from './seed.ts'
import { startApi } from './start-api.ts'
import { withDatabase } from './with-database.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 6)
const clients = 10
/** Executions before measuring: each connection plans the statement and fills its caches in the first ones. */
const warmUp = 12 * clients

type Cpu = { engine: number; postgres: number; node: number; count: number }

await withDatabase(async (url) => {
  const world = await seed(url)
  const engine = connect(url, { poolSize: clients })
  const monitor = new pg.Client({ connectionString: url })
  await monitor.connect()
  await concurrently(warmUp, (n) => operations[1]!.runOnEngine(engine, world, n))
  const enginePids = await backends(monitor)
  const api = await startApi(url, [], { POOL_SIZE: String(clients) })
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  try {
    const request = (operation: Operation, n: number) =>
      respond(api.origin, agent, operation.request(world, n))
    print(`${rounds} rounds, ${clients} connections; one user with 10,000 tasks, 200 with 50\n\n`)
    print(
      'CPU µs                          engine   PostgreSQL    Node    ratio   range        goal\n',
    )
    for (const operation of operations) {
      await concurrently(warmUp, (n) => operation.runOnEngine(engine, world, n))
      await concurrently(warmUp, (n) => request(operation, n))
      const all = await backends(monitor)
      const apiPids = all.filter((pid) => !enginePids.includes(pid))
      const slices: Cpu[] = []
      for (let round = 0; round < rounds; round += 1) {
        slices.push(await measure(operation, round))
      }
      report(operation, slices)

      async function measure({ count, runOnEngine }: Operation, round: number): Promise<Cpu> {
        const first = (round + 1) * count
        const before = total(enginePids)
        await concurrently(count, (n) => runOnEngine(engine, world, first + n))
        const between = {
          engine: total(enginePids),
          postgres: total(apiPids),
          node: cpuNanoseconds(api.pid),
        }
        await concurrently(count, (n) => request(operation, first + count + n))
        return {
          engine: between.engine - before,
          postgres: total(apiPids) - between.postgres,
          node: cpuNanoseconds(api.pid) - between.node,
          count,
        }
      }
    }
  } finally {
    agent.destroy()
    await api.stop()
    await monitor.end()
    await engine.end()
  }
})

/** The PIDs of the PostgreSQL backends that serve the pools of the benchmark and of the API. */
async function backends(monitor: pg.Client): Promise<number[]> {
  const { rows } = await monitor.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
    [applicationName],
  )
  return rows.map(({ pid }) => pid)
}

function total(pids: readonly number[]) {
  return pids.reduce((sum, pid) => sum + cpuNanoseconds(pid), 0)
}

/** Calls `work` with every number below `count`, with one call at a time per connection. */
async function concurrently(count: number, work: (n: number) => Promise<unknown>) {
  let next = 0
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (next < count) await work(next++)
    }),
  )
}

/** Sends the request; rejects if the response is not a success. */
function respond(
  origin: string,
  agent: Agent,
  { method, path, key, body, idempotencyKey }: Request,
) {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json' }),
    ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
  }
  return new Promise<void>((resolve, reject) => {
    send(origin + path, { method, agent, headers }, (response) => {
      const { statusCode = 0 } = response
      response.on('end', () =>
        statusCode < 300 ? resolve() : reject(new Error(`${method} ${path}: ${statusCode}`)),
      )
      response.resume()
    })
      .on('error', reject)
      .end(body && JSON.stringify(body))
  })
}

function report({ name, goal }: Operation, slices: readonly Cpu[]) {
  const per = (part: (slice: Cpu) => number) =>
    slices.reduce((sum, slice) => sum + part(slice), 0) /
    slices.reduce((sum, { count }) => sum + count, 0) /
    1000
  const ratioOf = ({ engine, postgres, node }: Cpu) => engine / (postgres + node)
  const ratios = slices.map(ratioOf).toSorted((a, b) => a - b)
  const [engine, postgres, node] = [
    per((s) => s.engine),
    per((s) => s.postgres),
    per((s) => s.node),
  ]
  const range = `${ratios[0]!.toFixed(2)}–${ratios.at(-1)!.toFixed(2)}`
  print(
    `${name.padEnd(30)} ${engine.toFixed(0).padStart(7)} ${postgres.toFixed(0).padStart(12)} ` +
      `${node.toFixed(0).padStart(7)}     ${(engine / (postgres + node)).toFixed(2)}   ${range.padEnd(11)} ${goal ?? ''}\n`,
  )
}

function print(text: string) {
  process.stdout.write(text)
}
