import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { unavailable } from '../errors.ts'
import { watchAge } from './connection-age.ts'
import { asUnavailable, isBroken, isReadOnly, isTransient } from './database-errors.ts'
import { type DatabaseHost, rememberHost } from './database-host.ts'
import { type Party, shareConnections } from './share-connections.ts'
import { applicationName, watchConnections } from './connection-watchdog.ts'
import { defaultLimits, type Limits } from './usage.ts'

// count(*) is an int8, which pg returns as a string; all of ours fit a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

type Statement = { name: string; text: string; values: unknown[] } | string

/** The actor of a change: the user (by a session, a key or a calendar program), an admin, or Daywright itself. */
export type Actor = (
  | { kind: 'person' | 'calendar' }
  | { kind: 'key'; id: string }
  | { kind: 'planner' | 'system' }
  | { kind: 'admin'; id: string }
) & {
  /** The event that this change reverts. */
  reverts?: string
}

/** The actor as stored in events. */
export const named = (actor: Actor) => JSON.stringify(actor)

/** Runs statements: the pool, or an open transaction. */
export type Db = {
  /** The actor of the changes made here, as JSON for events. */
  actor: string
  /** The user's limits as JSON. The planner's changes are not limited. */
  limits: string
  query<Row extends object>(statement: Statement): Promise<{ rows: Row[] }>
  /** Runs `work` in one transaction; inside a transaction, joins it. */
  transaction<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
}

export type Database = Db & {
  /** This database for the given actor; its connections are counted for the party. */
  as(actor: Actor, party?: Party): Db
  /** This database for Daywright itself, but with the user's limits, for work that the user has asked for. */
  asSystemWithin(party: Party): Db
  /** Refuses the party's newest request that waits for a connection; false if no request waits. */
  refuseNewest: (party: string) => boolean
  /** The numbers of all connections, of idle ones, and of callers waiting for one. */
  load(): { total: number; idle: number; waiting: number }
  pool: pg.Pool
  /** Whether the server accepts writes: a standby does not. */
  isWritable(): Promise<boolean>
  /** For Better Auth, which runs its own queries: a connection from the same pool. */
  acquireClient: () => Promise<LeasedClient>
  end(): Promise<void>
}

export type LeasedClient = {
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult<never>>
  release(): void
}

export type PoolSettings = {
  poolSize: number
  /** How many callers may wait for a connection; the next one gets 503 at once. */
  maxWaiting: number
  statementTimeoutMs: number
  /** Per user. */
  limits: Limits
  /** Resolves the address of the database. */
  host: DatabaseHost
}

/** The time limit for opening a connection. */
const connectMs = 2000
/** The time limit for waiting for a connection; long, because a user's burst queues behind itself. */
const patienceMs = 10_000
const defaults = {
  poolSize: 10,
  maxWaiting: 1000,
  statementTimeoutMs: 5000,
  limits: defaultLimits,
}

