// The occurrences of a recurrence: lists existing and future ones, and skips one.
import { setImmediate } from 'node:timers/promises'
import type {
  ComingOccurrence,
  ComingRange,
  Occurrence,
  OccurrenceKey,
  OccurrenceRange,
  Occurrences,
  OccurrenceState,
  RecurrencePreview,
  RecurrenceRuleInput,
  TaskRecurrence,
} from '@daywright/contract'
import {
  addDays,
  coming,
  comingBetween,
  instantsOf,
  localDay,
  type Planned,
  type Series,
  settledBy,
  slotOf,
} from '@daywright/recurrence'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Json } from '../../platform/db/statement.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { findTask } from '../tasks/tasks.queries.ts'
import { findTimezone } from '../user/user.queries.ts'
import {
  archiveTasks,
  findByTask,
  listFrom,
  listWatched,
  lockForChange,
  makeOccurrences,
  type OccurrenceRow,
  reopenTasks,
  settleSeries,
} from './occurrences.queries.ts'
import { checkSeries, seriesOf } from './read-series.ts'
import { findRecurrence, findSeries, listSeries, type StoredSeries } from './recurrences.queries.ts'
import { lockReferences, withExisting } from './references.queries.ts'
import { asStored, firstDayOf, rowOf } from './settle.ts'

const occurrenceNotFound = () => notFound('Occurrence not found')
const mostDays = 366
/** A range may not end later, since every day until then is computed. */
const mostAheadDays = 1100
const mostListed = 1000
const countedDays = 400

/** The state according to the task; without a task, how the occurrence ended. */
function stateOf({ state, status }: OccurrenceRow): OccurrenceState {
  if (status === 'completed' || (status === null && state === 'ended')) return 'done'
  if (status === 'backlog' || status === 'todo' || status === 'in_progress') return 'open'
  return state === 'lapsed' ? 'missed' : 'skipped'
}

const toOccurrence = (row: OccurrenceRow): Occurrence => ({
  day: row.day,
  nth: row.nth,
  state: stateOf(row),
  startAfter: row.startAfter,
  dueAt: row.dueAt,
  taskId: row.taskId,
})

const toComingOccurrence = ({ day, nth, startAfter, dueAt }: Planned): Occurrence => ({
  day,
  nth,
  state: 'coming',
  startAfter,
  dueAt,
  taskId: null,
})

/** Bounds the search, since dates that are decades apart take long to find. */
const previewedYears = 25

/** The next 20 occurrences of a recurrence that does not exist yet. */
export async function previewRecurrence(
  db: Db,
  userId: string,
  given: RecurrenceRuleInput,
  now: Date,
): Promise<RecurrencePreview> {
  const series = seriesOf(given)
  const words = checkSeries(series)
  const zone = await findTimezone(db, userId)
  const from = localDay(now, zone)
  const progress = { stored: [], settledTo: settledBy(series, now, zone), count: 0 }
  const first = series.startsOn > from ? series.startsOn : from
  const to = addDays(first, previewedYears * 366)
  const next = coming(series, progress, { from, to, limit: 20 }, now, zone)
  return { words, next }
}

export async function listOccurrences(
  db: Db,
  userId: string,
  id: string,
  range: OccurrenceRange,
  now: Date,
): Promise<Occurrences> {
  const series = await findSeries(db, userId, id)
  const zone = await findTimezone(db, userId)
  const today = localDay(now, zone)
  const { from = addDays(today, -30) } = range
  const { to = addDays(from > today ? from : today, 60) } = range
  if (to < from) throw invalid({ to: ['Must not be before from'] })
  if (to > addDays(from, mostDays))
    throw invalid({ to: [`Must be at most ${mostDays} days after from`] })
  if (to > addDays(today, mostAheadDays)) throw invalid({ to: ['Must be within three years'] })
  const first = addDays(today, -countedDays)
  const rows = await listFrom(db, userId, id, from < first ? from : first)
  const listed = rows.filter(({ day }) => day >= from && day <= to).map(toOccurrence)
  const next =
    series.pausedAt === null ? nextOf(series, rows, { from, to, limit: mostListed }, now, zone) : []
  const occurrences = [...listed, ...next.map(toComingOccurrence)].toSorted(inOrder)
  return { occurrences: occurrences.slice(0, mostListed), counts: countsOf(rows, first) }
}

const mostComingDays = 62
const mostComingAhead = 366
const mostComing = 500
const mostOfOne = 100

/** The future occurrences of all recurrences, except those of kind `completion`: their next date is not known. */
export async function listComing(
  db: Db,
  userId: string,
  { from, to }: ComingRange,
  now: Date,
): Promise<ComingOccurrence[]> {
  const zone = await findTimezone(db, userId)
  if (to < from) throw invalid({ to: ['Must not be before from'] })
  if (to > addDays(from, mostComingDays)) {
    throw invalid({ to: [`Must be at most ${mostComingDays} days after from`] })
  }
  if (to > addDays(localDay(now, zone), mostComingAhead)) {
    throw invalid({ to: ['Must be within a year'] })
  }
  const series = (await listSeries(db, userId)).filter(
    ({ kind, pausedAt }) => kind !== 'completion' && pausedAt === null,
  )
  const windows = series.map((each) => ({ id: each.id, from: firstDayOf(each) }))
  const rows = windows.length > 0 ? await listWatched(db, userId, windows) : []
  const bySeries = Map.groupBy(rows, ({ recurrenceId }) => recurrenceId)
  const found: ComingOccurrence[] = []
  for (const each of series) {
    // A rule may take milliseconds, so other requests are served in between.
    await setImmediate()
    const stored = (bySeries.get(each.id) ?? []).map(asStored)
    const range = { from, to, limit: mostOfOne }
    const next = comingBetween(each, { ...each, stored }, range, zone)
    found.push(...next.map((planned) => comingOf(each, planned)))
  }
  return found.toSorted((a, b) => Number(a.dueAt) - Number(b.dueAt)).slice(0, mostComing)
}

