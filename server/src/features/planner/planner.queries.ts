import type { PlannerStatus } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { object } from '../../platform/db/fragments.ts'
import { raw, sql, type Sql, timestamp, userId } from '../../platform/db/sql.ts'
import { queryJson } from '../../platform/db/statement.ts'

// A block lasts at most 24 hours, so one that has not ended began no earlier; this lets the index be used.
export const stillToCome = <Given>(row: string, now: Sql<Given>) =>
  sql`${raw(row)}.start_at > ${now}::timestamptz - interval '24 hours'
      and ${raw(row)}.end_at > ${now}`

// A manual project makes all of its tasks manual.
const isAutomatic = sql`
          task.auto_schedule
          and not exists (select from projects project
                           where project.user_id = ${userId} and project.id = task.project_id
                             and not project.auto_schedule)`

const now = timestamp('now')
const status = queryJson<PlannerStatus>()(
  'planner.status',
  sql`
  select ${object({
    pendingTasks: sql`
      (select count(*) from tasks task
        where task.user_id = ${userId} and task.status = 'todo' and ${isAutomatic})`,
    unscheduledTasks: sql`
      (select count(*) from tasks task
        where task.user_id = ${userId} and task.status < 'completed' and ${isAutomatic}
          and not exists (select from time_blocks block
                           where block.user_id = ${userId} and block.task_id = task.id
                             and block.status in ('scheduled', 'in_progress')
                             and ${stillToCome('block', now)}))`,
    scheduledBlocks: sql`
      (select count(*) from time_blocks block
        where block.user_id = ${userId} and block.status = 'scheduled'
          and ${stillToCome('block', now)})`,
  })}::text as json`,
)

export const findPlannerStatus = (db: Db, userId: string, now: Date) => status(db, { userId, now })
