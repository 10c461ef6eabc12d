import type {
  ActualMinutes,
  BlocksOfTask,
  FullTask,
  NewTask,
  Progress,
  Task,
  TaskChanges,
} from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { firstMissing } from '../../platform/db/check-references.ts'
import { nextUpdatedAt, one, setUpdatedAt } from '../../platform/db/fragments.ts'
import { jsonByColumn, raw, sql, userId, uuid, uuids } from '../../platform/db/sql.ts'
import {
  insertReturningJson,
  queryJsonOrNone,
  updateReturningJson,
} from '../../platform/db/statement.ts'
import { ConcurrentUpdate } from '../../platform/db/database-errors.ts'
import { notFound } from '../../platform/errors.ts'
import { cancelOwnBlocks, now, ownBlockOfUpdatedTask } from '../time-blocks/own-blocks.ts'
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

const id = uuid('id')
const changes = jsonByColumn('changes')
const labelIds = sql`${uuids('labelIds')}::uuid[]`

const find = queryJsonOrNone<FullTask>()(
  'tasks.find',
  sql`
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
   where task.user_id = ${userId} and task.id = ${id}`,
)

const labelsMissing = sql`
      when (select count(*)
              from (select from labels
                     where labels.user_id = ${userId} and labels.id = any(${labelIds})
                       for key share) held)
           < cardinality(${labelIds})
      then 'labelIds'`

const buildInsert = (withLabels: boolean) => sql`
  with given as (
    select * from jsonb_populate_record(null::tasks, ${changes})
  ), checked as (
    select ${firstMissing(
      ['schedulePreferenceId', 'spaceId', 'projectId', 'parentTaskId'],
      withLabels ? labelsMissing : '',
    )} as missing
      from given
  ), task as (
    insert into tasks (user_id, id, space_id, project_id, parent_task_id, schedule_preference_id,
                       title, description, status, priority, due_at, start_after, estimate_minutes,
                       min_session_minutes, max_session_minutes, cooldown_minutes, auto_schedule,
                       auto_split, completed_at, archived_at)
    select ${userId}, ${id}, space_id, project_id, parent_task_id, schedule_preference_id,
           title, description, status, priority, due_at, start_after, estimate_minutes,
           min_session_minutes, max_session_minutes, cooldown_minutes, auto_schedule,
           auto_split, completed_at, archived_at
      from given, checked
     where missing is null
    returning *
  )${
    withLabels
      ? sql`, links as (
    insert into task_labels (user_id, task_id, label_id)
    select ${userId}, task.id, label_id from task, unnest(${labelIds}) label_id
  )`
      : raw('')
  }, ${appendEvents(
    [
      {
        ...taskRecord,
        type: 'task.created',
        fields: { ...task, labelIds: withLabels ? labelIds : `'[]'::json` },
        after: 'task',
      },
    ],
    { plan: true },
  )}
  select missing, case when task.id is not null then ${one({
    ...task,
    ...places,
    labels: withLabels ? labelsAmong(labelIds) : `'[]'::json`,
    checklistItems: `'[]'::json`,
  })}::text end as json
    from checked left join task on true`

const insertBare = insertReturningJson<Task>()('tasks.insert', buildInsert(false))
const insertWithLabels = insertReturningJson<Task>()('tasks.insert-with-labels', buildInsert(true))

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

// The contract changes updatedAt on every edit, even one to the same value, which appends no event.
const setUpdatedAtUnlessEmpty = sql`updated_at = case when ${changes}::jsonb = '{}' then task.updated_at else ${nextUpdatedAt('task')} end`

