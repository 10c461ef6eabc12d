// Deletes tasks with everything that only they own. Their blocks and subtasks stay, detached.
import type { Db } from '../../platform/db/database.ts'
import { appendEvents, detachReferences } from '../../platform/db/append-events.ts'
import { ids, many } from '../../platform/db/fragments.ts'
import { sql, timestamp, userId, uuids } from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'
import { isOwn } from '../time-blocks/own-blocks.ts'
import {
  timeBlockRecord,
  timeBlockWithoutTask,
  titleOfBlock,
} from '../time-blocks/time-block-json.ts'
import { dependency } from './dependency-json.ts'
import { checklistItems, taskRecord } from './task-json.ts'

const taskIds = sql`${uuids('taskIds')}::uuid[]`
const cancelFrom = timestamp.orNull('cancelFrom')

// Locks the tasks and their subtasks in the common order. A new link to a task needs a lock on its key, so
// after this no link can be added, and the next statement sees all of them.
const lock = execute(
  'tasks.lock-to-delete',
  sql`
  select id
    from tasks
   where user_id = ${userId} and (id = any(${taskIds}) or parent_task_id = any(${taskIds}))
   order by id
     for update`,
)

// Detaches the blocks. Those of the planner after `cancelFrom` are cancelled; none if it is null.
const blocks = detachReferences(
  timeBlockRecord,
  'task_id',
  sql`task_id = any(${taskIds})`,
  sql`title = ${titleOfBlock},
           status = case when ${isOwn('block', cancelFrom)} then 'cancelled' else block.status end,
           cancelled_at = case when ${isOwn('block', cancelFrom)} then ${cancelFrom} else block.cancelled_at end,
           `,
)
const subtasks = detachReferences(
  taskRecord,
  'parent_task_id',
  sql`parent_task_id = any(${taskIds}) and id <> all (${taskIds})`,
)

/** The planner's own blocks that were cancelled before are not shown in events. */
const shown = `(select * from ${blocks.change.after} where (was).status <> 'cancelled' or source = 'manual')`

// Deletes dependent rows first, by counting them: the foreign keys' cascade would delete them only after `user_state`
// is locked. The event shows them as they were.
const remove = queryRows<{ id: string }>()(
  'tasks.delete',
  sql`
  with ${blocks.ctes}, ${subtasks.ctes}, items as (
    delete from checklist_items where user_id = ${userId} and task_id = any(${taskIds}) returning id
  ), labels as (
    delete from task_labels where user_id = ${userId} and task_id = any(${taskIds}) returning task_id
  ), documents as (
    delete from task_documents where user_id = ${userId} and task_id = any(${taskIds}) returning task_id
  ), dependencies as (
    delete from task_dependencies
     where user_id = ${userId}
       and (task_id = any(${taskIds}) or depends_on_task_id = any(${taskIds}))
    returning id
  ), occurrences as (
    update occurrences occurrence
       set task_id = null, former_task = occurrence.task_id,
           state = case when occurrence.state not in ('made', 'ended') then occurrence.state
                        when task.status = 'completed' then 'ended' else 'skipped' end
      from tasks task
     where occurrence.user_id = ${userId} and occurrence.task_id = any(${taskIds})
       and task.user_id = ${userId} and task.id = occurrence.task_id
    returning occurrence.former_task
  ), parts as (
    select (select count(*) from items) + (select count(*) from labels)
           + (select count(*) from documents) + (select count(*) from dependencies)
           + (select count(*) from occurrences) as count
  ), gone as (
    delete from tasks
     where user_id = ${userId} and id = any(${taskIds}) and (select count from parts) >= 0
    returning *
  ), ${appendEvents(
    [
      {
        ...taskRecord,
        type: 'task.deleted',
        fields: {
          ...taskRecord.fields,
          checklistItems,
          dependencies: many(
            dependency,
            sql`from task_dependencies dependency
            where dependency.user_id = ${userId}
              and (dependency.task_id = task.id or dependency.depends_on_task_id = task.id)
            order by dependency.id`,
          ),
          documentIds: ids(
            'link.document_id',
            sql`from task_documents link where link.user_id = ${userId} and link.task_id = task.id`,
          ),
        },
        before: 'gone',
      },
      { ...blocks.change, fieldsAfter: timeBlockWithoutTask, after: shown },
      subtasks.change,
    ],
    {
      plan: true,
      went: {
        checklistItems: 'select count(*) from items',
        dependencies: 'select count(*) from dependencies',
        documentLinks: 'select count(*) from documents',
      },
    },
  )}
  select id from gone`,
)

export const lockToDelete = (db: Db, userId: string, taskIds: string[]) =>
  lock(db, { userId, taskIds })

/** Deletes tasks; returns how many were deleted. Their blocks of the planner after `cancelFrom` are cancelled. */
export const deleteTasks = (db: Db, userId: string, taskIds: string[], cancelFrom?: Date) =>
  db.transaction(async (transaction) => {
    await lockToDelete(transaction, userId, taskIds)
    return (await remove(transaction, { userId, taskIds, cancelFrom })).length
  })
