import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { sql, text, userId, uuid } from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'
import { spaceRecord } from '../spaces/space-json.ts'
import { spellTimezone } from './spell-timezone.ts'
import { userRecord } from './user-json.ts'

// Idempotent: the account may be new, or its creation was interrupted.
const provide = execute(
  'auth.provide-profile',
  sql`
  with person as (
    insert into users (id, email, display_name, timezone, role, disabled_at)
    select ${userId}, email, name, coalesce(${text.orNull('timezone')}, 'UTC'), role::user_role,
           case when banned then current_timestamp end
      from auth.users
     where id = ${userId}
    on conflict (id) do nothing
    returning *
  ), space as (
    insert into spaces (user_id, id, name, is_default)
    select ${userId}, ${uuid('spaceId')}, 'Personal', true from person
    returning *
  ), settings as (
    insert into user_settings (user_id) select ${userId} from person
  ), ${appendEvents([
    { ...userRecord, type: 'user.created', after: 'person' },
    { ...spaceRecord, type: 'space.created', after: 'space' },
  ])}
  select id from person`,
)

const claimInstance = queryRows<{ first_user_id: string }>()(
  'auth.claim-instance',
  sql`
  update auth.instance
     set first_user_id = ${userId}
   where first_user_id is null
  returning first_user_id`,
)

const makeAdmin = execute(
  'auth.make-admin',
  sql`
  with account as (
    update auth.users set role = 'admin' where id = ${userId}
  ), old as (
    select * from users where id = ${userId} for no key update
  ), person as (
    update users person set role = 'admin' from old where person.id = ${userId} returning person.*
  ), ${appendEvents([{ ...userRecord, type: 'user.updated', before: 'old', after: 'person' }])}
  select id from person`,
)

/** Creates an account's profile, settings and default space once. The first eligible account becomes admin. */
export const ensureProfile = (
  db: Db,
  userId: string,
  { timezone, claims }: { timezone?: string | undefined; claims: boolean },
) =>
  db.transaction(async (transaction) => {
    await provide(transaction, {
      userId,
      timezone: timezone && spellTimezone(timezone),
      spaceId: newId(),
    })
    if (!claims) return
    const [first] = await claimInstance(transaction, { userId })
    if (first) await makeAdmin(transaction, { userId })
  })

export const makeAccountAdmin = (db: Db, userId: string) => makeAdmin(db, { userId })