// The statement's snapshot has the labels from when it began. If the task has changed by the time it is
// locked, the labels may have, too: then the statement changes nothing.
const buildUpdate = ({ withLabels = false, withBlocks = false }) => sql`
  with given as (
    select space_id, project_id, schedule_preference_id from jsonb_populate_record(null::tasks, ${changes})
  ), checked as (
    select ${firstMissing(
      ['schedulePreferenceId', 'spaceId', 'projectId'],
      withLabels ? labelsMissing : '',
    )} as missing, known.updated_at
      from given, tasks known
     where known.user_id = ${userId} and known.id = ${id}
  ), old as (
    select old as was, old.id, old.updated_at
      from tasks old, checked
     where old.user_id = ${userId} and old.id = ${id} and missing is null
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
                   case when ${changes}::jsonb ? 'actual_minutes' then changed.actual_minutes
                        when ${changes}::jsonb ->> 'status' = 'completed'
                        then coalesce(task.actual_minutes, changed.estimate_minutes)
                        else task.actual_minutes end,
                   case when changed.status = 'archived'
                        then coalesce(task.archived_at, ${now}) end
              from jsonb_populate_record(task, ${changes}) changed),
           ${withLabels ? setUpdatedAt('task') : setUpdatedAtUnlessEmpty}
      from old, checked
     where task.user_id = ${userId} and task.id = old.id and old.updated_at = checked.updated_at
    returning task.*, old.was
  )${
    withLabels
      ? sql`, dropped as (
    delete from task_labels
     where user_id = ${userId} and task_id = ${id} and label_id <> all (${labelIds})
       and exists (select from task)
    returning label_id
  ), added as (
    insert into task_labels (user_id, task_id, label_id)
    select ${userId}, task.id, label_id from task, unnest(${labelIds}) label_id
    on conflict do nothing
    returning label_id
  ), labelled as (
    select task.*
      from task, (select count(*) from dropped) without, (select count(*) from added) with_them
  )`
      : raw('')
  }${withBlocks ? sql`, ${cancelOwnBlocks}` : raw('')}, ${appendEvents(
    [
      {
        ...taskRecord,
        type: 'task.updated',
        ...(withLabels && { fieldsAfter: { ...task, labelIds } }),
        before: 'was',
        after: withLabels ? 'labelled' : 'task',
        ifChanged: true,
      },
      ...(withBlocks ? [ownBlockOfUpdatedTask] : []),
    ],
    { plan: true },
  )}
  select missing, task.id is null and exists (select from old) as overtaken, case when task.id is not null then ${one(
    {
      ...task,
      ...places,
      labels: withLabels ? labelsAmong(labelIds) : labels,
      checklistItems,
    },
  )}::text end as json
    from checked left join task on true`

const defineUpdate = updateReturningJson<Task>()
const updateBare = defineUpdate('tasks.update', buildUpdate({}))
const updateWithLabels = defineUpdate('tasks.update-with-labels', buildUpdate({ withLabels: true }))
const updateWithBlocks = defineUpdate('tasks.update-with-blocks', buildUpdate({ withBlocks: true }))
const updateWithBoth = defineUpdate(
  'tasks.update-with-labels-and-blocks',
  buildUpdate({ withLabels: true, withBlocks: true }),
)

export async function findTask(db: Db, userId: string, id: string, asked: Progress) {
  const found = await find(db, { userId, id, progress: asked.progress === 'true' })
  if (!found) throw taskNotFound()
  return found
}

export function createTask(db: Db, userId: string, { labelIds, ...given }: NewTask, now: Date) {
  const completedAt = given.status === 'completed' ? now : null
  const archivedAt = given.status === 'archived' ? now : null
  const changes = { ...defaults, ...given, completedAt, archivedAt }
  const insert = labelIds?.length ? insertWithLabels : insertBare
  return insert(db, { userId, id: newId(), changes, labelIds: distinct(labelIds) })
}

export async function updateTask(
  db: Db,
  userId: string,
  id: string,
  { labelIds, ...changes }: TaskChanges,
  now: Date,
  blocks?: BlocksOfTask,
) {
  const labels = labelIds && distinct(labelIds)
  const updated = await update(db, userId, id, changes, now, { labels, blocks })
  if (!updated) throw taskNotFound()
  return updated
}

/** No other operation sets them directly: they are copied from the estimate, and summed up from stopped blocks. */
export async function setActualMinutes(
  db: Db,
  userId: string,
  id: string,
  { actualMinutes }: ActualMinutes,
  now: Date,
) {
  if (!(await update(db, userId, id, { actualMinutes }, now, {}))) throw taskNotFound()
  return { actualMinutes }
}

/** Archives a task, or deletes it; its blocks and subtasks stay, detached. */
export async function deleteTask(
  db: Db,
  userId: string,
  id: string,
  { forGood, now, blocks }: { forGood: boolean; now: Date; blocks?: BlocksOfTask | undefined },
) {
  const existed = forGood
    ? await deleteTasks(db, userId, [id], blocks && now)
    : await update(db, userId, id, { status: 'archived' }, now, { blocks })
  if (!existed) throw taskNotFound()
}

/**
 * The statement's snapshot has the labels from when it began. If another request changed the task while
 * this one waited for its lock, it writes nothing and is run again. Within a transaction the first try
 * keeps its locks, so the second finds the current state.
 */
function update(
  db: Db,
  userId: string,
  id: string,
  changes: object,
  now: Date,
  { labels, blocks }: { labels?: string[] | undefined; blocks?: BlocksOfTask | undefined },
) {
  const withLabels = blocks ? updateWithBoth : updateWithLabels
  const statement = labels ? withLabels : blocks ? updateWithBlocks : updateBare
  const write = (to: Db) => statement(to, { userId, id, changes, labelIds: labels ?? [], now })
  const twice = (to: Db) => write(to).catch(ifOvertaken(() => write(to)))
  return write(db).catch(ifOvertaken(() => db.transaction(twice)))
}

const ifOvertaken =
  <Result>(again: () => Promise<Result>) =>
  (error: unknown) => {
    if (error instanceof ConcurrentUpdate) return again()
    throw error
  }

const distinct = (ids: string[] = []) => [...new Set(ids.map((id) => id.toLowerCase()))].toSorted()
