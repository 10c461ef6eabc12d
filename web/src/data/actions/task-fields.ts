// The changes that lists, board and inspector offer, each with its message.
import type { Task, TaskPriority, TaskStatus } from '@daywright/contract'
import { formatMinutes } from '../../time/format.ts'
import { changeTasks, finishTasks, nameOf } from './change-tasks.ts'

export const priorityNames: Record<TaskPriority, string> = {
  urgent: 'Urgent',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  none: 'No priority',
}
export const statusNames: Record<TaskStatus, string> = {
  backlog: 'Backlog',
  todo: 'To do',
  in_progress: 'In progress',
  completed: 'Done',
  cancelled: 'Cancelled',
  archived: 'Archived',
}

export const rename = (task: Task, title: string) =>
  changeTasks([task], () => ({ changes: { title }, shown: { title } }), `Renamed to “${title}”.`)

export const prioritise = (tasks: Task[], priority: TaskPriority) =>
  changeTasks(
    tasks,
    () => ({ changes: { priority }, shown: { priority } }),
    priority === 'none'
      ? `${nameOf(tasks)}: no priority.`
      : `${nameOf(tasks)}: ${priority === 'urgent' ? 'urgent' : `${priority} priority`}.`,
  )

export const estimate = (tasks: Task[], estimateMinutes: number | null) =>
  changeTasks(
    tasks,
    () => ({ changes: { estimateMinutes }, shown: { estimateMinutes } }),
    estimateMinutes === null
      ? `${nameOf(tasks)}: no estimate.`
      : `${nameOf(tasks)} ${tasks.length === 1 ? 'takes' : 'take'} ${formatMinutes(estimateMinutes)}.`,
  )

type DateField = 'dueAt' | 'startAfter'

export const setDate = (tasks: Task[], field: DateField, date: Date | null, says?: string) =>
  changeTasks(
    tasks,
    () => ({ changes: { [field]: date?.toISOString() ?? '' }, shown: { [field]: date } }),
    says,
  )

/** Completing uses the batch operation, which sets completedAt. */
export function setStatus(tasks: Task[], status: TaskStatus) {
  if (status === 'completed') return finishTasks(tasks, 'complete')
  if (status === 'archived') return finishTasks(tasks, 'archive')
  return changeTasks(
    tasks,
    (task) => ({
      changes: { status, ...(task.completedAt && { completedAt: '' }) },
      // Include every field: the optimistic list may not contain this task.
      shown: { ...task, status, completedAt: null },
    }),
    `${nameOf(tasks)}: ${statusNames[status].toLowerCase()}.`,
  )
}

export type Place = {
  space: Task['space']
  project: Task['project']
}

export const moveTo = (tasks: Task[], { space, project }: Place) =>
  changeTasks(
    tasks,
    () => ({
      changes: { spaceId: space?.id ?? null, projectId: project?.id ?? null },
      shown: { spaceId: space?.id ?? null, projectId: project?.id ?? null, space, project },
    }),
    `Moved ${nameOf(tasks)} to ${project?.name ?? space?.name ?? 'the inbox'}.`,
  )

type Label = Task['labels'][number]

export const addLabel = (tasks: Task[], label: Label) =>
  changeTasks(
    tasks,
    ({ labels }) => withLabels([...labels.filter(({ id }) => id !== label.id), label]),
    `Labelled ${nameOf(tasks)} “${label.name}”.`,
  )

export const removeLabel = (tasks: Task[], label: Label) =>
  changeTasks(
    tasks,
    ({ labels }) => withLabels(labels.filter(({ id }) => id !== label.id)),
    `Removed “${label.name}” from ${nameOf(tasks)}.`,
  )

const withLabels = (labels: Label[]) => ({
  changes: { labelIds: labels.map(({ id }) => id) },
  shown: { labels },
})
