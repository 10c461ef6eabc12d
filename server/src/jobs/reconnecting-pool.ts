import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isUnreachable } from '../platform/db/database-errors.ts'

const againMs = 500
/** A SQLSTATE that Graphile Worker retries after a short delay. */
const tryAgain = '40001'

/**
 * A reconnecting pool for Graphile Worker, which writes job results without awaiting them, so that an
 * outage would crash the process. Here connecting waits until the database is back, and a query whose
 * connection is lost is retried. The waiting does not keep a stopping process alive.
 */
export function reconnectingPool(pool: pg.Pool): pg.Pool {
  async function connect() {
    for (;;) {
      try {
        return patientClient(await pool.connect())
      } catch {
        await sleep(againMs, undefined, { ref: false })
      }
    }
  }
  return overrideMethods(pool, {
    connect: (...args: []) => (args.length > 0 ? pool.connect(...args) : connect()),
  })
}

function patientClient(client: pg.PoolClient): pg.PoolClient {
  let isBroken = false
  return overrideMethods(client, {
    query: (...args: [string]) =>
      client.query(...args).catch((error: unknown) => {
        if (error instanceof pg.DatabaseError && !isUnreachable(error)) throw error
        isBroken = true
        throw Object.assign(new Error('The database is unreachable', { cause: error }), {
          code: tryAgain,
        })
      }),
    release: () => client.release(isBroken),
  })
}

/** The object with these methods overridden. */
const overrideMethods = <Of extends object>(
  object: Of,
  methods: Partial<Record<keyof Of, unknown>>,
): Of =>
  new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name as keyof Of]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
