import type { ListedTask, TaskStatus } from '@daywright/contract'
import { priorityRank } from '../groups.ts'

export const columnStatuses = ['backlog', 'todo', 'in_progress', 'completed'] as const
export type ColumnStatus = (typeof columnStatuses)[number]

export type Columns = Record<ColumnStatus, ListedTask[]>

/** Open tasks by urgency; completed ones by time, the latest first. */
export function columnsOf(tasks: ListedTask[]): Columns {
  const of = (status: TaskStatus) => tasks.filter((task) => task.status === status)
  return {
    backlog: of('backlog').toSorted(byUrgency),
    todo: of('todo').toSorted(byUrgency),
    in_progress: of('in_progress').toSorted(byUrgency),
    completed: of('completed').toSorted(
      (one, other) => (other.completedAt?.getTime() ?? 0) - (one.completedAt?.getTime() ?? 0),
    ),
  }
}

const due = ({ dueAt }: ListedTask) => dueAt?.getTime() ?? Number.MAX_SAFE_INTEGER

const byUrgency = (one: ListedTask, other: ListedTask) =>
  priorityRank[other.priority] - priorityRank[one.priority] ||
  due(one) - due(other) ||
  one.createdAt.getTime() - other.createdAt.getTime()
