// Replays the stored response for a repeated Idempotency-Key. `wrap-handler.ts` calls it only for a request with a key.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Cipher } from '../auth/encryption.ts'
import type { Db } from '../db/database.ts'
import { bigint, bytes, integer, raw, sql, text, timestamp, userId, uuid } from '../db/sql.ts'
import { assertRow, execute, queryRows } from '../db/statement.ts'
import { bytesOfKey, type Limits, limitOf } from '../db/usage.ts'
import { badRequest, conflict, forbidden, unprocessable } from '../errors.ts'

const keptHours = 72
const size = raw(bytesOfKey)
/** The only response header whose value is not in the body. */
const runHeader = 'planner-run-id'

// Skips rows that another request has locked: that request may be waiting for this request's key.
const forget = queryRows<{ bytes: number }>()(
  'idempotency-keys.forget-old',
  sql`
  with old as (
    select key from idempotency_keys
     where user_id = ${userId} and created_at < ${timestamp('oldest')}
     limit 1000
       for update skip locked
  ), gone as (
    delete from idempotency_keys
     where user_id = ${userId} and key in (select key from old)
    returning ${size} as bytes
  )
  select coalesce(sum(bytes), 0)::bigint as bytes from gone`,
)

const oldestKept = (now: Date) => new Date(now.getTime() - keptHours * 3_600_000)

/** Deletes a thousand expired keys at most, so that no request takes long; returns their bytes, which `user_state` still counts. */
export async function forgetOldKeys(db: Db, userId: string, now: Date) {
  const [gone] = await forget(db, { userId, oldest: oldestKept(now) })
  return assertRow('idempotency-keys.forget-old', gone).bytes
}

// A second request with the same key waits here for the first one's commit. An expired key is claimed as if
// it were new; `bytes` is what it took with its old response. No key is claimed beyond the limit.
const claim = queryRows<{ bytes: number }>()(
  'idempotency-keys.claim',
  sql`
  insert into idempotency_keys as claimed (user_id, key, fingerprint, created_at)
  select ${userId}, ${text('key')}, ${bytes('fingerprint')}, ${timestamp('now')}
   where not exists (select from user_state
                      where user_id = ${userId} and answer_bytes > ${limitOf('answerBytes')})
  on conflict (user_id, key) do update
     set fingerprint = excluded.fingerprint, created_at = excluded.created_at
   where claimed.created_at < ${timestamp('oldest')}
  returning case when status is null then 0 else ${size} end as bytes`,
)

type Answered = {
  fingerprint: Buffer
  status: number
  body: string | null
  planner_run_id: string | null
}

const recall = queryRows<Answered>()(
  'idempotency-keys.recall',
  sql`
  select fingerprint, status, body, planner_run_id
    from idempotency_keys
   where user_id = ${userId} and key = ${text('key')} and created_at >= ${timestamp('oldest')}`,
)

// Runs after the handler, because a transaction locks `user_state` last.
const keep = queryRows<{ overfull: boolean | null }>()(
  'idempotency-keys.keep',
  sql`
  with kept as (
    update idempotency_keys
       set status = ${integer('status')}, body = ${text('body')}, planner_run_id = ${uuid.orNull('runId')}
     where user_id = ${userId} and key = ${text('key')}
    returning ${size} as bytes
  )
  insert into user_state (user_id, answer_bytes)
  select ${userId}, kept.bytes - ${bigint('freed')}::bigint from kept
  on conflict (user_id) do update
     set answer_bytes = user_state.answer_bytes + excluded.answer_bytes
  returning answer_bytes > ${limitOf('answerBytes')} as overfull`,
)

// Drops the oldest responses. Their keys stay, so the requests are not carried out again; if the keys alone exceed the
// limit, no more are claimed. Expired keys are skipped: another request may have locked one while it waits for
// `user_state`.
const shed = execute(
  'idempotency-keys.shed',
  sql`
  with sized as (
    select key, octet_length(body) as bytes,
           sum(${size} - coalesce(octet_length(body), 0)) over ()
             + sum(coalesce(octet_length(body), 0))
                 over (order by created_at desc, key desc rows unbounded preceding) as with_newer
      from idempotency_keys
     where user_id = ${userId} and created_at >= ${timestamp('oldest')}
  ), gone as (
    update idempotency_keys old
       set body = null
      from sized
     where old.user_id = ${userId} and old.key = sized.key and old.body is not null
       and sized.with_newer > ${bigint('most')}::bigint
    returning sized.bytes
  )
  update user_state
     set answer_bytes = answer_bytes - (select coalesce(sum(bytes), 0) from gone)
   where user_id = ${userId}`,
)

/** Keeps the newest responses, up to `most` bytes. */
export const shedAnswers = (db: Db, userId: string, most: number, now: Date) =>
  shed(db, { userId, most, oldest: oldestKept(now) })

