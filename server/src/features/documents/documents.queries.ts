import type {
  Document,
  DocumentChanges,
  DocumentFilter,
  FullDocument,
  ListedDocument,
  NewDocument,
} from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { firstMissing } from '../../platform/db/check-references.ts'
import {
  differsBy,
  ids,
  many,
  one,
  setUpdatedAt,
  writtenOrOld,
} from '../../platform/db/fragments.ts'
import { jsonByColumn, raw, sql, type Sql, text, userId, uuid } from '../../platform/db/sql.ts'
import {
  deleteReturning,
  insertReturningJson,
  queryJson,
  queryJsonOrNone,
  updateReturningJson,
} from '../../platform/db/statement.ts'
import { notFound } from '../../platform/errors.ts'
import { document, documentLink, documentRecord } from './document-json.ts'

const documentNotFound = () => notFound('Document not found')

const places = {
  space: one(
    { id: 'space.id', name: 'space.name', color: 'space.color' },
    sql`from spaces space where space.user_id = ${userId} and space.id = document.space_id`,
  ),
  project: one(
    { id: 'project.id', name: 'project.name', color: 'project.color' },
    sql`from projects project
    where project.user_id = ${userId} and project.id = document.project_id`,
  ),
}

// Reads the start of a long text without the rest.
const excerpts = { ...document, content: 'left(document.content, 400)' }

const inSpace = sql`and document.space_id = ${uuid('spaceId')}`
const inProject = sql`and document.project_id = ${uuid('projectId')}`

const defineLists = (name: string, fields: typeof document) => {
  const defineList = <Given>(filter: string, condition: Sql<Given>) =>
    queryJson<ListedDocument[]>()(
      `documents.${name}${filter}`,
      sql`
  select ${many(
    { ...fields, ...places },
    sql`from documents document
    where document.user_id = ${userId} ${condition}
    order by document.sort_order, document.id`,
  )}::text as json`,
    )
  return {
    all: defineList('', sql``),
    inSpace: defineList('-in-space', inSpace),
    inProject: defineList('-in-project', inProject),
    inBoth: defineList('-in-space-and-project', sql`${inSpace} ${inProject}`),
  }
}
const whole = defineLists('list', document)
const excerpted = defineLists('list-excerpts', excerpts)

const find = queryJsonOrNone<FullDocument>()(
  'documents.find',
  sql`
  select ${one({
    ...document,
    ...places,
    tasks: many(
      documentLink,
      sql`from task_documents link
       join tasks task on task.user_id = ${userId} and task.id = link.task_id
      where link.user_id = ${userId} and link.document_id = ${uuid('id')}
      order by link.task_id`,
    ),
  })}::text as json
    from documents document
   where document.user_id = ${userId} and document.id = ${uuid('id')}`,
)

const insert = insertReturningJson<Document>()(
  'documents.insert',
  sql`
  with given as (
    select ${text('title')}::text as title,
           coalesce(${text.orNull('content')}, '') as content,
           ${text.orNull('url')}::text as url,
           coalesce(${text.orNull('docType')}::doc_type, 'note') as doc_type,
           ${uuid.orNull('spaceId')}::uuid as space_id,
           ${uuid.orNull('projectId')}::uuid as project_id
  ), checked as (
    select ${firstMissing(['spaceId', 'projectId'])} as missing from given
  ), document as (
    insert into documents (user_id, id, title, content, url, doc_type, space_id, project_id)
    select ${userId}, ${uuid('id')}, title, content, url, doc_type, space_id, project_id
      from given, checked
     where missing is null
    returning *
  ), ${appendEvents([{ ...documentRecord, type: 'document.created', after: 'document' }])}
  select missing, case when document.id is not null then ${one(document)}::text end as json
    from checked left join document on true`,
)

const changes = jsonByColumn('changes')
const id = uuid('id')
const fields = 'title, url, doc_type, space_id, project_id, sort_order'

// The column `content` is set only for a new text: PostgreSQL would write the old one again.
const updateColumns = (columns: string) => sql`
  with given as (
    select space_id, project_id from jsonb_populate_record(null::documents, ${changes})
  ), checked as (
    select ${firstMissing(['spaceId', 'projectId'])} as missing from given
  ), old as (
    select old.*, ${differsBy(changes)}
      from documents old, checked
     where old.user_id = ${userId} and old.id = ${id} and missing is null
       for no key update of old
  ), document as (
    update documents document
       set (${raw(columns)}) =
           (select ${raw(columns)} from jsonb_populate_record(document, ${changes})),
           ${setUpdatedAt('document')}
      from old
     where document.user_id = ${userId} and document.id = old.id and old.differs
    returning document.*, old.differs
  ), ${appendEvents(
    [{ ...documentRecord, type: 'document.updated', before: 'old', after: 'document' }],
    columns.includes('content') ? { replaced } : {},
  )}
  select missing, case when document.id is not null then ${one(document)}::text end as json
    from checked, documents known left join ${writtenOrOld('document')} on true
   where known.user_id = ${userId} and known.id = ${id}`

const replaced = `(select old.* from old, document
                    where old.content_hash <> document.content_hash)`
const update = updateReturningJson<Document>()('documents.update', updateColumns(fields))
const updateContent = updateReturningJson<Document>()(
  'documents.update-content',
  updateColumns(`${fields}, content`),
)

// Deletes the links explicitly: the foreign key's cascade would do so only after `user_state` is locked.
const remove = deleteReturning(
  'documents.delete',
  sql`
  with old as (
    select id from documents where user_id = ${userId} and id = ${uuid('id')} for update
  ), unlinked as (
    delete from task_documents
     where user_id = ${userId} and document_id in (select id from old)
    returning task_id
  ), gone as (
    delete from documents where user_id = ${userId} and id in (select id from old) returning *
  ), ${appendEvents(
    [
      {
        ...documentRecord,
        type: 'document.deleted',
        fields: { ...documentRecord.fields, taskIds: ids('task_id', 'from unlinked') },
        before: 'gone',
      },
    ],
    { replaced: 'gone', went: { documentLinks: 'select count(*) from unlinked' } },
  )}
  select id from gone`,
)

export function listDocuments(
  db: Db,
  userId: string,
  { spaceId, projectId, content }: DocumentFilter,
) {
  const list = content === 'excerpt' ? excerpted : whole
  if (spaceId && projectId) return list.inBoth(db, { userId, spaceId, projectId })
  if (spaceId) return list.inSpace(db, { userId, spaceId })
  return projectId ? list.inProject(db, { userId, projectId }) : list.all(db, { userId })
}

export async function findDocument(db: Db, userId: string, id: string) {
  const found = await find(db, { userId, id })
  if (!found) throw documentNotFound()
  return found
}

export const createDocument = (db: Db, userId: string, given: NewDocument) =>
  insert(db, {
    userId,
    id: newId(),
    title: given.title,
    content: given.content,
    url: given.url,
    docType: given.docType,
    spaceId: given.spaceId,
    projectId: given.projectId,
  })

export async function updateDocument(db: Db, userId: string, id: string, changes: DocumentChanges) {
  const write = changes.content === undefined ? update : updateContent
  const updated = await write(db, { userId, id, changes })
  if (!updated) throw documentNotFound()
  return updated
}

/** Deletes a document and its links to tasks; the tasks stay. */
export async function deleteDocument(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw documentNotFound()
}
