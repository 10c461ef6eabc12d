import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { selecting } from '../db/statement.ts'

// The account may be new, or its profile half made by a process that died: what is there stays.
const provide = selecting(
  'auth.provide-profile',
  `
  with person as (
    insert into users (id, email, display_name, timezone, role, disabled_at)
    select $1, email, name, coalesce($2, 'UTC'), role::user_role,
           case when banned then current_timestamp end
      from auth.users
     where id = $1
    on conflict (id) do nothing
    returning id
  )
  insert into spaces (user_id, id, name, is_default)
  select $1, $3, 'Personal', true from person`,
)

const claimInstance = selecting<{ first_user_id: string }>(
  'auth.claim-instance',
  `
  update auth.instance
     set first_user_id = $1
   where first_user_id is null
  returning first_user_id`,
)

const setRole = selecting(
  'auth.set-first-admin',
  `with account as (update auth.users set role = 'admin' where id = $1)
   update users set role = 'admin' where id = $1`,
)

/** Gives an account its profile and its default space, once; the first account becomes admin. */
export const provideProfile = (db: Db, userId: string, timezone?: string) =>
  db.transaction(async (transaction) => {
    await provide(transaction, userId, timezone, newId())
    const [first] = await claimInstance(transaction, userId)
    if (first) await setRole(transaction, userId)
  })
