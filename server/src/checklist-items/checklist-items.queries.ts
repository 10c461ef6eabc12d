import type { ChecklistItem, ChecklistItemChanges, NewChecklistItem } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { columns, finding, object, removing } from '../db/statement.ts'
import { notFound } from '../errors.ts'
import { checklistItem } from '../tasks/task-json.ts'
import { taskNotFound } from '../tasks/tasks.queries.ts'

const itemNotFound = () => notFound('Not found')

const insert = finding<ChecklistItem>(
  'checklist-items.insert',
  `
  insert into checklist_items as item (user_id, id, task_id, title)
  select $1, $2, task.id, $4 from tasks task where task.user_id = $1 and task.id = $3
  returning ${object(checklistItem)}::text as json`,
)

const update = finding<ChecklistItem>(
  'checklist-items.update',
  `
  update checklist_items item
     set (title, completed, sort_order) =
         (select title, completed, sort_order from jsonb_populate_record(item, $3))
   where user_id = $1 and id = $2
  returning ${object(checklistItem)}::text as json`,
)

const remove = removing(
  'checklist-items.delete',
  'delete from checklist_items where user_id = $1 and id = $2',
)

export async function createChecklistItem(
  db: Db,
  userId: string,
  { taskId, title }: NewChecklistItem,
) {
  const created = await insert(db, userId, newId(), taskId, title)
  if (!created) throw taskNotFound()
  return created
}

export async function updateChecklistItem(
  db: Db,
  userId: string,
  id: string,
  changes: ChecklistItemChanges,
) {
  const updated = await update(db, userId, id, columns(changes))
  if (!updated) throw itemNotFound()
  return updated
}

export async function deleteChecklistItem(db: Db, userId: string, id: string) {
  if (!(await remove(db, userId, id))) throw itemNotFound()
}
