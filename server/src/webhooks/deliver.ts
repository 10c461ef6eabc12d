// Brings a webhook up to date: one message after the other, so that they arrive in order. What does
// not arrive is tried again later, with the same id, and holds up what follows. Signed as the
// Standard Webhooks specification says, by its own library.
import { Webhook as Signer } from 'standardwebhooks'
import type { Seal } from '../auth/seal.ts'
import type { Db } from '../db/database.ts'
import type { Place } from '../events/streams.ts'
import {
  type Attempt,
  disable,
  giveBack,
  markDelivered,
  markFailed,
  type Message,
  nextMessages,
  type Subscription,
  takeWebhook,
} from './deliver.queries.ts'
import type { Post } from './post.ts'
import { openSecret } from './seal-secrets.ts'
import { keyEnded, secretLost } from './webhooks.queries.ts'

/** Longer than one message may take. If we die, another takes over then. */
const leaseMs = 15_000

/** Whoever has much to be told, or is slow to listen, takes turns with the user's other webhooks. */
const turnMs = 5000

export type Delivering = {
  db: Db
  now: () => Date
  post: Post
  /** Opens the secrets that messages are signed with. */
  seal: Seal
  /** How long to wait after each failed attempt; after the last it is given up. */
  retrySeconds: number[]
}

export async function deliver(
  { db, now, post, seal, retrySeconds }: Delivering,
  userId: string,
  webhookId: string,
) {
  const until = () => new Date(now().getTime() + leaseMs)
  const webhook = await takeWebhook(db, userId, webhookId, now(), until())
  if (!webhook) return
  if (webhook.is_key_gone) return disable(db, userId, webhookId, now(), keyEnded)
  const secrets = await openSecrets(seal, webhook)
  if (secrets.length === 0) return disable(db, userId, webhookId, now(), secretLost)
  let stored: Place = webhook
  let at: Place = webhook
  let { attempts } = webhook
  const turnEnds = now().getTime() + turnMs
  const isOver = () => now().getTime() > turnEnds
  while (!isOver()) {
    const messages = await nextMessages(db, userId, at)
    if (messages.length === 0) break
    for (const message of messages) {
      if (isOver()) break
      if (isWanted(webhook, message)) {
        const attempt = await send(message)
        if (attempt.error !== null) return fail(attempt)
        if (!(await markDelivered(db, userId, attempt, stored, until()))) return
        attempts = 0
        stored = message
      }
      at = message
    }
  }
  await giveBack(db, userId, webhookId, stored, at, isOver() ? now() : undefined)

  async function send(message: Message): Promise<Attempt> {
    const startedAt = now()
    const answer = await post(webhook?.url ?? '', signed(message, startedAt), message.json)
    const status = 'status' in answer ? answer.status : null
    const isGood = status !== null && status >= 200 && status < 300
    const error = 'error' in answer ? answer.error : isGood ? null : `It answered ${answer.status}`
    const durationMs = now().getTime() - startedAt.getTime()
    return { webhookId, message, number: attempts + 1, at: startedAt, status, error, durationMs }
  }

  function signed(message: Message, time: Date) {
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
    await markFailed(db, userId, attempt, new Date(time.getTime() + (seconds ?? 0) * 1000))
    if (attempt.status === 410) await disable(db, userId, webhookId, time, 'It answered 410 Gone')
    else if (seconds === undefined) {
      const reason = `${attempts + 1} attempts failed, the last: ${attempt.error}`
      await disable(db, userId, webhookId, time, reason)
    }
  }
}

/** None where the secret is not readable here; a former one that is not readable does not matter. */
async function openSecrets(seal: Seal, { secret, former_secret }: Subscription) {
  const current = await openSecret(seal, secret)
  if (current === undefined) return []
  const former = former_secret === null ? undefined : await openSecret(seal, former_secret)
  return former === undefined ? [current] : [current, former]
}

const isWanted = ({ types }: Subscription, { type }: Message) =>
  types === null || types.includes(type) || types.includes(type.split('.', 1)[0] ?? '')
