// One hostile client and three hostile accounts at a time must not affect another user. That user's success
// rate and median latency are compared with those under the ordinary load of as many clients, in the same
// run.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { quantile, sendAtRate } from '../kit/send-at-rate.ts'
import { request } from '../kit/connection.ts'
import { newDatabase, openPool } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Trial } from '../kit/harness.ts'
import { collecting, memoryOf } from '../kit/memory.ts'
import { type Server, startServer } from '../kit/server.ts'
import { newWorkers, type Worker } from '../kit/tasks.ts'
import { startAttack } from './attacker.ts'
import { type Account, type AttackName, attacks, type Tally } from './attacks.ts'
import { openMailbox } from './mailbox.ts'

const patches = ['proof/src/neighbours/name-server.patch']

export const harness: Harness = {
  name: 'neighbours',
  prove,
  mutants: faultsOf('neighbours'),
  patches,
  mutantsInShort: 1,
  mostTogether: 1,
}

const leastSuccess = 0.99
const mostTimesSlower = 3
/** The bytes that a change of a few bytes may write, for any size of the document. */
const mostBytesPerChange = 100_000
/**
 * The memory that a spelling of a time zone may keep, beyond the growth under ordinary load. A formatter takes
 * 77 KB, but the rate limit refuses many requests in between, so that only a third of the spellings get one.
 */
const mostBytesPerSpelling = 15_000
/** The time limit for a webhook of the bystander, while the names of others cannot be resolved. */
const mostDeliveryMs = 5000
/** The memory that unread responses may hold beyond ordinary load: four times their limit. */
const mostPinnedBytes = 4 * 64 * 1_048_576
const perSecond = 50
const attackMs = { short: 5000, long: 30_000 }
const hostile = Object.keys(attacks).filter((name) => name !== 'honest') as AttackName[]

async function prove(trial: Trial) {
  const database = await newDatabase(trial.postgres, { isHasty: true })
  const db = openPool(database.url, 2)
  const findings: string[] = []
  const figures: string[] = []
  try {
    const [bystander, ...others] = await newWorkers(db, 4, 150)
    if (!bystander) throw new Error('There is no bystander')
    const accounts = await Promise.all(others.map((one) => withDocument(db, one)))
    const settings = { RATE_LIMIT: 'on', WEBHOOK_PRIVATE_ADDRESSES: 'allow' }
    const options = { databaseUrl: database.url, settings, flags: collecting }
    const beside = async (attack: AttackName, started: Parameters<typeof startServer>[0]) => {
      // Only deliveries need the worker; during other attacks it would blur the comparison.
      const mailbox = attack === 'names' ? await openMailbox() : undefined
      const silent = mailbox && {
        patches,
        settings: { ...started.settings, PROOF_NAME_SERVER: mailbox.nameServer },
      }
      const program = `server/bin/${mailbox ? 'start' : 'api'}.ts`
      const server = await startServer({ ...started, ...silent }, program)
      const over = new AbortController()
      try {
        await mailbox?.subscribe(server.origin, bystander.key)
        // Meanwhile, not afterwards: look-ups that hold places give them back after some seconds.
        const delivering = mailbox?.deliver(server.origin, bystander.key, over.signal)
        delivering?.catch(() => {}) // not awaited if the measurement fails
        const seen = await measure(trial, server, db, attack, bystander, accounts)
        over.abort()
        return { ...seen, deliveryMs: await delivering }
      } finally {
        over.abort()
        await server.kill()
        mailbox?.close()
      }
    }
    const honest = await beside('honest', options)
    figures.push(`honest: ${describe(honest)}`)
    const control = trial.mutant?.control as AttackName | undefined
    for (const attack of control ? [control] : hostile) {
      if (trial.signal.aborted) findings.push('the time was up before all attacks were made')
      const seen = await beside(attack, {
        ...options,
        ...(trial.mutant && { mutant: trial.mutant }),
      })
      figures.push(`${attack}: ${describe(seen)}, ${(seen.medianMs / honest.medianMs).toFixed(1)}×`)
      findings.push(...judge(attack, seen, honest).map((one) => `${attack}: ${one}`))
    }
  } finally {
    await db.end()
    await database.drop()
  }
  return { tried: `${hostile.length} attacks`, findings, figures }
}

type Seen = {
  answered: number
  failed: number
  statuses: Record<string, number>
  medianMs: number
  tally: Tally
  grownBytes: number
  rssBytes: number
  peakRss: number
  deliveryMs?: number | undefined
}

