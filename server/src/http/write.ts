// Wraps every POST, PATCH and DELETE: retries after a conflict with a concurrent request, and replays the
// stored response for a repeated Idempotency-Key.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Seal } from '../auth/seal.ts'
import type { Db } from '../db/database.ts'
import { never, selecting } from '../db/statement.ts'
import { type Limits, limitOf } from '../db/usage.ts'
import { backoff } from '../db/retrying.ts'
import { isTransient } from '../db/violations.ts'
import { badRequest, conflict, unavailable, unprocessable } from '../errors.ts'
import type { Turns } from './turns.ts'

const keptHours = 72
const tries = 3
/** The only response header whose value is not in the body. */
const runHeader = 'planner-run-id'

// Skips rows locked by another request: it may be waiting for this request's key.
const forget = selecting<{ bytes: number }>(
  'idempotency-keys.forget-old',
  `
  with old as (
    select key from idempotency_keys
     where user_id = $1 and created_at < $2
       for update skip locked
  ), gone as (
    delete from idempotency_keys
     where user_id = $1 and key in (select key from old)
    returning octet_length(body) as bytes
  )
  select coalesce(sum(bytes), 0)::bigint as bytes from gone`,
)

const oldestKept = (now: Date) => new Date(now.getTime() - keptHours * 3_600_000).toISOString()

/** Returns the bytes of the deleted responses, which the agenda still counts. */
export async function forgetOldKeys(db: Db, userId: string, now: Date) {
  const [gone] = await forget(db, userId, oldestKept(now))
  return gone?.bytes ?? never('idempotency-keys.forget-old')
}

// A second request with the same key waits here for the first one's commit. An expired key is claimed as if
// it were new; `bytes` is the size of its old response.
const claim = selecting<{ bytes: number }>(
  'idempotency-keys.claim',
  `
  insert into idempotency_keys as claimed (user_id, key, fingerprint, created_at)
  values ($1, $2, $3, $4)
  on conflict (user_id, key) do update
     set fingerprint = excluded.fingerprint, created_at = excluded.created_at
   where claimed.created_at < $5
  returning coalesce(octet_length(body), 0) as bytes`,
)

type Answered = {
  fingerprint: Buffer
  status: number
  body: string | null
  planner_run_id: string | null
}

const recall = selecting<Answered>(
  'idempotency-keys.recall',
  `
  select fingerprint, status, body, planner_run_id
    from idempotency_keys
   where user_id = $1 and key = $2`,
)

// Last, because a transaction locks the agenda last.
const keep = selecting<{ overfull: boolean | null }>(
  'idempotency-keys.keep',
  `
  with kept as (
    update idempotency_keys
       set status = $3, body = $4, planner_run_id = $5
     where user_id = $1 and key = $2
    returning octet_length(body) as bytes
  )
  insert into agendas as agenda (user_id, answer_bytes)
  select $1, kept.bytes - $6::bigint from kept
  on conflict (user_id) do update
     set answer_bytes = agenda.answer_bytes + excluded.answer_bytes
  returning answer_bytes > ${limitOf('answerBytes')} as overfull`,
)

// The key stays, so its request is not carried out again. Expired keys are skipped: another request may have
// locked one while it waits for the agenda.
const shed = selecting(
  'idempotency-keys.shed',
  `
  with sized as (
    select key, octet_length(body) as bytes,
           sum(octet_length(body))
             over (order by created_at desc, key desc rows unbounded preceding) as with_newer
      from idempotency_keys
     where user_id = $1 and created_at >= $3 and body is not null
  ), gone as (
    update idempotency_keys old
       set body = null
      from sized
     where old.user_id = $1 and old.key = sized.key and sized.with_newer > $2::bigint
    returning sized.bytes
  )
  update agendas
     set answer_bytes = answer_bytes - (select coalesce(sum(bytes), 0) from gone)
   where user_id = $1`,
)

/** Keeps the newest responses, up to `most` bytes. */
export const shedAnswers = (db: Db, userId: string, most: number, now: Date) =>
  shed(db, userId, most, oldestKept(now))

/** Frees more than needed, so that the next response does not exceed the limit again. */
const keptShare = 0.8
const mostBytes = ({ limits }: Db) => (JSON.parse(limits) as Limits).answerBytes

/** An onRoute hook that wraps the handler of every operation that writes. */
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

    /** A queued request holds no slot and no body: queued operations have no use for theirs. */
    function waitInTurn(request: FastifyRequest, write: () => Promise<unknown>) {
      request.place?.leave()
      if (request.body) request.body = digest(JSON.stringify(request.body)).toString('hex')
      return turns.inTurn(request.userId, () => {
        if (request.raw.socket.destroyed)
          return Promise.reject(unavailable('The client has disconnected'))
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
            return withIdempotency(request, reply, String(key), () =>
              handle.call(request.server, request, reply),
            )
          })
        } catch (error) {
          if (attempt === tries || !isTransient(error)) throw error
          await backoff(attempt)
        } finally {
          request.db = db
        }
      }
    }

    async function withIdempotency(
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
      const { replayed, freed } = await claimKey(transaction, request, key, now())
      if (replayed) {
        if (replayed.body === null) {
          throw conflict(
            'The request with this Idempotency-Key was carried out; its answer is no longer kept',
          )
        }
        reply.code(replayed.status).header('idempotency-replayed', 'true')
        if (replayed.planner_run_id) reply.header(runHeader, replayed.planner_run_id)
        return envelope.open(replayed.body).catch(() => {
          // Encrypted with another secret, for example after a restore.
          throw conflict(
            'The answer to this Idempotency-Key can no longer be read: use another key',
          )
        })
      }
      const answer = await work()
      const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
      const runId = reply.getHeader(runHeader) ?? null
      const kept = await envelope.close(body)
      const [counted] = await keep(transaction, userId, key, reply.statusCode, kept, runId, freed)
      if (counted?.overfull) {
        await shedAnswers(transaction, userId, mostBytes(transaction) * keptShare, now())
      }
      return body
    }
  }

type Claimed = { replayed: Answered; freed?: never } | { replayed?: never; freed: number }

/** Claims the key for this request and deletes expired ones, or returns the stored response. */
async function claimKey(db: Db, request: FastifyRequest, key: string, now: Date): Promise<Claimed> {
  const { userId, method, url, body } = request
  const fingerprint = digest(`${method} ${url}\n${JSON.stringify(body)}`)
  const [mine] = await claim(db, userId, key, fingerprint, now.toISOString(), oldestKept(now))
  if (mine) return { freed: mine.bytes + (await forgetOldKeys(db, userId, now)) }
  const [first] = await recall(db, userId, key)
  if (!first?.fingerprint.equals(fingerprint)) {
    throw unprocessable('Idempotency-Key was used for another request')
  }
  return { replayed: first }
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const unsealed: Seal = { close: async (text) => text, open: async (text) => text }
