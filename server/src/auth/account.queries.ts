// An account's credentials.
import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'

const byEmail = selecting<{ id: string }>(
  'auth.account-by-email',
  'select id from auth.users where email = $1',
)

const setPassword = selecting<{ user_id: string }>(
  'auth.set-password',
  `
  with ended as (
    delete from auth.sessions where user_id = $1
  )
  update auth.accounts
     set password = $2, updated_at = $3
   where user_id = $1 and provider_id = 'credential'
  returning user_id`,
)

export async function findAccount(db: Db, email: string) {
  const [account] = await byEmail(db, email.toLowerCase())
  return account?.id
}

/** Replaces any password, and ends every session of the account. */
export async function replacePassword(db: Db, userId: string, hash: string, now: Date) {
  const [changed] = await setPassword(db, userId, hash, now.toISOString())
  if (!changed) throw new Error('This account has no password')
}