async function measure(
  trial: Trial,
  server: Server,
  db: pg.Pool,
  attack: AttackName,
  bystander: Worker,
  accounts: Account[],
): Promise<Seen> {
  const port = Number(new URL(server.origin).port)
  await warmUp(server, bystander)
  const before = { ...(await memoryOf(server)), size: await sizeOf(db) }
  const largeFile = await largestFileOf(server)
  const attacking = startAttack({ attack, port, accounts, largeFile })
  await sleep(1000)
  const load = sendAtRate(port, perSecond, ordinary(bystander))
  let peakRss = 0
  const watching = setInterval(() => {
    peakRss = Math.max(peakRss, rssOf(server.pid))
  }, 200)
  await sleep(attackMs[trial.mutant ? 'short' : trial.dose])
  const { seen, broken } = await load.stop()
  clearInterval(watching)
  const tally = await attacking.stop()
  const size = await sizeOf(db)
  await sleep(200)
  const after = await memoryOf(server)
  const statuses: Record<string, number> = {}
  for (const { status } of seen) statuses[status] = (statuses[status] ?? 0) + 1
  const good = seen.filter(({ status }) => status < 300)
  return {
    answered: good.length,
    failed: seen.length - good.length + broken.length,
    statuses,
    medianMs: quantile(
      seen.map(({ tookMs }) => tookMs),
      0.5,
    ),
    tally,
    grownBytes: size - before.size,
    rssBytes: after.rss - before.rss,
    peakRss,
  }
}

function judge(attack: AttackName, seen: Seen, honest: Seen) {
  const { answered, failed, statuses, medianMs, tally, grownBytes, rssBytes, peakRss } = seen
  const findings: string[] = []
  const success = answered / (answered + failed)
  if (!(success >= leastSuccess)) {
    findings.push(
      `${(success * 100).toFixed(1)} % of the bystander's requests succeed ${JSON.stringify(statuses)}`,
    )
  }
  if (!(medianMs <= honest.medianMs * mostTimesSlower)) {
    findings.push(
      `the bystander waits ${medianMs.toFixed(1)} ms, ${honest.medianMs.toFixed(1)} ms beside an honest neighbour`,
    )
  }
  const changes = tally['200 PATCH'] ?? 0
  if (attack === 'documents' && grownBytes > changes * mostBytesPerChange + 10_000_000) {
    findings.push(`${changes} small changes take ${megabytes(grownBytes)} MB on disk`)
  }
  const spellings = (tally['200'] ?? 0) / 2
  if (attack === 'zones' && rssBytes > spellings * mostBytesPerSpelling + honest.rssBytes) {
    findings.push(`${spellings} spellings of a time zone keep ${megabytes(rssBytes)} MB`)
  }
  if (attack === 'names' && !((seen.deliveryMs ?? Infinity) <= mostDeliveryMs)) {
    findings.push(`a webhook of the bystander takes ${seen.deliveryMs} ms`)
  }
  const pinned = peakRss - honest.peakRss
  if (attack === 'unread' && pinned > mostPinnedBytes) {
    findings.push(`unread answers pin ${megabytes(pinned)} MB`)
  }
  return findings
}

const describe = ({
  answered,
  failed,
  medianMs,
  tally,
  grownBytes,
  rssBytes,
  peakRss,
  deliveryMs,
}: Seen) =>
  `${answered} of ${answered + failed} served, median ${medianMs.toFixed(1)} ms; ` +
  `attacker ${JSON.stringify(tally)}; disk ${megabytes(grownBytes)} MB, ` +
  `memory ${megabytes(rssBytes)} MB, at most ${megabytes(peakRss)} MB resident` +
  (deliveryMs === undefined ? '' : `, webhook after ${deliveryMs.toFixed(0)} ms`)

const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(1)

/** Gives the account a large document, with text that PostgreSQL cannot compress. */
async function withDocument(db: pg.Pool, { id, key, taskIds }: Worker): Promise<Account> {
  const { rows } = await db.query<{ id: string }>(
    `insert into documents (user_id, id, title, content)
     select $1::uuid, gen_random_uuid(), 'Large',
            (select string_agg(md5(n::text || $1::text), '') from generate_series(1, 120000) n)
     returning id`,
    [id],
  )
  // Overdue, so that a morning summary formats its due date in the user's time zone.
  await db.query(`update tasks set due_at = '2026-01-01' where user_id = $1 and id = $2`, [
    id,
    taskIds[0],
  ])
  return { key, taskIds, documentId: rows[0]?.id ?? '' }
}

async function sizeOf(db: pg.Pool) {
  const { rows } = await db.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  return Number(rows[0]?.bytes)
}

function ordinary({ key, taskIds }: Worker) {
  let turn = 0
  return () => {
    turn += 1
    const id = taskIds[turn % taskIds.length]
    return [
      request('GET', '/api/user', { key }),
      request('GET', '/api/tasks?limit=10', { key }),
      request('PATCH', `/api/tasks/${id}`, { key, body: { title: `Renamed ${turn}` } }),
      request('GET', `/api/tasks/${id}`, { key }),
    ][turn % 4] as string
  }
}

/** The first requests compile code and open connections, so they are not measured. */
async function warmUp(server: Server, bystander: Worker) {
  const load = sendAtRate(Number(new URL(server.origin).port), 100, ordinary(bystander))
  await sleep(1000)
  await load.stop()
}

/** The largest public file. */
async function largestFileOf({ origin }: Server) {
  const page = await (await fetch(`${origin}/docs`)).text()
  const [, path] = /src="([^"]+\.js)"/.exec(page) ?? []
  return path ? new URL(path, `${origin}/docs/`).pathname : '/api/openapi.json'
}

function rssOf(pid: number) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}
