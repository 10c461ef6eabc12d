import { createHash } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { bytes, double, sql, timestamp } from '../db/sql.ts'
import { execute, queryRows } from '../db/statement.ts'
import { tooManyRequests } from '../errors.ts'

/** The burst of wrong passwords, and the interval after which one more is allowed. */
export type Allowance = { name: string; atOnce: number; everySeconds: number }

// One network cannot use up an account's allowance alone: its own refills more slowly.
const ofAccount = { atOnce: 20, everySeconds: 12 }
const ofNetwork = { atOnce: 5, everySeconds: 24 }
const ofBrowser = { atOnce: 5, everySeconds: 12 }

/** The allowances that a wrong password for this account, from this network, is charged to. */
export function allowancesOf(email: string, network: string, browser?: string): Allowance[] {
  const account = email.toLowerCase()
  if (browser !== undefined) return [{ name: `browser\n${account}\n${browser}`, ...ofBrowser }]
  return [
    { name: `network\n${account}\n${network}`, ...ofNetwork },
    { name: `account\n${account}`, ...ofAccount },
  ]
}

/** The allowance for wrong entries of the current password by a signed-in user. */
export const allowanceOfPerson = (userId: string): Allowance[] => [
  { name: `person\n${userId}`, ...ofBrowser },
]

const account = bytes('account')
const now = timestamp('now')
const seconds = double('everySeconds')

// The generic cell rate algorithm, as in `platform/http/rate-limit.ts`, but across all processes: concurrent attempts
// wait for each other's row lock. Expired rows of other accounts are deleted as well.
const take = queryRows<{ account: Buffer }>()(
  'auth.take-attempt',
  sql`
  with past as (
    delete from auth.attempts
     where account in (select account from auth.attempts
                        where whole_at < ${now} and account <> ${account}
                        limit 100
                          for update skip locked)
  )
  insert into auth.attempts as known (account, whole_at)
  values (${account}, ${now}::timestamptz + ${seconds} * interval '1 second')
  on conflict (account) do update
     set whole_at = greatest(known.whole_at, ${now}) + ${seconds} * interval '1 second'
   where greatest(known.whole_at, ${now}) + ${seconds} * interval '1 second'
         <= ${now}::timestamptz + ${seconds} * ${double('atOnce')} * interval '1 second'
  returning account`,
)

const returnAttempt = execute(
  'auth.give-attempt-back',
  sql`update auth.attempts set whole_at = whole_at - ${seconds} * interval '1 second' where account = ${account}`,
)

/**
 * Takes an attempt before the password is checked, so that concurrent attempts are counted; returns a
 * function that gives it back after a correct password. Refused attempts do not count.
 */
export async function takeAttempt(db: Db, allowances: Allowance[], now: Date) {
  for (const { name, atOnce, everySeconds } of allowances) {
    const [taken] = await take(db, { account: keyOf(name), now, everySeconds, atOnce })
    if (!taken) throw tooManyRequests(everySeconds)
  }
  return async () => {
    for (const { name, everySeconds } of allowances)
      await returnAttempt(db, { account: keyOf(name), everySeconds })
  }
}

const keyOf = (name: string) => createHash('sha256').update(name).digest()
