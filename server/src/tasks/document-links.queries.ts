import type { DocumentLink } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { type Json, one, removing, selecting } from '../db/statement.ts'
import { documentLink } from '../documents/documents.queries.ts'
import { notFound, referenceNotFound } from '../errors.ts'
import { taskNotFound } from './tasks.queries.ts'

const insert = selecting<{ other: boolean; is_new: boolean; json: Json<DocumentLink> }>(
  'document-links.insert',
  `
  with document as (
    select id from documents where user_id = $1 and id = $3
  ), added as (
    insert into task_documents (user_id, task_id, document_id)
    select $1, task.id, document.id
      from tasks task, document
     where task.user_id = $1 and task.id = $2
    on conflict do nothing
    returning task_id
  )
  select exists (select from document) as other,
         exists (select from added) as is_new,
         ${one(documentLink)}::text as json
    from tasks task, (select $2::uuid as task_id, $3::uuid as document_id) link
   where task.user_id = $1 and task.id = $2`,
)

const remove = removing(
  'document-links.delete',
  'delete from task_documents where user_id = $1 and task_id = $2 and document_id = $3',
  'task_id',
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
