import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { appliedMigrations } from '../db/schema-version.ts'
import { beginEpoch } from './begin-epoch.ts'
import { tablesOf } from './tables.ts'

const rowsAtOnce = 1000
/** Backups of older versions contain sessions, which are ignored. */
const sessions = 'auth.sessions'

type Header = { migrations?: string[] }

/**
 * Restores all of the backup, or nothing, into a database without accounts. The database must have exactly
 * the migrations of the backup.
 */
export async function restoreBackup(
  url: string,
  file: string,
  { sendsWebhooks = false }: { sendsWebhooks?: boolean } = {},
) {
  const client = new pg.Client({ connectionString: url, application_name: 'daywright restore' })
  await client.connect()
  try {
    await client.query('begin')
    await requireEmpty(client)
    const tables = await tablesOf(client)
    await client.query('delete from auth.instance')
    const links = await dropForeignKeys(client)
    const count = await fill(client, tables, linesOf(file))
    // Adding a foreign key again checks every row.
    for (const link of links) await client.query(link)
    await beginEpoch(client, { sendsWebhooks })
    await client.query('commit')
    await client.query('analyze')
    return count
  } finally {
    await client.end() // rolls back if not committed
  }
}

async function requireEmpty(client: pg.Client) {
  const { rows } = await client.query('select 1 from auth.users limit 1')
  if (rows.length > 0) throw new Error('There are already accounts: restore into an empty database')
}

/** Drops the keys, because a row may come before the row it references; returns the statements that add them again. */
async function dropForeignKeys(client: pg.Client) {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname,
                   pg_get_constraintdef(oid)) as make
       from pg_constraint
      where contype = 'f' and connamespace::regnamespace::text in ('public', 'auth')`,
  )
  for (const { drop } of rows) await client.query(drop)
  return rows.map(({ make }) => make)
}

/** The migrations of the backed-up database, from the backup's first line. */
export async function readMigrations(file: string) {
  for await (const line of linesOf(file)) {
    const { migrations } = line.startsWith('{"daywright":') ? (JSON.parse(line) as Header) : {}
    if (migrations) return migrations
    break
  }
  throw new Error(`${file} is not a backup`)
}

async function* linesOf(file: string) {
  const text = createGunzip().setEncoding('utf8')
  // Unlike pipe, pipeline forwards a read error, which is thrown below.
  pipeline(createReadStream(file), text, () => {})
  let rest = ''
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const end = chunk.lastIndexOf('\n')
      if (end >= 0) yield* (rest + chunk.slice(0, end)).split('\n')
      rest = end >= 0 ? chunk.slice(end + 1) : rest + chunk
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'Z_DATA_ERROR')
      throw new Error(`${file} is not a backup, or is damaged`, { cause: error })
    if (code === 'Z_BUF_ERROR') throw new Error(`${file} is truncated`, { cause: error })
    throw error
  }
}

async function fill(client: pg.Client, tables: string[], lines: AsyncIterable<string>) {
  const generated = await generatedColumns(client)
  let table: string | undefined
  let batch: string[] = []
  let count = 0
  const flush = async () => {
    const [first] = batch
    if (first === undefined) return
    if (table === sessions) {
      count += batch.length
      batch = []
      return
    }
    // Columns are inserted by name: those that rows of an older version do not have get their defaults.
    const names = Object.keys(JSON.parse(first) as object)
      .filter((name) => !generated.has(`${table}.${name}`))
      .map((name) => pg.escapeIdentifier(name))
    await client.query(
      `insert into ${table} (${names.join()})
       select ${names.join()} from jsonb_populate_recordset(null::${table}, $1)`,
      [`[${batch.join()}]`],
    )
    count += batch.length
    batch = []
  }
  for await (const line of lines) {
    const [first] = /^\{"(?:daywright|table|end)":/.exec(line) ?? []
    if (!first) {
      if (batch.push(line) === rowsAtOnce) await flush()
      continue
    }
    await flush()
    const said = JSON.parse(line) as { table?: string; end?: number; migrations?: string[] }
    if (said.migrations) await requireSameSchema(client, said.migrations)
    const isKnown = !said.table || said.table === sessions || tables.includes(said.table)
    if (!isKnown) throw new Error(`No table ${said.table} here`)
    if (said.end === count) return count
    table = said.table
  }
  throw new Error('The backup is incomplete')
}

/** The generated columns: PostgreSQL computes them and accepts no value for them. */
async function generatedColumns(client: pg.Client) {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I.%I', table_schema, table_name, column_name) as name
       from information_schema.columns
      where is_generated = 'ALWAYS' and table_schema in ('public', 'auth')`,
  )
  return new Set(rows.map(({ name }) => name))
}

/** Requires exactly the backup's migrations: newer data do not fit, and older rows are migrated after the restore. */
async function requireSameSchema(client: pg.Client, migrations: string[]) {
  const known = await appliedMigrations(client)
  if (migrations.some((name) => !known.includes(name))) {
    throw new Error('The backup is from a newer version of Daywright: update first')
  }
  if (known.some((name) => !migrations.includes(name))) {
    throw new Error(
      'The backup is from an older version of Daywright, and this database is already up to date: ' +
        'restore into a database on which the service was never started',
    )
  }
}
