// The first hooks of every request: common response headers, admission control and load shedding.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'
import { visitorOf } from './address.ts'
import type { Admission, Slot } from './admission.ts'
import type { Lifecycle } from './lifecycle.ts'
import { delayRefusals } from './delay-refusals.ts'
import type { UnreadTracker } from './unread-responses.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The slot among the requests in flight; streams, health checks and /metrics take no slot. */
    place?: Slot
  }
}

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Sets the headers that every response has. */
export const setCommonHeaders = (request: FastifyRequest, reply: FastifyReply) =>
  reply.headers(headers).header('x-request-id', request.id)

/** Health checks and /metrics are answered under any load, and take no slot. */
const isOperators = (url: string) => url.startsWith('/health/') || url.startsWith('/metrics')

export type AdmissionOptions = { lifecycle: Lifecycle; admission: Admission; unread: UnreadTracker }

export function shedLoad(app: FastifyInstance, { lifecycle, admission, unread }: AdmissionOptions) {
  const refuse = delayRefusals(lifecycle, headers)
  let inFlight = 0
  const leave = () => {
    inFlight -= 1
  }
  app.decorateRequest('place')
  app.decorateRequest('charges')

  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply)
    if (request.routeOptions.config.stream && lifecycle.phase === 'serving') return done()
    inFlight += 1
    // Not onResponse: it does not fire when the client disconnects, and the slot would leak.
    reply.raw.once('close', leave)
    if (isOperators(request.url)) return done()
    if (lifecycle.phase === 'starting') return done(unavailable('Starting'))
    if (request.routeOptions.config.isUsers) return done() // admitted once the user is known
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

  // A request whose body is still arriving takes no slot: a thousand slow uploads would use all of them.
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    if (hasBody(request)) request.place?.leave()
    done()
  })
  app.addHook('preValidation', (request, reply, done) => {
    if (request.place && hasBody(request)) enter(request, reply, done)
    else done()
  })

  // The response is complete here. A client that reads it slowly must not hold the slot.
  app.addHook('onSend', (request, reply, payload, done) => {
    request.place?.leave()
    const bytes = sizeOf(payload)
    unread.track(partyOf(request), reply.raw, bytes)
    for (const charge of request.charges ?? []) charge(bytes)
    done(null, payload)
  })

  return {
    inFlight: () => inFlight,
    /** A hook for after authentication: the slot is counted for the user. */
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
