import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts'
import { createDatabase } from '../test/databases.ts'

/** Runs a benchmark on a new database: on the server of DATABASE_URL if set, otherwise on a bundled PostgreSQL. */
export async function withDatabase(work: (url: string, folder: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'daywright-bench-'))
  const own = process.env.DATABASE_URL ? undefined : embeddedPostgres(folder)
  await own?.start()
  const server = process.env.DATABASE_URL ?? own?.url ?? ''
  const { url, drop } = await createDatabase(server)
  try {
    await work(url, folder)
  } finally {
    await drop()
    await own?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
