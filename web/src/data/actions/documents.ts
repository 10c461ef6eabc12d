import type { Client } from '@daywright/client'
import type { Document, FullDocument, ListedDocument, TaskStatus } from '@daywright/contract'
import { api } from '../api.ts'
import type { Expect } from '../optimistic-update.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'
import { cache } from '../query-client.ts'
import { revertChange, revertLast } from '../undo.ts'

export type NewDocument = Parameters<Client['documents']['create']>[0]
export type DocumentChanges = Parameters<Client['documents']['update']>[1]
type Titled = Pick<Document, 'id' | 'title'>

const around = (id: string) => [keys.documents, keys.document(id), ['project']]

function patchDocument(expect: Expect, id: string, patch: Partial<Document>) {
  expect.update<ListedDocument[]>(keys.documents, (documents) =>
    documents.map((document) => (document.id === id ? { ...document, ...patch } : document)),
  )
  expect.update<FullDocument>(keys.document(id), (document) => ({ ...document, ...patch }))
}

/** Shows no toast, because the new document is opened. */
export const createDocument = (document: NewDocument): Action<Document> => ({
  send: () => api.documents.create(document),
  settle: (made, expect) => {
    const listed = { ...made, space: null, project: null }
    expect.update<ListedDocument[]>(keys.documents, (documents) =>
      documents.some(({ id }) => id === made.id) ? documents : [...documents, listed],
    )
    // Its page opens without a request.
    cache.setQueryData<FullDocument>(
      keys.document(made.id),
      (known) => known ?? { ...listed, tasks: [] },
    )
  },
  refreshes: [keys.documents, ['project']],
  undo: (made) => deleteDocument(made),
})

export const updateDocument = (
  document: Document,
  changes: DocumentChanges,
  says: string,
): Action => ({
  says,
  expect: (expect) => patchDocument(expect, document.id, changes),
  record: document.id,
  send: () => api.documents.update(document.id, changes),
  refreshes: around(document.id),
  undo: (answer) => ({
    send: () => revertChange(document, answer, Object.keys(changes)),
    refreshes: around(document.id),
  }),
})

/** Autosave shows no toast; the editor has its own undo. */
export const saveContent = (id: string, content: string): Action<Document> => ({
  send: () => api.documents.update(id, { content }),
  settle: (saved, expect) =>
    patchDocument(expect, id, { content: saved.content, updatedAt: saved.updatedAt }),
})

export const deleteDocument = (document: Titled): Action => ({
  says: `Deleted “${document.title}”.`,
  expect: (expect) =>
    expect.update<ListedDocument[]>(keys.documents, (documents) =>
      documents.filter(({ id }) => id !== document.id),
    ),
  send: () => api.documents.delete(document.id),
  refreshes: [keys.documents, ['project']],
  undo: () => ({
    send: () => revertLast(document.id),
    refreshes: [keys.documents, keys.document(document.id), ['project']],
  }),
})

type LinkedTask = { id: string; title: string; status: TaskStatus }

export const linkTask = (document: Titled, task: LinkedTask): Action => ({
  says: `Linked to “${task.title}”.`,
  expect: (expect) =>
    expect.update<FullDocument>(keys.document(document.id), (full) => ({
      ...full,
      tasks: [...full.tasks, { taskId: task.id, documentId: full.id, task }],
    })),
  send: () => api.tasks.documents.link(task.id, document.id),
  refreshes: [keys.document(document.id), keys.task(task.id)],
  undo: () => unlinkTask(document, task),
})

export const unlinkTask = (document: Titled, task: LinkedTask): Action => ({
  says: `No longer linked to “${task.title}”.`,
  expect: (expect) =>
    expect.update<FullDocument>(keys.document(document.id), (full) => ({
      ...full,
      tasks: full.tasks.filter(({ taskId }) => taskId !== task.id),
    })),
  send: () => api.tasks.documents.unlink(task.id, document.id),
  refreshes: [keys.document(document.id), keys.task(task.id)],
  undo: () => linkTask(document, task),
})
