// A backup is a gzipped text file: a header line, the rows of each table as JSON, and a line that marks it as
// complete. It needs no PostgreSQL programs and can be restored to any version of PostgreSQL.
import { once } from 'node:events'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { appliedMigrations } from '../db/schema-version.ts'
import { leftOut, tablesOf } from './tables.ts'

const rowsAtOnce = 1000

/** Writes a consistent snapshot of the database while the service runs. */
export async function writeBackup(url: string, file: string) {
  // Renamed only when complete, so a partial file is never taken for a backup.
  const unfinished = `${file}.unfinished`
  const output = await open(unfinished, 'w', 0o600)
  const gzip = createGzip()
  const written = pipeline(gzip, output.createWriteStream())
  written.catch(() => {}) // awaited below, and wherever a write has to wait
  const write = async (line: object | string) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line)
    // A full disk rejects `written`; waiting for the gzip's drain alone would hang.
    if (!gzip.write(`${text}\n`)) await Promise.race([once(gzip, 'drain'), written])
  }
  const client = new pg.Client({ connectionString: url, application_name: 'daywright backup' })
  client.on('error', () => {}) // the pending statement rejects
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

/** Refuses a database without accounts: it is probably the wrong one. */
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
