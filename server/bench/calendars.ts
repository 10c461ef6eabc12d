// npm run bench -- calendars: a worker fetches calendars of 200 events. Measures the CPU time of whole jobs in the
// worker and in PostgreSQL for each kind of response, and the cores that 100,000 users with 3 calendars each need.
//
// BENCH_CALENDARS (1000) sets the number of calendars. Each calendar has its own loopback address, because a worker
// sends a host at most one request a second; so the calendar server listens on all addresses.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { encryptWith } from '../src/platform/auth/encryption.ts'
import { instanceSecrets } from '../src/platform/auth/secret.ts'
import { connect } from '../src/platform/db/database.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { startWorkerProcess } from './start-worker.ts'
import { withDatabase } from './with-database.ts'

const calendars = Number(process.env.BENCH_CALENDARS ?? 1000)
const eventCount = 200
const perSecond = (100_000 * 3) / (15 * 60)
const day = 86_400_000

const utc = (time: number) => new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** A calendar file with events on the next 100 days. The hour of the first event depends on the version. */
function fileOf(version: number) {
  const start = Math.floor(Date.now() / day) * day
  const events = Array.from({ length: eventCount }, (_, index) => {
    const hour = index === 0 ? 8 + (version % 8) : 9 + (index % 2) * 4
    const at = start + (1 + Math.floor(index / 2)) * day + hour * 3_600_000
    return [
      'BEGIN:VEVENT',
      `UID:${index}@example.com`,
      `DTSTAMP:${utc(Date.now())}`,
      `SUMMARY:Meeting number ${index}`,
      'LOCATION:Room 4',
      `DESCRIPTION:${'Agenda and notes. '.repeat(20)}`,
      `DTSTART:${utc(at)}`,
      `DTEND:${utc(at + 1_800_000)}`,
      'END:VEVENT',
    ].join('\r\n')
  })
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n')
}

type Phase = { name: string; isUnchanged?: boolean; version: number }
const phases: Phase[] = [
  { name: 'first reading, 200 new events', version: 1 },
  { name: 'unchanged, 304', isUnchanged: true, version: 1 },
  { name: 'unchanged, the same events again', version: 1 },
  { name: 'changed, 1 of 200 events moved', version: 2 },
]

let current = phases[0] as Phase
let body = ''
const server = createServer((_request, response) => {
  if (current.isUnchanged) response.writeHead(304).end()
  else response.writeHead(200, { etag: '"1"' }).end(body)
}).listen(0, '0.0.0.0')
await once(server, 'listening')
const { port } = server.address() as AddressInfo

await withDatabase(async (url) => {
  await migrate(url)
  await seed(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  process.env.WEBHOOK_PRIVATE_ADDRESSES = 'allow'
  const worker = await startWorkerProcess(url)
  print(`${calendars} calendars of ${eventCount} events\n\n`)
  print('| answer | worker, ms CPU | database, ms CPU | per second and core | cores for 333/s |\n')
  print('|---|---|---|---|---|\n')
  try {
    for (const phase of phases) {
      current = phase
      body = fileOf(phase.version)
      print(row(phase.name, await measure(client, worker)))
    }
    print(
      `\n100,000 users with 3 calendars each, every 15 minutes: ${perSecond.toFixed(0)} refreshes/s\n`,
    )
  } finally {
    await worker.stop()
    await client.end()
  }
})
server.closeAllConnections()
server.close()

function row(name: string, { worker, database }: { worker: number; database: number }) {
  const both = worker + database
  const cells = [worker, database].map((seconds) => (seconds * 1000).toFixed(2))
  return `| ${[name, ...cells, (1 / both).toFixed(0), (both * perSecond).toFixed(2)].join(' | ')} |\n`
}

/** Makes all calendars due, waits until they are refreshed, and returns the CPU seconds per refresh. */
async function measure(client: pg.Client, worker: { cpuSeconds: () => number }) {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  const began = rows[0]?.now ?? new Date()
  const [before, backendsBefore] = [worker.cpuSeconds(), await backends(client)]
  await client.query('update calendars set next_fetch_at = now()')
  await client.query('update user_state set due_at = now()')
  for (let left = calendars; left > 0;) {
    await sleep(500)
    const waiting = await client.query<{ left: number }>(
      'select count(*)::int as left from calendars where fetched_at is null or fetched_at < $1',
      [began],
    )
    left = waiting.rows[0]?.left ?? 0
  }
  const database = [...(await backends(client))].reduce(
    (sum, [pid, seconds]) => sum + seconds - (backendsBefore.get(pid) ?? 0),
    0,
  )
  return { worker: (worker.cpuSeconds() - before) / calendars, database: database / calendars }
}

/** The CPU seconds of each PostgreSQL backend connected to this database, by PID. */
async function backends(client: pg.Client) {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  return new Map(rows.map(({ pid }) => [pid, cpuSeconds(pid)]))
}

/** Creates users with one calendar each, every calendar at its own address. */
async function seed(url: string) {
  const db = connect(url)
  const seal = encryptWith(instanceSecrets(db))
  const hosts = Array.from(
    { length: calendars },
    (_, n) => `127.1.${Math.floor(n / 250)}.${1 + (n % 250)}`,
  )
  const sealed = await Promise.all(
    hosts.map((host) => seal.close(`http://${host}:${port}/calendar.ics`)),
  )
  await db.pool.query(
    `with given as (
       select gen_random_uuid() as id, host, sealed from unnest($1::text[], $2::text[]) given (host, sealed)
     ), people as (
       insert into users (id, email, display_name, timezone)
       select id, id || '@example.com', 'Someone', 'UTC' from given
     ), settings as (
       insert into user_settings (user_id) select id from given
     ), due as (
       insert into user_state (user_id, planned_on, trimmed_on)
       select id, current_date + 1, current_date + 1 from given
     )
     insert into calendars (user_id, id, name, color, sealed_url, host, blocks, all_day, tentative_blocks,
                            padding_minutes)
     select id, gen_random_uuid(), 'Work', '#8A8680', sealed, host, true, 'marked', true, 0 from given`,
    [hosts, sealed],
  )
  await db.end()
}

function print(text: string) {
  process.stdout.write(text)
}
