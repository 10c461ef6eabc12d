import { randomBytes } from 'node:crypto'
import type {
  Delivery,
  IssuedWebhook,
  NewWebhook,
  Webhook,
  WebhookChanges,
  WebhookSecret,
} from '@daywright/contract'
import type { Seal } from '../auth/seal.ts'
import type { Db } from '../db/database.ts'
import { lockUser } from '../db/lock-user.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import {
  answering,
  asItIs,
  columns,
  differs,
  finding,
  iso,
  many,
  object,
  removing,
  selecting,
  touchedOf,
} from '../db/statement.ts'
import { badRequest, conflict, notFound } from '../errors.ts'
import { place } from '../events/event-json.ts'

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

const list = answering<Webhook[]>(
  'webhooks.list',
  `
  select ${many(
    webhook,
    `from webhooks webhook
    where webhook.user_id = $1
    order by webhook.created_at, webhook.id`,
  )}::text as json`,
)

// The caller; for a key also its name, which stays when the key is deleted.
const caller = `
  ($actor::jsonb - 'reverts') ||
  coalesce((select jsonb_build_object('name', key.name)
              from api_keys key
             where key.user_id = $1 and key.id = ($actor::jsonb ->> 'id')::uuid), '{}')`

// Starts at the current event: earlier events are never sent.
const insert = finding<IssuedWebhook>(
  'webhooks.insert',
  `
  with webhook as (
    insert into webhooks (user_id, id, url, types, secret, created_by, first_event, seq, part)
    select $1, $2, $3, $4, $5, ${caller}, last.event, last.event, 999999999
      from (select coalesce((select last_event from agendas where user_id = $1), 0) as event) last
     where (select count(*) from webhooks where user_id = $1) < $6
    returning *
  ), ${recording([{ ...record, type: 'webhook.created', after: 'webhook' }])}
  select ${object({ ...webhook, secret: '$7::text' })}::text as json from webhook`,
)

// Once enabled again, it resumes at its cursor at once.
const update = finding<Webhook>(
  'webhooks.update',
  `
  with old as (
    select old.*, ${differs()} from webhooks old where user_id = $1 and id = $2 for no key update
  ), webhook as (
    update webhooks webhook
       set (url, types) = (select url, types from jsonb_populate_record(webhook, $3::jsonb)),
           disabled_at = case when $4::boolean then null
                              when not $4::boolean then coalesce(webhook.disabled_at, $5)
                              else webhook.disabled_at end,
           disabled_reason = case when $4::boolean is null then webhook.disabled_reason end,
           attempts = case when $4::boolean then 0 else webhook.attempts end,
           next_at = case when $4::boolean then null else webhook.next_at end,
           created_by = case when coalesce($3::jsonb ->> 'url', webhook.url) <> webhook.url
                               or ($4::boolean and webhook.disabled_at is not null)
                             then ${caller} else webhook.created_by end,
           ${touchedOf('webhook')}
      from old
     where webhook.user_id = $1 and webhook.id = old.id
       and (old.differs
            or $4::boolean = (old.disabled_at is not null)
            or $4::boolean is not null and old.disabled_reason is not null
            or $4::boolean and (old.attempts > 0 or old.next_at is not null))
    returning webhook.*, old.differs
  ), ${recording([{ ...record, type: 'webhook.updated', before: 'old', after: 'webhook' }])}
  select ${object(webhook)}::text as json from ${asItIs('webhook')}`,
)

const rotate = finding<WebhookSecret>(
  'webhooks.rotate-secret',
  `
  with old as (
    select * from webhooks where user_id = $1 and id = $2 for no key update
  ), webhook as (
    update webhooks webhook
       set secret = $3, former_secret = old.secret, former_until = $4,
           disabled_at = case when old.disabled_reason = $6::text then null else old.disabled_at end,
           disabled_reason = nullif(old.disabled_reason, $6::text),
           ${touchedOf('webhook')}
      from old
     where webhook.user_id = $1 and webhook.id = old.id
    returning webhook.*
  ), ${recording([{ ...record, type: 'webhook.updated', before: 'old', after: 'webhook' }])}
  select ${object({ secret: '$5::text' })}::text as json from webhook`,
)

// The cursor before the event: parts are counted from 1.
const rewind = finding<Webhook>(
  'webhooks.rewind',
  `
  with old as (
    select * from webhooks where user_id = $1 and id = $2 for no key update
  ), webhook as (
    update webhooks webhook
       set seq = $3, part = greatest($4::int - 1, 0), attempts = 0, next_at = null, ${touchedOf('webhook')}
      from old
     where webhook.user_id = $1 and webhook.id = old.id
       and (webhook.seq, webhook.part) >= ($3::bigint, $4::int)
       and webhook.first_event < $3::bigint
    returning webhook.*
  ), ${recording([{ ...record, type: 'webhook.updated', before: 'old', after: 'webhook' }])}
  select ${object(webhook)}::text as json from webhook`,
)

