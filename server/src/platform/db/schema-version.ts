// Compares the migrations applied to a database with those this version knows.
import { readdir } from 'node:fs/promises'
import pg from 'pg'

const folder = new URL('../../../migrations/', import.meta.url)

/** Refuses a database whose schema is older or newer, for commands that use the schema but must not change it. */
export async function requireCurrentSchema(url: string, migrations = folder) {
  const client = new pg.Client({ connectionString: url, application_name: 'daywright' })
  await client.connect()
  try {
    const done = new Set(await appliedMigrations(client))
    if (done.size === 0) {
      throw new Error('The database is empty: first start the service, or run npm run migrate')
    }
    const known = (await readdir(migrations)).toSorted()
    requireKnown(done, known)
    if (known.some((name) => !done.has(name))) {
      throw new Error(
        'The database is from an older version of Daywright: start the service, or run npm run ' +
          'migrate, to bring it up to date',
      )
    }
  } finally {
    await client.end()
  }
}

/** Refuses a newer schema, whose columns an older version could write wrongly. Changes nothing. */
export function requireKnown(done: Set<string>, known: string[]) {
  const unknown = [...done].filter((name) => !known.includes(name)).toSorted()
  if (unknown.length === 0) return
  throw new Error(
    `The database was brought up to date by a newer version of Daywright (${unknown.join(', ')}). ` +
      'Run that version, or restore a backup of this version into an empty database',
  )
}

/** The names of the applied migrations; an empty list if the table does not exist. */
export async function appliedMigrations(client: pg.ClientBase) {
  const { rows: found } = await client.query(`select where to_regclass('migrations') is not null`)
  if (found.length === 0) return []
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return rows.map(({ name }) => name)
}