export function connect(url: string, settings: Partial<PoolSettings> = {}): Database {
  const { host = rememberHost(), ...given } = settings
  const { poolSize, maxWaiting, statementTimeoutMs, limits } = { ...defaults, ...given }
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: poolSize,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    stream: host.stream,
    // Every statement has an index. With stale statistics of a small table PostgreSQL would choose a
    // sequential scan for all users, however much one user has added since. Generic plans are used because
    // planning costs more than most statements (`costs.test.ts` bounds the cost of every generic plan).
    options: '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan',
    // A new connection plans every statement again, so idle ones are kept for five minutes.
    idleTimeoutMillis: 300_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.ceil(statementTimeoutMs * 0.8),
    idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
    // For a server that answers others but not this statement; `connection-watchdog.ts` detects other cases
    // sooner.
    query_timeout: statementTimeoutMs + 1000,
  })
  // An unhandled 'error' event would crash the process. Idle connections emit it on the pool, and
  // checked-out ones on the client.
  const ignoreError = () => {}
  pool.on('error', ignoreError)
  pool.on('connect', (client) => client.on('error', ignoreError))

  const age = watchAge(pool)
  const silence = watchConnections(url, host)
  const shares = shareConnections({ connections: poolSize, maxWaiting, patienceMs })

  async function checkOut(party?: Party) {
    if (silence.isSilent()) throw unavailable()
    const turn = shares.enter(party)
    if (turn) {
      await silence.answerOf(turn).catch((error) => {
        turn.then(() => shares.leave(party)).catch(() => {})
        throw error
      })
    }
    const connecting = age.connect()
    try {
      const client = await silence.answerOf(connecting)
      const release = (broken?: boolean) => {
        client.release(broken)
        shares.leave(party)
      }
      return { client, release }
    } catch (error) {
      // The connection may arrive after its caller has given up.
      connecting.then((client) => client.release(true)).catch(() => {})
      shares.leave(party)
      throw asUnavailable(error)
    }
  }

  const ask = <Row extends object>(client: pg.PoolClient, statement: string | pg.QueryConfig) =>
    silence.answerOf(client.query<Row>(statement), pidOf(client)).catch((error: unknown) => {
      if (isReadOnly(error)) age.outdate()
      throw error
    })

  /** Unlike pool.query, keeps the connection when PostgreSQL only rejected the statement. */
  async function query<Row extends object>(
    statement: Statement,
    party?: Party,
    isAgain = false,
  ): Promise<pg.QueryResult<Row>> {
    const { client, release } = await checkOut(party)
    try {
      const result = await ask<Row>(client, statement)
      release()
      return result
    } catch (error) {
      release(isBroken(error))
      if (isReadOnly(error) && !isAgain) return query(statement, party, true)
      throw asUnavailable(error)
    }
  }

  async function isWritable() {
    if (!(await isReadOnlyNow())) return true
    age.outdate()
    return !(await isReadOnlyNow())
  }

  async function isReadOnlyNow() {
    const { rows } = await query<{ transaction_read_only: string }>('show transaction_read_only')
    return rows[0]?.transaction_read_only === 'on'
  }

  async function transaction<Result>(
    work: (db: Db) => Promise<Result>,
    { actor, limits }: Pick<Db, 'actor' | 'limits'>,
    party: Party | undefined,
  ) {
    const { client, release } = await checkOut(party)
    let broken = false
    const db: Db = {
      actor,
      limits,
      query: (statement) =>
        ask<never>(client, statement).catch((error) => {
          broken ||= isBroken(error)
          return asUnavailable(error)
        }),
      transaction: (inner) => inner(db),
    }
    try {
      await db.query('begin')
      const result = await work(db)
      await db.query('commit')
      release()
      return result
    } catch (error) {
      if (!broken) await db.query('rollback').catch(() => {})
      release(broken)
      throw error
    }
  }

  async function acquireClient() {
    const { client, release } = await checkOut()
    let broken = false
    return {
      query: (text: string, values: readonly unknown[]) =>
        ask<never>(client, { text, values: [...values] }).catch((error) => {
          broken ||= isBroken(error)
          return asUnavailable(error)
        }),
      release: () => release(broken),
    }
  }

  const ofUsers = JSON.stringify(limits)
  const ofOurselves = JSON.stringify({ historyBytes: limits.historyBytes })
  const dbOf = (by: Pick<Db, 'actor' | 'limits'>, party?: Party): Db => ({
    ...by,
    query: (statement) => query(statement, party),
    transaction: (work) => transaction(work, by, party),
  })
  const as = (actor: Actor, party?: Party): Db => {
    const isOurs = actor.kind === 'planner' || actor.kind === 'system'
    return dbOf({ actor: named(actor), limits: isOurs ? ofOurselves : ofUsers }, party)
  }

  return {
    ...as({ kind: 'system' }),
    refuseNewest: shares.refuseNewest,
    as,
    asSystemWithin: (party) => dbOf({ actor: named({ kind: 'system' }), limits: ofUsers }, party),
    acquireClient,
    isWritable,
    load: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: shares.waiting() + pool.waitingCount,
    }),
    pool,
    end: async () => {
      silence.stop()
      await pool.end()
    },
  }
}

/** The backend's process id, which pg has but its types do not declare. */
const pidOf = (client: pg.PoolClient) => (client as { processID?: number }).processID

const tries = 3

/** Retries up to twice after a conflict with a concurrent request, and once on a new connection if the server was read-only. */
export async function retrying<Result>(
  work: (isLast: boolean) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt === tries)
    } catch (error) {
      const mayPass = isTransient(error) || (isReadOnly(error) && attempt === 1)
      if (attempt === tries || !mayPass) throw error
      await sleep(100 * attempt * Math.random()) // so that two conflicting requests do not collide again
    }
  }
}
