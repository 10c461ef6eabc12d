import type { ChecklistItem, ChecklistItemChanges, NewChecklistItem } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import { asItIs, columns, differs, finding, object, removing } from '../db/statement.ts'
import { notFound } from '../errors.ts'
import { checklistItem } from '../tasks/task-json.ts'
import { taskNotFound } from '../tasks/tasks.queries.ts'

const itemNotFound = () => notFound('Not found')

export const checklistItemRecord = { fields: checklistItem, row: 'item' }

const insert = finding<ChecklistItem>(
  'checklist-items.insert',
  `
  with item as (
    insert into checklist_items (user_id, id, task_id, title)
    select $1, $2, task.id, $4
      from tasks task
     where task.user_id = $1 and task.id = $3
       for key share
    returning *
  ), ${recording([{ ...checklistItemRecord, type: 'checklistItem.created', after: 'item' }])}
  select ${object(checklistItem)}::text as json from item`,
)

const update = finding<ChecklistItem>(
  'checklist-items.update',
  `
  with old as (
    select old.*, ${differs()} from checklist_items old where user_id = $1 and id = $2 for no key update
  ), item as (
    update checklist_items item
       set (title, completed, sort_order) =
           (select title, completed, sort_order from jsonb_populate_record(item, $3))
      from old
     where item.user_id = $1 and item.id = old.id and old.differs
    returning item.*, old.differs
  ), ${recording([{ ...checklistItemRecord, type: 'checklistItem.updated', before: 'old', after: 'item' }])}
  select ${object(checklistItem)}::text as json from ${asItIs('item')}`,
)

const remove = removing(
  'checklist-items.delete',
  `
  with gone as (
    delete from checklist_items where user_id = $1 and id = $2 returning *
  ), ${recording([{ ...checklistItemRecord, type: 'checklistItem.deleted', before: 'gone' }])}
  select id from gone`,
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
