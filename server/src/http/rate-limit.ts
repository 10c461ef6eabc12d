import type { FastifyReply, FastifyRequest } from 'fastify'
import { tooManyRequests } from '../errors.ts'

/** So many at once, and so many more with every second. */
export type Rate = { burst: number; perSecond: number }

/** What a request is charged to, and how many times the rate that has. */
export type Share = { key: string; times: number }

const rememberedAtMost = 50_000

/**
 * Counts by the generic cell rate algorithm: one number a caller, the moment at which their burst
 * would be whole again. Each process counts for itself.
 */
export function rateLimiter({ burst, perSecond }: Rate) {
  const wholeAt = new Map<string, number>()
  const costMs = 1000 / perSecond
  const burstMs = burst * costMs

  return (who: string, now: number) => {
    const before = Math.max(wholeAt.get(who) ?? 0, now)
    const after = before + costMs
    const allowed = after - now <= burstMs
    if (allowed) {
      if (wholeAt.size >= rememberedAtMost) forgetWhole(wholeAt, now)
      wholeAt.set(who, after)
    }
    const used = (allowed ? after : before) - now
    return {
      allowed,
      remaining: Math.max(0, Math.floor((burstMs - used) / costMs)),
      wholeInSeconds: Math.ceil(used / 1000),
      retryAfterSeconds: Math.max(1, Math.ceil((after - now - burstMs) / 1000)),
    }
  }
}

function forgetWhole(wholeAt: Map<string, number>, now: number) {
  for (const [who, time] of wholeAt) if (time <= now) wholeAt.delete(who)
  if (wholeAt.size >= rememberedAtMost) wholeAt.clear()
}

/** A hook that holds callers to a rate and tells them, in each answer, how they stand. */
export function limitRate(
  name: string,
  rate: Rate,
  now: () => Date,
  who: (request: FastifyRequest) => string,
) {
  const take = rateLimiter(rate)
  const policy = `"${name}";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const { allowed, remaining, wholeInSeconds, retryAfterSeconds } = take(
      who(request),
      now().getTime(),
    )
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"${name}";r=${remaining};t=${wholeInSeconds}`)
    done(allowed ? undefined : tooManyRequests(retryAfterSeconds))
  }
}
