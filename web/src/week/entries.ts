// The entries of the grid: the existing blocks and, during a preview, its changes.
import type { FullPlannerRun, ListedTask, ListedTimeBlock } from '@daywright/contract'
import type { Zone } from '../time/zone.ts'
import { segmentsOf } from './segments.ts'

export type Entry = {
  id: string
  title: string
  startAt: Date
  endAt: Date
  color: string | null
  place: string
  priority: ListedTask['priority']
  /** Placed by hand or locked: no plan moves it. */
  isKept: boolean
  isLocked: boolean
  isDone: boolean
  isRunning: boolean
  isAtRisk: boolean
  /** In a preview: whether the plan takes it away from this time, or puts it there. */
  change?: 'leaves' | 'arrives'
  explanation: string | null
  /** Undefined for a block that exists only in a preview. */
  block?: ListedTimeBlock
}

export type Tasks = Map<string, ListedTask>

export const colorOf = (task: ListedTask | undefined) =>
  task?.project?.color ?? task?.space?.color ?? null

function entryOf(block: ListedTimeBlock, tasks: Tasks, atRisk: Set<string>): Entry {
  const task = tasks.get(block.taskId ?? '')
  return {
    id: block.id,
    title: block.task?.title ?? block.title,
    startAt: block.startAt,
    endAt: block.endAt,
    color: colorOf(task),
    place: task?.project?.name ?? task?.space?.name ?? '',
    priority: block.task?.priority ?? 'none',
    isKept: block.locked || block.source !== 'auto',
    isLocked: block.locked,
    isDone: block.status === 'completed' || block.task?.status === 'completed',
    isRunning: block.status === 'in_progress',
    isAtRisk: atRisk.has(block.taskId ?? ''),
    explanation: block.explanation,
    block,
  }
}

const placeKey = (taskId: string | null, startAt: Date) => `${taskId} ${startAt.getTime()}`

export function entriesOf(
  blocks: ListedTimeBlock[],
  tasks: Tasks,
  run: FullPlannerRun | undefined,
): Entry[] {
  const atRisk = new Set(run?.atRisk.map(({ taskId }) => taskId))
  const entries = blocks.map((block) => entryOf(block, tasks, atRisk))
  if (run?.state !== 'preview') return entries
  const { move, appear, go } = run.blocks
  const leaving = new Set([
    ...move.map(({ taskId, from }) => placeKey(taskId, from.startAt)),
    ...go.map(({ taskId, startAt }) => placeKey(taskId, startAt)),
  ])
  const shown = entries.map((entry) =>
    !entry.isKept && leaving.has(placeKey(entry.block?.taskId ?? null, entry.startAt))
      ? { ...entry, change: 'leaves' as const }
      : entry,
  )
  const arriving = [...move, ...appear].map((planned): Entry => {
    const task = tasks.get(planned.taskId)
    return {
      id: `plan-${placeKey(planned.taskId, planned.startAt)}`,
      title: planned.title,
      startAt: planned.startAt,
      endAt: planned.endAt,
      color: colorOf(task),
      place: task?.project?.name ?? task?.space?.name ?? '',
      priority: task?.priority ?? 'none',
      isKept: false,
      isLocked: false,
      isDone: false,
      isRunning: false,
      isAtRisk: atRisk.has(planned.taskId),
      change: 'arrives',
      explanation: planned.explanation,
    }
  })
  return [...shown, ...arriving]
}

/** By column; removed entries lie under the others and take no lane. */
export function columnsOf(entries: Entry[], days: Temporal.PlainDate[], zone: Zone) {
  const { under = [], over = [] } = Object.groupBy(entries, ({ change }) =>
    change === 'leaves' ? 'under' : 'over',
  )
  const below = segmentsOf(under, days, zone)
  return segmentsOf(over, days, zone).map((column, day) => [...(below[day] ?? []), ...column])
}
