// A new version starts while the old one serves and a long read runs: its migrations must not block requests. The
// old version is this one, which needs all of today's tables; so the latest migration is applied beside plain
// statements, and those of a made-up next version beside requests.
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type pg from 'pg'
import { quantile, type Seen, sendAtRate } from '../kit/send-at-rate.ts'
import { request } from '../kit/connection.ts'
import { newDatabase, openPool } from '../kit/database.ts'
import { faultsOf } from '../kit/faults.ts'
import type { Harness, Mutant, Trial } from '../kit/harness.ts'
import { brokenInvariants } from '../kit/invariants.ts'
import { runProgram } from '../kit/program.ts'
import { startServer } from '../kit/server.ts'
import { newWorkers, type Worker } from '../kit/tasks.ts'

const patches = ['proof/src/upgrade/migrations.patch']

export const harness: Harness = {
  name: 'upgrade',
  prove,
  mutants: faultsOf('upgrade'),
  patches,
  mutantsInShort: 1,
  mostTogether: 1,
}

const migrations = fileURLToPath(new URL('../../../server/migrations/', import.meta.url))
const longestMs = 150
const perSecond = 100
const warmUpMs = 1000

// A change that locks a table, then one that takes long: written as migrations should be, each step in its own
// file.
const heavy = {
  '9001_weight.sql': `
    alter table tasks add column weight integer not null default 0;
    alter table tasks add constraint weight_is_sane check (weight >= 0) not valid;
    create index time_blocks_weighed on time_blocks (user_id) where title = 'weighed';`,
  '9002_weigh.sql': `
    alter table tasks validate constraint weight_is_sane;
    select pg_sleep(0.5);`,
}

