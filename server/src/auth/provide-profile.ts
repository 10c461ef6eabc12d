import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import { selecting } from '../db/statement.ts'
import { spaceRecord } from '../spaces/space-json.ts'
import { spellTimezone } from '../user/spell-timezone.ts'
import { userRecord } from '../user/user-json.ts'

// Idempotent: the account may be new, or its creation was interrupted.
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
    returning *
  ), space as (
    insert into spaces (user_id, id, name, is_default)
    select $1, $3, 'Personal', true from person
    returning *
  ), ${recording([
    { ...userRecord, type: 'user.created', after: 'person' },
    { ...spaceRecord, type: 'space.created', after: 'space' },
  ])}
  select id from person`,
)

const claimInstance = selecting<{ first_user_id: string }>(
  'auth.claim-instance',
  `
  update auth.instance
     set first_user_id = $1
   where first_user_id is null
  returning first_user_id`,
)

const makeAdmin = selecting(
  'auth.make-admin',
  `
  with account as (
    update auth.users set role = 'admin' where id = $1
  ), old as (
    select * from users where id = $1 for no key update
  ), person as (
    update users person set role = 'admin' from old where person.id = $1 returning person.*
  ), ${recording([{ ...userRecord, type: 'user.updated', before: 'old', after: 'person' }])}
  select id from person`,
)

/** Creates an account's profile and default space once. The first eligible account becomes admin. */
export const provideProfile = (
  db: Db,
  userId: string,
  { timezone, claims }: { timezone?: string | undefined; claims: boolean },
) =>
  db.transaction(async (transaction) => {
    await provide(transaction, userId, timezone && spellTimezone(timezone), newId())
    if (!claims) return
    const [first] = await claimInstance(transaction, userId)
    if (first) await makeAdmin(transaction, userId)
  })

export const makeAccountAdmin = (db: Db, userId: string) => makeAdmin(db, userId)
