import type { PlannerStatus } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { answering, object } from '../db/statement.ts'

// A block lasts at most 24 hours, so one that has not ended began no earlier; this lets the index be used.
export const stillToCome = (row: string, now: string) =>
  `${row}.start_at > ${now}::timestamptz - interval '24 hours' and ${row}.end_at > ${now}`

const status = answering<PlannerStatus>(
  'planner.status',
  `
  select ${object({
    pendingTasks: `
      (select count(*) from tasks
        where user_id = $1 and status = 'todo' and auto_schedule)`,
    unscheduledTasks: `
      (select count(*) from tasks task
        where task.user_id = $1 and task.status < 'completed' and task.auto_schedule
          and not exists (select from time_blocks block
                           where block.user_id = $1 and block.task_id = task.id
                             and block.status in ('scheduled', 'in_progress')
                             and ${stillToCome('block', '$2')}))`,
    scheduledBlocks: `
      (select count(*) from time_blocks block
        where block.user_id = $1 and block.status = 'scheduled'
          and ${stillToCome('block', '$2')})`,
  })}::text as json`,
)

export const findPlannerStatus = (db: Db, userId: string, now: Date) =>
  status(db, userId, now.toISOString())
