// Brings the occurrences of series up to date: reads what is stored, decides, locks, and writes. The caller holds the
// user's lock. What it writes between `prepare` and `apply` must need no further lock.
import type { RecurringTask } from '@daywright/contract'
import {
  addDays,
  decide,
  instantsOf,
  type Key,
  keyOf,
  lookbackDays,
  type Planned,
  slotOf,
  type Stored,
} from '@daywright/recurrence'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import {
  archiveTasks,
  endOccurrences,
  followSeries,
  forgetOccurrences,
  insertLapsed,
  lapseOccurrences,
  listWatched,
  lockForChange,
  makeOccurrences,
  type OccurrenceRow,
  settleSeries,
  type WatchedRow,
} from './occurrences.queries.ts'
import type { StoredSeries } from './recurrences.queries.ts'
import { lockReferences, withExisting } from './references.queries.ts'

/** A series, and whether its open occurrences have to follow a change of it. */
export type Changed = { series: StoredSeries; hasChanged: boolean }

type Followed = Planned & { taskId: string }

type Work = {
  series: StoredSeries
  make: Planned[]
  follow: Followed[]
  /** Tasks of occurrences that the series no longer has. */
  withdraw: string[]
  /** Tasks that are cancelled. */
  lapse: string[]
  lapseUnmade: Key[]
  end: string[]
  settledTo: string
  added: number
  nextAt: Date
}

export type Prepared = { works: Work[]; found: Set<string>; zone: string; nextAt: Date | undefined }

/** Reads what is stored, decides what to do, and locks the rows. */
export async function prepare(
  db: Db,
  userId: string,
  changed: Changed[],
  now: Date,
  zone: string,
): Promise<Prepared> {
  const windows = changed.map(({ series }) => ({ id: series.id, from: firstDayOf(series) }))
  const rows = windows.length > 0 ? await listWatched(db, userId, windows) : []
  const works = changed.map((each) => {
    const own = rows.filter(({ recurrenceId }) => recurrenceId === each.series.id)
    return workOf(each, own, now, zone)
  })
  const isUsed = ({ make, follow }: Work) => make.length + follow.length > 0
  const tasks = works.filter(isUsed).map(({ series }) => series.task)
  const found = await lockReferences(db, userId, tasks)
  const closing = works.flatMap(({ lapse, withdraw }) => [...lapse, ...withdraw])
  const following = works.flatMap(({ follow }) => follow.map(({ taskId }) => taskId))
  await lockForChange(db, userId, [...closing, ...following], closing, now)
  const times = works.map(({ nextAt }) => nextAt.getTime())
  const nextAt = times.length > 0 ? new Date(Math.min(...times)) : undefined
  return { works, found, zone, nextAt }
}

/** The first day to read: later ones may be undecided. A series of kind `completion` needs its last occurrence. */
export const firstDayOf = (series: StoredSeries) =>
  addDays(series.settledTo, series.kind === 'completion' ? -400 : -lookbackDays(series))

function workOf(
  { series, hasChanged }: Changed,
  rows: WatchedRow[],
  now: Date,
  zone: string,
): Work {
  const followed = followedOf(series, rows, hasChanged, now, zone)
  const moved = new Set(followed.moved.map(({ taskId }) => taskId))
  const left = rows.filter(({ taskId }) => taskId === null || !moved.has(taskId))
  const progress = {
    stored: left.map(asStored),
    settledTo: series.settledTo,
    count: series.count - moved.size,
    isPaused: series.pausedAt !== null,
  }
  const decision = decide(series, progress, now, zone)
  // An occurrence on a day that the series no longer has moves to one of the new days, with the same task.
  const taken = decision.make.slice(0, moved.size)
  const movedTo = taken.map((planned, i) => ({ ...planned, taskId: followed.moved[i]!.taskId! }))
  const taskOf = new Map(left.map((row) => [keyOf(row), row.taskId]))
  return {
    series,
    make: decision.make.slice(moved.size),
    follow: [...followed.same, ...movedTo],
    withdraw: followed.moved.slice(taken.length).map(({ taskId }) => taskId!),
    lapse: decision.lapse.flatMap((key) => taskOf.get(keyOf(key)) ?? []),
    lapseUnmade: decision.lapseUnmade,
    end: endedTasks(series, left),
    settledTo: decision.settledTo,
    added: decision.make.length + decision.lapseUnmade.length - moved.size,
    nextAt: decision.nextAt,
  }
}

/** The unedited open future occurrences: those that keep their day, and those whose day the series no longer has. */
function followedOf(
  series: StoredSeries,
  rows: WatchedRow[],
  hasChanged: boolean,
  now: Date,
  zone: string,
) {
  const same: Followed[] = []
  const moved: OccurrenceRow[] = []
  if (!hasChanged && series.zone === zone) return { same, moved }
  for (const row of rows) {
    const isOpen = row.state === 'made' && (row.status === 'todo' || row.status === 'backlog')
    if (!isOpen || !row.isUntouched || row.dueAt === null || row.dueAt <= now) continue
    const { day, nth, taskId } = row
    const slot =
      series.kind === 'completion'
        ? { day, nth, opensOn: addDays(day, -series.leadDays), dueOn: day }
        : slotOf(series, row)
    if (!slot) moved.push(row)
    else {
      const planned = instantsOf(series, slot, zone)
      const isSame =
        Number(planned.dueAt) === Number(row.dueAt) &&
        Number(planned.startAfter) === Number(row.startAfter)
      if (hasChanged || !isSame) same.push({ ...planned, taskId: taskId! })
    }
  }
  return { same, moved }
}

