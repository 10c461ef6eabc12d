import { randomBytes } from 'node:crypto'
import type {
  Delivery,
  IssuedWebhook,
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookSecret,
} from '@daywright/contract'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import {
  differsBy,
  iso,
  many,
  object,
  setUpdatedAt,
  writtenOrOld,
} from '../../platform/db/fragments.ts'
import {
  bigint,
  boolean,
  integer,
  jsonByColumn,
  sql,
  text,
  texts,
  timestamp,
  userId,
  uuid,
} from '../../platform/db/sql.ts'
import {
  deleteReturning,
  execute,
  queryJson,
  queryJsonOrNone,
  queryRows,
} from '../../platform/db/statement.ts'
import { badRequest, conflict, notFound } from '../../platform/errors.ts'
import { place } from '../activity/event-json.ts'
import { creator } from '../api-keys/created-by.ts'

const most = 25
const webhookNotFound = () => notFound('Webhook not found')

const webhook = {
  id: 'webhook.id',
  url: 'webhook.url',
  types: 'to_json(webhook.types)',
  enabled: 'webhook.disabled_at is null',
  disabledReason: 'webhook.disabled_reason',
  lastEventId: `webhook.seq || '-' || webhook.part`,
  attempts: 'webhook.attempts',
  nextAttemptAt: iso('webhook.next_at'),
  createdBy: 'webhook.created_by',
  createdAt: iso('webhook.created_at'),
  updatedAt: iso('webhook.updated_at'),
}

export const record = { fields: webhook, row: 'webhook' }

const list = queryJson<Webhook[]>()(
  'webhooks.list',
  sql`
  select ${many(
    webhook,
    sql`from webhooks webhook
    where webhook.user_id = ${userId}
    order by webhook.created_at, webhook.id`,
  )}::text as json`,
)

const id = uuid('id')

// Starts at the current event: earlier events are never sent.
const insert = queryJsonOrNone<IssuedWebhook>()(
  'webhooks.insert',
  sql`
  with webhook as (
    insert into webhooks (user_id, id, url, types, secret, created_by, first_event, seq, part)
    select ${userId}, ${id}, ${text('url')}, ${texts.orNull('types')}, ${text('secret')}, ${creator},
           last.event, last.event, coalesce((select max(part) from events
                                              where user_id = ${userId} and seq = last.event), 0)
      from (select coalesce((select last_event from user_state where user_id = ${userId}), 0) as event) last
     where (select count(*) from webhooks where user_id = ${userId}) < ${bigint('most')}
    returning *
  ), ${appendEvents([{ ...record, type: 'webhook.created', after: 'webhook' }])}
  select ${object({ ...webhook, secret: sql`${text('plain')}::text` })}::text as json from webhook`,
)

const changes = jsonByColumn('changes')
const enabled = boolean.orNull('enabled')

// A webhook that is enabled again resumes at its cursor at once.
const update = queryJsonOrNone<Webhook>()(
  'webhooks.update',
  sql`
  with old as (
    select old.*, ${differsBy(changes)}
      from webhooks old
     where user_id = ${userId} and id = ${id}
       for no key update
  ), webhook as (
    update webhooks webhook
       set (url, types) = (select url, types from jsonb_populate_record(webhook, ${changes}::jsonb)),
           disabled_at = case when ${enabled}::boolean then null
                              when not ${enabled}::boolean
                              then coalesce(webhook.disabled_at, ${timestamp('now')})
                              else webhook.disabled_at end,
           disabled_reason = case when ${enabled}::boolean is null then webhook.disabled_reason end,
           attempts = case when ${enabled}::boolean then 0 else webhook.attempts end,
           next_at = case when ${enabled}::boolean then null else webhook.next_at end,
           created_by = case when coalesce(${changes}::jsonb ->> 'url', webhook.url) <> webhook.url
                               or (${enabled}::boolean and webhook.disabled_at is not null)
                             then ${creator} else webhook.created_by end,
           ${setUpdatedAt('webhook')}
      from old
     where webhook.user_id = ${userId} and webhook.id = old.id
       and (old.differs
            or ${enabled}::boolean = (old.disabled_at is not null)
            or ${enabled}::boolean is not null and old.disabled_reason is not null
            or ${enabled}::boolean and (old.attempts > 0 or old.next_at is not null))
    returning webhook.*, old.differs
  ), ${appendEvents([{ ...record, type: 'webhook.updated', before: 'old', after: 'webhook' }])}
  select ${object(webhook)}::text as json from ${writtenOrOld('webhook')}`,
)

const rotate = queryJsonOrNone<WebhookSecret>()(
  'webhooks.rotate-secret',
  sql`
  with old as (
    select * from webhooks where user_id = ${userId} and id = ${id} for no key update
  ), webhook as (
    update webhooks webhook
       set secret = ${text('secret')}, former_secret = old.secret, former_until = ${timestamp('until')},
           disabled_at = case when old.disabled_reason = ${text('lost')}::text then null
                              else old.disabled_at end,
           disabled_reason = nullif(old.disabled_reason, ${text('lost')}::text),
           ${setUpdatedAt('webhook')}
      from old
     where webhook.user_id = ${userId} and webhook.id = old.id
    returning webhook.*
  ), ${appendEvents([{ ...record, type: 'webhook.updated', before: 'old', after: 'webhook' }])}
  select ${object({ secret: sql`${text('plain')}::text` })}::text as json from webhook`,
)

const seq = bigint('seq')
const part = integer('part')

