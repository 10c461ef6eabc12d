import {
  Delivery,
  IssuedWebhook,
  NewWebhook,
  PathId,
  Redelivery,
  Success,
  Webhook,
  WebhookChanges,
  WebhookSecret,
} from '@daywright/contract'
import { z } from 'zod'
import type { Cipher } from '../../platform/auth/encryption.ts'
import { invalid } from '../../platform/errors.ts'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import type { OutboundAddresses } from '../../platform/outbound/outbound-addresses.ts'
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  redeliverFrom,
  rotateSecret,
  updateWebhook,
} from './webhooks.queries.ts'

/** A webhook receives everything, so a key that creates one also needs the scope `read`. */
const config = { scopes: ['webhooks', 'read'] as const }

export const webhookRoutes =
  (addresses: OutboundAddresses, seal: Cipher): Routes =>
  async (app, { now, write }) => {
    /** Refuses a forbidden URL. The address that its host name resolves to is checked only at delivery. */
    function requireAllowed(url: string) {
      const refusal = addresses.refusalOf(new URL(url))
      if (refusal !== undefined) throw invalid({ url: [refusal] })
    }
    app.get(
      '/api/webhooks',
      {
        schema: {
          operationId: 'listWebhooks',
          summary: 'My webhooks, with the delivery progress of each',
          response: { 200: z.array(Webhook) },
        },
      },
      (request) => listWebhooks(request.db, request.userId),
    )

    write(app).post(
      '/api/webhooks',
      {
        config: { ...config, secretAnswer: true, security: 'webhook-created' },
        schema: {
          operationId: 'createWebhook',
          summary: 'Send my events to this URL from now on; only this response contains the secret',
          body: NewWebhook,
          response: { 201: IssuedWebhook, ...errors(400, 409) },
        },
      },
      async (request, reply) => {
        const { keyId } = request.caller
        request.security = { keyId }
        requireAllowed(request.body.url)
        reply.code(201)
        const made = await createWebhook(request.db, request.userId, request.body, seal)
        request.security = { keyId, webhookId: (JSON.parse(made) as IssuedWebhook).id }
        return made
      },
    )

    write(app).patch(
      '/api/webhooks/:id',
      {
        config: {
          ...config,
          security: ({ security }) => (security ? 'webhook-moved' : undefined),
        },
        schema: {
          operationId: 'updateWebhook',
          summary: 'Change a webhook, or enable it again: it resumes where it stopped',
          params: PathId,
          body: WebhookChanges,
          response: { 200: Webhook, ...errors(400, 404) },
        },
      },
      (request) => {
        const { params, body } = request
        if (body.url !== undefined) {
          request.security = { keyId: request.caller.keyId, webhookId: params.id }
          requireAllowed(body.url)
        }
        return updateWebhook(request.db, request.userId, params.id, body, now())
      },
    )

    retry(app).delete(
      '/api/webhooks/:id',
      {
        config,
        schema: {
          operationId: 'deleteWebhook',
          summary: 'Delete a webhook and its delivery log',
          params: PathId,
          response: { 200: Success, ...errors(404) },
        },
      },
      async (request) => {
        await deleteWebhook(request.db, request.userId, request.params.id)
        return success
      },
    )

    write(app).post(
      '/api/webhooks/:id/secret',
      {
        config: { ...config, secretAnswer: true, security: 'webhook-secret-changed' },
        schema: {
          operationId: 'rotateWebhookSecret',
          summary:
            'Create a new secret; for a day, deliveries are signed with the former one as well',
          params: PathId,
          response: { 200: WebhookSecret, ...errors(404) },
        },
      },
      (request) => {
        const { db, userId, params, caller } = request
        request.security = { keyId: caller.keyId, webhookId: params.id }
        return rotateSecret(db, userId, params.id, now(), seal)
      },
    )

    app.get(
      '/api/webhooks/:id/deliveries',
      {
        schema: {
          operationId: 'listDeliveries',
          summary: 'The last 100 delivery attempts of a webhook',
          params: PathId,
          response: { 200: z.array(Delivery), ...errors(404) },
        },
      },
      (request) => listDeliveries(request.db, request.userId, request.params.id),
    )

    write(app).post(
      '/api/webhooks/:id/redeliver',
      {
        config,
        schema: {
          operationId: 'redeliverEvent',
          summary: 'Deliver an event and all later ones again, in order, each with its original id',
          params: PathId,
          body: Redelivery,
          response: { 200: Webhook, ...errors(400, 404) },
        },
      },
      (request) =>
        redeliverFrom(request.db, request.userId, request.params.id, request.body.eventId),
    )
  }
