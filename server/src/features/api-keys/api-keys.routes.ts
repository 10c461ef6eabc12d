import { ApiKey, IssuedApiKey, NewApiKey, PathId, Success } from '@daywright/contract'
import { z } from 'zod'
import { invalid } from '../../platform/errors.ts'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import { issueApiKey, listApiKeys, revokeApiKey } from './api-keys.queries.ts'

const config = { sessionOnly: true }

export const apiKeyRoutes: Routes = async (app, { now, callers, write }) => {
  app.get(
    '/api/api-keys',
    {
      config,
      schema: {
        operationId: 'listApiKeys',
        summary: 'My API keys, newest first, without the keys themselves',
        response: { 200: z.array(ApiKey) },
      },
    },
    (request) => listApiKeys(request.db, request.userId),
  )

  write(app).post(
    '/api/api-keys',
    {
      config: { ...config, secretAnswer: true, security: 'key-issued' },
      schema: {
        operationId: 'issueApiKey',
        summary: 'Issue an API key, which is shown only once',
        body: NewApiKey,
        response: { 201: IssuedApiKey, ...errors(400, 409) },
      },
    },
    async (request, reply) => {
      const { expiresAt } = request.body
      if (expiresAt && expiresAt <= now()) throw invalid({ expiresAt: ['Must be in the future'] })
      reply.code(201)
      const issued = await issueApiKey(request.db, request.userId, request.body, now())
      request.security = { keyId: (JSON.parse(issued) as IssuedApiKey).id }
      return issued
    },
  )

  retry(app).delete(
    '/api/api-keys/:id',
    {
      config: { ...config, security: 'key-revoked' },
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key at once, and disable the webhooks that it created',
        params: PathId,
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      request.security = { keyId: request.params.id }
      await revokeApiKey(request.db, request.userId, request.params.id, now())
      callers.forget(request.userId)
      return success
    },
  )
}
