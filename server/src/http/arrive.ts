// The first hook of every request: what each answer carries, and the door that closes when the
// house is full or not yet open.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, unavailable } from '../errors.ts'

/** `starting` until the database is ready, `draining` once the process has been told to stop. */
export type Lifecycle = { phase: 'starting' | 'serving' | 'draining' }

// Past that many even waiting costs too much memory.
const heldAtMost = 5000

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
  const sending = new Set<object>()
  const served = () => inFlight - refusing - sending.size
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
    if (served() <= maxInFlight) {
      // What was sent to nowhere is not read: a malformed body would make a 400 of it.
      return done(request.is404 ? notFound('Not found') : undefined)
    }
    refusing += 1
    reply.raw.once('close', stopRefusing)
    // An immediate refusal brings the client straight back, and refusing eats the time for serving.
    // Held the longer the more are held, only some hundreds a second are refused, however many come.
    const meanMs = refusing > heldAtMost ? 0 : Math.min(2000, Math.max(300, refusing * 3))
    setTimeout(() => done(unavailable('Overloaded')), meanMs * (0.5 + Math.random()))
  })

  // Who is still sending a body takes no place: a thousand slow ones would keep everybody out.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    sending.add(request.raw)
    reply.raw.once('close', () => sending.delete(request.raw))
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    sending.delete(request.raw)
    done()
  })
  return { inFlight: () => inFlight }
}
