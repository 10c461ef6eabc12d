// A database and three instances of the service on it, so that each request goes to what looks like a separate
// process.
import pg from 'pg'
import { buildApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/config.ts'
import { connect } from '../../../server/src/platform/db/database.ts'
import { gate } from './gate.ts'

export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  body?: object
  /** The Idempotency-Key. */
  key?: string
  /** A session cookie that is sent instead of the user's API key. */
  cookie?: string
}

export type Answer = { status: number; body: unknown; runId?: string; replayed?: string }

export type World = Awaited<ReturnType<typeof newWorld>>

const day = 86_400_000
const patienceMs = 120_000

/** A future Monday morning: the clock is fixed, and later than PostgreSQL's clock. */
export const monday = new Date(
  Math.floor(Date.now() / day) * day + (8 - (new Date().getUTCDay() || 7)) * day + day / 3,
)

export async function newWorld(url: string, processes = 3) {
  // Detects deadlocks sooner than after the default of one second.
  const impatient = new URL(url)
  impatient.searchParams.set('options', '-c deadlock_timeout=20ms')
  const config = readConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'silent', PLANNER_THREADS: '1' })
  const services = await Promise.all(
    Array.from({ length: processes }, async () => {
      // A statement may wait as long as the other requests are held, so it must not time out.
      const db = connect(impatient.href, { poolSize: 3, statementTimeoutMs: patienceMs })
      gate(db.pool)
      const lifecycle = { phase: 'serving' as const }
      return { db, app: await buildApp({ db, now: () => monday, config, lifecycle }) }
    }),
  )
  const observer = new pg.Client({ connectionString: url })
  await observer.connect()

  return {
    observer,
    async call(service: number, bearer: string, call: Call): Promise<Answer> {
      const response = await services[service]?.app.inject({
        method: call.method,
        url: call.url,
        headers: {
          ...(call.cookie
            ? { cookie: call.cookie, host: 'localhost', origin: 'http://localhost' }
            : { authorization: `Bearer ${bearer}` }),
          ...(call.key && { 'idempotency-key': call.key }),
        },
        ...(call.body && { payload: call.body }),
      })
      if (!response) throw new Error(`There is no service ${service}`)
      return {
        status: response.statusCode,
        body: response.body === '' ? '' : response.json(),
        runId: header(response.headers['planner-run-id']),
        replayed: header(response.headers['idempotency-replayed']),
      }
    },
    async end() {
      for (const { app, db } of services) {
        await app.close()
        await db.end()
      }
      await observer.end()
    },
  }
}

const header = (value: unknown) => (typeof value === 'string' ? value : undefined)
