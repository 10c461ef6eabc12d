import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The same server, another database. */
export const urlOf = (server: string, database: string) =>
  Object.assign(new URL(server), { pathname: database }).href

/** A database of its own, empty or like its template; drop it when done. */
export async function createDatabase(server: string, template?: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name}${template ? ` template ${template}` : ''}`)
  return { name, url: urlOf(server, name), drop: () => drop(server, name) }
}

/** Tried again where PostgreSQL's own vacuum is at work in it: that cannot be sent away. */
async function drop(server: string, name: string) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await administer(server, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if (tries === 40) throw error
      await sleep(250)
    }
  }
}

/** Runs one statement on the server's own database. */
export async function administer(server: string, statement: string) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Nothing in a test has to survive a power failure: no commit waits for the disk. */
export async function makeQuick(embedded: string) {
  const url = embedded.replace('//daywright@', '//postgres@')
  for (const name of ['fsync', 'full_page_writes']) {
    await administer(url, `alter system set ${name} = off`)
  }
  await administer(url, 'select pg_reload_conf()')
}
