import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import { one, selecting, touchedOf } from '../db/statement.ts'
import { event } from '../events/event-json.ts'
import { eventPage } from '../events/event-page.ts'
import type { Place } from '../events/streams.ts'
import { noteWebhooks, record } from './webhooks.queries.ts'

// Webhooks with something to send, and the time of their next attempt.
const pending = selecting<{ id: string; next_at: Date | null }>(
  'webhooks.pending',
  `
  select webhook.id, webhook.next_at
    from webhooks webhook
   where webhook.user_id = $1 and webhook.disabled_at is null
     and exists (select from events event
                  where event.user_id = $1
                    and (event.seq, event.part) > (webhook.seq, webhook.part))`,
)

export const findPending = (db: Db, userId: string) => pending(db, userId)

export type Subscription = Place & {
  url: string
  types: string[] | null
  secret: string
  former_secret: string | null
  attempts: number
  is_key_gone: boolean
}

const lease = selecting<Subscription>(
  'webhooks.lease',
  `
  update webhooks
     set next_at = $4
   where user_id = $1 and id = $2 and disabled_at is null and (next_at is null or next_at <= $3)
  returning url, types, secret, case when former_until > $3 then former_secret end as former_secret,
            attempts, seq, part,
            coalesce(created_by ->> 'kind' = 'key', false)
              and not exists (select
                                from api_keys key
                               where key.user_id = $1 and key.id = (created_by ->> 'id')::uuid
                                 and (key.expires_at is null or key.expires_at > $3)) as is_key_gone`,
)

/** Leases the webhook; undefined if another worker has it or its time has not come. */
export const takeWebhook = async (db: Db, userId: string, id: string, now: Date, until: Date) =>
  (await lease(db, userId, id, now.toISOString(), until.toISOString()))[0]

export type Message = Place & { type: string; json: string }

const next = selecting<Message>(
  'webhooks.next-messages',
  `
  with ${eventPage({ where: '(events.seq, events.part) > ($2::bigint, $3::int)', most: '100' })}
  select event.seq, event.part, event.type, ${one(event)}::text as json
    from page event
   order by event.place`,
)

export const nextMessages = (db: Db, userId: string, { seq, part }: Place) =>
  next(db, userId, seq, part)

export type Attempt = {
  webhookId: string
  message: Message
  number: number
  at: Date
  status: number | null
  error: string | null
  durationMs: number
}

const columnsOfLog =
  'user_id, id, webhook_id, seq, part, type, attempt, at, status, error, duration_ms'
const logValues = (a: Attempt) => [
  a.webhookId,
  newId(),
  a.message.seq,
  a.message.part,
  a.message.type,
  a.number,
  a.at.toISOString(),
  a.status,
  a.error,
  a.durationMs,
]
const logPlaceholders = '$1, $3, $2, $4, $5, $6, $7, $8, $9, $10, $11'

// Only from the expected cursor: it may have been rewound meanwhile.
const delivered = selecting<{ id: string }>(
  'webhooks.delivered',
  `
  with log as (
    insert into webhook_deliveries (${columnsOfLog}) values (${logPlaceholders})
  )
  update webhooks
     set seq = $4, part = $5, attempts = 0, next_at = $12
   where user_id = $1 and id = $2 and (seq, part) = ($13::bigint, $14::int)
  returning id`,
)

/** Advances the cursor past a delivered message; false if it was rewound meanwhile. */
export const markDelivered = async (
  db: Db,
  userId: string,
  attempt: Attempt,
  from: Place,
  until: Date,
) =>
  (await delivered(db, userId, ...logValues(attempt), until.toISOString(), from.seq, from.part))
    .length > 0

const failed = selecting(
  'webhooks.failed',
  `
  with log as (
    insert into webhook_deliveries (${columnsOfLog}) values (${logPlaceholders})
  ), waiting as (
    update webhooks set attempts = attempts + 1, next_at = $12
     where user_id = $1 and id = $2
    returning id
  )
  update agendas set due_at = least(due_at, $12)
   where user_id = $1 and exists (select from waiting)`,
)

export const markFailed = (db: Db, userId: string, attempt: Attempt, nextAt: Date) =>
  failed(db, userId, ...logValues(attempt), nextAt.toISOString())

const disabled = selecting(
  'webhooks.disable',
  `
  with old as (
    select * from webhooks where user_id = $1 and id = $2 for no key update
  ), webhook as (
    update webhooks webhook
       set disabled_at = $3, disabled_reason = $4, next_at = null, ${touchedOf('webhook')}
      from old
     where webhook.user_id = $1 and webhook.id = old.id and old.disabled_at is null
    returning webhook.*
  ), ${recording([{ ...record, type: 'webhook.disabled', before: 'old', after: 'webhook' }])}
  select id from webhook`,
)

export const disable = (db: Db, userId: string, id: string, now: Date, reason: string) =>
  db.transaction(async (transaction) => {
    await disabled(transaction, userId, id, now.toISOString(), reason)
    await noteWebhooks(transaction, userId)
  })

// Skips events that the webhook does not subscribe to, and releases the lease.
const rest = selecting(
  'webhooks.rest',
  `
  with rested as (
    update webhooks set seq = $3, part = $4, next_at = null
     where user_id = $1 and id = $2 and (seq, part) = ($5::bigint, $6::int)
    returning id
  )
  update agendas set due_at = least(due_at, $7::timestamptz)
   where user_id = $1 and $7::timestamptz is not null and exists (select from rested)`,
)

/** `nextAt` is the time of the next attempt if something is left to deliver. */
export const releaseLease = (
  db: Db,
  userId: string,
  id: string,
  from: Place,
  at: Place,
  nextAt: Date | undefined,
) => rest(db, userId, id, at.seq, at.part, from.seq, from.part, nextAt?.toISOString())
