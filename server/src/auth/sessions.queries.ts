import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'

/** The maximum age of a session in use; then the user must sign in again. */
export const longestDays = 90
const perUser = 50

const endSurplus = selecting(
  'auth.end-surplus-sessions',
  `
  delete from auth.sessions
   where user_id = $1
     and (expires_at <= $2
          or created_at <= $2::timestamptz - ${longestDays} * interval '1 day'
          or id in (select id from auth.sessions
                     where user_id = $1
                     order by created_at desc, id desc
                    offset ${perUser}))`,
)

/** Deletes a user's expired sessions, and the oldest above the limit. */
export const endSurplusSessions = (db: Db, userId: string, now: Date) =>
  endSurplus(db, userId, now.toISOString())
