import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts'
import { createDatabase } from '../test/databases.ts'

/** A database for one benchmark: on DATABASE_URL's server, or on a bundled one. */
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
