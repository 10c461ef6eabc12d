// One line at `info` for each event that matters to the security of accounts, for the operator and
// for programs like fail2ban. It has no password, key, token or e-mail address.
import type { FastifyInstance } from 'fastify'
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
  | 'account-changed'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a request to this route is called in the security log, whatever comes of it. */
    security?: SecurityEvent
  }
  interface FastifyRequest {
    /** What the route knows better: whose account it was about, and what changed. */
    security?: Record<string, unknown>
  }
}

// A flood must not fill the disk: at most some 200 MB a day, and one visitor a twentieth of it.
const perVisitor = { burst: 30, perSecond: 0.5 }
const inAll = { burst: 500, perSecond: 10 }

export function logSecurity(app: FastifyInstance, now: () => Date) {
  const { take: takeOfVisitor } = rateLimiter(perVisitor)
  const { take: takeOfAll } = rateLimiter(inAll)
  let leftOut = 0

  // Before the answer is sent: a client that hangs up early does not escape the log.
  app.addHook('onSend', (request, reply, payload, done) => {
    const { statusCode: status } = reply
    const event =
      request.routeOptions.config.security ??
      (status === 403 || status === 429 ? 'refused' : undefined)
    if (event === undefined) return done(null, payload)
    const time = now().getTime()
    if (!takeOfVisitor(visitorOf(request.ip), time).allowed || !takeOfAll('all', time).allowed) {
      leftOut += 1
      return done(null, payload)
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
    done(null, payload)
  })
}
