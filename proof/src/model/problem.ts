// The input of a plan, as the service should read it from the rows.
import { isDeepStrictEqual } from 'node:util'
import type { Problem } from '@daywright/scheduler'
import { earliest } from './compare.ts'
import type { Event } from './follow.ts'
import { type Block, inOrder, isOpen, type Rows, type Settings, type Task } from './model.ts'
import type { Person } from './world.ts'

const hour = 3_600_000

export type MissedBlock = { blockId: string; taskId: string; startAt: number; endAt: number }
export type PlannerInput = Problem & { missed: MissedBlock[]; busy: [] }

type Stretch = { startAt: number; endAt: number }
type Changes = { tasks: string[]; freed: Stretch[] }
type More = { changes?: Changes | undefined; fromScratch?: boolean }

/** All inputs of a plan at that time. */
export function problemOf(
  { rows, settings, planning, timezone }: Person,
  moment: number,
  { changes, fromScratch = false }: More = {},
): PlannerInput {
  const preferences = withoutNulls(planning)
  // Lunch and the daily limit depend on the whole day.
  const isOfDay = 'lunch' in preferences || 'dailyLimitMinutes' in preferences
  const since = isOfDay ? moment - 25 * hour : moment
  const found = [...rows.blocks.values()].filter(({ status, endAt, taskId }) => {
    if (status === 'cancelled') return false
    const task = rows.tasks.get(taskId ?? '')
    return endAt > since || (task !== undefined && isOpen(task))
  })
  const isSetAside = (block: Block) =>
    settings.missedBlocks === 'reschedule' && isMissed(rows, block, moment)
  const missed = found.filter(isSetAside).map(({ id, taskId, startAt, endAt }) => ({
    blockId: id,
    taskId: taskId ?? '',
    startAt,
    endAt,
  }))
  const blocks = found.filter((block) => !isSetAside(block))
  const withBlocks = new Set(found.map(({ taskId }) => taskId))
  const tasks = [...rows.tasks.values()].filter((task) => isOpen(task) || withBlocks.has(task.id))
  const changed = changes && new Set([...changes.tasks, ...missed.map(({ taskId }) => taskId)])
  return {
    now: moment,
    timezone,
    tasks: inOrder(tasks, ({ id }) => id).map((task) => taskToPlan(rows, settings, task)),
    blocks: inOrder(blocks, ({ id }) => id).map((block) => blockToPlan(rows, block)),
    busy: [],
    missed: inOrder(
      missed,
      ({ startAt }) => startAt,
      ({ blockId }) => blockId,
    ),
    dependencies: inOrder(
      [...rows.dependencies.values()].map(({ taskId, dependsOnTaskId }) => ({
        taskId,
        dependsOnTaskId,
      })),
      ({ taskId, dependsOnTaskId }) => `${taskId} ${dependsOnTaskId}`,
    ),
    preferences,
    ...(changed && { changed: [...changed].toSorted(), freed: changes.freed }),
    fromScratch,
  }
}

/** A block of the planner that has ended without work: a run cancels it and plans its minutes again. */
function isMissed(rows: Rows, block: Block, moment: number) {
  const task = rows.tasks.get(block.taskId ?? '')
  return (
    task !== undefined &&
    isOpen(task) &&
    isAutomatic(rows, task) &&
    block.endAt <= moment &&
    block.source === 'auto' &&
    block.status === 'scheduled' &&
    !block.locked &&
    block.startedAt === null
  )
}

const isAutomatic = (rows: Rows, task: Task) =>
  task.autoSchedule && (rows.projects.get(task.projectId ?? '')?.autoSchedule ?? true)

function taskToPlan(rows: Rows, settings: Settings, task: Task): Problem['tasks'][number] {
  const project = rows.projects.get(task.projectId ?? '')
  const space = rows.spaces.get(task.spaceId ?? project?.spaceId ?? '')
  const preferenceId =
    task.schedulePreferenceId ??
    project?.schedulePreferenceId ??
    space?.schedulePreferenceId ??
    settings.schedulePreferenceId
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    priority: task.priority,
    autoSchedule: isAutomatic(rows, task),
    autoSplit: task.autoSplit,
    locked: task.locked,
    dueAt: task.dueAt,
    startAfter: task.startAfter,
    estimateMinutes: task.estimateMinutes ?? settings.assumedMinutes,
    minSessionMinutes: task.minSessionMinutes,
    maxSessionMinutes: task.maxSessionMinutes,
    cooldownMinutes: task.cooldownMinutes,
    windows: rows.preferences.get(preferenceId ?? '')?.windows ?? null,
    recurring: null,
  }
}

