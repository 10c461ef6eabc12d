// Delivers the pending messages of a webhook one at a time, so that they arrive in order. The job queue runs one
// delivery per user at a time. A failed message is retried later with the same id and blocks the messages after it.
// Messages are signed as in the Standard Webhooks specification, with its own library.
import { Webhook as Signer } from 'standardwebhooks'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import type { EventCursor } from '../activity/streams.ts'
import type { LimitSlow } from '../../platform/outbound/limit-slow.ts'
import {
  type Attempt,
  disable,
  findDueWebhook,
  markDelivered,
  markFailed,
  type Message,
  nextMessages,
  postpone,
  skipTo,
  type Subscription,
} from './deliver.queries.ts'
import type { Post } from './http-post.ts'
import { openSecret } from './seal-secrets.ts'
import { keyEnded, secretLost } from './webhooks.queries.ts'

/**
 * Bounds one job, so that a slow or busy webhook alternates with the user's other webhooks, and so that this
 * process no longer sends when the queue takes the job away from it (`silentFor`).
 */
const turnMs = 5000

/** When a message is sent again that was aborted because too many receivers are slow. This does not count as an attempt. */
const postponedMs = 10_000

export type Delivering = {
  db: Db
  now: () => Date
  post: Post
  limitSlow: LimitSlow
  /** Decrypts the secrets that messages are signed with. */
  seal: Cipher
  /** The delays between attempts; after the last one the webhook is disabled. */
  retrySeconds: number[]
}

export async function deliver(
  { db, now, post, limitSlow, seal, retrySeconds }: Delivering,
  userId: string,
  webhookId: string,
) {
  const turnEnds = now().getTime() + turnMs
  const webhook = await findDueWebhook(db, userId, webhookId, now())
  if (!webhook) return
  if (webhook.is_key_gone) return disable(db, userId, webhookId, now(), keyEnded)
  const secrets = await openSecrets(seal, webhook)
  if (secrets.length === 0) return disable(db, userId, webhookId, now(), secretLost)
  let stored: EventCursor = webhook
  let at: EventCursor = webhook
  let { attempts } = webhook
  const isOver = () => now().getTime() > turnEnds
  const after = (ms: number) => new Date(now().getTime() + ms)
  while (!isOver()) {
    const messages = await nextMessages(db, userId, at)
    if (messages.length === 0) break
    for (const message of messages) {
      if (isOver()) break
      if (isWanted(webhook, message)) {
        const attempt = await send(message)
        if (!attempt) return postpone(db, userId, webhookId, after(postponedMs))
        if (attempt.error !== null) return fail(attempt)
        if (!(await markDelivered(db, userId, attempt, stored))) return
        attempts = 0
        stored = message
      }
      at = message
    }
  }
  await skipTo(db, userId, webhookId, stored, at, isOver() ? now() : undefined)

  /** Sends a message. Undefined if that was aborted because too many receivers are slow. */
  async function send(message: Message): Promise<Attempt | undefined> {
    const startedAt = now()
    // A receiver that has just failed is expected to be slow again, and so are the others of a user with a slow one.
    const answer = await limitSlow(
      async (aborted) => {
        const headers = signHeaders(message, startedAt)
        const answer = await post(webhook?.url ?? '', headers, message.json, aborted)
        return 'error' in answer && aborted.aborted ? undefined : answer
      },
      { isSlow: attempts > 0, userId },
    )
    if (!answer) return undefined
    const status = 'status' in answer ? answer.status : null
    const isGood = status !== null && status >= 200 && status < 300
    const error =
      'error' in answer ? answer.error : isGood ? null : `The receiver answered ${answer.status}`
    const durationMs = now().getTime() - startedAt.getTime()
    return { webhookId, message, number: attempts + 1, at: startedAt, status, error, durationMs }
  }

  function signHeaders(message: Message, time: Date) {
    const id = `msg_${webhookId.replaceAll('-', '')}_${message.seq}_${message.part}`
    return {
      'content-type': 'application/json',
      'user-agent': 'Daywright',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(time.getTime() / 1000)),
      'webhook-signature': secrets
        .map((secret) => new Signer(secret).sign(id, time, message.json))
        .join(' '),
    }
  }

  async function fail(attempt: Attempt) {
    const time = now()
    const seconds = retrySeconds[attempts]
    await markFailed(db, userId, attempt, after((seconds ?? 0) * 1000))
    if (attempt.status === 410) {
      await disable(db, userId, webhookId, time, 'The receiver answered 410 Gone')
    } else if (seconds === undefined) {
      const reason = `${attempts + 1} attempts failed. Last error: ${attempt.error}`
      await disable(db, userId, webhookId, time, reason)
    }
  }
}

/** The secrets to sign with. None if the current one cannot be decrypted here; an unreadable former one is ignored. */
async function openSecrets(seal: Cipher, { secret, former_secret }: Subscription) {
  const current = await openSecret(seal, secret)
  if (current === undefined) return []
  const former = former_secret === null ? undefined : await openSecret(seal, former_secret)
  return former === undefined ? [current] : [current, former]
}

const isWanted = ({ types }: Subscription, { type }: Message) =>
  types === null || types.includes(type) || types.includes(type.split('.', 1)[0] ?? '')
