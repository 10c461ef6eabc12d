// A backup is a gzipped text file: a line about itself, the rows of each table as JSON, a line that
// says it is whole. It needs no program of PostgreSQL's and fits any version of it.
import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { appliedMigrations } from '../db/schema-version.ts'
import { leftOut, tablesOf } from './tables.ts'

const rowsAtOnce = 1000

/** Writes everything in the database, as of one moment, while others go on working. */
export async function writeBackup(url: string, file: string) {
  // It has the name only when it is whole: what failed half-way is no backup.
  const unfinished = `${file}.unfinished`
  const output = await open(unfinished, 'w', 0o600)
  const gzip = createGzip()
  const written = pipeline(gzip, output.createWriteStream())
  written.catch(() => {}) // awaited below, and wherever a write has to wait
  const write = async (line: object | string) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line)
    // A disk that is full ends `written`: the gzip would wait for ever.
    if (!gzip.write(`${text}\n`)) await Promise.race([once(gzip, 'drain'), written])
  }
  const client = new pg.Client({ connectionString: url, application_name: 'daywright backup' })
  client.on('error', () => {}) // the statement that waits says so itself
  try {
    await client.connect()
    await client.query('begin isolation level repeatable read read only')
    await requireAccounts(client)
    await write({ daywright: 'backup', migrations: await appliedMigrations(client) })
    let count = 0
    for (const table of await tablesOf(client)) {
      await write({ table })
      await client.query(
        `declare every no scroll cursor for
         select (to_jsonb(r) - '{${(leftOut[table] ?? []).join(',')}}'::text[])::text as row from ${table} r`,
      )
      for (;;) {
        const { rows } = await client.query<{ row: string }>(`fetch ${rowsAtOnce} from every`)
        for (const { row } of rows) await write(row)
        count += rows.length
        if (rows.length < rowsAtOnce) break
      }
      await client.query('close every')
    }
    await write({ end: count })
    gzip.end()
    await written
    await rename(unfinished, file)
    return count
  } catch (error) {
    gzip.destroy()
    await written.catch(() => {})
    await rm(unfinished, { force: true })
    throw error
  } finally {
    await client.end()
  }
}

/** A backup of nothing is of the wrong database. */
async function requireAccounts(client: pg.Client) {
  const migrations = await appliedMigrations(client)
  if (migrations.length > 0) {
    const { rows } = await client.query(
      'select where exists (select from users) or exists (select from auth.users)',
    )
    if (rows.length > 0) return
  }
  throw new Error('There are no accounts in this database: nothing was backed up')
}
