// A hostile client and hostile accounts must not affect another user. That user's success
// rate and median latency are compared with those under the ordinary load of as many clients, in the same
// run.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { quantile, sendAtRate } from '../kit/send-at-rate.ts'
import { request } from '../kit/connection.ts'
import { newDatabase, openPool } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Mutant, Trial } from '../kit/harness.ts'
import { collecting, memoryOf } from '../kit/memory.ts'
import { type Server, startServer } from '../kit/server.ts'
import { newFeed } from './new-feed.ts'
import { randomFrom } from '../kit/random.ts'
import { newWorkers, type Worker } from '../kit/tasks.ts'
import { startAttack } from './attacker.ts'
import type { Account, Tally } from './attack.ts'
import type { AttackName } from './attacks.ts'
import { type Probe, type ProbeName, probes } from './probes.ts'
import { findGrowth } from './growth/find-growth.ts'
import { foreignAttacks } from './foreign-attacks.ts'
import { requestAttacks } from './request-attacks.ts'

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
 * 77 KB, but the rate limit refuses many requests in between, so that only a third of the spellings get one. The
 * resident memory of a run differs from that of the next by 12 MB, which is 7 KB for each of 1,600 spellings: without the
 * fault they keep 25 to 37 MB, ordinary load 9 to 26 MB; with it 67 MB.
 */
const mostBytesPerSpelling = 20_000
/** The time limit of what the bystander waits for. */
const mostProbeMs = {
  delivery: 5000,
  deliveryWithoutNames: 5000,
  reading: 15_000,
  preview: 10_000,
}
/** The memory that the bytes of strangers may take in the service itself, beyond ordinary load. */
const mostForeignBytes = 256 * 1_048_576
/** The memory that unread responses may hold beyond ordinary load: four times their limit. */
const mostPinnedBytes = 4 * 64 * 1_048_576
const perSecond = 50
const attackMs = { short: 5000, long: 30_000 }
const hostile = Object.keys(requestAttacks).filter((name) => name !== 'honest') as AttackName[]
const foreign = Object.keys(foreignAttacks) as AttackName[]
/** How many attacks by foreign bytes the short dose makes, drawn by the seed. */
const foreignInShort = 3
/** What the bystander waits for beside its requests. Only for that does the service work in the background. */
const probeOf: Partial<Record<AttackName, ProbeName>> = {
  names: 'deliveryWithoutNames',
  receivers: 'delivery',
  previews: 'preview',
  discovery: 'preview',
  zonesWithoutEnd: 'reading',
  largeTags: 'reading',
  dates: 'reading',
  attributes: 'reading',
  largeFiles: 'reading',
}
const isOfRequests = (attack: AttackName) => attack in requestAttacks
/** How many accounts take part in an attack by requests. */
const ofRequests = 3
const peopleOf = (attack: AttackName) => (isOfRequests(attack) ? ofRequests : 25)

async function prove(trial: Trial) {
  const { mutant } = trial
  const [, group] = /^growth of (.+)$/.exec(mutant?.control ?? '') ?? []
  const grown = mutant && !group ? undefined : await findGrowth(trial, group)
  if (group && grown) return { tried: group, ...grown }
  const attacked = await attack(trial)
  return {
    tried: attacked.tried,
    findings: [...(grown?.findings ?? []), ...attacked.findings],
    figures: [...(grown?.figures ?? []), ...attacked.figures],
  }
}

async function attack(trial: Trial) {
  const tried = chooseAttacks(trial)
  const database = await newDatabase(trial.postgres, { isHasty: true })
  const db = openPool(database.url, 2)
  const findings: string[] = []
  const figures: string[] = []
  try {
    const [bystander, ...others] = await newWorkers(db, 26, 150)
    if (!bystander) throw new Error('There is no bystander')
    const accounts = await Promise.all(
      others.map((one, index) => accountOf(db, one, { hasDocument: index < ofRequests })),
    )
    const feed = await newFeed(db, others.at(-1)!.id)
    const setup = { db, databaseUrl: database.url, bystander, accounts, feed }
    const honest = new Map<Program, Seen>()
    for (const attack of tried) {
      if (trial.signal.aborted) findings.push('the time was up before all attacks were made')
      const program = programOf(attack)
      const usual = honest.get(program) ?? (await watch(trial, setup, 'honest', program))
      if (!honest.has(program)) figures.push(`honest ${program}: ${describe(usual)}`)
      honest.set(program, usual)
      const seen = await watch(trial, setup, attack, program, trial.mutant)
      figures.push(`${attack}: ${describe(seen)}, ${(seen.medianMs / usual.medianMs).toFixed(1)}×`)
      findings.push(...judge(attack, seen, usual).map((one) => `${attack}: ${one}`))
    }
  } finally {
    await db.end()
    await database.drop()
  }
  return { tried: `${tried.length} attacks`, findings, figures }
}