const comingOf = ({ id, task }: StoredSeries, { day, nth, startAfter, dueAt }: Planned) => ({
  recurrenceId: id,
  title: task.title,
  day,
  nth,
  startAfter,
  dueAt,
})

const inOrder = (a: Occurrence, b: Occurrence) =>
  a.day === b.day ? a.nth - b.nth : a.day < b.day ? -1 : 1

/** The future occurrences of a series. One of kind `completion` has none while an occurrence is open. */
function nextOf(
  series: StoredSeries,
  rows: OccurrenceRow[],
  range: { from: string; to: string; limit: number },
  now: Date,
  zone: string,
) {
  const { settledTo, count } = series
  return coming(series, { stored: rows.map(asStored), settledTo, count }, range, now, zone)
}

function countsOf(rows: OccurrenceRow[], first: string) {
  const counts = { open: 0, done: 0, skipped: 0, missed: 0 }
  for (const row of rows) {
    const state = stateOf(row)
    if (state !== 'coming' && row.day >= first) counts[state] += 1
  }
  return counts
}

type Found = { series: StoredSeries; row: OccurrenceRow | undefined; planned?: Planned }

/** Runs `work` on the occurrence with this key, holding the user's lock; returns the changed occurrence. */
const onOccurrence = (
  db: Db,
  userId: string,
  id: string,
  { day, nth = 1 }: OccurrenceKey,
  work: (db: Db, found: Found) => Promise<unknown>,
) =>
  db.transaction(async (transaction): Promise<Occurrence> => {
    await lockUser(transaction, userId)
    const series = await findSeries(transaction, userId, id)
    const zone = await findTimezone(transaction, userId)
    const find = async () =>
      (await listFrom(transaction, userId, id, day)).find(
        (row) => row.day === day && row.nth === nth,
      )
    const row = await find()
    const slot = slotOf(series, { day, nth })
    const planned = slot && instantsOf(series, slot, zone)
    if (!row && (!slot || slot.dueOn <= series.settledTo)) throw occurrenceNotFound()
    await work(transaction, { series, row, ...(planned && { planned }) })
    const written = await find()
    if (!written) throw occurrenceNotFound()
    return toOccurrence(written)
  })

/** Skips an occurrence: archives its task. If it does not exist yet, it is made with an archived task. */
export const skipOccurrence = (db: Db, userId: string, id: string, key: OccurrenceKey, now: Date) =>
  onOccurrence(db, userId, id, key, async (transaction, { series, row, planned }) => {
    if (!row) return makeOne(transaction, userId, series, planned!, now)
    const taskIds = row.taskId === null ? [] : [row.taskId]
    await lockForChange(transaction, userId, taskIds, taskIds, now)
    if (taskIds.length > 0) await archiveTasks(transaction, { userId, taskIds, now })
  })

/** Reopens the task of a skipped occurrence. An occurrence whose task was deleted stays skipped. */
export const unskipOccurrence = (
  db: Db,
  userId: string,
  id: string,
  key: OccurrenceKey,
  now: Date,
) =>
  onOccurrence(db, userId, id, key, async (transaction, { row }) => {
    if (!row?.taskId) throw occurrenceNotFound()
    await lockForChange(transaction, userId, [row.taskId], [], now)
    await reopenTasks(transaction, { userId, taskIds: [row.taskId] })
  })

async function makeOne(db: Db, userId: string, series: StoredSeries, planned: Planned, now: Date) {
  const found = await lockReferences(db, userId, [series.task])
  const task = withExisting(series.task, found)
  const taskId = newId()
  const { day, nth } = planned
  await makeOccurrences(db, {
    userId,
    occurrences: [{ recurrenceId: series.id, day, nth, taskId, place: 0 }],
    tasks: [rowOf(taskId, task, planned, now)],
    labels: task.labelIds.map((labelId) => ({ taskId, labelId })),
    items: [],
  })
  const { id, settledTo, zone } = series
  await settleSeries(db, { userId, progress: [{ id, settledTo, zone, added: 1 }] })
}

/** The recurrence of a task, and which of its occurrences it is. */
export async function findTaskRecurrence(
  db: Db,
  userId: string,
  taskId: string,
): Promise<Json<TaskRecurrence>> {
  const row = await findByTask(db, userId, taskId)
  if (!row) {
    await findTask(db, userId, taskId, {})
    return '{"recurrence":null,"occurrence":null}'
  }
  const recurrence = await findRecurrence(db, userId, row.recurrenceId)
  return `{"recurrence":${recurrence},"occurrence":${JSON.stringify(toOccurrence(row))}}`
}

/** The first occurrence that is not over. Refuses a series that has none left. */
export function firstOccurrence(series: Series & { settledTo: string }, now: Date, zone: string) {
  const { settledTo } = series
  const from = localDay(now, zone)
  const [first] = coming(series, { stored: [], settledTo, count: 0 }, { from, limit: 1 }, now, zone)
  if (!first) throw invalid({ endsOn: ['No occurrences are left'] })
  return first
}
