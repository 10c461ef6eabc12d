import { createHash } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'
import { tooManyRequests } from '../errors.ts'

const atOnce = 5
const oneMoreEverySeconds = 12

// The generic cell rate algorithm, as in `http/rate-limit.ts`, but for all processes together: of
// many at once each waits here for the one before. What has passed is cleared away by the way.
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

/** Before a password is looked at. Refused attempts do not count: who waits may try again. */
export async function takeAttempt(db: Db, account: string, now: Date) {
  const name = createHash('sha256').update(account.toLowerCase()).digest()
  const [taken] = await take(db, name, now.toISOString(), oneMoreEverySeconds, atOnce)
  if (!taken) throw tooManyRequests(oneMoreEverySeconds)
}
