// Two processes of the service on one database, their log, and their count of password hashes.
import pg from 'pg'
import { hashPassword } from '../../../server/src/platform/auth/password.ts'
import { newId } from '../../../server/src/platform/db/new-id.ts'
import { newDatabase } from '../kit/database.ts'
import type { Trial } from '../kit/harness.ts'
import { plantedPassword } from '../kit/secrets.ts'
import { type Server, startServer } from '../kit/server.ts'

export type Instance = Awaited<ReturnType<typeof startInstance>>

export const rightPassword = `${plantedPassword}-right`
export const wrongPassword = `${plantedPassword}-wrong`

export const patches = ['proof/src/sign-in/hashes.patch']
/** What the patch logs for each password hash. */
const mark = 'A hash is computed'

export async function startInstance({ postgres, mutant }: Trial) {
  const database = await newDatabase(postgres)
  const start = (proxy: string) =>
    startServer({
      databaseUrl: database.url,
      ...(mutant && { mutant }),
      patches,
      settings: { RATE_LIMIT: 'on', LOG_LEVEL: 'debug', TRUST_PROXY: proxy },
    })
  const sql = new pg.Client({ connectionString: database.url })
  const servers: Server[] = []
  let written = ''
  let people = 0
  let addresses = 0
  let hash: string | undefined

  async function leave() {
    await Promise.all(servers.map((server) => server.kill()))
    await sql.end()
    await database.drop()
  }

  try {
    await sql.connect()
    // The first process trusts the X-Forwarded-For that we send, the second does not.
    servers.push(...(await Promise.all([start('127.0.0.1'), start('192.0.2.1')])))
    for (const { child } of servers) {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => (written += String(chunk)))
      }
    }
  } catch (error) {
    await leave()
    throw error
  }
  const [first, second] = servers as [Server, Server]

  return {
    first: first.origin,
    second: second.origin,
    sql,
    leave,
    written: () => written,
    hashes: () => written.split(mark).length - 1,
    /** An unused address without an account. */
    newEmail: () => `person-${++people}@example.com`,
    /** For X-Forwarded-For: an unused address. */
    newAddress: () =>
      `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`,
    /** An account with the right password, created without HTTP. */
    async newAccount() {
      hash ??= await hashPassword(rightPassword)
      const email = `person-${++people}@example.com`
      const id = newId()
      await sql.query(`insert into auth.users (id, name, email) values ($1, 'Someone', $2)`, [
        id,
        email,
      ])
      await sql.query(
        `insert into auth.accounts (id, user_id, account_id, provider_id, password)
         values ($1, $2, $3, 'credential', $4)`,
        [newId(), id, id, hash],
      )
      return { id, email }
    },
  }
}

/** `cookie` is the session's, `cookies` are all that were set. */
export type Reply = { status: number; text: string; cookie: string; cookies: string }

export async function send(
  origin: string,
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      origin,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const set = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? '')
  const [cookie = ''] = set
  return { status: answer.status, text: await answer.text(), cookie, cookies: set.join('; ') }
}

export const signIn = (origin: string, email: string, password: string, address: string) =>
  send(origin, 'POST', '/api/auth/sign-in/email', {
    body: { email, password },
    headers: { 'x-forwarded-for': address },
  })

export const signUp = (origin: string, email: string, address: string) =>
  send(origin, 'POST', '/api/auth/sign-up/email', {
    body: { email, password: rightPassword, name: 'Someone' },
    headers: { 'x-forwarded-for': address },
  })

export const tally = (replies: Reply[]) =>
  [...Map.groupBy(replies, ({ status }) => status)]
    .map(([status, { length }]) => `${length} × ${status}`)
    .join(', ')
