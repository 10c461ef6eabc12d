// Tasks that go for good, with all that is only theirs. Their blocks and subtasks stay, detached.
import type { Db } from '../db/database.ts'
import { detaching, recording } from '../db/recording.ts'
import { ids, many, selecting } from '../db/statement.ts'
import { timeBlockRecord } from '../time-blocks/time-block-json.ts'
import { dependency } from './dependency-json.ts'
import { checklistItems, taskRecord } from './task-json.ts'

// They and their subtasks, in one order with all who lock tasks. Whoever ties something to a task
// holds its key: from here on nobody does, and the next statement sees everything that is tied to it.
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

/** The planner's own blocks that were cancelled are nobody's business any more. */
const shown = (cte = '') =>
  `(select * from ${cte} where status <> 'cancelled' or source = 'manual')`

// What is only theirs would go by the foreign keys' cascade, too, but later than the agenda is locked:
// it is counted, so that it goes before the tasks do. The event shows it as the tables had it, by index.
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

/** How many of them there were. */
export const deleteTasks = (db: Db, userId: string, taskIds: string[]) =>
  db.transaction(async (transaction) => {
    await lockToDelete(transaction, userId, taskIds)
    return (await remove(transaction, userId, taskIds)).length
  })
