// A backup is a gzipped text file: a line about itself, the rows of each table as JSON, a line that
// says it is whole. It needs no program of PostgreSQL's and fits any version of it.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { tablesOf } from './tables.ts'

const rowsAtOnce = 1000

/** Writes everything in the database, as of one moment, while others go on working. */
export async function writeBackup(url: string, file: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'daywright backup' })
  await client.connect()
  // It has the name only when it is whole: what failed half-way is no backup.
  const unfinished = `${file}.unfinished`
  const gzip = createGzip()
  const written = finished(gzip.pipe(createWriteStream(unfinished, { mode: 0o600 })))
  const write = async (line: object | string) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line)
    if (!gzip.write(`${text}\n`)) await once(gzip, 'drain')
  }
  try {
    await client.query('begin isolation level repeatable read read only')
    const { rows: migrations } = await client.query<{ name: string }>(
      'select name from migrations order by name',
    )
    await write({ daywright: 'backup', migrations: migrations.map(({ name }) => name) })
    let count = 0
    for (const table of await tablesOf(client)) {
      await write({ table })
      await client.query(
        `declare every no scroll cursor for select to_jsonb(r)::text as row from ${table} r`,
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
  } finally {
    gzip.destroy()
    await client.end()
  }
}
