// Vitest's global setup: a PostgreSQL to test on (TEST_DATABASE_URL, or a bundled one for the run) and one
// migrated template database, which each test file clones.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/platform/db/migrate.ts'
import { embeddedPostgres } from '../src/platform/embedded-postgres/embedded-postgres.ts'
import { createDatabase, makeQuick } from './databases.ts'

export default async function setup(project: TestProject) {
  const { server, leave } = await serverToTestOn()
  const template = await createDatabase(server)
  await migrate(template.url)
  project.provide('server', server)
  project.provide('template', template.name)
  return async () => {
    await template.drop()
    await leave()
  }
}

async function serverToTestOn() {
  const server = process.env.TEST_DATABASE_URL
  if (server) return { server, leave: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'daywright-test-'))
  const postgres = embeddedPostgres(folder)
  await postgres.start()
  await makeQuick(postgres.url)
  return {
    server: postgres.url,
    leave: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
