// The 503 of admission control. An immediate refusal brings the client straight back, and refusing
// takes time from serving. Held the longer the more are held, and told to come the later, only some
// hundreds a second are refused, however many come.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Lifecycle } from './arrive.ts'

// Past that many even waiting costs too much memory.
const heldAtMost = 5000
// How soon held refusals are answered once the process stops.
const lookMs = 250

const overloaded = JSON.stringify({ error: 'Overloaded' })

/** `headers` are what every answer carries. */
export function holdRefusals(lifecycle: Lifecycle, headers: Record<string, string>) {
  const held = new Set<() => void>()
  let refusing = 0
  let looking: NodeJS.Timeout | undefined

  const stopRefusing = () => {
    refusing -= 1
  }

  /** Until its time has come, or the process is told to stop: every request is answered. */
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

  return (request: FastifyRequest, reply: FastifyReply) => {
    refusing += 1
    reply.raw.once('close', stopRefusing)
    const meanMs = refusing > heldAtMost ? 0 : Math.min(5000, Math.max(300, refusing * 8))
    const retryAfter = Math.min(10, Math.ceil(refusing / 300))
    hold(() => refuse(request, reply, retryAfter), meanMs * (0.2 + 1.6 * Math.random()))
  }
}
