import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../../server/src/db/migrate.ts'
import { embeddedPostgres } from '../../../server/src/embedded-postgres/embedded-postgres.ts'

/** A PostgreSQL server to make databases on: TEST_DATABASE_URL's, or one of our own. */
export async function postgresServer() {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, leave: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'daywright-proof-'))
  const own = embeddedPostgres(folder)
  await own.start()
  return {
    url: own.url,
    async leave() {
      await own.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type Making = {
  /** Of an older version. */
  migrations?: URL
  /** For who measures time or memory, not durability: no commit waits for the disk. */
  isHasty?: boolean
}

/** An empty, migrated database; drop it when done. */
export async function newDatabase(server: string, { migrations, isHasty }: Making = {}) {
  const made = await createDatabase(server)
  const { pathname } = new URL(made.url)
  if (isHasty) {
    await administer(server, `alter database ${pathname.slice(1)} set synchronous_commit = off`)
  }
  await migrate(made.url, migrations)
  return made
}

/** The same database once more; nobody may be connected to it meanwhile. */
export const copyDatabase = (server: string, url: string) =>
  createDatabase(server, `template ${new URL(url).pathname.slice(1)}`)

async function createDatabase(server: string, how = '') {
  const name = `proof_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name} ${how}`)
  const url = Object.assign(new URL(server), { pathname: name }).href
  return { url, drop: () => administer(server, `drop database if exists ${name} with (force)`) }
}

async function administer(server: string, statement: string) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
