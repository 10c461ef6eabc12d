import type { Account, AccountChanges, AccountPage } from '@daywright/contract'
import { type Db, named } from '../db/database.ts'
import { recording } from '../db/recording.ts'
import { answering, finding, iso, many, object, one, touchedOf } from '../db/statement.ts'
import { notFound } from '../errors.ts'
import { userRecord } from '../user/user-json.ts'

const account = {
  id: 'person.id',
  email: 'person.email',
  displayName: 'person.display_name',
  role: 'person.role',
  disabled: 'person.disabled_at is not null',
  createdAt: iso('person.created_at'),
}

/** The only list across users: all accounts of the instance, for admins. */
const list = answering<AccountPage>(
  'admin.list-users',
  `
  with total as (select count(*) as count from users)
  select ${one({
    data: many(
      account,
      `from users person
      order by person.id
      limit $1::integer offset ($2::bigint - 1) * $1::integer`,
    ),
    pagination: object({
      page: '$2::bigint',
      limit: '$1::integer',
      total: 'total.count',
      pages: '(total.count + $1::integer - 1) / $1::integer',
    }),
  })}::text as json
    from total`,
)

// Keeps Better Auth's record in step, and ends every session of a disabled account.
const update = finding<Account>(
  'admin.update-user',
  `
  with account as (
    update auth.users
       set role = coalesce($2, role), banned = coalesce($3, banned)
     where id = $1
  ), ended as (
    delete from auth.sessions where user_id = $1 and $3
  ), old as (
    select * from users where id = $1 for no key update
  ), person as (
    update users person
       set role = coalesce($2::user_role, old.role),
           disabled_at = case when $3 then coalesce(old.disabled_at, $4)
                              when $3 is null then old.disabled_at end,
           ${touchedOf('person')}
      from old
     where person.id = $1
    returning person.*
  ), ${recording([{ ...userRecord, type: 'user.updated', before: 'old', after: 'person' }], { look: true })}
  select ${object(account)}::text as json from person`,
)

export const listAccounts = (db: Db, { page, limit }: { page: number; limit: number }) =>
  list(db, limit, page)

export async function updateAccount(
  db: Db,
  adminId: string,
  id: string,
  { role, disabled }: AccountChanges,
  now: Date,
) {
  const updated = await update(
    { ...db, actor: named({ kind: 'admin', id: adminId }) },
    id,
    role,
    disabled,
    now.toISOString(),
  )
  if (!updated) throw notFound('User not found')
  return updated
}
