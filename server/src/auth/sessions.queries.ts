import type { Db } from '../db/database.ts'
import { selecting } from '../db/statement.ts'

/** However much it is used: after so many days one signs in again. */
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

/** Removes a user's sessions that are over, and the oldest of those that are too many. */
export const endSurplusSessions = (db: Db, userId: string, now: Date) =>
  endSurplus(db, userId, now.toISOString())
