import { randomUUID } from 'node:crypto'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The URL of another database on the same server. */
export const urlOf = (server: string, database: string) =>
  Object.assign(new URL(server), { pathname: database }).href

/** Creates a separate database, empty or like its template; drop it when done. */
export async function createDatabase(server: string, template?: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name}${template ? ` template ${template}` : ''}`)
  return { name, url: urlOf(server, name), drop: () => drop(server, name) }
}

/** Drops the database. Retries while autovacuum uses the database, because autovacuum cannot be disconnected. */
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

/** Runs one statement on the server's default database. */
export async function administer(server: string, statement: string) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Makes the database read-only for new sessions, or writable again, and ends the sessions of now if `ends` is true. */
export async function setReadOnly(url: string, isReadOnly: boolean, ends = true) {
  const name = new URL(url).pathname.slice(1)
  const server = urlOf(url, 'postgres')
  await administer(
    server,
    `alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
  )
  if (!ends) return
  await administer(
    server,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = '${name}' and usename = current_user`,
  )
  // They have ended by now. One turn later, pools have read that, and hand out none of these connections.
  await turn()
}

/** Makes commits not wait for the disk: test data need not survive a power failure. */
export async function makeQuick(embedded: string) {
  const url = embedded.replace('//daywright@', '//postgres@')
  for (const name of ['fsync', 'full_page_writes']) {
    await administer(url, `alter system set ${name} = off`)
  }
  await administer(url, 'select pg_reload_conf()')
}
