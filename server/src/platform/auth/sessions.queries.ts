import type { Db } from '../db/database.ts'
import { raw, sql, timestamp, userId } from '../db/sql.ts'
import { execute } from '../db/statement.ts'

/** The maximum age of a session in use; then the user must sign in again. */
export const longestDays = 90
const perUser = 50

const now = timestamp('now')
const endSurplus = execute(
  'auth.end-surplus-sessions',
  sql`
  delete from auth.sessions
   where user_id = ${userId}
     and (expires_at <= ${now}
          or created_at <= ${now}::timestamptz - ${raw(longestDays)} * interval '1 day'
          or id in (select id from auth.sessions
                     where user_id = ${userId}
                     order by created_at desc, id desc
                    offset ${raw(perUser)}))`,
)

/** Deletes a user's expired sessions, and the oldest above the limit. */
export const endSurplusSessions = (db: Db, userId: string, now: Date) =>
  endSurplus(db, { userId, now })