async function prove(trial: Trial) {
  const { mutant, dose } = trial
  const readerMs = dose === 'long' ? 6000 : 1500
  const rounds = dose === 'long' ? 8 : mutant ? 3 : 1
  const folder = await mkdtemp(join(tmpdir(), 'daywright-upgrade-'))
  const findings: string[] = []
  const figures: string[] = []
  try {
    const { before, now, after } = await versions(folder)
    if (!mutant) {
      const seen = await migrateBesideStatements(trial, before, now, readerMs)
      findings.push(...seen.findings)
      figures.push(seen.figure)
    }
    for (let round = 0; round < rounds && findings.length === 0; round += 1) {
      const seen = await upgrade(trial, now, after, readerMs, mutant)
      findings.push(...seen.findings)
      figures.push(seen.figure)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  const [latest = ''] = (await readdir(migrations)).toSorted().toReversed()
  return { tried: `${rounds} × ${latest} and a heavy one`, findings, figures }
}

/** The migrations of the previous version, of this one, and of the next. */
async function versions(folder: string) {
  const names = (await readdir(migrations)).toSorted()
  const before = join(folder, 'before')
  const after = join(folder, 'after')
  await cp(migrations, after, { recursive: true })
  await cp(migrations, before, { recursive: true })
  await rm(join(before, names.at(-1) ?? ''))
  for (const [name, text] of Object.entries(heavy)) await writeFile(join(after, name), text)
  const now = pathToFileURL(migrations)
  return { before: pathToFileURL(`${before}/`), now, after: pathToFileURL(`${after}/`) }
}

/** The service with another folder of migrations. */
const withMigrations = (folder: URL) => ({ patches, settings: { PROOF_MIGRATIONS: folder.href } })

/** Statements that fit both versions, at the rate of the requests: none on `user_state`, which migration 0030 renames. */
const statements = [
  `select title from tasks where user_id = $1 and id = $2`,
  `update tasks set title = 'Changed' where user_id = $1 and id = $2`,
  `select count(*) from time_blocks where user_id = $1 and id <> $2`,
  `insert into tasks (user_id, id, title) select $1, gen_random_uuid(), 'New' where $2::uuid is not null`,
  `update users set display_name = 'Changed' where id = $1 and $2::uuid is not null`,
]

async function migrateBesideStatements(trial: Trial, before: URL, now: URL, readerMs: number) {
  const database = await newDatabase(trial.postgres, { migrations: before, isHasty: true })
  const db = openPool(database.url, 10)
  try {
    const workers = await newWorkers(db, 5, 50)
    await fill(db, workers)
    await runStatements(db, workers, sleep(warmUpMs))
    const endReading = await startLongReader(db)
    const migrating = runProgram(['server/bin/migrate.ts'], {
      databaseUrl: database.url,
      ...withMigrations(now),
    })
    const over = sleep(readerMs)
      .then(endReading)
      .then(() => migrating)
    const { seen, failed } = await runStatements(db, workers, over)
    const { code, output } = await over
    const findings = failed.slice(0, 3).map((reason) => `a statement failed: ${reason}`)
    if (code !== 0) findings.push(`npm run migrate failed: ${output.trim()}`)
    const figure = `the latest migration: ${describe(seen)}`
    if (quantile(waitsOf(seen), 0.99) > longestMs) findings.push(figure)
    return { findings: [...findings, ...(await findUnfinished(db, now))], figure }
  } finally {
    await db.end()
    await database.drop()
  }
}

/** Sends statements on schedule until `over`, however long earlier ones take. */
async function runStatements(db: pg.Pool, workers: Worker[], over: Promise<unknown>) {
  const seen: Seen[] = []
  const failed: string[] = []
  const isOver = new AbortController()
  void over.finally(() => isOver.abort())
  const underWay: Promise<void>[] = []
  for (let turn = 0; !isOver.signal.aborted; turn += 1) {
    const { id, taskIds = [] } = workers[1 + (turn % (workers.length - 1))] ?? {}
    const text = statements[turn % statements.length] ?? ''
    const at = performance.now()
    const sent = db.query(text, [id, taskIds[turn % taskIds.length]]).then(
      () => void seen.push({ at, status: 200, tookMs: performance.now() - at }),
      (error: unknown) => void failed.push(String(error)),
    )
    underWay.push(sent)
    await sleep(1000 / perSecond)
  }
  await Promise.all(underWay)
  return { seen, failed }
}

async function upgrade(trial: Trial, before: URL, after: URL, readerMs: number, mutant?: Mutant) {
  const database = await newDatabase(trial.postgres, { migrations: before, isHasty: true })
  const db = openPool(database.url, 2)
  const findings: string[] = []
  try {
    const workers = await newWorkers(db, 5, 50)
    await fill(db, workers)
    const databaseUrl = database.url
    const old = await startServer({ databaseUrl, ...withMigrations(before) })
    const send = () =>
      sendAtRate(Number(new URL(old.origin).port), perSecond, requestMaker(workers))
    // The old version has served for long: its first requests are not counted.
    const warmUp = send()
    await sleep(warmUpMs)
    await warmUp.stop()
    const traffic = send()
    await sleep(300)
    const renewal = { databaseUrl, ...withMigrations(after), ...(mutant && { mutant }) }
    const endReading = await startLongReader(db)
    // Two concurrently, as when several processes are replaced.
    const starting = startServer(renewal).catch(String)
    const migrating = runProgram(['server/bin/migrate.ts'], renewal)
    const met = new AbortController()
    await Promise.race([migratorsMeet(db, met.signal), starting, migrating])
    met.abort()
    await sleep(readerMs)
    await endReading()
    const [renewed, migrated] = await Promise.all([starting, migrating])
    await sleep(200)
    const { seen, broken } = await traffic.stop()
    if (migrated.code !== 0) findings.push(`npm run migrate failed: ${migrated.output.trim()}`)
    if (typeof renewed === 'string') findings.push(`the new version did not start: ${renewed}`)
    else await renewed.kill()
    findings.push(...broken.map((reason) => `a request was not answered: ${reason}`).slice(0, 3))
    findings.push(
      ...judge(seen),
      ...(await findUnfinished(db, after)),
      ...(await brokenInvariants(db)),
    )
    await old.kill()
    return { findings, figure: describe(seen) }
  } finally {
    await db.end()
    await database.drop()
  }
}

/** Inserts enough rows for a scan to take a moment. */
async function fill(db: pg.Pool, [worker]: Worker[]) {
  await db.query(
    `insert into tasks (user_id, id, title)
     select $1, gen_random_uuid(), 'One of many ' || n from generate_series(1, 20000) n`,
    [worker?.id],
  )
  await db.query('vacuum analyze')
}

function requestMaker(workers: Worker[]) {
  let turn = 0
  return () => {
    turn += 1
    const { key = '', taskIds = [] } = workers[1 + (turn % (workers.length - 1))] ?? {}
    const id = taskIds[turn % taskIds.length]
    const title = `Changed in turn ${turn}`
    return [
      request('GET', '/api/tasks?limit=10', { key }),
      request('GET', `/api/tasks/${id}`, { key }),
      request('PATCH', `/api/tasks/${id}`, { key, body: { title } }),
      request('POST', '/api/tasks', { key, body: { title } }),
      request('GET', '/api/time-blocks?from=2026-01-01T00:00:00Z&to=2026-01-08T00:00:00Z', { key }),
    ][turn % 5] as string
  }
}

/** Begins a long read, which blocks changes of the tables' schema until it ends. */
async function startLongReader(db: pg.Pool) {
  const client = await db.connect()
  await client.query('begin; select count(*) from tasks; select count(*) from time_blocks')
  return async () => {
    await client.query('commit')
    client.release()
  }
}

/** Waits until both migrators are connected: a late one would find the migrations done. */
async function migratorsMeet(db: pg.Pool, over: AbortSignal) {
  const migrators = `select from pg_stat_activity
    where datname = current_database() and application_name = 'daywright migrate'`
  while (!over.aborted && (await db.query(migrators)).rows.length < 2) await sleep(20)
}

function judge(seen: Seen[]) {
  const odd = seen.filter(({ status }) => status >= 300 && status !== 503)
  const findings = odd.slice(0, 3).map(({ status }) => `a request was answered ${status}`)
  if (quantile(waitsOf(seen), 0.99) > longestMs) findings.push(describe(seen))
  return findings
}

const waitsOf = (seen: Seen[]) => seen.map(({ tookMs }) => tookMs)

function describe(seen: Seen[]) {
  const waits = waitsOf(seen)
  const [p50, p99, most] = [0.5, 0.99, 1].map((share) => quantile(waits, share).toFixed(0))
  const unavailable = seen.filter(({ status }) => status === 503).length
  return `${seen.length} requests, p50 ${p50} ms, p99 ${p99} ms, longest ${most} ms, ${unavailable} × 503`
}

async function findUnfinished(db: pg.Pool, after: URL) {
  const { rows } = await db.query<{ name: string }>('select name from migrations')
  const done = new Set(rows.map(({ name }) => name))
  return (await readdir(after))
    .filter((name) => !done.has(name))
    .map((name) => `${name} was not applied`)
}
