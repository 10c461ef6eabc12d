import type {
  Document,
  DocumentChanges,
  DocumentFilter,
  FullDocument,
  ListedDocument,
  NewDocument,
} from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { recording } from '../db/recording.ts'
import { creating, firstMissing, referring } from '../db/references.ts'
import {
  answering,
  asItIs,
  columns,
  differs,
  finding,
  ids,
  many,
  one,
  removing,
  touchedOf,
} from '../db/statement.ts'
import { notFound } from '../errors.ts'
import { document, documentLink, documentRecord } from './document-json.ts'

const documentNotFound = () => notFound('Document not found')

const places = {
  space: one(
    { id: 'space.id', name: 'space.name', color: 'space.color' },
    'from spaces space where space.user_id = $1 and space.id = document.space_id',
  ),
  project: one(
    { id: 'project.id', name: 'project.name', color: 'project.color' },
    'from projects project where project.user_id = $1 and project.id = document.project_id',
  ),
}

// Reads the start of a long text without the rest.
const excerpts = { ...document, content: 'left(document.content, 400)' }

const listing = (name: string, fields: typeof document) => {
  const listWhere = (filter: string, condition: string) =>
    answering<ListedDocument[]>(
      `documents.${name}${filter}`,
      `
  select ${many(
    { ...fields, ...places },
    `from documents document
    where document.user_id = $1 ${condition}
    order by document.sort_order, document.id`,
  )}::text as json`,
    )
  return {
    all: listWhere('', ''),
    inSpace: listWhere('-in-space', 'and document.space_id = $2'),
    inProject: listWhere('-in-project', 'and document.project_id = $2'),
    inBoth: listWhere(
      '-in-space-and-project',
      'and document.space_id = $2 and document.project_id = $3',
    ),
  }
}
const whole = listing('list', document)
const excerpted = listing('list-excerpts', excerpts)

const find = finding<FullDocument>(
  'documents.find',
  `
  select ${one({
    ...document,
    ...places,
    tasks: many(
      documentLink,
      `from task_documents link
       join tasks task on task.user_id = $1 and task.id = link.task_id
      where link.user_id = $1 and link.document_id = $2
      order by link.task_id`,
    ),
  })}::text as json
    from documents document
   where document.user_id = $1 and document.id = $2`,
)

const insert = creating<Document>(
  'documents.insert',
  `
  with given as (
    select $3::text as title, coalesce($4, '') as content, $5::text as url,
           coalesce($6::doc_type, 'note') as doc_type, $7::uuid as space_id, $8::uuid as project_id
  ), checked as (
    select ${firstMissing(['spaceId', 'projectId'])} as missing from given
  ), document as (
    insert into documents (user_id, id, title, content, url, doc_type, space_id, project_id)
    select $1, $2, title, content, url, doc_type, space_id, project_id
      from given, checked
     where missing is null
    returning *
  ), ${recording([{ ...documentRecord, type: 'document.created', after: 'document' }])}
  select missing, case when document.id is not null then ${one(document)}::text end as json
    from checked left join document on true`,
)

const fields = 'title, url, doc_type, space_id, project_id, sort_order'

// Without a new text the column is not set: PostgreSQL would write the old text again.
const updating = (columns: string) => `
  with given as (
    select space_id, project_id from jsonb_populate_record(null::documents, $3)
  ), checked as (
    select ${firstMissing(['spaceId', 'projectId'])} as missing from given
  ), old as (
    select old.*, ${differs()}
      from documents old, checked
     where old.user_id = $1 and old.id = $2 and missing is null
       for no key update of old
  ), document as (
    update documents document
       set (${columns}) =
           (select ${columns} from jsonb_populate_record(document, $3)),
           ${touchedOf('document')}
      from old
     where document.user_id = $1 and document.id = old.id and old.differs
    returning document.*, old.differs
  ), ${recording(
    [{ ...documentRecord, type: 'document.updated', before: 'old', after: 'document' }],
    columns.includes('content') ? { replaced } : {},
  )}
  select missing, case when document.id is not null then ${one(document)}::text end as json
    from checked, documents known left join ${asItIs('document')} on true
   where known.user_id = $1 and known.id = $2`

const replaced = `(select old.* from old, document
                    where old.content_hash <> document.content_hash)`
const update = referring<Document>('documents.update', updating(fields))
const updateContent = referring<Document>(
  'documents.update-content',
  updating(`${fields}, content`),
)

// The foreign key's cascade would delete the links, too, but after the agenda is locked.
const remove = removing(
  'documents.delete',
  `
  with old as (
    select id from documents where user_id = $1 and id = $2 for update
  ), unlinked as (
    delete from task_documents
     where user_id = $1 and document_id in (select id from old)
    returning task_id
  ), gone as (
    delete from documents where user_id = $1 and id in (select id from old) returning *
  ), ${recording(
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
  if (spaceId && projectId) return list.inBoth(db, userId, spaceId, projectId)
  if (spaceId) return list.inSpace(db, userId, spaceId)
  return projectId ? list.inProject(db, userId, projectId) : list.all(db, userId)
}

export async function findDocument(db: Db, userId: string, id: string) {
  const found = await find(db, userId, id)
  if (!found) throw documentNotFound()
  return found
}

export const createDocument = (db: Db, userId: string, given: NewDocument) =>
  insert(
    db,
    userId,
    newId(),
    given.title,
    given.content,
    given.url,
    given.docType,
    given.spaceId,
    given.projectId,
  )

export async function updateDocument(db: Db, userId: string, id: string, changes: DocumentChanges) {
  const write = changes.content === undefined ? update : updateContent
  const updated = await write(db, userId, id, columns(changes))
  if (!updated) throw documentNotFound()
  return updated
}

/** Deletes its links to tasks as well; the tasks stay. */
export async function deleteDocument(db: Db, userId: string, id: string) {
  if (!(await remove(db, userId, id))) throw documentNotFound()
}
