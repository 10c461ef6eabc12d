import type { FullTask, NewTask, Task, TaskChanges } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import { creating, firstMissing, referring } from '../db/references.ts'
import { columns, finding, one, touchedOf } from '../db/statement.ts'
import { ConcurrentUpdate } from '../db/violations.ts'
import { notFound } from '../errors.ts'
import { deleteTasks } from './delete-tasks.queries.ts'
import {
  checklistItems,
  documents,
  family,
  labels,
  labelsAmong,
  places,
  task,
  taskRecord,
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
      when (select count(*)
              from (select from labels
                     where labels.user_id = $1 and labels.id = any($4::uuid[])
                       for key share) held)
           < cardinality($4::uuid[])
      then 'labelIds'`

const withLabelIds = (ids: string) => ({ ...task, labelIds: ids })

const insert = (withLabels: boolean) => `
  with given as (
    select * from jsonb_populate_record(null::tasks, $3)
  ), checked as (
    select ${firstMissing(
      ['spaceId', 'projectId', 'schedulePreferenceId', 'parentTaskId'],
      withLabels ? labelsMissing : '',
    )} as missing
      from given
  ), task as (
    insert into tasks (user_id, id, space_id, project_id, parent_task_id, schedule_preference_id,
                       title, description, status, priority, due_at, start_after, estimate_minutes,
                       min_session_minutes, max_session_minutes, cooldown_minutes, auto_schedule,
                       auto_split, completed_at, archived_at)
    select $1, $2, space_id, project_id, parent_task_id, schedule_preference_id,
           title, description, status, priority, due_at, start_after, estimate_minutes,
           min_session_minutes, max_session_minutes, cooldown_minutes, auto_schedule,
           auto_split, completed_at, archived_at
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
  }, ${recording(
    [
      {
        ...taskRecord,
        type: 'task.created',
        fields: withLabelIds(withLabels ? '$4::uuid[]' : `'[]'::json`),
        after: 'task',
      },
    ],
    { plan: true },
  )}
  select missing, case when task.id is not null then ${one({
    ...task,
    ...places,
    labels: withLabels ? labelsAmong('$4::uuid[]') : `'[]'::json`,
    checklistItems: `'[]'::json`,
  })}::text end as json
    from checked left join task on true`

const insertBare = creating<Task>('tasks.insert', insert(false))
const insertWithLabels = creating<Task>('tasks.insert-with-labels', insert(true))

/** The defaults of a new task. */
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

// The contract changes updatedAt on every edit, also one to the same value; that is not an event.
const touchedUnlessEmpty = touchedOf('task').replace(
  /= (.*)$/,
  `= case when $3::jsonb = '{}' then task.updated_at else $1 end`,
)

// The statement's snapshot has the labels from when it began. If the task has changed by the time it is
// locked, the labels may have, too: then the statement changes nothing.
const updating = (withLabels: boolean, now = withLabels ? '$5' : '$4') => `
  with given as (
    select space_id, project_id, schedule_preference_id from jsonb_populate_record(null::tasks, $3)
  ), checked as (
    select ${firstMissing(
      ['spaceId', 'projectId', 'schedulePreferenceId'],
      withLabels ? labelsMissing : '',
    )} as missing, known.updated_at
      from given, tasks known
     where known.user_id = $1 and known.id = $2
  ), old as (
    select old as was, old.id, old.updated_at
      from tasks old, checked
     where old.user_id = $1 and old.id = $2 and missing is null
       for no key update of old
  ), task as (
    update tasks task
       set (space_id, project_id, schedule_preference_id, title, description, status, priority,
            due_at, start_after, completed_at, estimate_minutes, min_session_minutes,
            max_session_minutes, cooldown_minutes, auto_schedule, auto_split, locked, sort_order,
            actual_minutes, archived_at) =
           (select space_id, project_id, schedule_preference_id, title, description, status, priority,
                   due_at, start_after, completed_at, estimate_minutes, min_session_minutes,
                   max_session_minutes, cooldown_minutes, auto_schedule, auto_split, locked, sort_order,
                   case when $3::jsonb ? 'actual_minutes' then changed.actual_minutes
                        when $3::jsonb ->> 'status' = 'completed'
                        then coalesce(task.actual_minutes, changed.estimate_minutes)
                        else task.actual_minutes end,
                   case when changed.status = 'archived'
                        then coalesce(task.archived_at, ${now}) end
              from jsonb_populate_record(task, $3) changed),
           ${withLabels ? touchedOf('task') : touchedUnlessEmpty}
      from old, checked
     where task.user_id = $1 and task.id = old.id and old.updated_at = checked.updated_at
    returning task.*, old.was
  )${
    withLabels
      ? `, dropped as (
    delete from task_labels
     where user_id = $1 and task_id = $2 and label_id <> all ($4::uuid[])
       and exists (select from task)
    returning label_id
  ), added as (
    insert into task_labels (user_id, task_id, label_id)
    select $1, task.id, label_id from task, unnest($4::uuid[]) label_id
    on conflict do nothing
    returning label_id
  ), labelled as (
    select task.*
      from task, (select count(*) from dropped) without, (select count(*) from added) with_them
  )`
      : ''
  }, ${recording(
    [
      {
        ...taskRecord,
        type: 'task.updated',
        ...(withLabels && { fieldsAfter: withLabelIds('$4::uuid[]') }),
        before: 'was',
        after: withLabels ? 'labelled' : 'task',
        ifChanged: true,
      },
    ],
    { plan: true },
  )}
  select missing, task.id is null and exists (select from old) as overtaken, case when task.id is not null then ${one(
    {
      ...task,
      ...places,
      labels: withLabels ? labelsAmong('$4::uuid[]') : labels,
      checklistItems,
    },
  )}::text end as json
    from checked left join task on true`

const updateBare = referring<Task>('tasks.update', updating(false))
const updateWithLabels = referring<Task>('tasks.update-with-labels', updating(true))

export async function findTask(db: Db, userId: string, id: string) {
  const found = await find(db, userId, id)
  if (!found) throw taskNotFound()
  return found
}

export function createTask(db: Db, userId: string, { labelIds, ...given }: NewTask, now: Date) {
  const completedAt = given.status === 'completed' ? now : null
  const archivedAt = given.status === 'archived' ? now : null
  const values = [userId, newId(), columns({ ...defaults, ...given, completedAt, archivedAt })]
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
  const updated = await update(db, userId, id, changes, now, labelIds && distinct(labelIds))
  if (!updated) throw taskNotFound()
  return updated
}

/** Archives a task, or deletes it; its blocks and subtasks stay, detached. */
export async function deleteTask(
  db: Db,
  userId: string,
  id: string,
  { forGood, now }: { forGood: boolean; now: Date },
) {
  const existed = forGood
    ? await deleteTasks(db, userId, [id])
    : await update(db, userId, id, { status: 'archived' }, now)
  if (!existed) throw taskNotFound()
}

/**
 * The statement's snapshot has the labels from when it began. If another request changed the task while
 * this one waited for its lock, it writes nothing and is run again. Within a transaction the first try
 * keeps its locks, so the second finds the current state.
 */
function update(db: Db, userId: string, id: string, changes: object, now: Date, ids?: string[]) {
  const values = [userId, id, columns(changes)]
  const time = now.toISOString()
  const write = (to: Db) =>
    ids ? updateWithLabels(to, ...values, ids, time) : updateBare(to, ...values, time)
  const twice = (to: Db) => write(to).catch(ifOvertaken(() => write(to)))
  return write(db).catch(ifOvertaken(() => db.transaction(twice)))
}

const ifOvertaken =
  <Result>(again: () => Promise<Result>) =>
  (error: unknown) => {
    if (error instanceof ConcurrentUpdate) return again()
    throw error
  }

const distinct = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))].toSorted()
