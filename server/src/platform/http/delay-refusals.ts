// The 503 of admission control (load shedding). An immediate refusal makes the client retry at once, and
// each refusal takes time from requests that are served. The delay and Retry-After grow with the number
// of held refusals, which limits them to a few hundred per second.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Lifecycle } from './lifecycle.ts'

// Holding more refusals would take too much memory.
const heldAtMost = 5000
// How soon held refusals are sent once the process drains.
const lookMs = 250

const overloaded = JSON.stringify({ error: 'Overloaded' })

/** `headers` are the headers of every response. */
export function delayRefusals(lifecycle: Lifecycle, headers: Record<string, string>) {
  const held = new Set<() => void>()
  let refusing = 0
  let looking: NodeJS.Timeout | undefined

  const stopRefusing = () => {
    refusing -= 1
  }

  /** Holds the answer until its time, or until the process drains: every request gets an answer. */
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

  /** Bypasses Fastify's reply: refusals are frequent and must be cheap. */
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

  return (request: FastifyRequest, reply: FastifyReply) => {
    refusing += 1
    reply.raw.once('close', stopRefusing)
    const meanMs = refusing > heldAtMost ? 0 : Math.min(5000, Math.max(300, refusing * 8))
    const retryAfter = Math.min(10, Math.ceil(refusing / 300))
    hold(() => refuse(request, reply, retryAfter), meanMs * (0.2 + 1.6 * Math.random()))
  }
}
