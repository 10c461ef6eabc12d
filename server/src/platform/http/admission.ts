// The first hooks of every request: the headers of every response, and admission control, which decides which requests
// are served now. A request holds a slot until its response has been handed to the socket.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unavailable } from '../errors.ts'
import { hasRoom, reserveOf } from '../fair-share.ts'
import { visitorOf } from './address.ts'
import { delayRefusals } from './delay-refusals.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { UnreadTracker } from './unread-responses.ts'

/** `leave` is idempotent. */
type Slot = { leave: () => void }

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

export type AdmissionOptions = { lifecycle: Lifecycle; unread: UnreadTracker } & AdmissionLimits

export function admitRequests(
  app: FastifyInstance,
  { lifecycle, unread, ...limits }: AdmissionOptions,
) {
  const admission = createAdmission(limits)
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

export type AdmissionLimits = {
  places: number
  reserve?: number
  /** Refuses the party's newest request that still waits for a connection; false if no request waits. */
  refuseNewest: (party: string) => boolean
}

/**
 * A slot is counted for the user, or for the client address where no user is known. Where no slot is left for a party
 * that holds few, a waiting request of the largest party is refused instead (longest queue drop).
 */
export function createAdmission({
  places,
  reserve = reserveOf(places),
  refuseNewest,
}: AdmissionLimits) {
  const held = new Map<string, number>()
  let taken = 0

  const isAdmitted = (party: string) =>
    hasRoom({ held: held.get(party) ?? 0, taken, places, reserve })

  /** Takes a slot from a larger party, which afterwards still holds at least as many slots as this one. */
  function displace(party: string) {
    const own = (held.get(party) ?? 0) + 1
    return [...held]
      .filter(([, slots]) => slots > own)
      .toSorted(([, one], [, other]) => other - one)
      .some(([largest]) => refuseNewest(largest))
  }

  function count(party: string, change: 1 | -1) {
    const now = (held.get(party) ?? 0) + change
    if (now === 0) held.delete(party)
    else held.set(party, now)
  }

  return {
    enter(party: string): Slot | undefined {
      if (!isAdmitted(party) && !displace(party)) return undefined
      let isHeld = true
      taken += 1
      count(party, 1)
      return {
        leave() {
          if (!isHeld) return
          isHeld = false
          taken -= 1
          count(party, -1)
        },
      }
    },
    taken: () => taken,
  }
}
