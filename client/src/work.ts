// Tasks, and the projects, spaces, labels and documents they belong to.
import {
  ActualMinutes,
  type BatchAction,
  BatchResult,
  type BlocksOfTask,
  ChecklistItem,
  type ChecklistItemChanges,
  Dependencies,
  Dependency,
  Document,
  type DocumentChanges,
  type DocumentFilter,
  DocumentVersion,
  DocumentLink,
  FullDocument,
  FullProject,
  FullTask,
  Label,
  type LabelChanges,
  ListedDocument,
  ListedLabel,
  ListedProject,
  ListedSpace,
  type NewChecklistItem,
  type NewDocument,
  type NewLabel,
  type NewProject,
  type NewSpace,
  type NewTask,
  Project,
  type ProjectChanges,
  type ProjectFilter,
  ProjectWithSpace,
  type QuickAddInput,
  QuickAddPreview,
  QuickAddResult,
  Space,
  type SpaceChanges,
  Task,
  type TaskChanges,
  type TaskFilter,
  TaskPage,
} from '@daywright/contract'
import { at, type Call, progress, type Sent } from './call.ts'
import { type PageOf, recordsOf } from './pages.ts'

type TaskQuery = PageOf<Omit<TaskFilter, 'dueBefore' | 'includeCompleted' | 'progress'>> & {
  dueBefore?: Date | string
  includeCompleted?: boolean
}
type Removal = { permanent?: boolean }
/** Cancels the planner's own future blocks of a task that is completed, archived or deleted. */
type WithBlocks = { blocks?: BlocksOfTask }

export const work = (call: Call) => {
  const listTasks = (filter?: TaskQuery) =>
    call.get(TaskPage, '/api/tasks', { ...filter, ...progress })

  return {
    tasks: {
      list: listTasks,
      /** Iterates every task that matches the filter when the loop begins. The loop may change them. */
      all: (filter?: TaskQuery) => recordsOf(listTasks, filter),
      get: (id: string) => call.get(FullTask, at`/api/tasks/${id}`, progress),
      create: (task: Sent<typeof NewTask>) => call.post(Task, '/api/tasks', task),
      /** Creates the task that one line in plain words describes: `Send the contract fri 5pm ~45m !high`. */
      quickAdd: (text: string, options?: Pick<QuickAddInput, 'locale'>) =>
        call.post(QuickAddResult, '/api/quick-add', { ...options, text }),
      /** The task that such a line would create; nothing is created. */
      previewQuickAdd: (text: string, options?: Pick<QuickAddInput, 'locale'>) =>
        call.post(QuickAddPreview, '/api/quick-add', { ...options, text, dryRun: true }),
      update: (id: string, changes: Sent<typeof TaskChanges>, options?: WithBlocks) =>
        call.patch(Task, at`/api/tasks/${id}`, changes, options),
      /** Corrects how long the task took; null clears it. */
      setActualMinutes: (id: string, actualMinutes: number | null) =>
        call.put(ActualMinutes, at`/api/tasks/${id}/actual-minutes`, { actualMinutes }),
      /** Archives the task, or deletes it permanently. */
      delete: (id: string, removal?: Removal & WithBlocks) =>
        call.delete(at`/api/tasks/${id}`, removal),
      batch: (action: BatchAction, taskIds: string[], options?: WithBlocks) =>
        call.post(BatchResult, '/api/tasks/batch', { action, taskIds, ...options }),
      dependencies: {
        list: (id: string) => call.get(Dependencies, at`/api/tasks/${id}/dependencies`),
        add: (id: string, dependsOnTaskId: string) =>
          call.post(Dependency, at`/api/tasks/${id}/dependencies`, { dependsOnTaskId }),
        remove: (id: string, dependsOnTaskId: string) =>
          call.delete(at`/api/tasks/${id}/dependencies/${dependsOnTaskId}`),
      },
      documents: {
        link: (id: string, documentId: string) =>
          call.post(DocumentLink, at`/api/tasks/${id}/documents`, { documentId }),
        unlink: (id: string, documentId: string) =>
          call.delete(at`/api/tasks/${id}/documents/${documentId}`),
      },
    },

    checklistItems: {
      create: (item: Sent<typeof NewChecklistItem>) =>
        call.post(ChecklistItem, '/api/checklist-items', item),
      update: (id: string, changes: Sent<typeof ChecklistItemChanges>) =>
        call.patch(ChecklistItem, at`/api/checklist-items/${id}`, changes),
      delete: (id: string) => call.delete(at`/api/checklist-items/${id}`),
    },

    projects: {
      list: (filter?: ProjectFilter) => call.get(ListedProject.array(), '/api/projects', filter),
      get: (id: string) => call.get(FullProject, at`/api/projects/${id}`),
      create: (project: Sent<typeof NewProject>) => call.post(Project, '/api/projects', project),
      update: (id: string, changes: Sent<typeof ProjectChanges>) =>
        call.patch(ProjectWithSpace, at`/api/projects/${id}`, changes),
      /** Archives the project, or deletes it permanently. */
      delete: (id: string, removal?: Removal) => call.delete(at`/api/projects/${id}`, removal),
    },

    labels: {
      list: () => call.get(ListedLabel.array(), '/api/labels'),
      create: (label: Sent<typeof NewLabel>) => call.post(Label, '/api/labels', label),
      update: (id: string, changes: Sent<typeof LabelChanges>) =>
        call.patch(Label, at`/api/labels/${id}`, changes),
      delete: (id: string) => call.delete(at`/api/labels/${id}`),
    },

    spaces: {
      list: () => call.get(ListedSpace.array(), '/api/spaces'),
      create: (space: Sent<typeof NewSpace>) => call.post(Space, '/api/spaces', space),
      update: (id: string, changes: Sent<typeof SpaceChanges>) =>
        call.patch(Space, at`/api/spaces/${id}`, changes),
      delete: (id: string) => call.delete(at`/api/spaces/${id}`),
    },

    documents: {
      list: (filter?: DocumentFilter) => call.get(ListedDocument.array(), '/api/documents', filter),
      get: (id: string) => call.get(FullDocument, at`/api/documents/${id}`),
      /** A current or former text of a document, by the hash that events contain. */
      version: (id: string, hash: string) =>
        call.get(
          DocumentVersion,
          `${at`/api/documents/${id}`}/versions/${encodeURIComponent(hash)}`,
        ),
      create: (document: Sent<typeof NewDocument>) =>
        call.post(Document, '/api/documents', document),
      update: (id: string, changes: Sent<typeof DocumentChanges>) =>
        call.patch(Document, at`/api/documents/${id}`, changes),
      delete: (id: string) => call.delete(at`/api/documents/${id}`),
    },
  }
}
