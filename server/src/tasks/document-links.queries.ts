import type { DocumentLink } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { recording } from '../db/recording.ts'
import { type Json, one, removing, selecting } from '../db/statement.ts'
import { documentLink } from '../documents/document-json.ts'
import { notFound, referenceNotFound } from '../errors.ts'
import { taskNotFound } from './tasks.queries.ts'

// A link has no id: its events are recorded for the task.
const record = {
  fields: { taskId: 'link.task_id', documentId: 'link.document_id' },
  row: 'link',
  id: 'link.task_id',
}

const insert = selecting<{ other: boolean; is_new: boolean; json: Json<DocumentLink> }>(
  'document-links.insert',
  `
  with document as (
    select id from documents where user_id = $1 and id = $3 for key share
  ), task as (
    select *
      from tasks
     where user_id = $1 and id = $2 and (select count(*) from document) < 2 -- the document first
       for key share
  ), added as (
    insert into task_documents (user_id, task_id, document_id)
    select $1, task.id, document.id from task, document
    on conflict do nothing
    returning *
  ), ${recording([{ ...record, type: 'documentLink.created', after: 'added' }])}
  select exists (select from document) as other,
         exists (select from added) as is_new,
         ${one(documentLink)}::text as json
    from task, (select $2::uuid as task_id, $3::uuid as document_id) link`,
)

const remove = removing(
  'document-links.delete',
  `
  with gone as (
    delete from task_documents
     where user_id = $1 and task_id = $2 and document_id = $3
    returning *
  ), ${recording([{ ...record, type: 'documentLink.deleted', before: 'gone' }])}
  select task_id from gone`,
)

export async function linkDocument(db: Db, userId: string, taskId: string, documentId: string) {
  const [row] = await insert(db, userId, taskId, documentId)
  if (!row) throw taskNotFound()
  if (!row.other) throw referenceNotFound('documentId')
  return { isNew: row.is_new, link: row.json }
}

export async function unlinkDocument(db: Db, userId: string, taskId: string, documentId: string) {
  if (!(await remove(db, userId, taskId, documentId))) throw notFound('Document link not found')
}
