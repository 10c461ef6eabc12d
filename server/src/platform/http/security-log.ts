// One `info` line per security event, for the operator and for tools such as fail2ban. It never contains
// a password, key, token or e-mail address.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { visitorOf } from './address.ts'
import { rateLimiter } from './rate-limit.ts'

export type SecurityEvent =
  | 'sign-up'
  | 'sign-in'
  | 'sign-out'
  | 'session-ended'
  | 'password-changed'
  | 'key-issued'
  | 'key-revoked'
  | 'feed-created'
  | 'feed-deleted'
  | 'account-connected'
  | 'account-disconnected'
  | 'calendar-created'
  | 'calendar-moved'
  | 'webhook-created'
  | 'webhook-moved'
  | 'webhook-secret-changed'
  | 'plan-calendar-created'
  | 'plan-calendar-deleted'
  | 'account-changed'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The event that a request to this route is logged as, whatever its outcome; undefined for none. */
    security?: SecurityEvent | ((request: FastifyRequest) => SecurityEvent | undefined)
  }
  interface FastifyRequest {
    /** Details that only the handler knows: the account concerned, and what changed. */
    security?: Record<string, unknown>
  }
}

// A flood must not fill the disk: at most about 200 MB a day, and a twentieth of it per client.
const perVisitor = { burst: 30, perSecond: 0.5 }
const inAll = { burst: 500, perSecond: 10 }

export function logSecurity(app: FastifyInstance, now: () => Date) {
  const { take: takeOfVisitor } = rateLimiter(perVisitor)
  const { take: takeOfAll } = rateLimiter(inAll)
  let leftOut = 0

  // Before the response is sent, so that a client that disconnects early is logged as well.
  app.addHook('onRoute', (route) => {
    const declared = route.config?.security
    if (declared === undefined) return
    route.onSend = (request, reply, payload, done) => {
      const event = typeof declared === 'function' ? declared(request) : declared
      if (event) log(event, request, reply.statusCode)
      done(null, payload)
    }
  })
  app.addHook('onError', (request, _reply, error, done) => {
    const isRefusal = error instanceof ApiError && [403, 429].includes(error.status)
    const isLogged = typeof request.routeOptions.config.security === 'string'
    if (isRefusal && !isLogged) log('refused', request, error.status)
    done()
  })

  function log(event: SecurityEvent | 'refused', request: FastifyRequest, status: number) {
    const time = now().getTime()
    if (!takeOfVisitor(visitorOf(request.ip), time).allowed || !takeOfAll('all', time).allowed) {
      leftOut += 1
      return
    }
    request.log.info(
      {
        security: event,
        outcome: status < 400 ? 'done' : status < 500 ? 'refused' : 'failed',
        status,
        address: request.ip,
        userId: request.userId || undefined,
        ...request.security,
        ...(event === 'refused' && { route: request.routeOptions.url }),
        ...(leftOut > 0 && { leftOut }),
      },
      'Security',
    )
    leftOut = 0
  }
}