function chooseAttacks({ mutant, dose, seed }: Trial) {
  if (mutant?.control) return [mutant.control as AttackName]
  if (dose === 'long') return [...hostile, ...foreign]
  return [...hostile, ...randomFrom(seed).draw(foreign, foreignInShort)]
}

type Program = 'api' | 'start'

/** Previews are made by the API, deliveries and readings of calendars by the worker. */
const programOf = (attack: AttackName): Program => {
  const probe = probeOf[attack]
  return probe && probe !== 'preview' ? 'start' : 'api'
}

type Setup = {
  db: pg.Pool
  databaseUrl: string
  bystander: Worker
  accounts: Account[]
  feed: string
}

/** Starts a service, and watches the bystander beside the attack. */
async function watch(
  trial: Trial,
  setup: Setup,
  attack: AttackName,
  program: Program,
  mutant?: Mutant,
): Promise<Seen> {
  const name = probeOf[attack]
  const probe = name && (await probes[name]())
  const server = await startServer(
    {
      databaseUrl: setup.databaseUrl,
      flags: collecting,
      settings: { RATE_LIMIT: 'on', WEBHOOK_PRIVATE_ADDRESSES: 'allow', ...probe?.settings },
      ...(probe?.settings && { patches }),
      ...(mutant && { mutant }),
    },
    `server/bin/${program}.ts`,
  )
  try {
    return await measure(trial, server, setup, attack, probe)
  } finally {
    await server.kill()
    probe?.close()
    await forgetTraces(setup.db)
  }
}

/**
 * The worker of the next service would go on with what this attack has left behind, and would wait until the killed
 * worker counts as dead before it runs the jobs of a user that were locked.
 */
async function forgetTraces(db: pg.Pool) {
  await db.query('delete from calendars')
  await db.query('delete from webhooks')
  await db.query('delete from graphile_worker._private_jobs')
  await db.query('delete from graphile_worker._private_job_queues')
  await db.query('delete from daywright_queue.heartbeats')
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
  probeMs?: number | undefined
  hasEnded: boolean
}

async function measure(
  trial: Trial,
  server: Server,
  { db, bystander, accounts, feed }: Setup,
  attack: AttackName,
  probe: Probe | undefined,
): Promise<Seen> {
  const port = Number(new URL(server.origin).port)
  await warmUp(server, bystander)
  const before = { ...(await memoryOf(server)), size: await sizeOf(db) }
  const largeFile = await largestFileOf(server)
  const attackers = accounts.slice(0, peopleOf(attack))
  const attacking = startAttack({ attack, port, accounts: attackers, largeFile, feed })
  await sleep(1000)
  const over = new AbortController()
  // Meanwhile, not afterwards: what holds places gives them back after some seconds.
  const waiting = probe?.run(server.origin, bystander.key, over.signal).catch(() => Infinity)
  const load = sendAtRate(port, perSecond, ordinary(bystander))
  let peakRss = 0
  const watching = setInterval(() => {
    peakRss = Math.max(peakRss, rssOf(server.pid))
  }, 200)
  await sleep(attackMs[trial.mutant ? 'short' : trial.dose])
  const { seen, broken } = await load.stop()
  over.abort()
  const probeMs = await waiting
  clearInterval(watching)
  const tally = await attacking.stop()
  const size = await sizeOf(db)
  await sleep(200)
  const hasEnded = server.child.exitCode !== null || server.child.signalCode !== null
  // Only some request attacks are judged by the memory that they leave behind.
  const after = isOfRequests(attack) ? await memoryOf(server) : before
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
    probeMs,
    hasEnded,
  }
}

function judge(attack: AttackName, seen: Seen, honest: Seen) {
  const { answered, failed, statuses, medianMs, tally, grownBytes, rssBytes, peakRss } = seen
  const findings: string[] = []
  if (seen.hasEnded) findings.push('the service has ended')
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
  const probe = probeOf[attack]
  if (probe && !((seen.probeMs ?? Infinity) <= mostProbeMs[probe])) {
    findings.push(`the bystander waits ${seen.probeMs} ms for its ${probe}`)
  }
  if (!isOfRequests(attack) && peakRss - honest.peakRss > mostForeignBytes) {
    findings.push(`the service has ${megabytes(peakRss)} MB resident`)
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
  probeMs,
}: Seen) =>
  `${answered} of ${answered + failed} served, median ${medianMs.toFixed(1)} ms; ` +
  `attacker ${JSON.stringify(tally)}; disk ${megabytes(grownBytes)} MB, ` +
  `memory ${megabytes(rssBytes)} MB, at most ${megabytes(peakRss)} MB resident` +
  (probeMs === undefined ? '' : `, waited at most ${probeMs.toFixed(0)} ms`)

const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(1)

/** Gives the account a large document, with text that PostgreSQL cannot compress. */
async function accountOf(
  db: pg.Pool,
  { id, key, taskIds }: Worker,
  { hasDocument }: { hasDocument: boolean },
): Promise<Account> {
  if (!hasDocument) return { key, taskIds, documentId: '' }
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
