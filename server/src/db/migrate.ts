import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const folder = new URL('../../migrations/', import.meta.url)

/** Runs, in order, every migration that this database has not seen; each in its own transaction. */
export async function migrate(url: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'daywright migrate' })
  client.on('error', () => {}) // the statement that waits says so itself
  await client.connect()
  try {
    await requireVersion(client)
    // One migrator at a time, however many servers start at once.
    await client.query(`select pg_advisory_lock(hashtext('daywright migrate'))`)
    await client.query('create table if not exists migrations (name text primary key)')
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const done = new Set(rows.map((row) => row.name))
    for (const name of (await readdir(folder)).toSorted()) {
      if (done.has(name)) continue
      await client.query('begin')
      await client.query(await readFile(new URL(name, folder), 'utf8'))
      await client.query('insert into migrations values ($1)', [name])
      await client.query('commit')
    }
  } finally {
    await client.end()
  }
}

async function requireVersion(client: pg.Client) {
  const { rows } = await client.query<{ number: string; name: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as name`,
  )
  const [version] = rows
  if (Number(version?.number) < 150_000) {
    throw new Error(`Daywright needs PostgreSQL 15 or newer; this is ${version?.name}`)
  }
}
