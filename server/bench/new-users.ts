import type pg from 'pg'
import { newKey } from '../src/platform/auth/api-key-format.ts'

/** Creates users without data, each with a key; returns the keys. */
export async function newUsers(client: pg.Client, count: number) {
  const { rows } = await client.query<{ id: string }>(
    `insert into users (id, email, display_name)
     select gen_random_uuid(), n || '@example.com', 'Someone' from generate_series(1, $1::int) n
     returning id`,
    [count],
  )
  const keys = rows.map(({ id }) => ({ id, ...newKey(id) }))
  await client.query(
    `insert into api_keys (user_id, id, name, prefix, hash, scopes)
     select user_id, gen_random_uuid(), 'bench', prefix, hash, '{read,write,webhooks}'
       from unnest($1::uuid[], $2::text[], $3::bytea[]) k (user_id, prefix, hash)`,
    [keys.map(({ id }) => id), keys.map(({ prefix }) => prefix), keys.map(({ hash }) => hash)],
  )
  await client.query('insert into user_state (user_id) select id from users')
  await client.query('insert into user_settings (user_id) select id from users')
  await client.query('vacuum analyze')
  return keys.map(({ key }) => key)
}
