// The first hook of every request: what each answer carries, and the door that closes when the
// house is full or not yet open.
import type { FastifyInstance } from 'fastify'
import { unavailable } from '../errors.ts'

/** `starting` until the database is ready, `draining` once the process has been told to stop. */
export type Lifecycle = { phase: 'starting' | 'serving' | 'draining' }

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

export function arrive(app: FastifyInstance, lifecycle: Lifecycle, maxInFlight: number) {
  let inFlight = 0
  let refusing = 0

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    reply.header('x-request-id', request.id)
    inFlight += 1
    const isHealth = request.url.startsWith('/health/')
    if (isHealth) return done()
    if (lifecycle.phase === 'starting') return done(unavailable('Starting'))
    if (inFlight - refusing <= maxInFlight) return done()
    // An immediate refusal brings the client straight back, and refusing eats the time for serving:
    // hold it for a moment. Past a bound even that costs too much memory.
    refusing += 1
    setTimeout(
      () => {
        refusing -= 1
        done(unavailable('Overloaded'))
      },
      refusing > 5000 ? 0 : 150 + Math.random() * 300,
    )
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    inFlight -= 1
    done()
  })
  return { inFlight: () => inFlight }
}
