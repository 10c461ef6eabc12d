import pg from 'pg'
import { ApiError, unavailable } from '../errors.ts'
import { type DatabaseHost, rememberHost } from './database-host.ts'
import { type Party, shareConnections } from './share-connections.ts'
import { applicationName, watchForSilence } from './silence.ts'
import { defaultLimits, type Limits } from './usage.ts'

// count(*) is an int8, which pg hands over as a string; ours all fit a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

type Statement = { name: string; text: string; values: unknown[] } | string

/** Who changes something: the user, with a key or without, an admin, or Daywright itself. */
export type Actor = (
  | { kind: 'person' }
  | { kind: 'key'; id: string }
  | { kind: 'planner' | 'system' }
  | { kind: 'admin'; id: string }
) & {
  /** The event that is taken back by it. */
  reverts?: string
}

/** As events say it. */
export const named = (actor: Actor) => JSON.stringify(actor)

/** Where a statement runs: the pool, or an open transaction. */
export type Db = {
  /** Who does what is done here, as JSON: events say so. */
  actor: string
  /** How much the user may have, as JSON; what Daywright does by itself is not refused. */
  limits: string
  query<Row extends object>(statement: Statement): Promise<{ rows: Row[] }>
  /** Runs `work` in one transaction: all of it, or nothing. Inside one already, it joins it. */
  transaction<Result>(work: (db: Db) => Promise<Result>): Promise<Result>
}

export type Database = Db & {
  /** The same, for what this one does; its connections count for the party. */
  as(actor: Actor, party?: Party): Db
  /** Connections in all, idle ones, and callers that wait for one. */
  load(): { total: number; idle: number; waiting: number }
  pool: pg.Pool
  /** For Better Auth, which brings its own way to ask: a connection as all others have. */
  lend: () => Promise<Lent>
  end(): Promise<void>
}

export type Lent = {
  query(text: string, values: readonly unknown[]): Promise<pg.QueryResult<never>>
  release(): void
}

export type PoolSettings = {
  poolSize: number
  /** How many may wait for a connection; the next one is told at once to come again. */
  maxWaiting: number
  statementTimeoutMs: number
  /** Of each user. */
  limits: Limits
  /** Finds the address of the database. */
  host: DatabaseHost
}

/** How long the pool may take to connect. */
const connectMs = 2000
/** How long a statement may wait for its turn: what one user sends at once waits for itself. */
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
    // Every statement of ours has an index. A table that was small when PostgreSQL last looked at it
    // would be read whole by everybody, however much one user has added since. For the same reason
    // a statement is planned once, without its values: planning costs more than most of them do
    // (`costs.test.ts` holds every plan so made to a bound).
    options: '-c enable_seqscan=off -c jit=off -c plan_cache_mode=force_generic_plan',
    // A new connection plans every statement again: one that rests is kept for five minutes.
    idleTimeoutMillis: 300_000,
    statement_timeout: statementTimeoutMs,
    lock_timeout: Math.ceil(statementTimeoutMs * 0.8),
    idle_in_transaction_session_timeout: 2 * statementTimeoutMs,
    // For a server that answers others but not us: see silence.ts, which is quicker for the rest.
    query_timeout: statementTimeoutMs + 1000,
  })
  // A connection that breaks while nobody waits on it says so by an event, and an event nobody
  // hears ends the process: idle ones tell the pool, checked-out ones themselves.
  const heard = () => {}
  pool.on('error', heard)
  pool.on('connect', (client) => client.on('error', heard))

  const silence = watchForSilence(url, host)
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
    const connecting = pool.connect()
    try {
      const client = await silence.answerOf(connecting)
      const giveBack = (broken?: boolean) => {
        client.release(broken)
        shares.leave(party)
      }
      return { client, giveBack }
    } catch (error) {
      // It may come when nobody wants it any more.
      connecting.then((client) => client.release(true)).catch(() => {})
      shares.leave(party)
      throw asUnavailable(error)
    }
  }

  const ask = <Row extends object>(client: pg.PoolClient, statement: string | pg.QueryConfig) =>
    silence.answerOf(client.query<Row>(statement), pidOf(client))

  /** Unlike pool.query, keeps the connection when PostgreSQL only refused the statement. */
  async function query<Row extends object>(statement: Statement, party?: Party) {
    const { client, giveBack } = await checkOut(party)
    try {
      const result = await ask<Row>(client, statement)
      giveBack()
      return result
    } catch (error) {
      giveBack(isBroken(error))
      throw asUnavailable(error)
    }
  }

  async function transaction<Result>(
    work: (db: Db) => Promise<Result>,
    { actor, limits }: Pick<Db, 'actor' | 'limits'>,
    party: Party | undefined,
  ) {
    const { client, giveBack } = await checkOut(party)
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
      giveBack()
      return result
    } catch (error) {
      if (!broken) await db.query('rollback').catch(() => {})
      giveBack(broken)
      throw error
    }
  }

  async function lend() {
    const { client, giveBack } = await checkOut()
    let broken = false
    return {
      query: (text: string, values: readonly unknown[]) =>
        ask<never>(client, { text, values: [...values] }).catch((error) => {
          broken ||= isBroken(error)
          return asUnavailable(error)
        }),
      release: () => giveBack(broken),
    }
  }

  const ofUsers = JSON.stringify(limits)
  const ofOurselves = JSON.stringify({ historyBytes: limits.historyBytes })
  const as = (actor: Actor, party?: Party): Db => {
    const isOurs = actor.kind === 'planner' || actor.kind === 'system'
    const by = { actor: named(actor), limits: isOurs ? ofOurselves : ofUsers }
    return {
      ...by,
      query: (statement) => query(statement, party),
      transaction: (work) => transaction(work, by, party),
    }
  }

  return {
    ...as({ kind: 'system' }),
    as,
    lend,
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

/** Of the backend; pg has it, and its types do not. */
const pidOf = (client: pg.PoolClient) => (client as { processID?: number }).processID

/** PostgreSQL's word on a statement leaves the connection as good as before; all else does not. */
const isBroken = (error: unknown) =>
  !(error instanceof pg.DatabaseError && error.severity === 'ERROR')

/** What is neither an answer of ours nor a word of PostgreSQL's is a database out of reach. */
export function asUnavailable(error: unknown): never {
  if (error instanceof ApiError || error instanceof pg.DatabaseError) throw error
  if (error instanceof TypeError || error instanceof RangeError) throw error // a bug of our own
  throw Object.assign(unavailable(), { cause: error })
}
