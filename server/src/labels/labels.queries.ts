import type { Label, LabelChanges, ListedLabel, NewLabel } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import {
  answering,
  asItIs,
  columns,
  differs,
  finding,
  ids,
  iso,
  many,
  object,
  removing,
  touchedOf,
} from '../db/statement.ts'
import { onDuplicate } from '../db/violations.ts'
import { conflict, notFound } from '../errors.ts'

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

const list = answering<ListedLabel[]>(
  'labels.list',
  `
  select ${many(
    { ...label, _count: object({ tasks: 'carrying.count' }) },
    `from labels label
    cross join lateral (select count(*)
                          from task_labels link
                         where link.user_id = $1 and link.label_id = label.id) carrying
    where label.user_id = $1
    order by label.name`,
  )}::text as json`,
)

const insert = answering<Label>(
  'labels.insert',
  `
  with label as (
    insert into labels (user_id, id, name, color) values ($1, $2, $3, $4) returning *
  ), ${recording([{ ...labelRecord, type: 'label.created', after: 'label' }])}
  select ${object(label)}::text as json from label`,
)

// The changes are JSON: an absent field keeps its value, a null clears it.
const update = finding<Label>(
  'labels.update',
  `
  with old as (
    select old.*, ${differs()} from labels old where user_id = $1 and id = $2 for no key update
  ), label as (
    update labels label
       set (name, color) = (select name, color from jsonb_populate_record(label, $3)),
           ${touchedOf('label')}
      from old
     where label.user_id = $1 and label.id = old.id and old.differs
    returning label.*, old.differs
  ), ${recording([{ ...labelRecord, type: 'label.updated', before: 'old', after: 'label' }])}
  select ${object(label)}::text as json from ${asItIs('label')}`,
)

// The foreign key's cascade would delete the links, too, but after the agenda is locked.
const remove = removing(
  'labels.delete',
  `
  with old as (
    select id from labels where user_id = $1 and id = $2 for update
  ), unlinked as (
    delete from task_labels
     where user_id = $1 and label_id in (select id from old)
    returning task_id
  ), gone as (
    delete from labels where user_id = $1 and id in (select id from old) returning *
  ), ${recording([
    {
      ...labelRecord,
      type: 'label.deleted',
      fields: { ...label, taskIds: ids('task_id', 'from unlinked') },
      before: 'gone',
    },
  ])}
  select id from gone`,
)

export const listLabels = (db: Db, userId: string) => list(db, userId)

export const createLabel = (db: Db, userId: string, { name, color = null }: NewLabel) =>
  insert(db, userId, newId(), name, color).catch(nameTaken)

export async function updateLabel(db: Db, userId: string, id: string, changes: LabelChanges) {
  const updated = await update(db, userId, id, columns(changes)).catch(nameTaken)
  if (!updated) throw labelNotFound()
  return updated
}

/** Tasks that had the label remain; only their links to it are deleted. */
export async function deleteLabel(db: Db, userId: string, id: string) {
  if (!(await remove(db, userId, id))) throw labelNotFound()
}
