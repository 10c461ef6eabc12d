// Creates, changes and ends recurrences. Each change is one transaction that holds the user's lock: the recurrence
// and its open occurrences change together.
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

// Makes the worker look after this user's recurrences from now on.
const watch = execute(
  'recurrences.watch',
  sql`
  update user_state set recurrences_at = coalesce(recurrences_at, ${timestamp('now')})
   where user_id = ${userId}`,
)

/** Runs `work` in a transaction that holds the user's lock, and notifies the worker. */
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

/** Inserts a recurrence and makes its first occurrences. `adopt` runs before they are made. */
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

/** Changes a recurrence. Its future open occurrences follow the change, unless they were edited. */
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
    // What the new rule would have made due before now does not count as missed.
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

/** Ends the series on the day before `from`, and creates another one with the changes that follows it. */
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
    if (old.endsOn !== null && from > old.endsOn)
      throw invalid({ from: ['Must not be after the last day'] })
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

/** Resumes a recurrence. Occurrences that were not made because of the pause do not count as missed. */
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

/** Deletes a recurrence. Its open occurrences are archived, or stay as plain tasks. */
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
 * Reverts the creation of a recurrence. One that was made by a split gives its occurrences back to the one before. A
 * task that existed before its recurrence stays.
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

/** Restores a deleted recurrence, with the tasks that were archived when it was deleted. */
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
