import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { tablesOf } from './tables.ts'

const rowsAtOnce = 1000

/** Fills a migrated database that has no accounts yet: with all of the backup, or with nothing. */
export async function restoreBackup(url: string, file: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'daywright restore' })
  await client.connect()
  try {
    await client.query('begin')
    await requireEmpty(client)
    const tables = await tablesOf(client)
    await client.query('delete from auth.instance')
    const links = await dropForeignKeys(client)
    const count = await fill(client, tables, linesOf(file))
    // Made anew, each foreign key checks every row.
    for (const link of links) await client.query(link)
    await client.query('commit')
    await client.query('analyze')
    return count
  } finally {
    await client.end() // without a commit, nothing of it has happened
  }
}

async function requireEmpty(client: pg.Client) {
  const { rows } = await client.query('select 1 from auth.users limit 1')
  if (rows.length > 0) throw new Error('There are accounts already: restore into an empty database')
}

/** A row may come before the one it refers to; gives what makes the keys again. */
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

async function* linesOf(file: string) {
  const unzipped = createReadStream(file).pipe(createGunzip())
  yield* createInterface({ input: unzipped, crlfDelay: Infinity })
}

async function fill(client: pg.Client, tables: string[], lines: AsyncIterable<string>) {
  let table: string | undefined
  let batch: string[] = []
  let count = 0
  const flush = async () => {
    if (batch.length === 0) return
    await client.query(
      `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`,
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
    if (said.migrations) await requireKnown(client, said.migrations)
    if (said.table && !tables.includes(said.table)) throw new Error(`No table ${said.table} here`)
    if (said.end === count) return count
    table = said.table
  }
  throw new Error('The backup is not whole')
}

/** An older service cannot hold what a newer one wrote. */
async function requireKnown(client: pg.Client, migrations: string[]) {
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const known = new Set(rows.map(({ name }) => name))
  const unknown = migrations.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new Error('The backup is of a newer Daywright: update first')
}
