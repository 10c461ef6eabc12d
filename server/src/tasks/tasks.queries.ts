import type { FullTask, NewTask, Task, TaskChanges } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { creating, firstMissing, referring } from '../db/references.ts'
import { columns, finding, one, removing, selecting, touched } from '../db/statement.ts'
import { notFound } from '../errors.ts'
import {
  checklistItems,
  documents,
  family,
  labels,
  labelsAmong,
  places,
  task,
  timeBlocks,
} from './task-json.ts'

export const taskNotFound = () => notFound('Task not found')

const find = finding<FullTask>(
  'tasks.find',
  `
  select ${one({
    ...task,
    ...places,
    labels,
    checklistItems,
    timeBlocks: timeBlocks(),
    ...family,
    documents,
  })}::text as json
    from tasks task
   where task.user_id = $1 and task.id = $2`,
)

const labelsMissing = `
      when (select count(*) from labels where labels.user_id = $1 and labels.id = any($4::uuid[]))
           < cardinality($4::uuid[])
      then 'labelIds'`

const insert = (withLabels: boolean) => `
  with given as (
    select * from jsonb_populate_record(null::tasks, $3)
  ), checked as (
    select ${firstMissing(
      ['spaceId', 'projectId', 'parentTaskId', 'schedulePreferenceId'],
      withLabels ? labelsMissing : '',
    )} as missing
      from given
  ), task as (
    insert into tasks (user_id, id, space_id, project_id, parent_task_id, schedule_preference_id,
                       title, description, status, priority, due_at, start_after, estimate_minutes,
                       min_session_minutes, max_session_minutes, cooldown_minutes, auto_schedule,
                       auto_split, archived_at)
    select $1, $2, space_id, project_id, parent_task_id, schedule_preference_id,
           title, description, status, priority, due_at, start_after, estimate_minutes,
           min_session_minutes, max_session_minutes, cooldown_minutes, auto_schedule,
           auto_split, archived_at
      from given, checked
     where missing is null
    returning *
  )${
    withLabels
      ? `, links as (
    insert into task_labels (user_id, task_id, label_id)
    select $1, task.id, label_id from task, unnest($4::uuid[]) label_id
  )`
      : ''
  }
  select missing, case when task.id is not null then ${one({
    ...task,
    ...places,
    labels: withLabels ? labelsAmong('$4::uuid[]') : `'[]'::json`,
    checklistItems: `'[]'::json`,
  })}::text end as json
    from checked left join task on true`

const insertBare = creating<Task>('tasks.insert', insert(false))
const insertWithLabels = creating<Task>('tasks.insert-with-labels', insert(true))

/** What a new task is where nothing else is said. */
const defaults = {
  description: '',
  status: 'todo',
  priority: 'none',
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  autoSchedule: true,
  autoSplit: true,
}

// The statement sees the task's labels as they were when it began. If the task has changed by the
// time it gets hold of it, so may they have: it then changes nothing.
const update = (withLabels: boolean, now = withLabels ? '$5' : '$4') => `
  with given as (
    select space_id, project_id, schedule_preference_id from jsonb_populate_record(null::tasks, $3)
  ), checked as (
    select ${firstMissing(
      ['spaceId', 'projectId', 'schedulePreferenceId'],
      withLabels ? labelsMissing : '',
    )} as missing, known.updated_at
      from given, tasks known
     where known.user_id = $1 and known.id = $2
  ), task as (
    update tasks task
       set (space_id, project_id, schedule_preference_id, title, description, status, priority,
            due_at, start_after, completed_at, estimate_minutes, min_session_minutes,
            max_session_minutes, cooldown_minutes, auto_schedule, auto_split, locked, sort_order,
            actual_minutes, archived_at) =
           (select space_id, project_id, schedule_preference_id, title, description, status, priority,
                   due_at, start_after, completed_at, estimate_minutes, min_session_minutes,
                   max_session_minutes, cooldown_minutes, auto_schedule, auto_split, locked, sort_order,
                   case when $3::jsonb ->> 'status' = 'completed'
                        then coalesce(task.actual_minutes, changed.estimate_minutes)
                        else task.actual_minutes end,
                   case when changed.status = 'archived'
                        then coalesce(task.archived_at, ${now}) end
              from jsonb_populate_record(task, $3) changed),
           ${touched}
     where user_id = $1 and id = $2 and (select missing is null from checked)
       and updated_at = (select updated_at from checked)
    returning *
  )${
    withLabels
      ? `, dropped as (
    delete from task_labels
     where user_id = $1 and task_id = $2 and label_id <> all ($4::uuid[])
       and exists (select from task)
  ), added as (
    insert into task_labels (user_id, task_id, label_id)
    select $1, task.id, label_id from task, unnest($4::uuid[]) label_id
    on conflict do nothing
  )`
      : ''
  }
  select missing, case when task.id is not null then ${one({
    ...task,
    ...places,
    labels: withLabels ? labelsAmong('$4::uuid[]') : labels,
    checklistItems,
  })}::text end as json
    from checked left join task on true`

const updateBare = referring<Task>('tasks.update', update(false))
const updateWithLabels = referring<Task>('tasks.update-with-labels', update(true))

const lock = selecting(
  'tasks.lock',
  'select id from tasks where user_id = $1 and id = $2 for no key update',
)

const archive = removing(
  'tasks.archive',
  `
  update tasks
     set status = 'archived', archived_at = coalesce(archived_at, $3), ${touched}
   where user_id = $1 and id = $2`,
)

// Its checklist, labels, dependencies and document links go with it, by the foreign keys' cascade.
const remove = removing(
  'tasks.delete',
  `
  with detached_blocks as (
    update time_blocks set task_id = null, ${touched} where user_id = $1 and task_id = $2
  ), detached_subtasks as (
    update tasks set parent_task_id = null, ${touched} where user_id = $1 and parent_task_id = $2
  )
  delete from tasks where user_id = $1 and id = $2`,
)

export async function findTask(db: Db, userId: string, id: string) {
  const found = await find(db, userId, id)
  if (!found) throw taskNotFound()
  return found
}

export function createTask(db: Db, userId: string, { labelIds, ...given }: NewTask, now: Date) {
  const archivedAt = given.status === 'archived' ? now : null
  const values = [userId, newId(), columns({ ...defaults, ...given, archivedAt })]
  return labelIds?.length
    ? insertWithLabels(db, ...values, distinct(labelIds))
    : insertBare(db, ...values)
}

export async function updateTask(
  db: Db,
  userId: string,
  id: string,
  { labelIds, ...changes }: TaskChanges,
  now: Date,
) {
  const values = [userId, id, columns(changes)]
  const time = now.toISOString()
  const changed = (where: Db) =>
    labelIds
      ? updateWithLabels(where, ...values, distinct(labelIds), time)
      : updateBare(where, ...values, time)
  const updated =
    (await changed(db)) ??
    // It is gone, or someone was in the way: begin again when they are done, and keep others out.
    (await db.transaction(async (transaction) => {
      await lock(transaction, userId, id)
      return changed(transaction)
    }))
  if (!updated) throw taskNotFound()
  return updated
}

/** By default a task is only archived; for good, its blocks and subtasks stay, detached. */
export async function deleteTask(
  db: Db,
  userId: string,
  id: string,
  { forGood, now }: { forGood: boolean; now: Date },
) {
  const existed = forGood
    ? await remove(db, userId, id)
    : await archive(db, userId, id, now.toISOString())
  if (!existed) throw taskNotFound()
}

const distinct = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))]
