// Groups the list, and sorts each group.
import type { ListedTask, TaskPriority } from '@daywright/contract'
import { priorityNames, statusNames } from '../../data/actions/task-fields.ts'
import { isOpen } from '../../data/actions/change-tasks.ts'
import { dayOf, type Zone } from '../../time/zone.ts'

export type Grouping = 'due' | 'place' | 'priority' | 'status' | 'none'
export type Sorting = 'due' | 'priority' | 'title' | 'estimate' | 'newest'

export type Group = {
  key: string
  title: string
  /** The colour of the group's space or project. */
  color?: string | null
  /** Shows inputs for the missing estimates. */
  isUnestimated?: boolean
  tasks: ListedTask[]
}

type Order = { group: Grouping; sort: Sorting; now: Date; zone: Zone }
type Heading = Omit<Group, 'tasks'> & { rank: number | string }

export function groupTasks(tasks: ListedTask[], order: Order): Group[] {
  const headingOf = headings[order.group](order)
  const groups = new Map<string, Heading & { tasks: ListedTask[] }>()
  for (const task of tasks.toSorted(comparisons[order.sort])) {
    const heading = isUnestimated(task) && order.group !== 'status' ? unestimated : headingOf(task)
    const group = groups.get(heading.key) ?? { ...heading, tasks: [] }
    group.tasks.push(task)
    groups.set(heading.key, group)
  }
  return [...groups.values()].toSorted(byRank).map(({ rank: _rank, ...group }) => group)
}

/** Whether the task should be planned but has no estimate. */
const isUnestimated = (task: ListedTask) =>
  isOpen(task) && !task.estimateMinutes && task.autoSchedule

const unestimated: Heading = {
  key: 'unestimated',
  title: 'Needs an estimate',
  isUnestimated: true,
  rank: -1,
}

const headings: Record<Grouping, (order: Order) => (task: ListedTask) => Heading> = {
  due: ({ now, zone }) => {
    const today = dayOf(now, zone)
    return ({ dueAt }) => {
      if (!dueAt) return heading('someday', 'No due date', 9)
      if (dueAt < now) return heading('overdue', 'Overdue', 0)
      const days = today.until(dayOf(dueAt, zone)).days
      if (days === 0) return heading('today', 'Due today', 1)
      if (days === 1) return heading('tomorrow', 'Due tomorrow', 2)
      if (days < 7) return heading('week', 'Within a week', 3)
      return days < 30 ? heading('month', 'Within a month', 4) : heading('later', 'Later', 5)
    }
  },
  place: () => (task) => {
    const place = task.project ?? task.space
    if (!place) return heading('inbox', 'Inbox', '')
    return { ...heading(place.id, place.name, place.name.toLowerCase()), color: place.color }
  },
  priority: () => (task) =>
    heading(task.priority, priorityNames[task.priority], -priorityRank[task.priority] + 9),
  status: () => (task) =>
    heading(task.status, statusNames[task.status], statuses.indexOf(task.status)),
  none: () => () => heading('all', 'Tasks', 0),
}

const heading = (key: string, title: string, rank: number | string): Heading => ({
  key,
  title,
  rank,
})

const statuses = ['in_progress', 'todo', 'backlog', 'completed', 'cancelled', 'archived']
export const priorityRank: Record<TaskPriority, number> = {
  none: 0,
  low: 1,
  medium: 2,
  high: 3,
  urgent: 4,
}

const byRank = (one: Heading, other: Heading) =>
  typeof one.rank === 'number' && typeof other.rank === 'number'
    ? one.rank - other.rank
    : one.rank === -1
      ? -1
      : other.rank === -1
        ? 1
        : String(one.rank) < String(other.rank)
          ? -1
          : 1

type Comparison = (one: ListedTask, other: ListedTask) => number

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })
const dueTime = ({ dueAt }: ListedTask) => dueAt?.getTime() ?? Number.MAX_SAFE_INTEGER
const byPriority: Comparison = (one, other) =>
  priorityRank[other.priority] - priorityRank[one.priority]
const byDue: Comparison = (one, other) => dueTime(one) - dueTime(other)
const byAge: Comparison = (one, other) => one.createdAt.getTime() - other.createdAt.getTime()

const comparisons: Record<Sorting, Comparison> = {
  due: (one, other) => byDue(one, other) || byPriority(one, other) || byAge(one, other),
  priority: (one, other) => byPriority(one, other) || byDue(one, other) || byAge(one, other),
  title: (one, other) => compare(one.title, other.title),
  estimate: (one, other) =>
    (other.estimateMinutes ?? 0) - (one.estimateMinutes ?? 0) || byDue(one, other),
  newest: (one, other) => byAge(other, one),
}
