import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { one, setUpdatedAt } from '../../platform/db/fragments.ts'
import { bigint, integer, sql, text, timestamp, userId, uuid } from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'
import { event } from '../activity/event-json.ts'
import { isKeyGone } from '../api-keys/created-by.ts'
import { eventPage } from '../activity/event-page.ts'
import type { EventCursor } from '../activity/streams.ts'
import { noteWebhooks, record } from './webhooks.queries.ts'

// Webhooks with something to send, and the time of their next attempt.
const pending = queryRows<{ id: string; next_at: Date | null }>()(
  'webhooks.pending',
  sql`
  select webhook.id, webhook.next_at
    from webhooks webhook
   where webhook.user_id = ${userId} and webhook.disabled_at is null
     and exists (select from events event
                  where event.user_id = ${userId}
                    and (event.seq, event.part) > (webhook.seq, webhook.part))`,
)

export const findPending = (db: Db, userId: string) => pending(db, { userId })

export type Subscription = EventCursor & {
  url: string
  types: string[] | null
  secret: string
  former_secret: string | null
  attempts: number
  is_key_gone: boolean
}

const now = timestamp('now')
const dueWebhook = queryRows<Subscription>()(
  'webhooks.find-due',
  sql`
  select url, types, secret, case when former_until > ${now} then former_secret end as former_secret,
         attempts, seq, part,
         ${isKeyGone('webhook')} as is_key_gone
    from webhooks webhook
   where user_id = ${userId} and id = ${uuid('id')} and disabled_at is null
     and (next_at is null or next_at <= ${now})`,
)

/** Undefined if the webhook is disabled or the time of its next attempt has not come. */
export const findDueWebhook = async (db: Db, userId: string, id: string, now: Date) =>
  (await dueWebhook(db, { userId, id, now }))[0]

export type Message = EventCursor & { type: string; json: string }

const next = queryRows<Message>()(
  'webhooks.next-messages',
  sql`
  with ${eventPage({
    where: sql`(events.seq, events.part) > (${bigint('seq')}::bigint, ${integer('part')}::int)`,
    most: '100',
  })}
  select event.seq, event.part, event.type, ${one(event)}::text as json
    from page event
   order by event.place`,
)

export const nextMessages = (db: Db, userId: string, { seq, part }: EventCursor) =>
  next(db, { userId, seq, part })

export type Attempt = {
  webhookId: string
  message: Message
  number: number
  at: Date
  status: number | null
  error: string | null
  durationMs: number
}

const insertDelivery = sql`
    insert into webhook_deliveries (user_id, id, webhook_id, seq, part, type, attempt, at, status,
                                    error, duration_ms)
    values (${userId}, ${uuid('deliveryId')}, ${uuid('webhookId')}, ${bigint('seq')},
            ${integer('part')}, ${text('type')}, ${integer('number')}, ${timestamp('at')},
            ${integer.orNull('status')}, ${text.orNull('error')}, ${integer('durationMs')})`

const deliveryOf = ({ message: { seq, part, type }, ...attempt }: Attempt) => ({
  ...attempt,
  deliveryId: newId(),
  seq,
  part,
  type,
})

// Advances only from the expected cursor, which may have been rewound meanwhile.
const delivered = queryRows<{ id: string }>()(
  'webhooks.delivered',
  sql`
  with log as ( ${insertDelivery}
  )
  update webhooks
     set seq = ${bigint('seq')}, part = ${integer('part')}, attempts = 0, next_at = null
   where user_id = ${userId} and id = ${uuid('webhookId')}
     and (seq, part) = (${bigint('fromSeq')}::bigint, ${integer('fromPart')}::int)
  returning id`,
)

/** Advances the cursor past a delivered message; false if it was rewound meanwhile. */
export const markDelivered = async (db: Db, userId: string, attempt: Attempt, from: EventCursor) =>
  (
    await delivered(db, {
      ...deliveryOf(attempt),
      userId,
      fromSeq: from.seq,
      fromPart: from.part,
    })
  ).length > 0

const failed = execute(
  'webhooks.failed',
  sql`
  with log as ( ${insertDelivery}
  ), waiting as (
    update webhooks set attempts = attempts + 1, next_at = ${timestamp('nextAt')}
     where user_id = ${userId} and id = ${uuid('webhookId')}
    returning id
  )
  update user_state set due_at = least(due_at, ${timestamp('nextAt')})
   where user_id = ${userId} and exists (select from waiting)`,
)

export const markFailed = (db: Db, userId: string, attempt: Attempt, nextAt: Date) =>
  failed(db, { ...deliveryOf(attempt), userId, nextAt })

const postponed = execute(
  'webhooks.postpone',
  sql`
  with waiting as (
    update webhooks set next_at = ${timestamp('nextAt')}
     where user_id = ${userId} and id = ${uuid('webhookId')}
    returning id
  )
  update user_state set due_at = least(due_at, ${timestamp('nextAt')})
   where user_id = ${userId} and exists (select from waiting)`,
)

/** Sends the next message at this time, without counting an attempt. */
export const postpone = (db: Db, userId: string, webhookId: string, nextAt: Date) =>
  postponed(db, { userId, webhookId, nextAt })

const disabled = execute(
  'webhooks.disable',
  sql`
  with old as (
    select * from webhooks where user_id = ${userId} and id = ${uuid('id')} for no key update
  ), webhook as (
    update webhooks webhook
       set disabled_at = ${now}, disabled_reason = ${text('reason')}, next_at = null,
           ${setUpdatedAt('webhook')}
      from old
     where webhook.user_id = ${userId} and webhook.id = old.id and old.disabled_at is null
    returning webhook.*
  ), ${appendEvents([{ ...record, type: 'webhook.disabled', before: 'old', after: 'webhook' }])}
  select id from webhook`,
)

export const disable = (db: Db, userId: string, id: string, now: Date, reason: string) =>
  db.transaction(async (transaction) => {
    await disabled(transaction, { userId, id, now, reason })
    await noteWebhooks(transaction, userId)
  })

const nextAt = timestamp.orNull('nextAt')

const skip = execute(
  'webhooks.skip',
  sql`
  with skipped as (
    update webhooks set seq = ${bigint('seq')}, part = ${integer('part')}, next_at = null
     where user_id = ${userId} and id = ${uuid('id')}
       and (seq, part) = (${bigint('fromSeq')}::bigint, ${integer('fromPart')}::int)
    returning id
  )
  update user_state set due_at = least(due_at, ${nextAt}::timestamptz)
   where user_id = ${userId} and ${nextAt}::timestamptz is not null and exists (select from skipped)`,
)

/**
 * Moves the cursor past events that the webhook does not subscribe to. `nextAt` is the time of the next turn
 * if something may be left to deliver.
 */
export const skipTo = (
  db: Db,
  userId: string,
  id: string,
  from: EventCursor,
  at: EventCursor,
  nextAt: Date | undefined,
) => skip(db, { userId, id, ...at, fromSeq: from.seq, fromPart: from.part, nextAt })
