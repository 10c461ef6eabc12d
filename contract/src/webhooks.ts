import { z } from 'zod'
import { Cursor, eventTypes } from './events.ts'
import { CreatedBy, Id, nothingToChange, text, Timestamp } from './values.ts'

const Url = text(1, 2048).refine((url) => {
  const parsed = URL.parse(url)
  return (
    parsed !== null && /^https?:$/.test(parsed.protocol) && !parsed.username && !parsed.password
  )
}, 'Must be an http or https URL without credentials')

const known = [...eventTypes].flatMap(([record, types]) => [record, ...types])

const Types = z
  .array(z.enum(known, 'Must be a known type, like task or task.updated'))
  .min(1)
  .max(50)
  .nullable()
  .meta({
    description:
      'The types of events to send: `task.updated` for one type, `task` for all types about tasks; null for all',
  })

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e91',
  url: 'https://example.com/daywright',
  types: ['task'],
  enabled: true,
  disabledReason: null,
  lastEventId: '42-1',
  attempts: 0,
  nextAttemptAt: null,
  createdBy: { kind: 'key' as const, id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2eb1', name: 'sync' },
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}

export const Webhook = z
  .object({
    id: Id,
    url: Url,
    types: Types,
    enabled: z.boolean(),
    disabledReason: z.string().nullable(),
    lastEventId: Cursor.meta({ description: 'The last event that was delivered or skipped' }),
    attempts: z.int().meta({
      description: 'The number of failed attempts to deliver the next event',
    }),
    nextAttemptAt: Timestamp.nullable(),
    createdBy: CreatedBy.meta({
      description:
        'The signed-in user or API key that created the webhook, or that last changed its URL or enabled it. ' +
        'When that key is revoked or expires, the webhook is disabled. Null if this was not recorded',
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Webhook', examples: [example] })

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export const IssuedWebhook = Webhook.extend({
  secret: z.string().meta({
    description: 'The secret that signs the deliveries; only this response contains it',
  }),
}).meta({ id: 'IssuedWebhook', examples: [{ ...example, secret }] })

export const WebhookSecret = z
  .object({ secret: z.string() })
  .meta({ id: 'WebhookSecret', examples: [{ secret }] })

export const NewWebhook = z
  .object({ url: Url, types: Types.optional() })
  .meta({ id: 'NewWebhook', examples: [{ url: 'https://example.com/daywright' }] })

export const WebhookChanges = z
  .object({ url: Url, types: Types, enabled: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, nothingToChange)
  .meta({ id: 'WebhookChanges', examples: [{ url: 'https://example.com/planner', enabled: true }] })

export const Delivery = z
  .object({
    id: Id,
    eventId: Cursor,
    type: z.string(),
    attempt: z.int(),
    at: Timestamp,
    status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status with which the receiver answered, if it did' }),
    error: z.string().nullable(),
    durationMs: z.int(),
  })
  .meta({
    id: 'Delivery',
    examples: [
      {
        id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e92',
        eventId: '42-1',
        type: 'task.updated',
        attempt: 1,
        at: '2026-03-02T08:00:00.000Z',
        status: 200,
        error: null,
        durationMs: 37,
      },
    ],
  })

export const Redelivery = z
  .object({ eventId: Cursor })
  .meta({ id: 'Redelivery', examples: [{ eventId: '42-1' }] })

export type Webhook = z.infer<typeof Webhook>
export type IssuedWebhook = z.infer<typeof IssuedWebhook>
export type WebhookSecret = z.infer<typeof WebhookSecret>
export type NewWebhook = z.infer<typeof NewWebhook>
export type WebhookChanges = z.infer<typeof WebhookChanges>
export type Delivery = z.infer<typeof Delivery>