const remove = removing(
  'webhooks.delete',
  `
  with gone as (
    delete from webhooks where user_id = $1 and id = $2 returning *
  ), ${recording([{ ...record, type: 'webhook.deleted', before: 'gone' }])}
  select id from gone`,
)

const exists = selecting<{ first_event: number }>(
  'webhooks.exists',
  'select first_event from webhooks where user_id = $1 and id = $2',
)

// Whether this user's writes must wake the worker; stored in the row that every write locks.
const note = selecting(
  'webhooks.note',
  `
  update agendas
     set has_webhooks = exists (select from webhooks
                                 where user_id = $1 and disabled_at is null),
         due_at = least(due_at, current_timestamp)
   where user_id = $1`,
)

const deliveries = answering<Delivery[]>(
  'webhooks.list-deliveries',
  `
  select ${many(
    {
      id: 'delivery.id',
      eventId: `delivery.seq || '-' || delivery.part`,
      type: 'delivery.type',
      attempt: 'delivery.attempt',
      at: iso('delivery.at'),
      status: 'delivery.status',
      error: 'delivery.error',
      durationMs: 'delivery.duration_ms',
    },
    `from webhook_deliveries delivery
    where delivery.user_id = $1 and delivery.webhook_id = $2
    order by delivery.at desc, delivery.id desc
    limit 100`,
  )}::text as json`,
)

export const noteWebhooks = (db: Db, userId: string) => note(db, userId)

/** Why a webhook made by a key was disabled. */
export const keyEnded = 'The API key that made it was revoked or has expired'

/** Why a webhook is disabled after a restore into an instance with another secret. */
export const secretLost =
  'Its secret cannot be read by this instance, which has another secret: give it a new one'

/** The secret is stored encrypted, so that the database or a backup does not allow signing. */
async function newSecret(seal: Seal) {
  const plain = `whsec_${randomBytes(24).toString('base64')}`
  return { plain, sealed: await seal.close(plain) }
}

export const listWebhooks = (db: Db, userId: string) => list(db, userId)

/** Serialized per user, so that the count holds. */
export async function createWebhook(
  db: Db,
  userId: string,
  { url, types = null }: NewWebhook,
  seal: Seal,
) {
  const { plain, sealed } = await newSecret(seal)
  return db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const made = await insert(transaction, userId, newId(), url, types, sealed, most, plain)
    if (!made) throw conflict(`At most ${most} webhooks; delete one first`)
    await note(transaction, userId)
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
    const time = now.toISOString()
    const updated = await update(transaction, userId, id, columns(changes), enabled, time)
    if (!updated) throw webhookNotFound()
    await note(transaction, userId)
    return updated
  })

const day = 86_400_000

/**
 * Both secrets sign for a day, so that the receiver can switch at any time. A webhook that was disabled
 * because its secret could not be read resumes.
 */
export async function rotateSecret(db: Db, userId: string, id: string, now: Date, seal: Seal) {
  const until = new Date(now.getTime() + day).toISOString()
  const { plain, sealed } = await newSecret(seal)
  return db.transaction(async (transaction) => {
    const rotated = await rotate(transaction, userId, id, sealed, until, plain, secretLost)
    if (!rotated) throw webhookNotFound()
    await note(transaction, userId)
    return rotated
  })
}

/** Message ids stay the same, so that a receiver can detect duplicates. */
export const redeliverFrom = (db: Db, userId: string, id: string, eventId: string) =>
  db.transaction(async (transaction) => {
    const [found] = await exists(transaction, userId, id)
    if (!found) throw webhookNotFound()
    const { seq, part } = place(eventId)
    if (seq <= found.first_event) throw badRequest('eventId is older than the webhook')
    const rewound = await rewind(transaction, userId, id, seq, part)
    if (!rewound) throw badRequest('eventId has not been delivered yet')
    await note(transaction, userId)
    return rewound
  })

export const deleteWebhook = (db: Db, userId: string, id: string) =>
  db.transaction(async (transaction) => {
    if (!(await remove(transaction, userId, id))) throw webhookNotFound()
    await note(transaction, userId)
  })

export async function listDeliveries(db: Db, userId: string, id: string) {
  if ((await exists(db, userId, id)).length === 0) throw webhookNotFound()
  return deliveries(db, userId, id)
}
