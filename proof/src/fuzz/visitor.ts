// A user who sends requests: credentials, known ids, and how they are learned.
import { createHmac, hash } from 'node:crypto'
import type pg from 'pg'
import { newId } from '../../../server/src/platform/db/new-id.ts'
import { queueOn } from '../../../server/src/jobs/queue.ts'
import { newPerson, type Person } from '../kit/people.ts'
import { type Operation, tableOfId } from '../kit/operations.ts'
import { type Answer, isStream } from './connection.ts'
import type { Random } from '../kit/random.ts'

export const authSecret = 'the secret that signs the sessions of this harness'
const nilId = '00000000-0000-0000-0000-000000000000'
const keptPerTable = 30

export type Visitor = Awaited<ReturnType<typeof newVisitor>>

type Others = {
  /** The ids of another user's records. */
  adas?: Map<string, string[]>
  /** The account that the visitor, an admin, may change. */
  victim?: string
}

/** A user with a key and a session. Auth requests use another user's session, since sign-out is one of them. */
export async function newVisitor(
  pool: pg.Pool,
  origin: string,
  { adas = new Map(), victim }: Others = {},
) {
  const person = await newPerson(pool)
  const passing = await newPerson(pool)
  await pool.query(`update users set role = 'admin' where id = $1`, [person.id])
  const session = await signIn(pool, origin, person)
  const passingSession = await signIn(pool, origin, passing)
  const ids = new Map([
    ['spaces', [person.spaceId]],
    ['users', victim ? [victim] : []],
    ['jobs', await parkedJobs(pool, person.id)],
  ])

  /** Moves known ids to the end, so that the newest are last. */
  function remember(table: string, seen: string[]) {
    const known = new Set(ids.get(table))
    for (const id of seen) {
      known.delete(id)
      known.add(id)
    }
    ids.set(table, [...known].slice(-keptPerTable))
  }

  return {
    id: person.id,
    ids,
    credentials({ path }: Operation): [string, string][] {
      if (path.startsWith('/api/auth/')) return passingSession
      if (/^\/api\/(api-keys|feeds|plan-calendars|connected-accounts|admin)\b/.test(path))
        return session
      return [['authorization', `Bearer ${person.key}`]]
    },
    /** A random id: mostly one of the user's own, so that requests succeed. */
    idIn(random: Random, table: string) {
      const own = ids.get(table) ?? []
      if (own.length > 0 && random.chance(0.93)) return random.pick(own)
      const theirs = table === 'users' ? [] : (adas.get(table) ?? [])
      return theirs.length > 0 && random.chance(0.5) ? random.pick(theirs) : nilId
    },
    newestIn: (table: string) => ids.get(table)?.at(-1) ?? nilId,
    /** Learns the ids in a response. */
    learn(operation: Operation, { text, headers }: Answer) {
      if (isStream({ headers })) return
      const { method, path } = operation
      const table = tableOfId(operation, 'id') ?? ''
      // Ignores the accounts that an admin sees, the visitor's own key, and records of other tables.
      const isOthers = table === 'users' || (table === 'api_keys' && method === 'GET')
      if (isOthers || /\}\/(dependencies|documents|deliveries|recurrence$)/.test(path)) return
      const records = recordsIn(JSON.parse(text) as Records)
      remember(
        table,
        records.flatMap(({ id }) => (id ? [id] : [])),
      )
      if (method === 'POST' && table === 'documents') {
        const contents = records.flatMap(({ content }) => content ?? [])
        remember(
          'hash',
          contents.map((content) => hash('sha256', content)),
        )
      }
    },
    /** Marks the first event of new webhooks, their creation, as delivered, since no worker runs here. */
    async deliverFirstEvents() {
      const { rows } = await pool.query<{ event: string }>(
        `update webhooks set seq = first_event + 1, part = 1
          where user_id = $1 and seq = first_event
          returning seq || '-1' as event`,
        [person.id],
      )
      remember(
        'events',
        rows.map(({ event }) => event),
      )
    },
    async leave() {
      const gone = [[person.id, passing.id]]
      await pool.query('delete from auth.users where id = any($1)', gone)
      await pool.query('delete from users where id = any($1)', gone)
    },
  }
}

/** Adds permanently failed jobs for the admin operations, and returns their ids. */
async function parkedJobs(pool: pg.Pool, person: string) {
  const keys = Array.from({ length: 12 }, () => `${person}/${newId()}`)
  await queueOn(pool).add('run-user-jobs', keys)
  const { rows } = await pool.query<{ id: string }>(
    `select (graphile_worker.permanently_fail_jobs(array_agg(id), 'The plan breaks a rule')).id::text
       from graphile_worker.jobs where key like 'run-user-jobs:' || $1 || '/%'`,
    [person],
  )
  return rows.map(({ id }) => id)
}

async function signIn(
  pool: pg.Pool,
  origin: string,
  { id, email }: Person,
): Promise<[string, string][]> {
  const token = newId()
  await pool.query(`insert into auth.users (id, name, email) values ($1, 'Someone', $2)`, [
    id,
    email,
  ])
  await pool.query(
    `insert into auth.sessions (id, token, user_id, expires_at) values ($1, encode(sha256($2::bytea), 'hex'), $3, '2099-01-01')`,
    [newId(), token, id],
  )
  const signature = createHmac('sha256', authSecret).update(token).digest('base64')
  return [
    ['cookie', `daywright.session_token=${encodeURIComponent(`${token}.${signature}`)}`],
    ['sec-fetch-site', 'same-origin'],
    ['origin', origin],
  ]
}

type Record = { id?: string; content?: string | null }
type Listed = { [list in 'data' | 'runs' | 'notifications' | 'events']?: Record[] }
type Records = Record[] | (Record & Listed)

// Usage has a field `notifications`, which is not a list.
const recordsIn = (body: Records | null): Record[] =>
  !body || Array.isArray(body)
    ? (body ?? [])
    : ([body.data, body.runs, body.notifications, body.events].find(Array.isArray) ?? [body])
