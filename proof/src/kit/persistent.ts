// A client that retries: every write has an Idempotency-Key and is repeated with the same key until it is
// answered.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from './random.ts'

export type Attempt = {
  /** `POST /api/tasks` */
  what: string
  began: number
  ms: number
  /** Undefined if the connection broke. */
  status?: number
  retryAfter?: string | null
}

export type Answer = { status: number; body: unknown; headers: Headers; attempts: number }

type Settings = {
  /** The current URL of the service; it may change after a restart. */
  origin: () => string
  key: string
  name: string
  random: Random
  signal: AbortSignal
  onAttempt?: (attempt: Attempt) => void
}

const patienceMs = 10_000

export type Send = ReturnType<typeof persistentClient>

export function persistentClient({ origin, key, name, random, signal, onAttempt }: Settings) {
  let sent = 0
  return async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const idempotencyKey = `${name}-${(sent += 1)}`
    for (let attempts = 1; ; attempts += 1) {
      signal.throwIfAborted()
      const answer = await attempt(method, path, body, idempotencyKey)
      if (answer && answer.status < 500) return { ...answer, attempts }
      if (answer && answer.status !== 503) {
        throw new Error(`${method} ${path} is answered ${answer.status}: ${String(answer.body)}`)
      }
      // Clients that retry without a pause would take the processor time that the service needs to start.
      await sleep(random.between(20, 60) * Math.min(attempts, 5), undefined, { signal })
    }
  }

  async function attempt(method: string, path: string, body: unknown, idempotencyKey: string) {
    const began = performance.now()
    const ended = (rest: Pick<Attempt, 'status' | 'retryAfter'>) =>
      onAttempt?.({ what: `${method} ${path}`, began, ms: performance.now() - began, ...rest })
    try {
      const answer = await fetch(origin() + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          'idempotency-key': idempotencyKey,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      })
      const text = await answer.text()
      const { status, headers } = answer
      ended({ status, retryAfter: headers.get('retry-after') })
      return { status, headers, body: status < 500 ? (JSON.parse(text) as unknown) : text }
    } catch {
      ended({})
      return undefined
    }
  }
}
