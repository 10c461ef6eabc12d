// The first hooks of every request: what each answer carries, and whether it is served now.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'
import { visitorOf } from './address.ts'
import type { Admission, Place } from './admission.ts'
import { holdRefusals } from './refusals.ts'
import type { Unread } from './unread.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Among the requests in flight; streams and what operators ask take none. */
    place?: Place
  }
}

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

/** Whoever looks after the service is let in however full it is, and takes nobody's place. */
const isOperators = (url: string) => url.startsWith('/health/') || url.startsWith('/metrics')

export type Doors = { lifecycle: Lifecycle; admission: Admission; unread: Unread }

export function arrive(app: FastifyInstance, { lifecycle, admission, unread }: Doors) {
  const refuse = holdRefusals(lifecycle, headers)
  let inFlight = 0
  const leave = () => {
    inFlight -= 1
  }
  app.decorateRequest('place')
  app.decorateRequest('charges')

  app.addHook('onRequest', (request, reply, done) => {
    label(request, reply)
    if (request.routeOptions.config.stream && lifecycle.phase === 'serving') return done()
    inFlight += 1
    // Not onResponse: it does not come where the client has hung up, and the place would stay taken.
    reply.raw.once('close', leave)
    if (isOperators(request.url)) return done()
    if (lifecycle.phase === 'starting') return done(unavailable('Starting'))
    if (request.routeOptions.config.isUsers) return done() // waits until the user is known
    enter(request, reply, done)
  })

  function enter(request: FastifyRequest, reply: FastifyReply, done: () => void) {
    const party = partyOf(request)
    const place = unread.isOver(party) ? undefined : admission.enter(party)
    if (!place) return refuse(request, reply)
    request.place = place
    reply.raw.once('close', place.leave)
    done()
  }

  // A request whose body is still being sent takes no place: a thousand slow ones would keep all others out.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (hasBody(request)) request.place?.leave()
    done()
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (request.place && hasBody(request)) enter(request, reply, done)
    else done()
  })

  // The work is done here. How long the client takes to read must cost the others nothing.
  app.addHook('onSend', (request, reply, payload, done) => {
    request.place?.leave()
    const bytes = sizeOf(payload)
    unread.track(partyOf(request), reply.raw, bytes)
    for (const charge of request.charges ?? []) charge(bytes)
    done(null, payload)
  })

  return {
    inFlight: () => inFlight,
    /** A hook for after authentication, where the place is the user's. */
    admitUser: (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (request.routeOptions.config.stream) done()
      else enter(request, reply, done)
    },
  }
}

const partyOf = ({ userId, ip }: FastifyRequest) => userId || visitorOf(ip)
const hasBody = ({ method }: FastifyRequest) => method !== 'GET' && method !== 'HEAD'
const sizeOf = (payload: unknown) =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
