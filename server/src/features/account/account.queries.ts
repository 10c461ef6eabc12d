// An account's credentials.
import type { Db } from '../../platform/db/database.ts'
import { sql, text, timestamp, userId } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'

const byEmail = queryRows<{ id: string }>()(
  'auth.account-by-email',
  sql`select id from auth.users where email = ${text('email')}`,
)

const setPassword = queryRows<{ user_id: string }>()(
  'auth.set-password',
  sql`
  with ended as (
    delete from auth.sessions where user_id = ${userId}
  )
  update auth.accounts
     set password = ${text('hash')}, updated_at = ${timestamp('now')}
   where user_id = ${userId} and provider_id = 'credential'
  returning user_id`,
)

export async function findAccount(db: Db, email: string) {
  const [account] = await byEmail(db, { email: email.toLowerCase() })
  return account?.id
}

/** Replaces the password of an account, and ends all its sessions. */
export async function replacePassword(db: Db, userId: string, hash: string, now: Date) {
  const [changed] = await setPassword(db, { userId, hash, now })
  if (!changed) throw new Error('This account has no password')
}
