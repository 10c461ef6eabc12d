import type { Db } from '../../platform/db/database.ts'
import { sql, userId } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'

// Completing a task without measured time copies its estimate, so equal numbers say nothing about an error.
const select = queryRows<{ ratio: number }>()(
  'planner.estimate-errors',
  sql`
  select actual_minutes::float8 / estimate_minutes as ratio
    from tasks
   where user_id = ${userId} and status = 'completed'
     and estimate_minutes > 0 and actual_minutes > 0 and actual_minutes <> estimate_minutes
   order by completed_at desc, id
   limit 200`,
)

/** The ratios of actual to estimated time of the 200 most recently completed tasks with measured time. */
export const listEstimateErrors = async (db: Db, userId: string) =>
  (await select(db, { userId })).map(({ ratio }) => ratio)
