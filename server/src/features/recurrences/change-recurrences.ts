// Creating, changing and ending recurrences. Each is one transaction with the lock of the user: the recurrence and
// its open occurrences change together.
import type {
  NewRecurrence,
  Recurrence,
  RecurrenceChanges,
  RecurrenceRemoval,
  RecurrenceSplitInput,
  RecurringTask,
} from '@daywright/contract'
import { addDays, isOnceADay, settledBy, slotOf } from '@daywright/recurrence'
import { isDeepStrictEqual } from 'node:util'
import type { Db } from '../../platform/db/database.ts'
import { lockUser } from '../../platform/db/lock-user.ts'
import { newId } from '../../platform/db/new-id.ts'
import { sql, timestamp, userId } from '../../platform/db/sql.ts'
import { execute, type Json } from '../../platform/db/statement.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import {
  archiveTasks,
  listFrom,
  lockForChange,
  markWithdrawn,
  type OccurrenceRow,
  reopenTasks,
  settleSeries,
  takeWithdrawn,
  transferOccurrences,
} from './occurrences.queries.ts'
import {
  changedTemplate,
  checkSeries,
  type NewSeries,
  seriesOf,
  templateOf,
} from './read-series.ts'
import {
  findRecurrence,
  findSeries,
  insertRecurrence,
  markDeleted,
  markRestored,
  recurrenceNotFound,
  type StoredSeries,
  writeChanges,
} from './recurrences.queries.ts'
import { lockReferences, requireExisting } from './references.queries.ts'
import { apply, prepare } from './settle.ts'
import { beginSettling } from './settle-recurrences.ts'

const most = 200
const tooMany = () => conflict(`At most ${most} recurrences; delete one first`)

// The worker looks after this user from now on.
const watch = execute(
  'recurrences.watch',
  sql`
  update agendas set recurrences_at = coalesce(recurrences_at, ${timestamp('now')})
   where user_id = ${userId}`,
)

/** Runs in a transaction with the lock of the user, and tells the worker. */
export const changingRecurrences = <Result>(
  db: Db,
  userId: string,
  now: Date,
  work: (db: Db, zone: string) => Promise<Result>,
) =>
  db.transaction(async (transaction) => {
    await lockUser(transaction, userId)
    const { zone } = await beginSettling(transaction, userId)
    const result = await work(transaction, zone)
    await watch(transaction, { userId, now })
    return result
  })

type Given = {
  rule: NewSeries
  task: RecurringTask
  /** The fields of the task that the caller has given. */
  givenTask: object
  follows?: string
}

/** Inserts a recurrence and makes its first occurrences. `before` runs when all is locked. */
export async function insertSeries(
  db: Db,
  userId: string,
  { rule, task, givenTask, follows }: Given,
  now: Date,
  zone: string,
  adopt: (series: StoredSeries) => Promise<unknown> = async () => {},
): Promise<Json<Recurrence>> {
  const words = checkSeries(rule)
  requireExisting(task, givenTask, await lockReferences(db, userId, [task]))
  const settledTo = settledBy(rule, now, zone)
  const id = newId()
  const onceADay = isOnceADay(rule)
  const row = { ...rule, task, words, onceADay, follows: follows ?? null, settledTo, zone }
  const json = await insertRecurrence(db, userId, id, row, most)
  if (!json) throw tooMany()
  const series = { ...row, id, pausedAt: null, count: 0 }
  await adopt(series)
  await settleOne(db, userId, await findSeries(db, userId, id), false, now, zone)
  return json
}

async function settleOne(
  db: Db,
  userId: string,
  series: StoredSeries,
  hasChanged: boolean,
  now: Date,
  zone: string,
) {
  await apply(db, userId, await prepare(db, userId, [{ series, hasChanged }], now, zone), now)
}

