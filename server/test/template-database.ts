// Vitest's global setup: a PostgreSQL to test on (TEST_DATABASE_URL, or one of our own for the
// length of the run) and one migrated template database, which each test file then clones.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../src/db/migrate.ts'
import { embeddedPostgres } from '../src/embedded-postgres/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    server: string
    template: string
  }
}

/** The same server, another database. */
export const urlOf = (server: string, database: string) =>
  Object.assign(new URL(server), { pathname: database }).href

/** Runs one statement on the server's own database, where databases are created and dropped. */
export async function administer(server: string, statement: string) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(statement)
  await client.end()
}

export default async function setup(project: TestProject) {
  const { server, leave } = await serverToTestOn()
  const template = `daywright_template_${process.pid}`
  await administer(server, `create database ${template}`)
  await migrate(urlOf(server, template))
  project.provide('server', server)
  project.provide('template', template)
  return async () => {
    await administer(server, `drop database ${template} with (force)`)
    await leave()
  }
}

async function serverToTestOn() {
  const server = process.env.TEST_DATABASE_URL
  if (server) return { server, leave: async () => {} }
  const folder = await mkdtemp(join(tmpdir(), 'daywright-test-'))
  const postgres = embeddedPostgres(folder)
  await postgres.start()
  return {
    server: postgres.url,
    leave: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