const statuses = {
  backlog: 'open',
  todo: 'open',
  in_progress: 'in progress',
  completed: 'completed',
  cancelled: 'cancelled',
  archived: 'archived',
} as const

/** An occurrence for `decide`. One that has ended stays so, even if its task was opened again. */
export function asStored({ day, nth, state, status, dueAt, endedAt }: OccurrenceRow): Stored {
  const task = status && endedAt ? { status: statuses[status], dueAt, endedAt } : null
  return { day, nth, state: state === 'ended' ? 'lapsed' : state, task }
}

/** The tasks of occurrences that need not be watched any more. */
function endedTasks(series: StoredSeries, rows: OccurrenceRow[]) {
  const isSettled = (row: OccurrenceRow) =>
    series.kind === 'completion' ? row !== rows.at(-1) : row.day < firstDayOf(series)
  return rows.flatMap((row) => {
    const isOpen = ['backlog', 'todo', 'in_progress'].includes(row.status ?? 'todo')
    return row.state === 'made' && row.taskId !== null && !isOpen && isSettled(row)
      ? [row.taskId]
      : []
  })
}

/** Writes what was decided. True if a task was made or changed. */
export async function apply(db: Db, userId: string, { works, found, zone }: Prepared, now: Date) {
  const follow = rowsToWrite(works, found, (work) => work.follow)
  const make = rowsToWrite(works, found, (work) =>
    work.make.map((planned) => ({ ...planned, taskId: newId() })),
  )
  const lapse = works.flatMap((work) => work.lapse)
  const withdraw = works.filter((work) => work.withdraw.length > 0)
  if (follow.tasks.length > 0) await followSeries(db, { userId, ...follow })
  for (const { series, withdraw: taskIds } of withdraw) {
    await archiveTasks(db, { userId, taskIds, now })
    await forgetOccurrences(db, { userId, id: series.id, taskIds })
  }
  if (lapse.length > 0) await lapseOccurrences(db, { userId, taskIds: lapse, now })
  if (make.tasks.length > 0) await makeOccurrences(db, { userId, ...make })
  await settleAll(db, userId, works, zone)
  return follow.tasks.length + make.tasks.length + lapse.length + withdraw.length > 0
}

async function settleAll(db: Db, userId: string, works: Work[], zone: string) {
  const occurrences = works.flatMap(({ series, lapseUnmade }) =>
    lapseUnmade.map(({ day, nth }) => ({ recurrenceId: series.id, day, nth })),
  )
  if (occurrences.length > 0) await insertLapsed(db, { userId, occurrences })
  const ended = works.flatMap(({ end }) => end)
  if (ended.length > 0) await endOccurrences(db, { userId, taskIds: ended })
  const progress = works
    .filter(
      ({ series, settledTo, added }) =>
        added !== 0 || settledTo > series.settledTo || series.zone !== zone,
    )
    .map(({ series, settledTo, added }) => ({ id: series.id, settledTo, zone, added }))
  if (progress.length > 0) await settleSeries(db, { userId, progress })
}

/** The rows of tasks and occurrences for a statement. */
function rowsToWrite(works: Work[], found: Set<string>, plannedOf: (work: Work) => Followed[]) {
  const each = works.flatMap((work) => {
    const { task, checklist, id } = work.series
    const existing = withExisting(task, found)
    return plannedOf(work).map((planned) => ({ planned, existing, checklist, recurrenceId: id }))
  })
  return {
    tasks: each.map(({ planned, existing }) => rowOf(planned.taskId, existing, planned)),
    occurrences: each.map(({ planned, recurrenceId }, place) => ({
      recurrenceId,
      day: planned.day,
      nth: planned.nth,
      taskId: planned.taskId,
      place,
    })),
    labels: each.flatMap(({ planned: { taskId }, existing }) =>
      existing.labelIds.map((labelId) => ({ taskId, labelId })),
    ),
    items: each.flatMap(({ planned: { taskId }, checklist }) =>
      checklist.map((title, place) => ({ id: newId(), taskId, title, place })),
    ),
  }
}

/** A row of `tasks`, by column. */
export function rowOf(
  id: string,
  task: RecurringTask,
  { startAfter, dueAt }: Planned,
  archivedAt: Date | null = null,
) {
  return {
    id,
    space_id: task.spaceId,
    project_id: task.projectId,
    schedule_preference_id: task.schedulePreferenceId,
    title: task.title,
    description: task.description,
    status: archivedAt ? 'archived' : 'todo',
    priority: task.priority,
    due_at: dueAt,
    start_after: startAfter,
    estimate_minutes: task.estimateMinutes,
    min_session_minutes: task.minSessionMinutes,
    max_session_minutes: task.maxSessionMinutes,
    cooldown_minutes: task.cooldownMinutes,
    auto_schedule: task.autoSchedule,
    auto_split: task.autoSplit,
    archived_at: archivedAt,
  }
}
