// A PostgreSQL to test on (TEST_DATABASE_URL, or a bundled one for the run) and one migrated template database,
// which tests clone.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../src/platform/db/migrate.ts'
import { embeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts'
import { createDatabase, makeQuick } from './databases.ts'

export async function startTestServer() {
  const { server, stop } = await connectOrStart()
  const template = await createDatabase(server)
  await migrate(template.url)
  return {
    server,
    template: template.name,
    stop: async () => {
      await template.drop()
      await stop()
    },
  }
}

async function connectOrStart() {
  const server = process.env.TEST_DATABASE_URL
  if (server) return { server, stop: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'daywright-test-'))
  const postgres = embeddedPostgres(folder)
  await postgres.start()
  await makeQuick(postgres.url)
  return {
    server: postgres.url,
    stop: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
