import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isOutage } from '../platform/db/database-errors.ts'

const againMs = 500
/** A SQLSTATE that Graphile Worker retries after a short delay. */
const tryAgain = '40001'

type Query = string | { name?: string }

/**
 * A pool for Graphile Worker that waits during an outage, because Graphile Worker does not await the statements that
 * write the result of a job. Connecting waits until the database is back. A named statement, which is always
 * a transaction of its own, is repeated on another connection; any other fails in a way that is retried. The
 * waiting does not keep a stopping process alive. `onRepeat` is called with the names of repeated statements, which
 * may have been executed twice, and the reason.
 */
export function reconnectingPool(
  pool: pg.Pool,
  onRepeat: (name: string, cause: unknown) => void = () => {},
) {
  async function connect(): Promise<pg.PoolClient> {
    for (;;) {
      try {
        return patientClient(await pool.connect())
      } catch {
        await sleep(againMs, undefined, { ref: false })
      }
    }
  }

  function patientClient(client: pg.PoolClient): pg.PoolClient {
    let isReleased = false
    function release(isBroken: boolean) {
      if (!isReleased) client.release(isBroken)
      isReleased = true
    }
    async function query(...args: [Query]): Promise<unknown> {
      try {
        return await client.query(...(args as [string]))
      } catch (error) {
        if (error instanceof pg.DatabaseError && !isOutage(error)) throw error
        // At once, so that its place in the pool is free while we wait.
        release(true)
        const [statement] = args
        if (typeof statement === 'string' || statement.name === undefined) {
          throw Object.assign(new Error('The database is unreachable', { cause: error }), {
            code: tryAgain,
          })
        }
        onRepeat(statement.name, error)
        return repeat(args)
      }
    }
    return overrideMethods(client, { query, release: () => release(false) })
  }

  async function repeat(args: [Query]) {
    await sleep(againMs, undefined, { ref: false })
    const client = await connect()
    try {
      return await (client.query as (...args: [Query]) => Promise<unknown>)(...args)
    } finally {
      client.release()
    }
  }

  return overrideMethods(pool, {
    connect: (...args: []) => (args.length > 0 ? pool.connect(...args) : connect()),
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
