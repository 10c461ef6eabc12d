import { z } from 'zod'
import { Id, text, Timestamp, TimestampInput } from './values.ts'

/**
 * `read`: every GET. `write`: every change of a record; the response contains the record, even without `read`.
 * `planner`: planner runs. `webhooks`, together with `read`: creating and changing webhooks.
 */
export const Scope = z.enum(['read', 'write', 'planner', 'webhooks'])

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2eb1',
  name: 'backup script',
  prefix: 'dwk_AZgPLgAAfT6bVAAAAAAAAQ_Rk3vPz',
  scopes: ['read' as const],
  expiresAt: null,
  createdAt: '2026-03-02T08:00:00.000Z',
  lastUsedAt: null,
}

export const ApiKey = z
  .object({
    id: Id,
    name: text(1, 100),
    prefix: z.string(),
    scopes: z.array(Scope),
    expiresAt: Timestamp.nullable(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ApiKey', examples: [example] })

/** The response to issuing a key: the only one that contains the key itself. */
export const IssuedApiKey = ApiKey.extend({ key: z.string() }).meta({
  id: 'IssuedApiKey',
  examples: [{ ...example, key: `${example.prefix}…` }],
})

export const NewApiKey = z
  .object({
    name: text(1, 100),
    scopes: z.array(Scope).min(1).max(4).optional(),
    expiresAt: TimestampInput.nullish().meta({
      description: 'When the key expires; must be in the future. By default, it never expires',
    }),
  })
  .meta({ id: 'NewApiKey', examples: [{ name: 'backup script', scopes: ['read'] }] })

export type Scope = z.infer<typeof Scope>
export type ApiKey = z.infer<typeof ApiKey>
export type IssuedApiKey = z.infer<typeof IssuedApiKey>
export type NewApiKey = z.infer<typeof NewApiKey>
