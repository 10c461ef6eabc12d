import type pg from 'pg'
import { newKey } from '../../../server/src/platform/auth/api-key-format.ts'
import { newId } from '../../../server/src/platform/db/new-id.ts'

export type Person = { id: string; email: string; key: string; spaceId: string }

/** A user with a profile, a default space and a key, created without the slow password hash. */
export async function newPerson(db: pg.Pool | pg.Client): Promise<Person> {
  const id = newId()
  const spaceId = newId()
  const { key, prefix, hash } = newKey(id)
  const email = `${id}@example.com`
  await db.query(`insert into users (id, email, display_name) values ($1, $2, 'Someone')`, [
    id,
    email,
  ])
  await db.query(
    `insert into spaces (user_id, id, name, is_default) values ($1, $2, 'Personal', true)`,
    [id, spaceId],
  )
  await db.query(
    `insert into api_keys (user_id, id, name, prefix, hash, scopes)
     values ($1, $2, 'proof', $3, $4, '{read,write,planner,webhooks}')`,
    [id, newId(), prefix, hash],
  )
  return { id, email, key, spaceId }
}
