import type { ApiKey, IssuedApiKey, NewApiKey } from '@daywright/contract'
import { newKey } from '../auth/key-format.ts'
import type { Db } from '../db/database.ts'
import { lockUser } from '../db/lock-user.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import { answering, finding, iso, many, object, removing, touchedOf } from '../db/statement.ts'
import { conflict, notFound } from '../errors.ts'
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

const list = answering<ApiKey[]>(
  'api-keys.list',
  `
  select ${many(
    key,
    'from api_keys key where key.user_id = $1 order by key.created_at desc, key.id desc',
  )}::text as json`,
)

const insert = finding<IssuedApiKey>(
  'api-keys.insert',
  `
  with key as (
    insert into api_keys (user_id, id, name, prefix, hash, scopes, expires_at)
    select $1, $2, $3, $4, $5, $6, $7
     where (select count(*)
              from api_keys live
             where live.user_id = $1 and (live.expires_at is null or live.expires_at > $9)) < $10
    returning *
  ), ${recording([{ ...record, type: 'apiKey.created', after: 'key' }])}
  select ${object({ ...key, key: '$8::text' })}::text as json from key`,
)

// Disables the webhooks that the key made.
const remove = removing(
  'api-keys.delete',
  `
  with gone as (
    delete from api_keys where user_id = $1 and id = $2 returning *
  ), active as (
    select *
      from webhooks
     where user_id = $1 and disabled_at is null
       and created_by ->> 'id' = (select gone.id::text from gone)
     order by id
       for no key update
  ), ended as (
    update webhooks webhook
       set disabled_at = $3, disabled_reason = $4, next_at = null, ${touchedOf('webhook')}
      from active
     where webhook.user_id = $1 and webhook.id = active.id
    returning webhook.*
  ), ${recording([
    { ...record, type: 'apiKey.deleted', before: 'gone' },
    { ...webhookRecord, type: 'webhook.disabled', before: 'active', after: 'ended' },
  ])}
  select id from gone`,
)

export const listApiKeys = (db: Db, userId: string) => list(db, userId)

/** Issues a key; serialized per user, so that the count holds. Only this response contains the key. */
export const issueApiKey = (
  db: Db,
  userId: string,
  { name, scopes = ['read', 'write', 'planner'], expiresAt }: NewApiKey,
  now: Date,
) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const { key: text, prefix, hash } = newKey(userId)
    const issued = await insert(
      transaction,
      userId,
      newId(),
      name,
      prefix,
      hash,
      [...new Set(scopes)],
      expiresAt?.toISOString(),
      text,
      now.toISOString(),
      most,
    )
    if (!issued) throw conflict(`At most ${most} API keys; revoke one first`)
    return issued
  })

export const revokeApiKey = (db: Db, userId: string, id: string, now: Date) =>
  db.transaction(async (transaction) => {
    const isGone = await remove(transaction, userId, id, now.toISOString(), keyEnded)
    if (!isGone) throw notFound('API key not found')
    await noteWebhooks(transaction, userId)
  })
