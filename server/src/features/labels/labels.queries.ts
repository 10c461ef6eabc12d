import type { Label, LabelChanges, ListedLabel, NewLabel } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import {
  differsBy,
  ids,
  iso,
  many,
  object,
  setUpdatedAt,
  writtenOrOld,
} from '../../platform/db/fragments.ts'
import { jsonByColumn, sql, text, userId, uuid } from '../../platform/db/sql.ts'
import { deleteReturning, queryJson, queryJsonOrNone } from '../../platform/db/statement.ts'
import { onDuplicate } from '../../platform/db/database-errors.ts'
import { conflict, notFound } from '../../platform/errors.ts'

const labelNotFound = () => notFound('Label not found')
const nameTaken = onDuplicate(() => conflict('Label name already in use'))

const label = {
  id: 'label.id',
  userId: 'label.user_id',
  name: 'label.name',
  color: 'label.color',
  createdAt: iso('label.created_at'),
  updatedAt: iso('label.updated_at'),
}

export const labelRecord = { fields: label, row: 'label' }

const list = queryJson<ListedLabel[]>()(
  'labels.list',
  sql`
  select ${many(
    { ...label, _count: object({ tasks: 'carrying.count' }) },
    sql`from labels label
    cross join lateral (select count(*)
                          from task_labels link
                         where link.user_id = ${userId} and link.label_id = label.id) carrying
    where label.user_id = ${userId}
    order by label.name`,
  )}::text as json`,
)

const insert = queryJson<Label>()(
  'labels.insert',
  sql`
  with label as (
    insert into labels (user_id, id, name, color)
    values (${userId}, ${uuid('id')}, ${text('name')}, ${text.orNull('color')})
    returning *
  ), ${appendEvents([{ ...labelRecord, type: 'label.created', after: 'label' }])}
  select ${object(label)}::text as json from label`,
)

// The changes are JSON: an absent field keeps its value, a null clears it.
const changes = jsonByColumn('changes')
const update = queryJsonOrNone<Label>()(
  'labels.update',
  sql`
  with old as (
    select old.*, ${differsBy(changes)}
      from labels old
     where user_id = ${userId} and id = ${uuid('id')}
       for no key update
  ), label as (
    update labels label
       set (name, color) = (select name, color from jsonb_populate_record(label, ${changes})),
           ${setUpdatedAt('label')}
      from old
     where label.user_id = ${userId} and label.id = old.id and old.differs
    returning label.*, old.differs
  ), ${appendEvents([{ ...labelRecord, type: 'label.updated', before: 'old', after: 'label' }])}
  select ${object(label)}::text as json from ${writtenOrOld('label')}`,
)

// Deletes the links explicitly: the foreign key's cascade would do so only after `user_state` is locked.
const remove = deleteReturning(
  'labels.delete',
  sql`
  with old as (
    select id from labels where user_id = ${userId} and id = ${uuid('id')} for update
  ), unlinked as (
    delete from task_labels
     where user_id = ${userId} and label_id in (select id from old)
    returning task_id
  ), gone as (
    delete from labels where user_id = ${userId} and id in (select id from old) returning *
  ), ${appendEvents([
    {
      ...labelRecord,
      type: 'label.deleted',
      fields: { ...label, taskIds: ids('task_id', 'from unlinked') },
      before: 'gone',
    },
  ])}
  select id from gone`,
)

export const listLabels = (db: Db, userId: string) => list(db, { userId })

export const createLabel = (db: Db, userId: string, { name, color }: NewLabel) =>
  insert(db, { userId, id: newId(), name, color }).catch(nameTaken)

export async function updateLabel(db: Db, userId: string, id: string, changes: LabelChanges) {
  const updated = await update(db, { userId, id, changes }).catch(nameTaken)
  if (!updated) throw labelNotFound()
  return updated
}

/** Tasks that had the label remain; only their links to it are deleted. */
export async function deleteLabel(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw labelNotFound()
}