function blockToPlan(rows: Rows, block: Block): Problem['blocks'][number] {
  const { startAt, endAt, completedAt } = block
  const isEarly = block.status === 'completed' && completedAt && earliest(completedAt) < endAt
  return {
    id: block.id,
    taskId: block.taskId,
    type: block.type,
    source: block.source,
    status: block.status as 'scheduled',
    locked: block.locked,
    startAt,
    endAt,
    busyUntil: isEarly ? Math.max(earliest(completedAt), startAt) : null,
    explanation: block.source === 'auto' ? block.explanation : null,
    plannedAt: rows.runs.get(block.madeByRun ?? '')?.plannedAt ?? earliest(block.createdAt),
  }
}

/** In the order of the names, as PostgreSQL stores them. */
const withoutNulls = (planning: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(planning)
      .filter(([, value]) => value !== null)
      .toSorted(([one], [two]) => (one < two ? -1 : 1)),
  )

const mostEvents = 200
const neutral =
  /^((label|document|documentLink|checklistItem|notification|apiKey|feed|planCalendar|webhook|plannerRun)\.|(space|project|schedulePreference)\.created$)/
const unimportant = [
  'title',
  'description',
  'labelIds',
  'parentTaskId',
  'actualMinutes',
  'completedAt',
  'sortOrder',
  'updatedAt',
]

/**
 * What has changed since the last applied run, according to the events that were read; undefined if it is not known.
 * `compareFollowed` checks that the events are correct.
 */
export function findChanges({ rows, followed: { events } }: Person): Changes | undefined {
  const runs = events.filter(
    ({ type, recordId }) =>
      type === 'plannerRun.applied' && rows.runs.get(recordId)?.state === 'applied',
  )
  if (runs.length === 0) return undefined
  // A run includes everything before its own event.
  const last = Math.max(...runs.map(numberOf))
  const since = events.filter((event) => numberOf(event) >= last)
  if (since.length > mostEvents) return undefined
  const tasks = since
    .filter(({ type, before, after }) => !neutral.test(type) && !isAlike(before, after))
    .map(taskOf)
  if (!tasks.every((id) => id !== undefined)) return undefined
  return { tasks, freed: since.flatMap(freedBy) }
}

/** The time that a planner block occupied before the event, if it no longer does. */
function freedBy({ type, before, after }: Event): Stretch[] {
  if (!type.startsWith('timeBlock.') || before?.source !== 'auto') return []
  if (before.status !== 'scheduled') return []
  const isThere =
    after && after.status !== 'cancelled' && isDeepStrictEqual(timesOf(before), timesOf(after))
  return isThere ? [] : [timesOf(before)]
}

const timesOf = ({ startAt, endAt }: NonNullable<Event['before']>) => ({
  startAt: Date.parse(String(startAt)),
  endAt: Date.parse(String(endAt)),
})

const numberOf = ({ id }: Event) => Number(id.split('-')[0])

const isAlike = (before: Event['before'], after: Event['after']) =>
  isDeepStrictEqual(important(before), important(after))

const important = (state: Event['before']) =>
  state && Object.fromEntries(Object.entries(state).filter(([name]) => !unimportant.includes(name)))

/** The task that a change concerns; undefined if it may concern other tasks as well. */
function taskOf({ type, recordId, before, after }: Event) {
  if (type.startsWith('task.')) return recordId
  const isOfPlanner = [before, after].every((state) => (state?.source ?? 'auto') === 'auto')
  if (!type.startsWith('dependency.') && !(type.startsWith('timeBlock.') && isOfPlanner)) {
    return undefined
  }
  const id = after?.taskId ?? before?.taskId
  return typeof id === 'string' ? id : undefined
}