export const createRecurrence = (
  db: Db,
  userId: string,
  { task, ...rule }: NewRecurrence,
  now: Date,
) =>
  changingRecurrences(db, userId, now, (transaction, zone) => {
    const given = { rule: seriesOf(rule), task: templateOf(task, rule.kind), givenTask: task }
    return insertSeries(transaction, userId, given, now, zone)
  })

/** Unedited open occurrences to come follow the change. */
export const updateRecurrence = (
  db: Db,
  userId: string,
  id: string,
  { task: givenTask = {}, ...given }: RecurrenceChanges,
  now: Date,
) =>
  changingRecurrences(db, userId, now, async (transaction, zone) => {
    const old = await findSeries(transaction, userId, id)
    const task = changedTemplate(old.task, givenTask)
    // By the new rule nothing was due before.
    const settledTo = latest(old.settledTo, settledBy({ ...old, ...given }, now, zone))
    const series = { ...old, ...given, task, settledTo }
    const words = checkSeries(series)
    const isSameSpan = series.startsOn === old.startsOn && series.endsOn === old.endsOn
    const hasChanged = !isSameSpan || !isAlike(old, series)
    requireExisting(task, givenTask, await lockReferences(transaction, userId, [task]))
    const prepared = await prepare(transaction, userId, [{ series, hasChanged }], now, zone)
    const onceADay = isOnceADay(series)
    const json = await writeChanges(transaction, userId, id, { ...given, task, words, onceADay })
    const progress = [{ id, settledTo, zone: old.zone, added: 0 }]
    await settleSeries(transaction, { userId, progress })
    await apply(transaction, userId, prepared, now)
    return json
  })

/** The series ends the day before, and another one with the changes follows it. */
export const splitRecurrence = (
  db: Db,
  userId: string,
  id: string,
  { from, task: givenTask = {}, ...given }: RecurrenceSplitInput,
  now: Date,
) =>
  changingRecurrences(db, userId, now, async (transaction, zone) => {
    const old = await findSeries(transaction, userId, id)
    if (from <= old.startsOn) throw invalid({ from: ['Must be after the first day'] })
    if (old.endsOn !== null && from > old.endsOn) throw invalid({ from: ['Is after the last day'] })
    if (old.kind === 'times' && !slotOf(old, { day: from, nth: 1 })) {
      throw invalid({ from: ['Must be the first day of a period'] })
    }
    const endsOn = addDays(from, -1)
    const rows = await listFrom(transaction, userId, id, from)
    const remaining = old.most === null ? null : Math.max(1, old.most - (old.count - rows.length))
    const { id: _id, pausedAt: _paused, settledTo: _to, count: _count, zone: _zone, ...rule } = old
    const task = changedTemplate(old.task, givenTask)
    const next = { ...rule, most: remaining, ...given, startsOn: from }
    checkSeries(next)
    const ended = { ...old, endsOn }
    const words = checkSeries(ended)
    requireExisting(task, givenTask, await lockReferences(transaction, userId, [task]))
    const open = rows.flatMap(({ taskId }) => taskId ?? [])
    await lockForChange(transaction, userId, open, open, now)
    await writeChanges(transaction, userId, id, { endsOn, words })
    const follows = id
    return insertSeries(
      transaction,
      userId,
      { rule: next, task, givenTask: {}, follows },
      now,
      zone,
      async (series) => {
        await transferOccurrences(transaction, { userId, id, to: series.id, from })
        const all = await findSeries(transaction, userId, series.id)
        await settleOne(transaction, userId, all, !isAlike(old, all), now, zone)
      },
    )
  })

export const pauseRecurrence = (db: Db, userId: string, id: string, now: Date) =>
  changingRecurrences(db, userId, now, async (transaction) => {
    const { pausedAt } = await findSeries(transaction, userId, id)
    return writeChanges(transaction, userId, id, { pausedAt: pausedAt ?? now })
  })

