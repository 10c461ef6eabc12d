// What every routes file needs: the type of a slice, and the responses that slices share.
import { ErrorBody, type Scope } from '@daywright/contract'
import type {
  FastifyPluginAsync,
  FastifySchema,
  FastifyTypeProvider,
  RawServerDefault,
} from 'fastify'
import type { z } from 'zod'
import type { CredentialCache } from '../auth/credential-cache.ts'
import type { Database, Db } from '../db/database.ts'
import type { Json } from '../db/statement.ts'
import type { Wrappers } from './wrap-handler.ts'

/** All that a slice depends on. The clock is an argument so that tests can set it. */
export type Dependencies = { db: Database; now: () => Date; callers: CredentialCache }

/** The dependencies of a slice, and the wrappers for handlers of operations that write. */
export type SliceDependencies = Dependencies & Wrappers

/** Requests are decoded by the contract; handlers return the value or its JSON. */
interface Wire extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: this['schema'] extends z.ZodType
    ? z.output<this['schema']> | Json<z.output<this['schema']>>
    : unknown
}

/**
 * The routes of a slice. Handlers return the answer and never send it, because the transaction may not be committed
 * yet (`wrap-handler.ts`).
 */
export type Routes = FastifyPluginAsync<SliceDependencies, RawServerDefault, Wire>

/** Routes that need no sign-in. */
export type OpenRoutes = FastifyPluginAsync<Dependencies, RawServerDefault, Wire>

declare module 'fastify' {
  interface FastifyRequest {
    /** The user this request acts for. Every query takes it and sees only that user's rows. */
    userId: string
    /** Runs this request's statements: the pool, or the request's transaction (`idempotency.ts`). */
    db: Db
  }
  interface FastifyContextConfig {
    /** The scopes a key needs here; by default `read` for GET and `write` for other methods. */
    scopes?: readonly Scope[]
    /** Needs a session; API keys are refused. */
    sessionOnly?: boolean
    /** The response stays open, and takes no slot among the requests in flight. */
    stream?: boolean
    /** The route needs a user, and its slot is counted for that user; other slots count for the address. */
    isUsers?: boolean
    /** The response holds a secret: the copy kept for its Idempotency-Key is encrypted. */
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

/** The error responses of one endpoint; OpenAPI adds those that all endpoints share. */
export function errors<Status extends 400 | 404 | 409 | 422>(...statuses: Status[]) {
  const answers = statuses.map((status) => [status, ErrorBody])
  return Object.fromEntries(answers) as Record<Status, typeof ErrorBody>
}