/** Frees more than needed, so that the next response does not exceed the limit again. */
const keptShare = 0.8
const mostBytes = ({ limits }: Db) => (JSON.parse(limits) as Limits).answerBytes

/** Replays the stored response of a repeated key; a new key and what the handler writes are committed together. */
export const replayRepeated =
  (now: () => Date, cipher: Cipher) =>
  async (request: FastifyRequest, reply: FastifyReply, handle: () => unknown): Promise<unknown> => {
    const key = keyOf(request)
    const db = request.db
    try {
      return await db.transaction((transaction) => {
        request.db = transaction
        return runOnce(transaction, request, reply, { key, handle, now: now(), cipher })
      })
    } finally {
      request.db = db
    }
  }

/**
 * Like `replayRepeated`, for a handler that works for long before it calls `request.db.transaction` and returns its
 * result: the key is claimed in the handler's own transaction, and the handler does the retries.
 */
export const replayInOwnTransaction =
  (now: () => Date, cipher: Cipher) =>
  async (request: FastifyRequest, reply: FastifyReply, handle: () => unknown): Promise<unknown> => {
    const key = keyOf(request)
    const db = request.db
    // Saves the work of a repeated request. Concurrent requests wait for each other at the claim.
    const [first] = await recall(db, { userId: request.userId, key, oldest: oldestKept(now()) })
    if (first) return replay(request, reply, requireSame(first, fingerprintOf(request)), cipher)
    request.db = {
      ...db,
      // The transaction's result is the response, so the stored JSON can replace it.
      transaction: <Result>(write: (transaction: Db) => Promise<Result>) =>
        db.transaction((transaction) => {
          const keyed = { key, handle: () => write(transaction), now: now(), cipher }
          return runOnce(transaction, request, reply, keyed)
        }) as Promise<Result>,
    }
    try {
      return await handle()
    } finally {
      request.db = db
    }
  }

function keyOf({ headers }: FastifyRequest) {
  const key = String(headers['idempotency-key'])
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters')
  }
  return key
}

type Keyed = { key: string; handle: () => unknown; now: Date; cipher: Cipher }

/** Runs the handler and stores its response, or returns the stored one. */
async function runOnce(
  transaction: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, handle, now, cipher }: Keyed,
) {
  const { userId } = request
  const { replayed, freed } = await claimKey(transaction, request, key, now)
  if (replayed) return replay(request, reply, replayed, cipher)
  const answer = await handle()
  const body = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const runId = reply.getHeader(runHeader)?.toString()
  const kept = await cipherOf(request, cipher).close(body)
  const status = reply.statusCode
  const [counted] = await keep(transaction, { userId, key, status, body: kept, runId, freed })
  if (counted?.overfull) {
    await shedAnswers(transaction, userId, mostBytes(transaction) * keptShare, now)
  }
  return body
}

async function replay(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, status, planner_run_id }: Answered,
  cipher: Cipher,
) {
  if (body === null) {
    throw conflict(
      'The request with this Idempotency-Key has been carried out; its response is no longer stored',
    )
  }
  reply.code(status).header('idempotency-replayed', 'true')
  if (planner_run_id) reply.header(runHeader, planner_run_id)
  const opened = await cipherOf(request, cipher).open(body)
  // Encrypted with another secret, for example after a restore.
  if (opened === undefined) {
    throw conflict('The response for this Idempotency-Key can no longer be read: use another key')
  }
  return opened
}

/** Only a response with a secret is encrypted. */
const cipherOf = ({ routeOptions }: FastifyRequest, cipher: Cipher) =>
  routeOptions.config.secretAnswer ? cipher : plain

type Claimed = { replayed: Answered; freed?: never } | { replayed?: never; freed: number }

/** Claims the key for this request and deletes expired ones, or returns the stored response. */
async function claimKey(db: Db, request: FastifyRequest, key: string, now: Date): Promise<Claimed> {
  const { userId } = request
  const fingerprint = fingerprintOf(request)
  const [mine] = await claim(db, { userId, key, fingerprint, now, oldest: oldestKept(now) })
  if (mine) return { freed: mine.bytes + (await forgetOldKeys(db, userId, now)) }
  const [first] = await recall(db, { userId, key, oldest: oldestKept(now) })
  if (!first) throw forbidden('Too many requests with an Idempotency-Key within 72 hours')
  return { replayed: requireSame(first, fingerprint) }
}

function requireSame(first: Answered, fingerprint: Buffer) {
  if (first.fingerprint.equals(fingerprint)) return first
  throw unprocessable('Idempotency-Key was used for another request')
}

const fingerprintOf = ({ method, url, body }: FastifyRequest) =>
  digest(`${method} ${url}\n${JSON.stringify(body)}`)

export const digest = (text: string) => createHash('sha256').update(text).digest()

const plain: Cipher = { close: async (text) => text, open: async (text) => text }
