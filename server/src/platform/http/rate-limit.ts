import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests } from '../errors.ts'
import { visitorOf } from './address.ts'

/** The size of a burst, and the sustained rate. */
export type Rate = { burst: number; perSecond: number }

/** A key that a request is charged to, and the multiple of the rate that the key has. */
export type Share = { key: string; times: number }

const rememberedAtMost = 50_000

/** Each chunk of this size, sent or received, costs one more request. */
const chargedBytes = 32 * 1024

declare module 'fastify' {
  interface FastifyRequest {
    /** Charges the request for the size of its response. */
    charges?: ((bytes: number) => void)[]
  }
}

/**
 * Generic cell rate algorithm: one number per key, the time at which its burst is full again. A request
 * charged to several keys needs room in all of them. A request that costs more than the room left is
 * admitted, and later ones are refused until the debt is paid. Each process counts separately.
 */
export function rateLimiter({ burst, perSecond }: Rate) {
  const wholeAt = new Map<string, number>()
  const burstMs = (burst * 1000) / perSecond

  function chargeTo({ key, times }: Share, now: number, cost: number) {
    const costMs = 1000 / perSecond / times
    const before = Math.max(wholeAt.get(key) ?? 0, now)
    const after = before + costMs * cost
    return { key, costMs, before, after, allowed: before + costMs - now <= burstMs }
  }

  function charge(payer: Share[], now: number, cost: number) {
    for (const share of payer) {
      const { key, after } = chargeTo(share, now, cost)
      remember(wholeAt, key, after)
    }
  }

  function take(payer: string | Share[], now: number, cost = 1) {
    const shares = typeof payer === 'string' ? [{ key: payer, times: 1 }] : payer
    const charges = shares.map((share) => chargeTo(share, now, cost))
    const allowed = charges.every((charge) => charge.allowed)
    // A refused request is not charged, but its keys stay recently used, so they are not evicted.
    for (const { key, before, after } of charges) remember(wholeAt, key, allowed ? after : before)
    const standings = charges.map(({ costMs, before, after }) => {
      const used = (allowed ? after : before) - now
      return {
        remaining: Math.max(0, Math.floor((burstMs - used) / costMs)),
        wholeInSeconds: Math.ceil(used / 1000),
        retryAfterSeconds: Math.max(1, Math.ceil((before + costMs - now - burstMs) / 1000)),
      }
    })
    return {
      allowed,
      remaining: Math.min(...standings.map((each) => each.remaining)),
      wholeInSeconds: Math.max(...standings.map((each) => each.wholeInSeconds)),
      retryAfterSeconds: Math.max(...standings.map((each) => each.retryAfterSeconds)),
    }
  }

  return { take, charge }
}

/** Stores the time of a key, and may evict the least recently used key: a Map iterates in insertion order. */
function remember(wholeAt: Map<string, number>, key: string, time: number) {
  wholeAt.delete(key)
  if (wholeAt.size >= rememberedAtMost) {
    const [oldest] = wholeAt.keys()
    if (oldest !== undefined) wholeAt.delete(oldest)
  }
  wholeAt.set(key, time)
}

/** The rate of each client address. Health checks must be answered even if their address is over its rate. */
export function limitPerAddress(perSecond: number, now: () => Date) {
  const rate = { perSecond, burst: perSecond * 5 }
  const limit = limitRate('address', rate, now, ({ ip }) => networksOf(ip))
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) =>
    request.url.startsWith('/health/') ? done() : limit(request, reply, done)
}

/** The rate of each API key or session, and of all of a user's together. */
export function limitPerKey(perSecond: number, perSecondOfUser: number, now: () => Date) {
  const times = perSecondOfUser / perSecond
  return limitRate('key', { perSecond, burst: perSecond * 5 }, now, ({ caller }) => [
    { key: `key ${caller.keyId ?? caller.userId}`, times: 1 },
    { key: `user ${caller.userId}`, times },
  ])
}

/** A client often has a whole IPv6 /48, so that limiting a /64 would not be enough. */
const sharesOf48 = 4

/** The keys that a request from this address is charged to; a /48 has four times the rate of a /64. */
export function networksOf(address: string): Share[] {
  const visitor = visitorOf(address)
  if (!visitor.endsWith('/64')) return [{ key: visitor, times: 1 }]
  const wide = visitor.split(':').slice(0, 3).join(':')
  return [
    { key: visitor, times: 1 },
    { key: `${wide}::/48`, times: sharesOf48 },
  ]
}

/** A hook that enforces a rate and reports the remaining budget in response headers. */
function limitRate(
  name: string,
  rate: Rate,
  now: () => Date,
  payerOf: (request: FastifyRequest) => Share[],
) {
  const { take, charge } = rateLimiter(rate)
  const policy = `"${name}";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const payer = payerOf(request)
    const bodyBytes = bodyBytesOf(request)
    const { allowed, remaining, wholeInSeconds, retryAfterSeconds } = take(
      payer,
      now().getTime(),
      1 + Math.floor(bodyBytes / chargedBytes),
    )
    request.charges = [
      ...(request.charges ?? []),
      (bytes) => {
        const cost = Math.floor(bytes / chargedBytes)
        if (cost > 0) charge(payer, now().getTime(), cost)
      },
    ]
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"${name}";r=${remaining};t=${wholeInSeconds}`)
    // Do not read the rest of a large body that was refused.
    if (!allowed && bodyBytes > chargedBytes) reply.header('connection', 'close')
    done(allowed ? undefined : tooManyRequests(retryAfterSeconds))
  }
}

/** The body's size as announced by Content-Length; a chunked body may be as long as the route allows. */
const bodyBytesOf = ({ headers, routeOptions }: FastifyRequest) =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : (routeOptions.bodyLimit ?? 0)
