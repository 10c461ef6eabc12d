// The JSON of a task, piece by piece, as SQL. `task` is its row.
import { ids, iso, many, object, one } from '../../platform/db/fragments.ts'
import { raw, sql, type Sql, userId } from '../../platform/db/sql.ts'
import { spaceSummary } from '../spaces/space-json.ts'
import { timeBlockJson } from '../time-blocks/time-block-json.ts'

const taskOf = (row: string) => ({
  id: `${row}.id`,
  userId: `${row}.user_id`,
  spaceId: `${row}.space_id`,
  projectId: `${row}.project_id`,
  parentTaskId: `${row}.parent_task_id`,
  title: `${row}.title`,
  description: `${row}.description`,
  status: `${row}.status`,
  priority: `${row}.priority`,
  dueAt: iso(`${row}.due_at`),
  startAfter: iso(`${row}.start_after`),
  completedAt: iso(`${row}.completed_at`),
  estimateMinutes: `${row}.estimate_minutes`,
  actualMinutes: `${row}.actual_minutes`,
  minSessionMinutes: `${row}.min_session_minutes`,
  maxSessionMinutes: `${row}.max_session_minutes`,
  cooldownMinutes: `${row}.cooldown_minutes`,
  autoSchedule: `${row}.auto_schedule`,
  autoSplit: `${row}.auto_split`,
  schedulePreferenceId: `${row}.schedule_preference_id`,
  locked: `${row}.locked`,
  sortOrder: `${row}.sort_order`,
  createdAt: iso(`${row}.created_at`),
  updatedAt: iso(`${row}.updated_at`),
})

export const task = taskOf('task')

/** A task in events. */
export const taskRecord = {
  table: 'tasks',
  name: 'task',
  fields: {
    ...task,
    labelIds: ids(
      'link.label_id',
      sql`from task_labels link where link.user_id = ${userId} and link.task_id = task.id`,
    ),
  },
  row: 'task',
}

export const places = {
  space: one(
    spaceSummary,
    sql`from spaces space where space.user_id = ${userId} and space.id = task.space_id`,
  ),
  project: one(
    { id: 'project.id', name: 'project.name', color: 'project.color' },
    sql`from projects project where project.user_id = ${userId} and project.id = task.project_id`,
  ),
}

const label = { id: 'label.id', name: 'label.name', color: 'label.color' }

export const labels = many(
  label,
  sql`from task_labels link
   join labels label on label.user_id = ${userId} and label.id = link.label_id
  where link.user_id = ${userId} and link.task_id = task.id
  order by label.name`,
)

/** The labels with these ids, which the same statement adds to the task. */
export const labelsAmong = <Given>(ids: Sql<Given>) =>
  many(
    label,
    sql`from labels label where label.user_id = ${userId} and label.id = any(${ids}) order by label.name`,
  )

export const checklistItem = {
  id: 'item.id',
  taskId: 'item.task_id',
  title: 'item.title',
  completed: 'item.completed',
  sortOrder: 'item.sort_order',
}

export const checklistItems = many(
  checklistItem,
  sql`from checklist_items item
  where item.user_id = ${userId} and item.task_id = task.id
  order by item.sort_order, item.id`,
)

export const timeBlocks = (condition = '') =>
  sql`(select coalesce(json_agg(${timeBlockJson({ title: 'task.title' })} order by block.start_at, block.id), '[]')
     from time_blocks block
    where block.user_id = ${userId} and block.task_id = task.id ${raw(condition)})`

export const family = {
  subtasks: many(
    taskOf('subtask'),
    sql`from tasks subtask
    where subtask.user_id = ${userId} and subtask.parent_task_id = task.id
    order by subtask.sort_order, subtask.id`,
  ),
  parentTask: one(
    { id: 'parent.id', title: 'parent.title' },
    sql`from tasks parent where parent.user_id = ${userId} and parent.id = task.parent_task_id`,
  ),
}

export const documents = many(
  { id: 'document.id', title: 'document.title', docType: 'document.doc_type', url: 'document.url' },
  sql`from task_documents link
   join documents document on document.user_id = ${userId} and document.id = link.document_id
  where link.user_id = ${userId} and link.task_id = task.id
  order by document.sort_order, document.id`,
)

/** A task in the JSON of records linked to it. */
export const taskSummary = object({ id: 'task.id', title: 'task.title', status: 'task.status' })