/** What would have been due meanwhile is not missed. */
export const resumeRecurrence = (db: Db, userId: string, id: string, now: Date) =>
  changingRecurrences(db, userId, now, async (transaction, zone) => {
    const series = await findSeries(transaction, userId, id)
    if (series.pausedAt === null) return writeChanges(transaction, userId, id, {})
    const resumed = { ...series, pausedAt: null, settledTo: settledBy(series, now, zone) }
    const prepared = await prepare(
      transaction,
      userId,
      [{ series: resumed, hasChanged: false }],
      now,
      zone,
    )
    const json = await writeChanges(transaction, userId, id, { pausedAt: null })
    const progress = [{ id, settledTo: resumed.settledTo, zone: series.zone, added: 0 }]
    await settleSeries(transaction, { userId, progress })
    await apply(transaction, userId, prepared, now)
    return json
  })

/** Its open occurrences are archived, or stay as plain tasks. */
export const deleteRecurrence = (
  db: Db,
  userId: string,
  id: string,
  { open = 'archive' }: RecurrenceRemoval,
  now: Date,
) =>
  changingRecurrences(db, userId, now, async (transaction) => {
    const { settledTo } = await findSeries(transaction, userId, id)
    const tasks = open === 'archive' ? await openTasks(transaction, userId, id, settledTo) : []
    await remove(transaction, userId, id, tasks, now)
  })

async function remove(db: Db, userId: string, id: string, tasks: OccurrenceRow[], now: Date) {
  const taskIds = tasks.map(({ taskId }) => taskId!)
  await lockForChange(db, userId, taskIds, taskIds, now)
  if (!(await markDeleted(db, userId, id, now))) throw recurrenceNotFound()
  if (taskIds.length === 0) return
  await archiveTasks(db, { userId, taskIds, now })
  await markWithdrawn(db, { userId, taskIds })
}

async function openTasks(db: Db, userId: string, id: string, settledTo: string) {
  const rows = await listFrom(db, userId, id, addDays(settledTo, -400))
  const isOpen = (status: string | null) =>
    ['backlog', 'todo', 'in_progress'].includes(status ?? '')
  return rows.filter(({ taskId, status }) => taskId !== null && isOpen(status))
}

/**
 * A recurrence that was made by a split gives its occurrences back to the one before. A task that existed before its
 * recurrence stays.
 */
export const undoCreation = (db: Db, userId: string, id: string, now: Date) =>
  changingRecurrences(db, userId, now, async (transaction) => {
    const { follows, startsOn, settledTo } = await findSeries(transaction, userId, id)
    if (follows !== null) {
      const from = addDays(startsOn, -366)
      await transferOccurrences(transaction, { userId, id, to: follows, from })
    }
    const json = await findRecurrence(transaction, userId, id)
    const { createdAt } = JSON.parse(json) as { createdAt: string }
    const tasks = await openTasks(transaction, userId, id, settledTo)
    const isOwn = ({ createdAt: made }: OccurrenceRow) =>
      follows !== null || made! >= new Date(createdAt)
    await remove(transaction, userId, id, tasks.filter(isOwn), now)
  })

/** With the tasks that were archived when it was deleted. */
export const restoreRecurrence = (db: Db, userId: string, id: string, now: Date) =>
  changingRecurrences(db, userId, now, async (transaction, zone) => {
    const taskIds = await takeWithdrawn(transaction, userId, id)
    await lockForChange(transaction, userId, taskIds, [], now)
    if (!(await markRestored(transaction, userId, id, most))) throw tooMany()
    if (taskIds.length > 0) await reopenTasks(transaction, { userId, taskIds })
    const series = await findSeries(transaction, userId, id)
    const progress = [{ id, settledTo: settledBy(series, now, zone), zone: series.zone, added: 0 }]
    await settleSeries(transaction, { userId, progress })
  })

/** Whether two series have the same days, times and tasks within their span. */
const isAlike = (one: StoredSeries, other: StoredSeries) =>
  (['rule', 'times', 'startTime', 'dueTime', 'leadDays', 'task'] as const).every((field) =>
    isDeepStrictEqual(one[field], other[field]),
  )

const latest = (a: string, b: string) => (a > b ? a : b)
