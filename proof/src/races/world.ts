// A database and the service on it, three times over: each request goes to a process of its own, as
// far as the service can tell.
import pg from 'pg'
import { buildApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/config.ts'
import { connect } from '../../../server/src/db/database.ts'
import { gate } from './gate.ts'

export type Call = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  body?: object
  /** Its Idempotency-Key. */
  key?: string
  /** Instead of the person's key. */
  cookie?: string
}

export type Answer = { status: number; body: unknown; runId?: string; replayed?: string }

export type World = Awaited<ReturnType<typeof newWorld>>

const day = 86_400_000
const patienceMs = 120_000

/** A Monday morning to come: time stands still, and later than all that PostgreSQL says it is. */
export const monday = new Date(
  Math.floor(Date.now() / day) * day + (8 - (new Date().getUTCDay() || 7)) * day + day / 3,
)

export async function newWorld(url: string, processes = 3) {
  // Requests that wait for each other in a circle need not wait for a second.
  const impatient = new URL(url)
  impatient.searchParams.set('options', '-c deadlock_timeout=20ms')
  const config = readConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'silent', PLANNER_THREADS: '1' })
  const services = await Promise.all(
    Array.from({ length: processes }, async () => {
      // Who is set aside waits for as long as the others take, on however slow a machine.
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
