import type { Label, LabelChanges, ListedLabel, NewLabel } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import {
  answering,
  columns,
  finding,
  iso,
  many,
  object,
  removing,
  touched,
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
  insert into labels as label (user_id, id, name, color)
  values ($1, $2, $3, $4)
  returning ${object(label)}::text as json`,
)

// The changes arrive as JSON: a field that is not there keeps its value, a null clears it.
const update = finding<Label>(
  'labels.update',
  `
  update labels label
     set (name, color) = (select name, color from jsonb_populate_record(label, $3)),
         ${touched}
   where user_id = $1 and id = $2
  returning ${object(label)}::text as json`,
)

const remove = removing('labels.delete', 'delete from labels where user_id = $1 and id = $2')

export const listLabels = (db: Db, userId: string) => list(db, userId)

export const createLabel = (db: Db, userId: string, { name, color = null }: NewLabel) =>
  insert(db, userId, newId(), name, color).catch(nameTaken)

export async function updateLabel(db: Db, userId: string, id: string, changes: LabelChanges) {
  const updated = await update(db, userId, id, columns(changes)).catch(nameTaken)
  if (!updated) throw labelNotFound()
  return updated
}

/** Tasks that carried the label remain; only their links to it go, by the foreign key's cascade. */
export async function deleteLabel(db: Db, userId: string, id: string) {
  if (!(await remove(db, userId, id))) throw labelNotFound()
}
