import type { FastifyInstance } from 'fastify'
import { ErrorBody, Health, Readiness } from '@daywright/contract'
import type { Database } from '../db/database.ts'
import { unavailable } from '../errors.ts'
import type { Lifecycle } from './lifecycle.ts'

const ok = { status: 'ok' } as const

/** Live: the process answers. Ready: it can serve requests. */
export function answerHealth(
  app: FastifyInstance,
  db: Database,
  lifecycle: Lifecycle,
  countWorkers: () => Promise<number>,
) {
  // Concurrent probes share one query: this path has no rate limit and needs no account.
  let asking: Promise<boolean> | undefined
  const askWhetherWritable = () => (asking ??= db.isWritable().finally(() => (asking = undefined)))
  let counting: Promise<number> | undefined
  const count = () => (counting ??= countWorkers().finally(() => (counting = undefined)))
  let wasMissing = false

  /** Reported only: a missing worker does not make the API unready. */
  async function lookForWorker() {
    const alive = await Promise.race([count(), tooSlow()]).catch(() => undefined)
    if (alive === 0 && !wasMissing) {
      app.log.warn('No worker is running: there are no automatic plans and no webhook deliveries')
    }
    wasMissing = alive === 0
    return alive === undefined ? 'unknown' : alive === 0 ? 'missing' : 'alive'
  }

  app.get(
    '/health/live',
    {
      schema: {
        operationId: 'isLive',
        summary: 'Whether the process answers',
        response: { 200: Health },
      },
    },
    () => ok,
  )
  app.get(
    '/health/ready',
    {
      schema: {
        operationId: 'isReady',
        summary: 'Whether the service can serve requests; 503 while it starts or stops',
        response: { 200: Readiness, 503: ErrorBody },
      },
    },
    async () => {
      if (lifecycle.phase !== 'serving') throw unavailable(lifecycle.phase)
      const isWritable = await Promise.race([askWhetherWritable(), tooSlow()])
      if (!isWritable) throw unavailable('Writes are not possible: the database is read-only')
      return { ...ok, worker: await lookForWorker() }
    },
  )
}

const tooSlow = () =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(unavailable('The database does not answer')), 1000).unref()
  })
