// What every routes file needs: the shape of a slice, and the answers that slices share.
import { ErrorBody, type Scope } from '@daywright/contract'
import type {
  FastifyPluginAsync,
  FastifySchema,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify'
import type { z } from 'zod'
import type { Callers } from '../auth/callers.ts'
import type { Database, Db } from '../db/database.ts'
import type { Json } from '../db/statement.ts'

/** All that a slice may reach outside itself. Time is handed in, so that tests can choose it. */
export type Dependencies = { db: Database; now: () => Date; callers: Callers }

/** Requests arrive as the contract decodes them; answers leave as that value or as its JSON. */
interface Wire extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType
    ? z.output<this['schema']> | Json<z.output<this['schema']>>
    : unknown
}

/**
 * A slice. Its handlers return their answer and never send it: what they wrote may still have to be
 * committed (`http/write.ts`).
 */
export type Routes = FastifyPluginAsync<Dependencies, RawServerDefault, Wire>

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom this request acts for. Every query takes it, and sees only that user's rows. */
    userId: string
    /** Where this request's statements run: the pool, or its transaction (`http/write.ts`). */
    db: Db
  }
  interface FastifyContextConfig {
    /** What a key must be allowed to do here; by default `read` for GET and `write` for the rest. */
    scopes?: readonly Scope[]
    /** Only for a person who has signed in, not for a key. */
    sessionOnly?: boolean
    /** Runs one behind the other for each user, and few at once: waits before it has a connection. */
    inTurn?: boolean
    /** Stays open: it takes no one's place among the requests in flight. */
    stream?: boolean
    /** Needs a user, who holds its place among the requests in flight; elsewhere the address does. */
    isUsers?: boolean
    /** The answer holds a secret: kept for a repeated request, it is kept encrypted. */
    secretAnswer?: boolean
  }
  interface FastifySchema {
    summary?: string
    description?: string
    operationId?: string
    hide?: boolean
  }
}

export type { FastifySchema }

export const success = { success: true } as const

/** The error answers of an endpoint, for its response schema. What all have is added in OpenAPI. */
export function errors<Status extends 400 | 404 | 409>(...statuses: Status[]) {
  const answers = statuses.map((status) => [status, ErrorBody])
  return Object.fromEntries(answers) as Record<Status, typeof ErrorBody>
}
