import type { ApiKey, IssuedApiKey, NewApiKey } from '@daywright/contract'
import { newKey } from '../../platform/auth/api-key-format.ts'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { iso, many, object, setUpdatedAt } from '../../platform/db/fragments.ts'
import { bigint, bytes, sql, text, texts, timestamp, userId, uuid } from '../../platform/db/sql.ts'
import { deleteReturning, queryJson, queryJsonOrNone } from '../../platform/db/statement.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { keyEnded, noteWebhooks, record as webhookRecord } from '../webhooks/webhooks.queries.ts'

const most = 25

const key = {
  id: 'key.id',
  name: 'key.name',
  prefix: 'key.prefix',
  scopes: 'to_json(key.scopes)',
  expiresAt: iso('key.expires_at'),
  createdAt: iso('key.created_at'),
  lastUsedAt: iso('key.last_used_at'),
}

const record = { fields: key, row: 'key' }

const list = queryJson<ApiKey[]>()(
  'api-keys.list',
  sql`
  select ${many(
    key,
    sql`from api_keys key where key.user_id = ${userId} order by key.created_at desc, key.id desc`,
  )}::text as json`,
)

const insert = queryJsonOrNone<IssuedApiKey>()(
  'api-keys.insert',
  sql`
  with key as (
    insert into api_keys (user_id, id, name, prefix, hash, scopes, expires_at)
    select ${userId}, ${uuid('id')}, ${text('name')}, ${text('prefix')}, ${bytes('hash')},
           ${texts('scopes')}, ${timestamp.orNull('expiresAt')}
     where (select count(*)
              from api_keys live
             where live.user_id = ${userId}
               and (live.expires_at is null or live.expires_at > ${timestamp('now')})) < ${bigint('most')}
    returning *
  ), ${appendEvents([{ ...record, type: 'apiKey.created', after: 'key' }])}
  select ${object({ ...key, key: sql`${text('key')}::text` })}::text as json from key`,
)

// Deletes a key, and disables the webhooks that it created.
const remove = deleteReturning(
  'api-keys.delete',
  sql`
  with gone as (
    delete from api_keys where user_id = ${userId} and id = ${uuid('id')} returning *
  ), active as (
    select *
      from webhooks
     where user_id = ${userId} and disabled_at is null
       and created_by ->> 'id' = (select gone.id::text from gone)
     order by id
       for no key update
  ), ended as (
    update webhooks webhook
       set disabled_at = ${timestamp('now')}, disabled_reason = ${text('reason')}, next_at = null,
           ${setUpdatedAt('webhook')}
      from active
     where webhook.user_id = ${userId} and webhook.id = active.id
    returning webhook.*
  ), ${appendEvents([
    { ...record, type: 'apiKey.deleted', before: 'gone' },
    { ...webhookRecord, type: 'webhook.disabled', before: 'active', after: 'ended' },
  ])}
  select id from gone`,
)

export const listApiKeys = (db: Db, userId: string) => list(db, { userId })

/** Issues a key; serialized per user, so that the limit cannot be exceeded. Only this response contains the key. */
export const issueApiKey = (
  db: Db,
  userId: string,
  { name, scopes = ['read', 'write', 'planner'], expiresAt }: NewApiKey,
  now: Date,
) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const { key, prefix, hash } = newKey(userId)
    const issued = await insert(transaction, {
      userId,
      id: newId(),
      name,
      prefix,
      hash,
      scopes: [...new Set(scopes)],
      expiresAt,
      key,
      now,
      most,
    })
    if (!issued) throw conflict(`At most ${most} API keys; revoke one first`)
    return issued
  })

export const revokeApiKey = (db: Db, userId: string, id: string, now: Date) =>
  db.transaction(async (transaction) => {
    const isGone = await remove(transaction, { userId, id, now, reason: keyEnded })
    if (!isGone) throw notFound('API key not found')
    await noteWebhooks(transaction, userId)
  })
