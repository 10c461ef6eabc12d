// The scheduled minutes of each task, and the groups of scheduled and unscheduled tasks.
import type { ListedTask, ListedTimeBlock } from '@daywright/contract'
import { minutesBetween } from '../../time/zone.ts'

/** The minutes by task id of blocks that are not completed and have not ended. */
export function plannedMinutes(blocks: ListedTimeBlock[], now: Date) {
  const planned = new Map<string, number>()
  for (const { taskId, startAt, endAt, status } of blocks) {
    if (taskId === null || status === 'completed' || endAt <= now) continue
    planned.set(taskId, (planned.get(taskId) ?? 0) + minutesBetween(startAt, endAt))
  }
  return planned
}

export type Group = { name: string; tasks: ListedTask[] }

/** Unscheduled tasks first, scheduled ones last. */
export function groupTasks(tasks: ListedTask[], planned: Map<string, number>): Group[] {
  const isPlanned = ({ id }: ListedTask) => (planned.get(id) ?? 0) > 0
  const groups = Object.groupBy(tasks, (task) =>
    isPlanned(task) ? 'planned' : task.estimateMinutes ? 'waiting' : 'unestimated',
  )
  return [
    { name: 'Unscheduled', tasks: groups.waiting ?? [] },
    { name: 'Needs an estimate', tasks: groups.unestimated ?? [] },
    { name: 'On the calendar', tasks: groups.planned ?? [] },
  ].filter((group) => group.tasks.length > 0)
}

const rank = { urgent: 0, high: 1, medium: 2, low: 3, none: 4 }

export const byUrgency = (one: ListedTask, other: ListedTask) =>
  (one.dueAt?.getTime() ?? Infinity) - (other.dueAt?.getTime() ?? Infinity) ||
  rank[one.priority] - rank[other.priority] ||
  one.sortOrder - other.sortOrder
