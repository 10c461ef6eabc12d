// The first hook of every request: what each answer carries, and the door that closes when the
// house is full or not yet open.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, unavailable } from '../errors.ts'

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

/** What every answer carries, whatever it says. */
export const label = (request: FastifyRequest, reply: FastifyReply) =>
  reply.headers(headers).header('x-request-id', request.id)

export function arrive(app: FastifyInstance, lifecycle: Lifecycle, maxInFlight: number) {
  let inFlight = 0
  let refusing = 0
  const leave = () => {
    inFlight -= 1
  }
  const stopRefusing = () => {
    refusing -= 1
  }

  app.addHook('onRequest', (request, reply, done) => {
    label(request, reply)
    inFlight += 1
    // Not onResponse: it does not come where the client has hung up, and the place would stay taken.
    reply.raw.once('close', leave)
    const isHealth = request.url.startsWith('/health/')
    if (isHealth) return done()
    if (lifecycle.phase === 'starting') return done(unavailable('Starting'))
    if (inFlight - refusing <= maxInFlight) {
      // What was sent to nowhere is not read: a malformed body would make a 400 of it.
      return done(request.is404 ? notFound('Not found') : undefined)
    }
    // An immediate refusal brings the client straight back, and refusing eats the time for serving:
    // hold it for a moment. Past a bound even that costs too much memory.
    refusing += 1
    reply.raw.once('close', stopRefusing)
    const heldMs = refusing > 5000 ? 0 : 150 + Math.random() * 300
    setTimeout(() => done(unavailable('Overloaded')), heldMs)
  })
  return { inFlight: () => inFlight }
}
