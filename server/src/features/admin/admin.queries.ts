import type {
  Account,
  AccountChanges,
  AccountPage,
  CalendarInQuarantine,
} from '@daywright/contract'
import { type Db, named } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { iso, many, object, one, setUpdatedAt } from '../../platform/db/fragments.ts'
import { bigint, boolean, integer, sql, text, timestamp, userId } from '../../platform/db/sql.ts'
import { queryJson, queryJsonOrNone } from '../../platform/db/statement.ts'
import { notFound } from '../../platform/errors.ts'
import { userRecord } from '../user/user-json.ts'

const account = {
  id: 'person.id',
  email: 'person.email',
  displayName: 'person.display_name',
  role: 'person.role',
  disabled: 'person.disabled_at is not null',
  jobsStopped: 'person.jobs_stopped_at is not null',
  createdAt: iso('person.created_at'),
}

const limit = integer('limit')
const page = bigint('page')

/** The only list across users: all accounts of the instance, for admins. */
const list = queryJson<AccountPage>()(
  'admin.list-users',
  sql`
  with total as (select count(*) as count from users)
  select ${one({
    data: many(
      account,
      sql`from users person
      order by person.id
      limit ${limit}::integer offset (${page}::bigint - 1) * ${limit}::integer`,
    ),
    pagination: object({
      page: sql`${page}::bigint`,
      limit: sql`${limit}::integer`,
      total: 'total.count',
      pages: sql`(total.count + ${limit}::integer - 1) / ${limit}::integer`,
    }),
  })}::text as json
    from total`,
)

/** Across users, like `list`: the calendars whose reading has ended the service or a reader. */
const quarantine = queryJson<CalendarInQuarantine[]>()(
  'admin.list-quarantine',
  sql`
  select ${many(
    {
      userId: 'calendar.user_id',
      email: 'person.email',
      calendarId: 'calendar.id',
      host: 'calendar.host',
      crashes: 'calendar.crashes',
      error: 'calendar.error',
      attemptedAt: iso('calendar.attempted_at'),
      nextFetchAt: iso('calendar.next_fetch_at'),
    },
    sql`from calendars calendar
    join users person on person.id = calendar.user_id
   where calendar.crashes > 0
   order by calendar.attempted_at desc
   limit 100`,
  )}::text as json`,
)

export const listQuarantine = (db: Db) => quarantine(db)

const jobsStopped = boolean.orNull('jobsStopped')
const disabled = boolean.orNull('disabled')

// Keeps Better Auth's record in step, and ends every session of a disabled account.
const update = queryJsonOrNone<Account>()(
  'admin.update-user',
  sql`
  with account as (
    update auth.users
       set role = coalesce(${text.orNull('role')}, role), banned = coalesce(${disabled}, banned)
     where id = ${userId}
  ), ended as (
    delete from auth.sessions where user_id = ${userId} and ${disabled}
  ), old as (
    select * from users where id = ${userId} for no key update
  ), person as (
    update users person
       set role = coalesce(${text.orNull('role')}::user_role, old.role),
           disabled_at = case when ${disabled} then coalesce(old.disabled_at, ${timestamp('now')})
                              when ${disabled} is null then old.disabled_at end,
           jobs_stopped_at = case when ${jobsStopped} then coalesce(old.jobs_stopped_at, ${timestamp('now')})
                                  when ${jobsStopped} is null then old.jobs_stopped_at end,
           ${setUpdatedAt('person')}
      from old
     where person.id = ${userId}
    returning person.*
  ), ${appendEvents([{ ...userRecord, type: 'user.updated', before: 'old', after: 'person' }], { look: true })}
  select ${object(account)}::text as json from person`,
)

export const listAccounts = (db: Db, { page, limit }: { page: number; limit: number }) =>
  list(db, { limit, page })

export async function updateAccount(
  db: Db,
  adminId: string,
  id: string,
  { role, disabled, jobsStopped }: AccountChanges,
  now: Date,
) {
  const updated = await update(
    { ...db, actor: named({ kind: 'admin', id: adminId }) },
    { userId: id, role, disabled, jobsStopped, now },
  )
  if (!updated) throw notFound('User not found')
  return updated
}
