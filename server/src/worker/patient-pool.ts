import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isAway } from '../db/violations.ts'

const againMs = 500
/** One of those that Graphile Worker tries again, and soon. */
const tryAgain = '40001'

/**
 * A pool for Graphile Worker, which writes what a job came to without waiting for it, so that a
 * database that is away would end the process. Here whoever wants a connection waits for its return, and
 * whoever loses one asks again. Nothing of it keeps a process alive that has been told to stop.
 */
export function patientPool(pool: pg.Pool): pg.Pool {
  async function connect() {
    for (;;) {
      try {
        return patientClient(await pool.connect())
      } catch {
        await sleep(againMs, undefined, { ref: false })
      }
    }
  }
  return instead(pool, {
    connect: (...args: []) => (args.length > 0 ? pool.connect(...args) : connect()),
  })
}

function patientClient(client: pg.PoolClient): pg.PoolClient {
  let isBroken = false
  return instead(client, {
    query: (...args: [string]) =>
      client.query(...args).catch((error: unknown) => {
        if (error instanceof pg.DatabaseError && !isAway(error)) throw error
        isBroken = true
        throw Object.assign(new Error('The database is away', { cause: error }), { code: tryAgain })
      }),
    release: () => client.release(isBroken),
  })
}

/** The object itself, but for these. */
const instead = <Of extends object>(object: Of, methods: Partial<Record<keyof Of, unknown>>): Of =>
  new Proxy(object, {
    get(target, name) {
      if (Object.hasOwn(methods, name)) return methods[name as keyof Of]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
