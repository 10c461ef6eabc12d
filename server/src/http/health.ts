import type { FastifyInstance } from 'fastify'
import { ErrorBody, Health } from '@daywright/contract'
import type { Database } from '../db/database.ts'
import { unavailable } from '../errors.ts'
import type { Lifecycle } from './arrive.ts'

const ok = { status: 'ok' } as const

/** Live: the process answers. Ready: it can serve, so send it requests. */
export function answerHealth(app: FastifyInstance, db: Database, lifecycle: Lifecycle) {
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
        summary: 'Whether the service can serve; 503 while it starts or drains',
        response: { 200: Health, 503: ErrorBody },
      },
    },
    async () => {
      if (lifecycle.phase !== 'serving') throw unavailable(lifecycle.phase)
      await Promise.race([db.query('select 1'), tooSlow()])
      return ok
    },
  )
}

const tooSlow = () =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(unavailable('The database does not answer')), 1000).unref()
  })
