import type { Db } from '../../platform/db/database.ts'
import { findTimezone } from '../user/user.queries.ts'
import { dayName } from './local-time.ts'
import { findAtRiskTasks, findCoveredTaskIds, writeNote } from './notifications.queries.ts'

/**
 * Writes one alert for all tasks that are due within a day without planned work, except those that an alert named in
 * the last six hours.
 */
export async function writeAtRiskAlert(db: Db, userId: string, now: Date) {
  const atRisk = await findAtRiskTasks(db, userId, now)
  if (atRisk.length === 0) return 0
  const covered = await findCoveredTaskIds(db, userId, now)
  const tasks = atRisk.filter(({ id }) => !covered.has(id))
  if (tasks.length === 0) return 0

  const timezone = await findTimezone(db, userId)
  const title =
    tasks.length === 1
      ? '1 task is due within 24 hours and not planned'
      : `${tasks.length} tasks are due within 24 hours and not planned`
  await writeNote(
    db,
    userId,
    {
      type: 'at_risk_deadline',
      title,
      body: tasks.map((task) => `${task.title}, due ${dayName(task.due_at, timezone)}`).join('\n'),
      metadata: { taskIds: tasks.map(({ id }) => id), count: tasks.length },
    },
    now,
  )
  return tasks.length
}
