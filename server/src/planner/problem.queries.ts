import type { Problem } from '@daywright/scheduler'
import type { Db } from '../db/database.ts'
import type { TitledBlock } from './titled-blocks.ts'
import { type Json, many, never, one, selecting } from '../db/statement.ts'

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`

/** A block that a run may replace, with all its content. */
export type OwnBlock = Omit<TitledBlock, 'taskId'> & { id: string; taskId: string | null }

// Ordered by id: equal rows give equal text, and so an equal hash.
const load = selecting<{ problem: Json<Problem>; own: OwnBlock[] | null; last_event: number }>(
  'planner.problem',
  `
  with open_task as (
    select id from tasks where user_id = $1 and status < 'completed'
  ), block as (
    select * from time_blocks block
     where block.user_id = $1 and block.status <> 'cancelled'
       and block.start_at > $2::timestamptz - interval '24 hours' and block.end_at > $2::timestamptz
     union
    select block.* from open_task
      join time_blocks block on block.user_id = $1 and block.task_id = open_task.id
     where block.status <> 'cancelled'
  ), shown_task as (
    select id from open_task union select task_id from block where task_id is not null
  )
  select ${one(
    {
      now: ms('$2::timestamptz'),
      timezone: 'person.timezone',
      tasks: many(
        {
          id: 'task.id',
          title: 'task.title',
          status: 'task.status',
          priority: 'task.priority',
          autoSchedule: 'task.auto_schedule and coalesce(project.auto_schedule, true)',
          autoSplit: 'task.auto_split',
          locked: 'task.locked',
          dueAt: ms('task.due_at'),
          startAfter: ms('task.start_after'),
          estimateMinutes: 'task.estimate_minutes',
          minSessionMinutes: 'task.min_session_minutes',
          maxSessionMinutes: 'task.max_session_minutes',
          cooldownMinutes: 'task.cooldown_minutes',
          windows: 'preference.windows',
        },
        `from tasks task
         left join projects project on project.user_id = $1 and project.id = task.project_id
         left join schedule_preferences preference
           on preference.user_id = $1 and preference.id = task.schedule_preference_id
        where task.user_id = $1 and task.id = any(array(select id from shown_task))
        order by task.id`,
      ),
      blocks: many(
        {
          id: 'block.id',
          taskId: 'block.task_id',
          type: 'block.type',
          source: 'block.source',
          status: 'block.status',
          locked: 'block.locked',
          startAt: ms('block.start_at'),
          endAt: ms('block.end_at'),
        },
        'from block order by block.id',
      ),
      dependencies: many(
        { taskId: 'link.task_id', dependsOnTaskId: 'link.depends_on_task_id' },
        `from task_dependencies link
        where link.user_id = $1
        order by link.task_id, link.depends_on_task_id`,
      ),
    },
    'from users person where person.id = $1',
  )}::text as problem,
         case when $3::boolean then ${many(
           {
             id: 'block.id',
             taskId: 'block.task_id',
             title: 'block.title',
             startAt: ms('block.start_at'),
             endAt: ms('block.end_at'),
             defended: 'block.defended',
             explanation: 'block.explanation',
           },
           `from block
           where block.source = 'auto' and block.status = 'scheduled' and not block.locked`,
         )} end as own,
         coalesce((select last_event from agendas where user_id = $1), 0) as last_event`,
)

/**
 * All inputs of a plan, as JSON that is equal for equal rows; the last event; and on request the planner's
 * own blocks.
 */
export async function loadProblem(db: Db, userId: string, now: Date, withOwn = false) {
  const [row] = await load(db, userId, now.toISOString(), withOwn)
  return row ?? never('planner.problem')
}
