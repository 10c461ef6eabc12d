import { Job, JobId, Success } from '@daywright/contract'
import { z } from 'zod'
import { notFound } from '../platform/errors.ts'
import { errors, type Routes, success } from '../platform/http/routes.ts'
import { retry } from '../platform/http/wrap-handler.ts'
import type { Queue } from './queue.ts'
import { requireAdmin } from '../features/admin/require-admin.ts'

const config = { sessionOnly: true }
const jobNotFound = () => notFound('Job not found')

export const jobRoutes =
  (queue: Queue): Routes =>
  async (app, { write }) => {
    app.addHook('preValidation', async (request) => requireAdmin(request))

    app.get(
      '/api/admin/jobs',
      {
        config,
        schema: {
          operationId: 'listParkedJobs',
          summary: 'The 100 newest parked jobs, which failed too often to be retried; for admins',
          response: { 200: z.array(Job), ...errors(404) },
        },
      },
      async () => JSON.stringify(await queue.parked()),
    )

    write(app).post(
      '/api/admin/jobs/:id/retry',
      {
        config,
        schema: {
          operationId: 'retryJob',
          summary: 'Retry a parked job; for admins',
          params: JobId,
          response: { 200: Success, ...errors(404) },
        },
      },
      async (request) => {
        if (!(await queue.retry(request.params.id))) throw jobNotFound()
        return success
      },
    )

    retry(app).delete(
      '/api/admin/jobs/:id',
      {
        config,
        schema: {
          operationId: 'discardJob',
          summary: 'Discard a parked job; for admins',
          params: JobId,
          response: { 200: Success, ...errors(404) },
        },
      },
      async (request) => {
        if (!(await queue.discard(request.params.id))) throw jobNotFound()
        return success
      },
    )
  }
