// Runs the service on one connection, where every request is inspected and rolled back, so that each finds the
// same data.
import pg from 'pg'
import { buildApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/config.ts'
import {
  type Actor,
  type Database,
  type Db,
  named,
} from '../../../server/src/platform/db/database.ts'
import { defaultLimits } from '../../../server/src/platform/db/usage.ts'
import { ada } from './ids.ts'
import { now, secret } from './people.ts'
import type { Probe } from './request.ts'

/** A statement with a condition removed, by the statement's name. */
export type Removal = { statement: string; text: string }

export type Outcome = {
  answer: string
  /** The rows of all users except Ada afterwards, if something was written. */
  written?: string
  /** Whether anything of Ada's was changed or locked. */
  touchesAda: boolean
  statements: Set<string>
}

type App = Awaited<ReturnType<typeof buildApp>>

const config = readConfig({
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'silent',
  AUTH_SECRET: secret,
  PLANNER_THREADS: '1',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 'secret',
  GOOGLE_URL: 'https://example.com',
})

export async function rehearse(url: string, known = new Set<string>()) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // A deterministic order of rows. A hash join may return Ada's row after Grace's, and an update takes the first.
  await client.query(
    'set max_parallel_workers_per_gather = 0; set jit = off; set enable_hashjoin = off',
  )
  const tables = await findTables(client)
  const used = new Set<string>()
  const looks = new Map<string, string>()
  // Most rows are the same after every request.
  const normalRows = new Map<string, string>()
  let removal: Removal | undefined
  const db = onOneConnection(client, (name, text) => {
    used.add(name)
    return name === removal?.statement ? { text: removal.text } : { name, text }
  })
  const build = () => buildApp({ db, now: () => now, config, lifecycle: { phase: 'serving' } })
  const apps: App[] = [await build()]
  let app = apps[0] as App

  /** Clears the credential cache, for removals in credential statements. */
  async function forget() {
    app = await build()
    apps.push(app)
  }

  const hers = new Map((await look(tables)).map(({ name, hers }) => [name, hers]))

  async function run(probe: Probe, planted?: Removal): Promise<Outcome> {
    let touchesAda = false
    removal = planted
    used.clear()
    db.forgetRollback()
    await client.query('begin')
    try {
      const answer = normal(await answerTo(probe))
      await db.idle() // lastUsedAt is written without being awaited
      const statements = new Set(used)
      if (await wroteNothing()) return { answer, touchesAda, statements }
      const seen = await look(await touchedTables())
      touchesAda = seen.some((table) => table.hers !== hers.get(table.name))
      return {
        answer,
        written: seen.map(({ others }) => others).join('\n'),
        touchesAda,
        statements,
      }
    } finally {
      await client.query('rollback')
      removal = undefined
      if (touchesAda) for (const table of await look(tables)) hers.set(table.name, table.hers)
    }
  }

  /** A transaction locks each table whose rows it writes or locks; a rollback to a savepoint forgets the lock. */
  async function touchedTables() {
    if (db.hasRolledBack()) return tables
    const { rows } = await client.query<{ name: string }>({
      name: 'touched',
      text: `select distinct relation::regclass::text as name from pg_locks
              where pid = pg_backend_pid() and locktype = 'relation' and mode <> 'AccessShareLock'`,
    })
    const locked = new Set(rows.map(({ name }) => name))
    return tables.filter(({ name }) => locked.has(name))
  }

  /** A transaction gets its id with its first write or lock. */
  async function wroteNothing() {
    const { rows } = await client.query<{ nothing: boolean }>(
      'select pg_current_xact_id_if_assigned() is null as nothing',
    )
    return rows[0]?.nothing
  }

  async function answerTo({ act, method, url: path, body, headers }: Probe) {
    if (act) {
      const outcome = await act(db).catch((error: unknown) => {
        // An act fails only because of a removed condition.
        if (!removal) throw error
        return error
      })
      return String(outcome)
    }
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers,
      ...(body && { payload: body }),
    })
    return `${response.statusCode} ${response.body}`
  }

  async function look(at: Table[]) {
    if (at.length === 0) return []
    const text = at.map((table) => table.text).join(' union all ')
    const name = looks.get(text) ?? `look ${looks.size}`
    looks.set(text, name)
    const { rows } = await client.query<{ name: string; hers: string; others: string }>({
      name,
      text,
    })
    return rows.map((row) => {
      const others = row.others.split('\n').map(normalRow).toSorted().join('\n')
      return { ...row, others }
    })
  }

  function normalRow(text: string) {
    const cached = normalRows.get(text)
    if (cached !== undefined) return cached
    const row = normal(text)
    if (normalRows.size < 10_000) normalRows.set(text, row)
    return row
  }

  /** Replaces ids and times that differ in every run. */
  function normal(text: string) {
    return (
      text
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) =>
          known.has(id) ? id : 'new',
        )
        .replaceAll(/(createdAt|updatedAt|lastUsedAt)(\W{3,7})\d[^"\\]+/g, '$1$2…')
        .replaceAll(/whsec_[\w+/]{32}/g, 'secret')
        // Encrypted text differs each time. Stored bytes have no capital letters.
        .replaceAll(/(?<![\w+/])(?=[a-z\d+/]*[A-Z])[\w+/]{60,}={0,2}/g, 'sealed')
        .replaceAll(/(state|code_challenge)=[^&"]+/g, '$1=…')
        .replaceAll(/dw[kf]_[\w-]{22}_\w{0,7}[\w-]*/g, 'key')
    )
  }

  return {
    run,
    forget,
    /** Makes a request and commits it, before the first rehearsal. */
    async perform(probe: Probe) {
      await client.query('begin')
      const answer = await answerTo(probe)
      await db.idle()
      await client.query('commit')
      if (!answer.startsWith('2')) throw new Error(`${probe.name}: ${answer}`)
    },
    openApi: async () => (await app.inject('/api/openapi.json')).body,
    async leave() {
      await Promise.all(apps.map((each) => each.close()))
      await client.end()
    },
  }
}

type Table = { name: string; text: string }
type Named = { name: string; text: string; values: unknown[] }

/** A database whose transactions are savepoints of one outer transaction. */
function onOneConnection(
  client: pg.Client,
  spoken: (name: string, text: string) => { name?: string; text: string },
) {
  let last: Promise<unknown> = Promise.resolve()
  let hasRolledBack = false

  /** One at a time, so that savepoints do not interleave. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }

  async function inSavepoint<Result>(point: string, work: () => Promise<Result>) {
    await client.query(`savepoint ${point}`)
    try {
      const result = await work()
      await client.query(`release ${point}`)
      return result
    } catch (error) {
      hasRolledBack = true
      await client.query(`rollback to ${point}`)
      throw error
    }
  }

  function query<Row extends object>(statement: Named | string) {
    if (typeof statement === 'string') return client.query<Row>(statement)
    const { name, text, values } = statement
    return client.query<Row>({ ...spoken(name, text), values })
  }

  const limits = JSON.stringify(defaultLimits)

  function as(who: Actor): Db {
    const actor = named(who)
    const inside: Db = { actor, limits, query, transaction: (work) => work(inside) }
    return {
      actor,
      limits,
      query: (statement) => inTurn(() => inSavepoint('statement', () => query(statement))),
      transaction: (work) => inTurn(() => inSavepoint('work', () => work(inside))),
    }
  }

  return {
    ...as({ kind: 'system' }),
    as,
    asSystemWithin: () => as({ kind: 'system' }),
    idle: () => last,
    hasRolledBack: () => hasRolledBack,
    forgetRollback: () => void (hasRolledBack = false),
    refuseNewest: () => false,
    isWritable: () => Promise.resolve(true),
    load: () => ({ total: 1, idle: 0, waiting: 0 }),
    // Better Auth's queries are not rehearsed.
    pool: undefined as unknown as pg.Pool,
    acquireClient: () => Promise.reject(new Error('Sign-in is not available here')),
    end: async () => {},
  } satisfies Database & Record<'idle' | 'hasRolledBack' | 'forgetRollback', () => unknown>
}

/** The tables of users, each with a query for all of its rows. */
async function findTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; key: string }>(
    `select (table_schema || '.' || table_name)::regclass::text as name, column_name as key
       from information_schema.columns
      where (column_name = 'user_id' and table_schema in ('public', 'auth'))
         or (column_name = 'id' and table_name = 'users')
      order by 1`,
  )
  // A lock leaves a trace in xmax, even after a rollback; a lock of this transaction leaves at least its own id.
  return rows.map(({ name, key }) => ({
    name,
    text: `
    select '${name}' as name,
           coalesce(md5(string_agg(row.ctid::text || row.xmax::text || row::text, '' order by row.ctid)
                    filter (where ${key} = '${ada}')), '') as hers,
           coalesce(string_agg('${name}' || (to_jsonb(row) - '{${unlike(name)}}'::text[])::text || ${isLocked}, e'\\n')
                    filter (where ${key} <> '${ada}'), '') as others
      from ${name} row`,
  }))
}

const isLocked = `
             case when row.xmax::text::bigint >= pg_current_xact_id_if_assigned()::text::bigint
                  then ' locked' else '' end`

/** Columns that differ in every run, or are derived from others. */
const unlike = (table: string) =>
  'created_at,updated_at,task_stamp,last_used_at,prefix,hash,input,plan,detail,at,secret,former_secret,former_until' +
  (table === 'user_state' ? ',due_at,stale_since' : '') +
  // The order of the records within one change.
  (table === 'events' ? ',part' : '')
