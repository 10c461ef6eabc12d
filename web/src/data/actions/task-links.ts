// Dependencies and documents of a task.
import type { Dependencies, Document, FullTask, Task } from '@daywright/contract'
import { api } from '../api.ts'
import { keys } from '../keys.ts'
import type { Action } from '../action.ts'

type Named = Pick<Task, 'id' | 'title' | 'status'>

/** `task` may start only after `other` is done. */
export const blockBy = (task: Named, other: Named): Action => ({
  says: `“${task.title}” is blocked by “${other.title}”.`,
  expect: ({ update }) => {
    const link = { id: '', userId: '', taskId: task.id, dependsOnTaskId: other.id }
    const createdAt = new Date(0)
    update<Dependencies>(keys.dependencies(task.id), (links) => ({
      ...links,
      blockedBy: [...links.blockedBy, { ...link, createdAt, task: bare(other) }],
    }))
    update<Dependencies>(keys.dependencies(other.id), (links) => ({
      ...links,
      blocks: [...links.blocks, { ...link, createdAt, task: bare(task) }],
    }))
  },
  send: () => api.tasks.dependencies.add(task.id, other.id),
  refreshes: around(task, other),
  undo: () => unblock(task, other),
  onRefused: ({ status }) =>
    status === 409
      ? `“${other.title}” itself waits for “${task.title}”. They cannot block each other.`
      : undefined,
})

export const unblock = (task: Named, other: Named): Action => ({
  says: `“${task.title}” is no longer blocked by “${other.title}”.`,
  expect: ({ update }) => {
    update<Dependencies>(keys.dependencies(task.id), (links) => ({
      ...links,
      blockedBy: links.blockedBy.filter(({ dependsOnTaskId }) => dependsOnTaskId !== other.id),
    }))
    update<Dependencies>(keys.dependencies(other.id), (links) => ({
      ...links,
      blocks: links.blocks.filter(({ taskId }) => taskId !== task.id),
    }))
  },
  send: () => api.tasks.dependencies.remove(task.id, other.id),
  refreshes: around(task, other),
  undo: () => blockBy(task, other),
})

const around = (task: Named, other: Named) => [
  keys.dependencies(task.id),
  keys.dependencies(other.id),
  keys.planner,
]
const bare = ({ id, title, status }: Named): Named => ({ id, title, status })

type Linked = Pick<Document, 'id' | 'title' | 'docType' | 'url'>

export const linkDocument = (task: Named, document: Linked): Action => ({
  says: `Linked “${document.title}”.`,
  expect: ({ update }) =>
    update<FullTask>(keys.task(task.id), (full) => ({
      ...full,
      documents: [...full.documents, document],
    })),
  send: () => api.tasks.documents.link(task.id, document.id),
  refreshes: [keys.task(task.id), keys.document(document.id)],
  undo: () => unlinkDocument(task, document),
})

export const unlinkDocument = (task: Named, document: Linked): Action => ({
  says: `“${document.title}” is no longer linked.`,
  expect: ({ update }) =>
    update<FullTask>(keys.task(task.id), (full) => ({
      ...full,
      documents: full.documents.filter(({ id }) => id !== document.id),
    })),
  send: () => api.tasks.documents.unlink(task.id, document.id),
  refreshes: [keys.task(task.id), keys.document(document.id)],
  undo: () => linkDocument(task, document),
})
