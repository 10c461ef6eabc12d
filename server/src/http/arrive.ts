// The first hook of every request: what each answer carries, and the door that closes when the
// house is full or not yet open.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, unavailable } from '../errors.ts'

/** `starting` until the database is ready, `draining` once the process has been told to stop. */
export type Lifecycle = { phase: 'starting' | 'serving' | 'draining' }

// Past that many even waiting costs too much memory.
const heldAtMost = 5000
// How soon those who are held hear that the process stops.
const lookMs = 250

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

const overloaded = JSON.stringify({ error: 'Overloaded' })

/** By the shortest way: there are many of these, and what they cost is taken from the served. */
function refuse(request: FastifyRequest, reply: FastifyReply, retryAfter: number) {
  reply.hijack()
  reply.raw.writeHead(503, {
    ...headers,
    'x-request-id': request.id,
    'retry-after': String(retryAfter),
    'content-length': overloaded.length,
  })
  reply.raw.end(overloaded)
}

/** Whoever looks after the service is let in however full it is, and takes nobody's place. */
const isOperators = (url: string) => url.startsWith('/health/') || url.startsWith('/metrics')

export function arrive(app: FastifyInstance, lifecycle: Lifecycle, maxInFlight: number) {
  let inFlight = 0
  let refusing = 0
  const sending = new Set<object>()
  const aside = new Set<object>()
  const served = () => inFlight - refusing - sending.size - aside.size
  const leave = () => {
    inFlight -= 1
  }
  const stopRefusing = () => {
    refusing -= 1
  }

  app.addHook('onRequest', (request, reply, done) => {
    label(request, reply)
    if (request.routeOptions.config.stream && lifecycle.phase === 'serving') return done()
    inFlight += 1
    // Not onResponse: it does not come where the client has hung up, and the place would stay taken.
    reply.raw.once('close', leave)
    if (isOperators(request.url)) {
      aside.add(request.raw)
      reply.raw.once('close', () => aside.delete(request.raw))
      return done()
    }
    if (lifecycle.phase === 'starting') return done(unavailable('Starting'))
    if (served() <= maxInFlight) {
      // What was sent to nowhere is not read: a malformed body would make a 400 of it.
      return done(request.is404 ? notFound('Not found') : undefined)
    }
    refusing += 1
    reply.raw.once('close', stopRefusing)
    // An immediate refusal brings the client straight back, and refusing eats the time for serving.
    // Held the longer the more are held, and told to come the later, only some hundreds a second are
    // refused, however many come.
    const meanMs = refusing > heldAtMost ? 0 : Math.min(5000, Math.max(300, refusing * 8))
    const retryAfter = Math.min(10, Math.ceil(refusing / 300))
    hold(() => refuse(request, reply, retryAfter), meanMs * (0.2 + 1.6 * Math.random()))
  })

  const held = new Set<() => void>()
  let looking: NodeJS.Timeout | undefined

  /** Until its time has come, or the process is told to stop: nobody is left without an answer. */
  function hold(answer: () => void, ms: number) {
    const timer = setTimeout(letGo, ms)
    held.add(letGo)
    looking ??= setInterval(() => {
      if (lifecycle.phase === 'draining') for (const each of held) each()
    }, lookMs)
    function letGo() {
      clearTimeout(timer)
      held.delete(letGo)
      if (held.size === 0) {
        clearInterval(looking)
        looking = undefined
      }
      answer()
    }
  }

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
