import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Scope } from '@daywright/contract'
import type { Caller } from '../auth/credential-cache.ts'
import type { Actor } from '../db/database.ts'
import { forbidden, unauthorized } from '../errors.ts'
import { visitorOf } from './address.ts'
import type { Dependencies } from './routes.ts'
import type { CrossSite } from './same-site.ts'
import type { UnreadTracker } from './unread-responses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

type Guards = { refuseCrossSite: CrossSite; unread: UnreadTracker }

/**
 * Authenticates before anything else about an API request is checked, so 401 comes first. It is a
 * callback hook because a cached credential then needs no extra turn of the event loop.
 */
export const authenticate =
  ({ db, callers, now, refuseCrossSite, unread }: Dependencies & Guards) =>
  (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const { authorization, cookie } = request.headers
    const bearer = bearerToken(authorization)
    if (bearer === undefined && (authorization !== undefined || cookie === undefined)) {
      return done(unauthorized())
    }
    const found =
      bearer === undefined
        ? callers.bySession(cookie ?? '', now())
        : callers.byKey(bearer, now(), visitorOf(request.ip))
    const accept = (caller: Caller | undefined) => {
      if (!caller) return done(unauthorized())
      const { userId } = caller
      const isPaused = () => unread.isOver(userId)
      request.db = db.as(actorOf(caller), { key: userId, isPaused, isRequest: true })
      done(admit(request, caller, refuseCrossSite))
    }
    if (found instanceof Promise) found.then(accept, done)
    else accept(found)
  }

/** The token of an `Authorization: Bearer` header; the scheme is case-insensitive (RFC 9110). */
export const bearerToken = (authorization: string | undefined) =>
  authorization?.slice(0, 7).toLowerCase() === 'bearer ' ? authorization.slice(7) : undefined

const actorOf = ({ keyId }: Caller): Actor =>
  keyId === undefined ? { kind: 'person' } : { kind: 'key', id: keyId }

function admit(
  request: FastifyRequest,
  caller: Caller,
  refuseCrossSite: CrossSite,
): Error | undefined {
  request.userId = caller.userId
  request.caller = caller
  const { scopes, sessionOnly } = request.routeOptions.config
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!caller.scopes) {
    // Browsers attach a cookie to requests from other sites' pages too; a key is sent on purpose only.
    return isRead ? undefined : refuseCrossSite(request)
  }
  if (sessionOnly) return forbidden('Sign in to do this: API keys cannot')
  const needed = scopes ?? [isRead ? 'read' : 'write']
  return areAllowed(caller, needed) ? undefined : insufficientScope()
}

/** A signed-in user has every scope. */
export const areAllowed = ({ scopes }: Caller, needed: readonly Scope[]) =>
  scopes === undefined || needed.every((scope) => scopes.includes(scope))

export const insufficientScope = () => forbidden('Insufficient scope')
