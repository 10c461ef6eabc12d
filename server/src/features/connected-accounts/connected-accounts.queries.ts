// Accounts at Google and Microsoft, whose calendars are read with the tokens that are stored here.
import type { ConnectedAccount, ConnectedAccountKind, ConnectedAccounts } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { iso, many, one } from '../../platform/db/fragments.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { bigint, json, sql, text, userId, uuid } from '../../platform/db/sql.ts'
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

// Connected again, an account keeps its id, and so its calendars.
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

// Its calendars have stopped, since their requests were refused.
const resume = execute(
  'connected-accounts.resume-calendars',
  sql`
  with due as (
    update calendars set next_fetch_at = current_timestamp
     where user_id = ${userId} and next_fetch_at is null
       and account_id = (select id from connected_accounts
                          where user_id = ${userId} and kind = ${text('kind')} and email = ${text('email')})
    returning id
  )
  update agendas set due_at = least(due_at, current_timestamp)
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

export type StoredAccount = { kind: ConnectedAccountKind; sealed_tokens: string }

const find = queryRows<StoredAccount>()(
  'connected-accounts.find',
  sql`
  select kind, sealed_tokens from connected_accounts where user_id = ${userId} and id = ${id}`,
)

const storeTokens = execute(
  'connected-accounts.store-tokens',
  sql`
  update connected_accounts set sealed_tokens = ${text('sealedTokens')}
   where user_id = ${userId} and id = ${id}`,
)

/** With the kinds that this server can connect. */
export const listAccounts = (db: Db, userId: string, kinds: ConnectedAccountKind[]) =>
  list(db, { userId, kinds })

export async function findAccount(db: Db, userId: string, id: string) {
  const [found] = await find(db, { userId, id })
  return found
}

/** Serialized per user, so that the count holds. */
export const saveAccount = (
  db: Db,
  userId: string,
  given: { kind: ConnectedAccountKind; email: string; sealedTokens: string },
) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const saved = await insert(transaction, { userId, id: newId(), ...given, most })
    if (!saved) throw conflict(`At most ${most} connected accounts; remove one first`)
    await resume(transaction, { userId, kind: given.kind, email: given.email })
    return saved
  })

export const saveTokens = (db: Db, userId: string, id: string, sealedTokens: string) =>
  storeTokens(db, { userId, id, sealedTokens })

export async function deleteAccount(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw accountNotFound()
}
