// The planner's own blocks, as SQL. A run may replace them, and so may other changes that need their time.
import { setUpdatedAt } from '../../platform/db/fragments.ts'
import { raw, sql, type Sql, timestamp, userId } from '../../platform/db/sql.ts'
import { blockUpdated, timeBlock } from './time-block-json.ts'

export const now = timestamp('now')

/** Untouched blocks of the planner that start after `now`: rule 4 of the contract. */
export const isOwn = <Given>(row: string, now: Sql<Given>) => sql`
  ${raw(row)}.start_at > ${now}::timestamptz and ${raw(row)}.type = 'task' and ${raw(row)}.source = 'auto'
  and ${raw(row)}.status = 'scheduled' and not ${raw(row)}.locked`

/**
 * The planner's own blocks that a run may move or remove: not those of a locked or manual task. Does not use
 * `exists`: a query plan made while the tables were empty would compare every block with every task.
 */
export const isMovable = (row: string) => sql`
  (${isOwn(row, now)}
   and coalesce((select task.status >= 'completed'
                        or not task.locked and task.auto_schedule
                           and coalesce(project.auto_schedule, true)
                   from tasks task
                   left join projects project
                     on project.user_id = ${userId} and project.id = task.project_id
                  where task.user_id = ${userId} and task.id = ${raw(row)}.task_id), false))`

/**
 * A new thread for a block that is no longer cancelled or deleted: another block may have continued its old one.
 * Calendar programs have removed the old event, so they get a new one. A hash, since the nodes of a cluster must
 * agree on it.
 */
export const newThread = (row: string) => `md5(${row}.id || iso(${row}.updated_at))::uuid`

/** The assignments that cancel a block, for the `set` of an update. */
export const setCancelled = sql`status = 'cancelled', cancelled_at = ${now}, ${setUpdatedAt('block')}`

/** CTEs that cancel the planner's own blocks of those tasks in the CTE `task` that are closed. */
export const cancelOwnBlocks = sql`
  old_block as (
    select old as was, old.id
      from time_blocks old, task
     where old.user_id = ${userId} and old.task_id = task.id and task.status >= 'completed'
       and ${isOwn('old', now)}
     order by old.id
       for no key update of old
  ), cancelled_block as (
    update time_blocks block
       set ${setCancelled}
      from old_block old
     where block.user_id = ${userId} and block.id = old.id
    returning block.*, old.was
  )`
export const ownBlockCancelled = blockUpdated('cancelled_block')

/** A title that the same statement gives to the one task in the CTE `task` is not in the table yet. */
const updatedTitle = `coalesce((select updated.title from task updated where updated.id = block.task_id), block.title)`
export const ownBlockOfUpdatedTask = {
  ...ownBlockCancelled,
  fieldsAfter: { ...timeBlock, title: updatedTitle },
}
