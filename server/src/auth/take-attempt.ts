import { createHash } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
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

/** For the current password of a signed-in user. */
export const allowanceOfPerson = (userId: string): Allowance[] => [
  { name: `person\n${userId}`, ...ofBrowser },
]

// The generic cell rate algorithm, as in `http/rate-limit.ts`, but across all processes: concurrent attempts
// wait here for each other. Expired rows are deleted along the way.
const take = selecting<{ account: Buffer }>(
  'auth.take-attempt',
  `
  with past as (
    delete from auth.attempts
     where account in (select account from auth.attempts
                        where whole_at < $2 and account <> $1
                        limit 100
                          for update skip locked)
  )
  insert into auth.attempts as known (account, whole_at)
  values ($1, $2::timestamptz + $3 * interval '1 second')
  on conflict (account) do update
     set whole_at = greatest(known.whole_at, $2) + $3 * interval '1 second'
   where greatest(known.whole_at, $2) + $3 * interval '1 second'
         <= $2::timestamptz + $3 * $4 * interval '1 second'
  returning account`,
)

const returnAttempt = selecting(
  'auth.give-attempt-back',
  `update auth.attempts set whole_at = whole_at - $2 * interval '1 second' where account = $1`,
)

/**
 * Takes an attempt before the password is checked, so that concurrent attempts are counted; returns a
 * function that gives it back after a correct password. Refused attempts do not count.
 */
export async function takeAttempt(db: Db, allowances: Allowance[], now: Date) {
  for (const { name, atOnce, everySeconds } of allowances) {
    const [taken] = await take(db, keyOf(name), now.toISOString(), everySeconds, atOnce)
    if (!taken) throw tooManyRequests(everySeconds)
  }
  return async () => {
    for (const { name, everySeconds } of allowances)
      await returnAttempt(db, keyOf(name), everySeconds)
  }
}

const keyOf = (name: string) => createHash('sha256').update(name).digest()
