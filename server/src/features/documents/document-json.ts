import { iso, object } from '../../platform/db/fragments.ts'

/** A document on the wire, as SQL over its row `document`. */
export const document = {
  id: 'document.id',
  userId: 'document.user_id',
  spaceId: 'document.space_id',
  projectId: 'document.project_id',
  title: 'document.title',
  content: 'document.content',
  url: 'document.url',
  docType: 'document.doc_type',
  sortOrder: 'document.sort_order',
  createdAt: iso('document.created_at'),
  updatedAt: iso('document.updated_at'),
}

/** A document in events, with the hash and length of its text. The text itself is stored once, separately. */
export const documentRecord = {
  table: 'documents',
  name: 'document',
  fields: {
    ...document,
    content: object({
      hash: `encode(document.content_hash, 'hex')`,
      length: 'octet_length(document.content)',
    }),
  },
  row: 'document',
}

/** A document on a task: `link` is the row of task_documents, `task` the task. */
export const documentLink = {
  taskId: 'link.task_id',
  documentId: 'link.document_id',
  task: object({ id: 'task.id', title: 'task.title', status: 'task.status' }),
}