// Sets the cursor to just before the event; parts are counted from 1.
const rewind = queryJsonOrNone<Webhook>()(
  'webhooks.rewind',
  sql`
  with old as (
    select * from webhooks where user_id = ${userId} and id = ${id} for no key update
  ), webhook as (
    update webhooks webhook
       set seq = ${seq}, part = greatest(${part}::int - 1, 0), attempts = 0, next_at = null,
           ${setUpdatedAt('webhook')}
      from old
     where webhook.user_id = ${userId} and webhook.id = old.id
       and (webhook.seq, webhook.part) >= (${seq}::bigint, ${part}::int)
       and webhook.first_event < ${seq}::bigint
    returning webhook.*
  ), ${appendEvents([{ ...record, type: 'webhook.updated', before: 'old', after: 'webhook' }])}
  select ${object(webhook)}::text as json from webhook`,
)

const remove = deleteReturning(
  'webhooks.delete',
  sql`
  with gone as (
    delete from webhooks where user_id = ${userId} and id = ${id} returning *
  ), ${appendEvents([{ ...record, type: 'webhook.deleted', before: 'gone' }])}
  select id from gone`,
)

const exists = queryRows<{ first_event: number }>()(
  'webhooks.exists',
  sql`select first_event from webhooks where user_id = ${userId} and id = ${id}`,
)

// Notes whether this user's writes must wake the worker, in the row that every write locks.
const note = execute(
  'webhooks.note',
  sql`
  update user_state
     set has_webhooks = exists (select from webhooks
                                 where user_id = ${userId} and disabled_at is null),
         due_at = least(due_at, current_timestamp)
   where user_id = ${userId}`,
)

const deliveries = queryJson<Delivery[]>()(
  'webhooks.list-deliveries',
  sql`
  select ${many(
    {
      id: 'delivery.id',
      eventId: sql`delivery.seq || '-' || delivery.part`,
      type: 'delivery.type',
      attempt: 'delivery.attempt',
      at: iso('delivery.at'),
      status: 'delivery.status',
      error: 'delivery.error',
      durationMs: 'delivery.duration_ms',
    },
    sql`from webhook_deliveries delivery
    where delivery.user_id = ${userId} and delivery.webhook_id = ${id}
    order by delivery.at desc, delivery.id desc
    limit 100`,
  )}::text as json`,
)

export const noteWebhooks = (db: Db, userId: string) => note(db, { userId })

/** Why a webhook made by a key was disabled. */
export const keyEnded = 'The API key that created the webhook was revoked or has expired'

/** Why a webhook is disabled after a restore into an instance with another secret. */
export const secretLost =
  'Its secret cannot be read by this instance, which has another secret: give it a new one'

/** Creates a secret. It is stored encrypted, so that the database or a backup does not allow signing. */
async function newSecret(seal: Cipher) {
  const plain = `whsec_${randomBytes(24).toString('base64')}`
  return { plain, sealed: await seal.close(plain) }
}

export const listWebhooks = (db: Db, userId: string) => list(db, { userId })

/** Creates a webhook; serialized per user, so that the limit cannot be exceeded. */
export async function createWebhook(
  db: Db,
  userId: string,
  { url, types = null }: NewWebhook,
  seal: Cipher,
) {
  const { plain, sealed } = await newSecret(seal)
  return db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const made = await insert(transaction, {
      userId,
      id: newId(),
      url,
      types,
      secret: sealed,
      most,
      plain,
    })
    if (!made) throw conflict(`At most ${most} webhooks; delete one first`)
    await note(transaction, { userId })
    return made
  })
}

export const updateWebhook = (
  db: Db,
  userId: string,
  id: string,
  { enabled, ...changes }: WebhookChanges,
  now: Date,
) =>
  db.transaction(async (transaction) => {
    const updated = await update(transaction, { userId, id, changes, enabled, now })
    if (!updated) throw webhookNotFound()
    await note(transaction, { userId })
    return updated
  })

const day = 86_400_000

/**
 * Replaces the secret. Both secrets sign for a day, so that the receiver can switch at any time. A webhook that was
 * disabled because its secret could not be read resumes.
 */
export async function rotateSecret(db: Db, userId: string, id: string, now: Date, seal: Cipher) {
  const until = new Date(now.getTime() + day)
  const { plain, sealed } = await newSecret(seal)
  return db.transaction(async (transaction) => {
    const rotated = await rotate(transaction, {
      userId,
      id,
      secret: sealed,
      until,
      plain,
      lost: secretLost,
    })
    if (!rotated) throw webhookNotFound()
    await note(transaction, { userId })
    return rotated
  })
}

/** Delivers again from an event on. Message ids stay the same, so that a receiver can detect duplicates. */
export const redeliverFrom = (db: Db, userId: string, id: string, eventId: string) =>
  db.transaction(async (transaction) => {
    const [found] = await exists(transaction, { userId, id })
    if (!found) throw webhookNotFound()
    const { seq, part } = place(eventId)
    if (seq <= found.first_event) throw badRequest('eventId is older than the webhook')
    const rewound = await rewind(transaction, { userId, id, seq, part })
    if (!rewound) throw badRequest('eventId has not been delivered yet')
    await note(transaction, { userId })
    return rewound
  })

export const deleteWebhook = (db: Db, userId: string, id: string) =>
  db.transaction(async (transaction) => {
    if (!(await remove(transaction, { userId, id }))) throw webhookNotFound()
    await note(transaction, { userId })
  })

export async function listDeliveries(db: Db, userId: string, id: string) {
  if ((await exists(db, { userId, id })).length === 0) throw webhookNotFound()
  return deliveries(db, { userId, id })
}
