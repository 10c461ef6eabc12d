// Deletes tasks with all that only they own. Their blocks and subtasks stay, detached.
import type { Db } from '../db/database.ts'
import { detaching, recording } from '../db/recording.ts'
import { ids, many, selecting } from '../db/statement.ts'
import { timeBlockRecord } from '../time-blocks/time-block-json.ts'
import { dependency } from './dependency-json.ts'
import { checklistItems, taskRecord } from './task-json.ts'

// Locks the tasks and their subtasks in the common order. A new link to a task needs a lock on its key, so
// after this no link can be added, and the next statement sees all of them.
export const lockToDelete = selecting(
  'tasks.lock-to-delete',
  `
  select id
    from tasks
   where user_id = $1 and (id = any($2::uuid[]) or parent_task_id = any($2::uuid[]))
   order by id
     for update`,
)

const blocks = detaching(timeBlockRecord, 'task_id', 'task_id = any($2::uuid[])')
const subtasks = detaching(
  taskRecord,
  'parent_task_id',
  'parent_task_id = any($2::uuid[]) and id <> all ($2::uuid[])',
)

/** The planner's own cancelled blocks are not shown in events. */
const shown = (cte = '') =>
  `(select * from ${cte} where status <> 'cancelled' or source = 'manual')`

// The foreign keys' cascade would delete dependent rows, too, but after the agenda is locked. Here they are
// counted, so they are deleted first. The event shows them as they were.
const remove = selecting<{ id: string }>(
  'tasks.delete',
  `
  with ${blocks.ctes}, ${subtasks.ctes}, items as (
    delete from checklist_items where user_id = $1 and task_id = any($2::uuid[]) returning id
  ), labels as (
    delete from task_labels where user_id = $1 and task_id = any($2::uuid[]) returning task_id
  ), documents as (
    delete from task_documents where user_id = $1 and task_id = any($2::uuid[]) returning task_id
  ), dependencies as (
    delete from task_dependencies
     where user_id = $1
       and (task_id = any($2::uuid[]) or depends_on_task_id = any($2::uuid[]))
    returning id
  ), parts as (
    select (select count(*) from items) + (select count(*) from labels)
           + (select count(*) from documents) + (select count(*) from dependencies) as count
  ), gone as (
    delete from tasks
     where user_id = $1 and id = any($2::uuid[]) and (select count from parts) >= 0
    returning *
  ), ${recording(
    [
      {
        ...taskRecord,
        type: 'task.deleted',
        fields: {
          ...taskRecord.fields,
          checklistItems,
          dependencies: many(
            dependency,
            `from task_dependencies dependency
            where dependency.user_id = $1
              and (dependency.task_id = task.id or dependency.depends_on_task_id = task.id)
            order by dependency.id`,
          ),
          documentIds: ids(
            'link.document_id',
            'from task_documents link where link.user_id = $1 and link.task_id = task.id',
          ),
        },
        before: 'gone',
      },
      { ...blocks.change, after: shown(blocks.change.after) },
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

/** Returns how many were deleted. */
export const deleteTasks = (db: Db, userId: string, taskIds: string[]) =>
  db.transaction(async (transaction) => {
    await lockToDelete(transaction, userId, taskIds)
    return (await remove(transaction, userId, taskIds)).length
  })
