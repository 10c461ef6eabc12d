import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { requireKnown } from './schema-version.ts'

const folder = new URL('../../../migrations/', import.meta.url)

// Requests that arrive after a waiting lock wait behind it. So a migration waits only briefly, lets them
// pass and retries, until a long reader has finished.
const lockTimeoutMs = 50
const pauseMs = 500
const patienceMs = 10 * 60_000

/**
 * Runs, in order, every migration not yet applied to this database, or only the named ones, each in its
 * own transaction.
 */
export async function migrate(url: string, migrations = folder, names?: string[]) {
  const client = new pg.Client({ connectionString: url, application_name: 'daywright migrate' })
  client.on('error', () => {}) // the pending statement rejects
  await client.connect()
  try {
    await requireVersion(client)
    // One migration at a time, however many servers start concurrently.
    await client.query(`select pg_advisory_lock(hashtext('daywright migrate'))`)
    await client.query('create table if not exists migrations (name text primary key)')
    await client.query('alter table migrations add column if not exists checksum text')
    const { rows } = await client.query<Applied>('select name, checksum from migrations')
    const done = new Map(rows.map((row) => [row.name, row]))
    const known = (await readdir(migrations)).toSorted()
    requireKnown(new Set(done.keys()), known)
    for (const name of known) {
      const statements = await readFile(new URL(name, migrations), 'utf8')
      const applied = done.get(name)
      if (applied) await verify(client, applied, checksumOf(statements))
      else if (!names || names.includes(name)) await apply(client, name, statements)
    }
  } finally {
    await client.end()
  }
}

type Applied = { name: string; checksum: string | null }

const checksumOf = (statements: string) => createHash('sha256').update(statements).digest('hex')

/** An applied migration must not change. One that was applied without a checksum gets it now. */
async function verify(client: pg.Client, { name, checksum }: Applied, current: string) {
  if (checksum === current) return
  if (checksum === null) {
    await client.query('update migrations set checksum = $2 where name = $1', [name, current])
    return
  }
  throw new Error(
    `The migration ${name} has changed since it was applied to this database. ` +
      'Restore the file, and make the change in a new migration',
  )
}

async function apply(client: pg.Client, name: string, statements: string) {
  for (let waitedMs = 0; ; waitedMs += lockTimeoutMs + pauseMs) {
    try {
      await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
      await client.query(statements)
      await client.query('insert into migrations values ($1, $2)', [name, checksumOf(statements)])
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (!isLocked(error) || waitedMs > patienceMs) throw error
    }
    await sleep(pauseMs)
  }
}

const isLocked = (error: unknown) => error instanceof pg.DatabaseError && error.code === '55P03'

async function requireVersion(client: pg.Client) {
  const { rows } = await client.query<{ number: string; name: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
  )
  const [version] = rows
  if (Number(version?.number) < 150_000) {
    throw new Error(`Daywright needs PostgreSQL 15 or newer; this is ${version?.name}`)
  }
}
