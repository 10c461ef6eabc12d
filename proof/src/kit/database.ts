import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '../../../server/src/platform/db/migrate.ts'
import { embeddedPostgres } from '../../../server/src/platform/embedded-postgres/embedded-postgres.ts'
import { administer, createDatabase, makeQuick } from '../../../server/test/databases.ts'

/** A PostgreSQL server to create databases on: TEST_DATABASE_URL's, or a bundled one. */
export async function postgresServer() {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, leave: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'daywright-proof-'))
  const own = embeddedPostgres(folder)
  await own.start()
  // As superuser, which may set and terminate more than the service's own role.
  const url = Object.assign(new URL(own.url), { username: 'postgres' }).href
  await makeQuick(url)
  // Three harnesses run at a time, each with several processes.
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

/** A small pool; it is no error if its connections end with their database. */
export function openPool(url: string, max: number) {
  const pool = new pg.Pool({ connectionString: url, max })
  const ignoreError = () => {}
  pool.on('error', ignoreError)
  pool.on('connect', (client) => client.on('error', ignoreError))
  return pool
}

type Making = {
  /** The folder of an older version's migrations; the current one by default. */
  migrations?: URL
  /** Commits do not wait for the disk; for harnesses that do not test durability. */
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

/** A copy of the database, which must have no connections meanwhile. */
export const copyDatabase = (server: string, url: string) =>
  createDatabase(server, new URL(url).pathname.slice(1))
