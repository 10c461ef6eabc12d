// Makes a recurrence out of a task, which becomes its first occurrence.
import {
  type NewTask,
  type Recurrence,
  type RecurrenceRuleInput,
  RecurringTask,
} from '@daywright/contract'
import { settledBy } from '@daywright/recurrence'
import type { Db } from '../../platform/db/database.ts'
import { onDuplicate } from '../../platform/db/database-errors.ts'
import { ids, object } from '../../platform/db/fragments.ts'
import { sql, userId, uuid } from '../../platform/db/sql.ts'
import { type Json, queryRows } from '../../platform/db/statement.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { createTask, taskNotFound, updateTask } from '../tasks/tasks.queries.ts'
import { changingRecurrences, insertSeries } from './change-recurrences.ts'
import { adoptTask, releaseTask } from './occurrences.queries.ts'
import { firstOccurrence } from './occurrences.ts'
import { checkSeries, seriesOf } from './read-series.ts'

const recursAlready = onDuplicate(() => conflict('The task already recurs'))

// Locks the task, so that it is not deleted before it becomes an occurrence.
const find = queryRows<{ task: object; isUndated: boolean; startAfter: Date | null }>()(
  'recurrences.find-task',
  sql`
  select ${object({
    title: 'task.title',
    description: 'task.description',
    priority: 'task.priority',
    estimateMinutes: 'task.estimate_minutes',
    minSessionMinutes: 'task.min_session_minutes',
    maxSessionMinutes: 'task.max_session_minutes',
    cooldownMinutes: 'task.cooldown_minutes',
    autoSchedule: 'task.auto_schedule',
    autoSplit: 'task.auto_split',
    spaceId: 'task.space_id',
    projectId: 'task.project_id',
    schedulePreferenceId: 'task.schedule_preference_id',
    labelIds: ids(
      'link.label_id',
      sql`from task_labels link where link.user_id = ${userId} and link.task_id = task.id`,
    ),
  })} as task,
         task.due_at is null and task.status < 'completed' as "isUndated",
         task.start_after as "startAfter"
    from tasks task
   where task.user_id = ${userId} and task.id = ${uuid('taskId')}
     for key share`,
)

export const createTaskRecurrence = (
  db: Db,
  userId: string,
  taskId: string,
  given: RecurrenceRuleInput,
  now: Date,
): Promise<Json<Recurrence>> =>
  changingRecurrences(db, userId, now, (transaction, zone) =>
    letTaskRecur(transaction, userId, taskId, given, now, zone),
  )

/** Creates a task and its recurrence at once; the task is the first occurrence. */
export const createRecurringTask = (
  db: Db,
  userId: string,
  task: NewTask,
  given: RecurrenceRuleInput,
  now: Date,
) =>
  changingRecurrences(db, userId, now, async (transaction, zone) => {
    const { startAfter, dueAt } = checkRule(given, now, zone)
    const created = await createTask(transaction, userId, { ...task, startAfter, dueAt }, now)
    const { id } = JSON.parse(created) as { id: string }
    const recurrence = await letTaskRecur(transaction, userId, id, given, now, zone)
    return { task: created, recurrence }
  })

/** Returns the first occurrence. Refuses a rule that makes no sense or has no occurrence left. */
export function checkRule(given: RecurrenceRuleInput, now: Date, zone: string) {
  const rule = seriesOf(given)
  checkSeries(rule)
  return firstOccurrence({ ...rule, settledTo: settledBy(rule, now, zone) }, now, zone)
}

async function letTaskRecur(
  db: Db,
  userId: string,
  taskId: string,
  given: RecurrenceRuleInput,
  now: Date,
  zone: string,
) {
  const [found] = await find(db, { userId, taskId })
  if (!found) throw taskNotFound()
  const { data: task } = RecurringTask.safeParse(found.task)
  if (!task)
    throw invalid({
      id: ['The description of a recurring task must have at most 10,000 characters'],
    })
  if (found.isUndated) {
    // Without a due date the task would never be missed, and the series would wait for it forever.
    const { startAfter, dueAt } = checkRule(given, now, zone)
    const changes = { dueAt, startAfter: found.startAfter ?? startAfter }
    await updateTask(db, userId, taskId, changes, now)
  }
  await releaseTask(db, { userId, taskId })
  const series = { rule: seriesOf(given), task, givenTask: {} }
  return insertSeries(db, userId, series, now, zone, (stored) => {
    const { day, nth } = firstOccurrence(stored, now, zone)
    const occurrence = { recurrenceId: stored.id, day, nth, taskId }
    return adoptTask(db, { userId, occurrence }).catch(recursAlready)
  })
}
