// Accounts at Google and Microsoft, whose calendars are read with the tokens that are stored here.
import type { ConnectedAccount, ConnectedAccountKind, ConnectedAccounts } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { iso, many, one } from '../../platform/db/fragments.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { bigint, json, sql, text, timestamp, userId, uuid } from '../../platform/db/sql.ts'
import {
  deleteReturning,
  execute,
  queryJson,
  queryJsonOrNone,
  queryRows,
} from '../../platform/db/statement.ts'
import { conflict, notFound } from '../../platform/errors.ts'
import { record as calendarRecord } from '../calendars/calendar-json.ts'

const most = 10
export const accountNotFound = () => notFound('Connected account not found')

/** An account on the wire, as SQL over the row `account`. */
const account = {
  id: 'account.id',
  kind: 'account.kind',
  email: 'account.email',
  createdAt: iso('account.created_at'),
}
const record = { fields: account, row: 'account' }

const id = uuid('id')

const list = queryJson<ConnectedAccounts>()(
  'connected-accounts.list',
  sql`
  select json_build_object('kinds', ${json('kinds')}::jsonb, 'accounts', ${many(
    account,
    sql`from connected_accounts account
    where account.user_id = ${userId}
    order by account.created_at, account.id`,
  )})::text as json`,
)

// An account that is connected again keeps its id, and so its calendars.
const insert = queryJsonOrNone<ConnectedAccount>()(
  'connected-accounts.insert',
  sql`
  with known as (
    select id from connected_accounts
     where user_id = ${userId} and kind = ${text('kind')} and email = ${text('email')}
  ), account as (
    insert into connected_accounts (user_id, id, kind, email, sealed_tokens)
    select ${userId}, ${id}, ${text('kind')}, ${text('email')}, ${text('sealedTokens')}
     where (select count(*) from connected_accounts where user_id = ${userId}) < ${bigint('most')}
        or exists (select from known)
    on conflict (user_id, kind, email) do update set sealed_tokens = excluded.sealed_tokens
    returning *
  ), added as (
    select account.* from account where not exists (select from known)
  ), ${appendEvents([{ ...record, type: 'connectedAccount.created', after: 'added' }])}
  select ${one(account)}::text as json from account`,
)

const stateUntil = timestamp('until')

// A single row for each user remembers all states: those used before expire earlier than the newest one.
const takeNewest = queryRows<{ userId: string }>()(
  'connected-accounts.take-state',
  sql`
  insert into user_state (user_id, used_state_until) values (${userId}, ${stateUntil})
  on conflict (user_id) do update set used_state_until = excluded.used_state_until
   where user_state.used_state_until is null or user_state.used_state_until < excluded.used_state_until
  returning user_id as "userId"`,
)

// Resumes the calendars of the account, which stopped when their requests were refused.
const resume = execute(
  'connected-accounts.resume-calendars',
  sql`
  with due as (
    update calendars set next_fetch_at = ${timestamp('now')}
     where user_id = ${userId} and next_fetch_at is null
       and account_id = (select id from connected_accounts
                          where user_id = ${userId} and kind = ${text('kind')} and email = ${text('email')})
    returning id
  )
  update user_state set due_at = least(due_at, ${timestamp('now')})
   where user_id = ${userId} and exists (select from due)`,
)

const remove = deleteReturning(
  'connected-accounts.delete',
  sql`
  with calendar as (
    delete from calendars where user_id = ${userId} and account_id = ${id} returning *
  ), gone as (
    delete from connected_accounts where user_id = ${userId} and id = ${id} returning *
  ), ${appendEvents(
    [
      { ...calendarRecord, type: 'calendar.deleted', before: 'calendar' },
      { ...record, type: 'connectedAccount.deleted', before: 'gone' },
    ],
    { plan: true },
  )}
  select id from gone`,
)

export type StoredAccount = { id: string; kind: ConnectedAccountKind; sealedTokens: string }

const find = queryRows<StoredAccount>()(
  'connected-accounts.find',
  sql`
  select id, kind, sealed_tokens as "sealedTokens"
    from connected_accounts
   where user_id = ${userId} and id = ${id}`,
)

// Changes nothing if the account was connected again meanwhile: then its tokens are newer.
const replace = execute(
  'connected-accounts.replace-tokens',
  sql`
  update connected_accounts set sealed_tokens = ${text('renewed')}
   where user_id = ${userId} and id = ${id} and sealed_tokens = ${text('sealedTokens')}`,
)

/** The user's accounts, with the kinds that this server can connect. */
export const listAccounts = (db: Db, userId: string, kinds: ConnectedAccountKind[]) =>
  list(db, { userId, kinds })

export async function findAccount(db: Db, userId: string, id: string) {
  const [found] = await find(db, { userId, id })
  return found
}

/** Whether the state with this expiry has not been used yet. No state that was issued before it can be used from now on. */
export async function takeState(db: Db, userId: string, until: Date) {
  return (await takeNewest(db, { userId, until })).length > 0
}

/** Stores an account; serialized per user, so that the limit cannot be exceeded. */
export const saveAccount = (
  db: Db,
  userId: string,
  given: { kind: ConnectedAccountKind; email: string; sealedTokens: string },
  now: Date,
) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const saved = await insert(transaction, { userId, id: newId(), ...given, most })
    if (!saved) throw conflict(`At most ${most} connected accounts; remove one first`)
    await resume(transaction, { userId, kind: given.kind, email: given.email, now })
    return saved
  })

export const replaceTokens = (
  db: Db,
  userId: string,
  id: string,
  tokens: { sealedTokens: string; renewed: string },
) => replace(db, { userId, id, ...tokens })

export async function deleteAccount(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw accountNotFound()
}
