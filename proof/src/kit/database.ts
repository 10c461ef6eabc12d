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
  const name = `proof_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name}`)
  if (isHasty) await administer(server, `alter database ${name} set synchronous_commit = off`)
  const url = Object.assign(new URL(server), { pathname: name }).href
  await migrate(url, migrations)
  return { url, drop: () => administer(server, `drop database if exists ${name} with (force)`) }
}

async function administer(server: string, statement: string) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}
