// What every POST, PATCH and DELETE goes through: a second try where another request was in the
// way, and, with an Idempotency-Key, the same answer for the same request however often it comes.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Seal } from '../auth/seal.ts'
import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import { aMoment } from '../db/retrying.ts'
import { isPassing } from '../db/violations.ts'
import { badRequest, conflict, unavailable, unprocessable } from '../errors.ts'
import type { Turns } from './turns.ts'

const keptHours = 72
const tries = 3
/** The one header of an answer that its body does not repeat. */
const runHeader = 'planner-run-id'

const forget = selecting(
  'idempotency-keys.forget-old',
  'delete from idempotency_keys where user_id = $1 and created_at < $2',
)

export const forgetOldKeys = (db: Db, userId: string, now: Date) =>
  forget(db, userId, new Date(now.getTime() - keptHours * 3_600_000).toISOString())

// A second request with the key waits here for the first one's commit.
const claim = selecting<{ key: string }>(
  'idempotency-keys.claim',
  `
  insert into idempotency_keys (user_id, key, fingerprint, created_at)
  values ($1, $2, $3, $4)
  on conflict (user_id, key) do nothing
  returning key`,
)

type Answered = { fingerprint: Buffer; status: number; body: string; planner_run_id: string | null }

const recall = selecting<Answered>(
  'idempotency-keys.recall',
  `
  select fingerprint, status, body, planner_run_id
    from idempotency_keys
   where user_id = $1 and key = $2`,
)

const keep = selecting(
  'idempotency-keys.keep',
  `
  update idempotency_keys
     set status = $3, body = $4, planner_run_id = $5
   where user_id = $1 and key = $2`,
)

/** A hook for routes as they are declared: wraps the handler of everything that changes something. */
export const writeOnce =
  ({ now, seal, turns }: { now: () => Date; seal: Seal; turns: Turns }) =>
  (route: RouteOptions) => {
    if (!['POST', 'PATCH', 'DELETE'].includes(String(route.method))) return
    const handle = route.handler
    const isRepeatable = route.method !== 'DELETE'

    route.handler = function (request, reply) {
      const write = () => perform(request, reply)
      return route.config?.inTurn ? waitInTurn(request, write) : write()
    }

    /** What waits takes no place of others, and keeps no body in memory: those who wait in turn have none. */
    function waitInTurn(request: FastifyRequest, write: () => Promise<unknown>) {
      request.place?.leave()
      if (request.body) request.body = digest(JSON.stringify(request.body)).toString('hex')
      return turns.inTurn(request.userId, () => {
        if (request.raw.socket.destroyed) return Promise.reject(unavailable('The client is gone'))
        return write()
      })
    }

    async function perform(request: FastifyRequest, reply: FastifyReply) {
      const key = isRepeatable ? request.headers['idempotency-key'] : undefined
      const db = request.db
      for (let attempt = 1; ; attempt += 1) {
        try {
          if (key === undefined) return await handle.call(request.server, request, reply)
          return await db.transaction((transaction) => {
            request.db = transaction
            return once(request, reply, String(key), () =>
              handle.call(request.server, request, reply),
            )
          })
        } catch (error) {
          if (attempt === tries || !isPassing(error)) throw error
          await aMoment(attempt)
        } finally {
          request.db = db
        }
      }
    }

    async function once(
      request: FastifyRequest,
      reply: FastifyReply,
      key: string,
      work: () => unknown,
    ) {
      if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
        throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters')
      }
      const { userId, db: transaction } = request
      const envelope = request.routeOptions.config.secretAnswer ? seal : unsealed
      const replayed = await claimed(transaction, request, key, now())
      if (replayed) {
        reply.code(replayed.status).header('idempotency-replayed', 'true')
        if (replayed.planner_run_id) reply.header(runHeader, replayed.planner_run_id)
        return envelope.open(replayed.body).catch(() => {
          // Sealed with another secret, as after a restore.
          throw conflict(
            'The answer to this Idempotency-Key can no longer be read: use another key',
          )
        })
      }
      const answer = await work()
      const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
      const runId = reply.getHeader(runHeader) ?? null
      await keep(transaction, userId, key, reply.statusCode, await envelope.close(body), runId)
      return body
    }
  }

/** Takes the key for this request, or gives what it was answered before. */
async function claimed(db: Db, request: FastifyRequest, key: string, now: Date) {
  const { userId, method, url, body } = request
  const fingerprint = digest(`${method} ${url}\n${JSON.stringify(body)}`)
  await forgetOldKeys(db, userId, now)
  const [mine] = await claim(db, userId, key, fingerprint, now.toISOString())
  if (mine) return undefined
  const [first] = await recall(db, userId, key)
  if (!first?.fingerprint.equals(fingerprint)) {
    throw unprocessable('Idempotency-Key was used for another request')
  }
  return first
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const unsealed: Seal = { close: async (text) => text, open: async (text) => text }
