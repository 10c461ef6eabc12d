import type { Task } from '@daywright/contract'
import { isOpen } from '../../data/actions/change-tasks.ts'
import type { TasksSearch } from './search.ts'

type Filters = Pick<TasksSearch, 'space' | 'project' | 'label' | 'status' | 'find'>

/** Returns a predicate for the filters. */
export function filterOf({ space, project, label, status, find }: Filters) {
  const words = (find ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return (task: Task) =>
    hasStatus(task, status) &&
    (space === undefined || task.spaceId === space) &&
    (project === undefined || (task.projectId ?? 'none') === project) &&
    (label === undefined || task.labels.some(({ id }) => id === label)) &&
    words.every((word) => task.title.toLowerCase().includes(word))
}

function hasStatus(task: Task, status: string | undefined) {
  if (status === undefined) return isOpen(task)
  if (status === 'all') return task.status !== 'archived'
  if (status === 'done') return task.status === 'completed' || task.status === 'cancelled'
  return task.status === status
}

/** Whether more than the open tasks must be loaded. */
export const isBeyondOpen = ({ status, view }: TasksSearch) =>
  status === 'all' || status === 'done' || status === 'completed' || view === 'board'
