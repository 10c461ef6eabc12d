import type { ChecklistItem, ChecklistItemChanges, NewChecklistItem } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { differsBy, object, writtenOrOld } from '../../platform/db/fragments.ts'
import { jsonByColumn, sql, text, userId, uuid } from '../../platform/db/sql.ts'
import { deleteReturning, queryJsonOrNone } from '../../platform/db/statement.ts'
import { notFound } from '../../platform/errors.ts'
import { checklistItem } from '../tasks/task-json.ts'
import { taskNotFound } from '../tasks/tasks.queries.ts'

const itemNotFound = () => notFound('Not found')

export const checklistItemRecord = { fields: checklistItem, row: 'item' }

const insert = queryJsonOrNone<ChecklistItem>()(
  'checklist-items.insert',
  sql`
  with item as (
    insert into checklist_items (user_id, id, task_id, title)
    select ${userId}, ${uuid('id')}, task.id, ${text('title')}
      from tasks task
     where task.user_id = ${userId} and task.id = ${uuid('taskId')}
       for key share
    returning *
  ), ${appendEvents([{ ...checklistItemRecord, type: 'checklistItem.created', after: 'item' }])}
  select ${object(checklistItem)}::text as json from item`,
)

const changes = jsonByColumn('changes')
const update = queryJsonOrNone<ChecklistItem>()(
  'checklist-items.update',
  sql`
  with old as (
    select old.*, ${differsBy(changes)}
      from checklist_items old
     where user_id = ${userId} and id = ${uuid('id')}
       for no key update
  ), item as (
    update checklist_items item
       set (title, completed, sort_order) =
           (select title, completed, sort_order from jsonb_populate_record(item, ${changes}))
      from old
     where item.user_id = ${userId} and item.id = old.id and old.differs
    returning item.*, old.differs
  ), ${appendEvents([{ ...checklistItemRecord, type: 'checklistItem.updated', before: 'old', after: 'item' }])}
  select ${object(checklistItem)}::text as json from ${writtenOrOld('item')}`,
)

const remove = deleteReturning(
  'checklist-items.delete',
  sql`
  with gone as (
    delete from checklist_items where user_id = ${userId} and id = ${uuid('id')} returning *
  ), ${appendEvents([{ ...checklistItemRecord, type: 'checklistItem.deleted', before: 'gone' }])}
  select id from gone`,
)

export async function createChecklistItem(
  db: Db,
  userId: string,
  { taskId, title }: NewChecklistItem,
) {
  const created = await insert(db, { userId, id: newId(), taskId, title })
  if (!created) throw taskNotFound()
  return created
}

export async function updateChecklistItem(
  db: Db,
  userId: string,
  id: string,
  changes: ChecklistItemChanges,
) {
  const updated = await update(db, { userId, id, changes })
  if (!updated) throw itemNotFound()
  return updated
}

export async function deleteChecklistItem(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw itemNotFound()
}
