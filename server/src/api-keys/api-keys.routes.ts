import { ApiKey, IssuedApiKey, NewApiKey, PathId, Success } from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes, success } from '../http/routes.ts'
import { issueApiKey, listApiKeys, revokeApiKey } from './api-keys.queries.ts'

const config = { sessionOnly: true }

export const apiKeyRoutes: Routes = async (app, { now, callers }) => {
  app.get(
    '/api/api-keys',
    {
      config,
      schema: {
        operationId: 'listApiKeys',
        summary: 'My API keys, newest first; never the keys themselves',
        response: { 200: z.array(ApiKey) },
      },
    },
    (request) => listApiKeys(request.db, request.userId),
  )

  app.post(
    '/api/api-keys',
    {
      config: { ...config, secretAnswer: true },
      schema: {
        operationId: 'issueApiKey',
        summary: 'Issue an API key; it is shown this once',
        body: NewApiKey,
        response: { 201: IssuedApiKey, ...errors(400, 409) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return issueApiKey(request.db, request.userId, request.body, now())
    },
  )

  app.delete(
    '/api/api-keys/:id',
    {
      config,
      schema: {
        operationId: 'revokeApiKey',
        summary: 'Revoke an API key, at once, and disable the webhooks that it made',
        params: PathId,
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      await revokeApiKey(request.db, request.userId, request.params.id, now())
      callers.forget(request.userId)
      return success
    },
  )
}
