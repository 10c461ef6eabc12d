// The entries of the grid: the existing blocks and, during a preview, its changes.
import type {
  CalendarEvent,
  FullPlannerRun,
  ListedTask,
  ListedTimeBlock,
} from '@daywright/contract'
import { minutesBetween, plusMinutes, type Zone } from '../../time/zone.ts'
import { clashesOf } from '../blocks/clashes.ts'
import { isMissed } from '../blocks/missed.ts'
import {
  layOutTogether,
  overlap,
  type Segment,
  segmentsOf,
  shortestMinutes,
  type Timed,
} from './segments.ts'

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
  /** The due date of the task, if the block ends later and is not done. */
  lateFor: Date | null
  /** The event of another calendar that it overlaps. */
  clash?: CalendarEvent
  /** Whether the block ended without being started. */
  isMissed: boolean
  /** In a preview: whether the plan removes the block from this time or places it there. */
  change?: 'leaves' | 'arrives'
  explanation: string | null
  /** Undefined for a block that exists only in a preview. */
  block?: ListedTimeBlock
}

export type Tasks = Map<string, ListedTask>

export const colorOf = (task: ListedTask | undefined) =>
  task?.project?.color ?? task?.space?.color ?? null

function entryOf(block: ListedTimeBlock, tasks: Tasks, atRisk: Set<string>, now: Date): Entry {
  const task = tasks.get(block.taskId ?? '')
  const isDone = block.status === 'completed' || block.task?.status === 'completed'
  return {
    id: block.id,
    title: block.task?.title ?? block.title,
    startAt: block.startAt,
    endAt: endOf(block),
    color: colorOf(task),
    place: task?.project?.name ?? task?.space?.name ?? '',
    priority: block.task?.priority ?? 'none',
    isKept: block.locked || block.source !== 'auto',
    isLocked: block.locked,
    isDone,
    isRunning: block.status === 'in_progress',
    isAtRisk: atRisk.has(block.taskId ?? ''),
    lateFor: isDone ? null : lateFor(block, task),
    isMissed: isMissed(block, now),
    // The planner's reason does not apply to a block that was placed by hand.
    explanation: block.source === 'auto' ? block.explanation : null,
    block,
  }
}

const lateFor = ({ endAt }: { endAt: Date }, task: ListedTask | undefined) =>
  task?.dueAt && endAt > task.dueAt ? task.dueAt : null

/** The end as drawn: a block that was done early ends then, but keeps a readable length. */
function endOf({ status, startAt, endAt, completedAt }: ListedTimeBlock) {
  if (status !== 'completed' || !completedAt || completedAt >= endAt) return endAt
  const least = plusMinutes(startAt, Math.min(shortestMinutes, minutesBetween(startAt, endAt)))
  return completedAt > least ? completedAt : least
}

const placeKey = (taskId: string | null, startAt: Date) => `${taskId} ${startAt.getTime()}`

export function entriesOf(
  blocks: ListedTimeBlock[],
  events: CalendarEvent[],
  tasks: Tasks,
  run: FullPlannerRun | undefined,
  now: Date,
): Entry[] {
  const atRisk = new Set(run?.atRisk.map(({ taskId }) => taskId))
  const entries = blocks.map((block): Entry => {
    const [clash] = clashesOf(block, events, now)
    return { ...entryOf(block, tasks, atRisk, now), ...(clash && { clash }) }
  })
  if (run?.state !== 'preview') return entries
  const { moved, added, removed } = run.blocks
  const leaving = new Set([
    ...moved.map(({ taskId, from }) => placeKey(taskId, from.startAt)),
    ...removed.map(({ taskId, startAt }) => placeKey(taskId, startAt)),
  ])
  const shown = entries.map((entry) =>
    !entry.isKept && leaving.has(placeKey(entry.block?.taskId ?? null, entry.startAt))
      ? { ...entry, change: 'leaves' as const }
      : entry,
  )
  const arriving = [...moved, ...added].map((planned): Entry => {
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
      lateFor: lateFor(planned, task),
      isMissed: false,
      change: 'arrives',
      explanation: planned.explanation,
    }
  })
  return [...shown, ...arriving]
}

const isUnder = ({ change, block }: Entry) => change === 'leaves' || block?.status === 'cancelled'

/** The entries by day column. Those that leave or were cancelled lie under the others and take none of their lanes. */
export function columnsOf(entries: Entry[], days: Temporal.PlainDate[], zone: Zone) {
  const { under = [], over = [] } = Object.groupBy(entries, (entry) =>
    isUnder(entry) ? 'under' : 'over',
  )
  const below = segmentsOf(under, days, zone)
  return segmentsOf(over, days, zone).map((column, day) => [...(below[day] ?? []), ...column])
}

/** The blocks and events of a day, side by side where they overlap, so that no block covers an event. */
export function besideEvents<Event extends Timed>(
  blocks: Segment<Entry>[],
  events: Segment<Event>[],
) {
  if (events.length === 0 || blocks.length === 0) return { blocks, events }
  const isBeside = (segment: Segment<Entry>) =>
    !isUnder(segment.item) || events.some((event) => overlap(segment, event))
  const [beside, laid] = layOutTogether(blocks.filter(isBeside), events)
  return {
    blocks: [...blocks.filter((segment) => !isBeside(segment)), ...beside],
    events: laid,
  }
}
