import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../../server/src/db/migrate.ts'
import { embeddedPostgres } from '../../../server/src/embedded-postgres/embedded-postgres.ts'
import { administer, createDatabase, makeQuick } from '../../../server/test/databases.ts'

/** A PostgreSQL server to make databases on: TEST_DATABASE_URL's, or one of our own. */
export async function postgresServer() {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, leave: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'daywright-proof-'))
  const own = embeddedPostgres(folder)
  await own.start()
  // As its master, who may set more and end more than the service's own role.
  const url = Object.assign(new URL(own.url), { username: 'postgres' }).href
  await makeQuick(url)
  // Three harnesses at a time, each with several processes.
  await administer(url, 'alter system set max_connections = 400')
  await own.stop()
  await own.start()
  return {
    url,
    async leave() {
      await own.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Some connections; that they end with their database is no news. */
export function openPool(url: string, max: number) {
  const pool = new pg.Pool({ connectionString: url, max })
  const heard = () => {}
  pool.on('error', heard)
  pool.on('connect', (client) => client.on('error', heard))
  return pool
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
  if (isHasty) {
    await administer(server, `alter database ${made.name} set synchronous_commit = off`)
  }
  await migrate(made.url, migrations)
  return made
}

/** The same database once more; nobody may be connected to it meanwhile. */
export const copyDatabase = (server: string, url: string) =>
  createDatabase(server, new URL(url).pathname.slice(1))
