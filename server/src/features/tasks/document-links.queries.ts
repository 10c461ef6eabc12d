import type { DocumentLink } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { one } from '../../platform/db/fragments.ts'
import { sql, userId, uuid } from '../../platform/db/sql.ts'
import { deleteReturning, type Json, queryRows } from '../../platform/db/statement.ts'
import { documentLink } from '../documents/document-json.ts'
import { notFound, referenceNotFound } from '../../platform/errors.ts'
import { taskNotFound } from './tasks.queries.ts'

// A link has no id: its events are recorded for the task.
const record = {
  fields: { taskId: 'link.task_id', documentId: 'link.document_id' },
  row: 'link',
  id: 'link.task_id',
}

const taskId = uuid('taskId')
const documentId = uuid('documentId')

const insert = queryRows<{ other: boolean; is_new: boolean; json: Json<DocumentLink> }>()(
  'document-links.insert',
  sql`
  with document as (
    select id from documents where user_id = ${userId} and id = ${documentId} for key share
  ), task as (
    select *
      from tasks
     where user_id = ${userId} and id = ${taskId} and (select count(*) from document) < 2 -- locks the document first
       for key share
  ), added as (
    insert into task_documents (user_id, task_id, document_id)
    select ${userId}, task.id, document.id from task, document
    on conflict do nothing
    returning *
  ), ${appendEvents([{ ...record, type: 'documentLink.created', after: 'added' }])}
  select exists (select from document) as other,
         exists (select from added) as is_new,
         ${one(documentLink)}::text as json
    from task, (select ${taskId}::uuid as task_id, ${documentId}::uuid as document_id) link`,
)

const remove = deleteReturning(
  'document-links.delete',
  sql`
  with gone as (
    delete from task_documents
     where user_id = ${userId} and task_id = ${taskId} and document_id = ${documentId}
    returning *
  ), ${appendEvents([{ ...record, type: 'documentLink.deleted', before: 'gone' }])}
  select task_id from gone`,
)

export async function linkDocument(db: Db, userId: string, taskId: string, documentId: string) {
  const [row] = await insert(db, { userId, taskId, documentId })
  if (!row) throw taskNotFound()
  if (!row.other) throw referenceNotFound('documentId')
  return { isNew: row.is_new, link: row.json }
}

export async function unlinkDocument(db: Db, userId: string, taskId: string, documentId: string) {
  if (!(await remove(db, { userId, taskId, documentId }))) throw notFound('Document link not found')
}
