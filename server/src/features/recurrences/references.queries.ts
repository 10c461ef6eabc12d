// The records that the task of a recurrence refers to. If one is deleted, later occurrences are made without it. All
// are locked before the first event is appended, so that nothing is locked after `user_state`.
import type { RecurringTask } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { raw, sql, userId, uuids } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'
import { referenceNotFound } from '../../platform/errors.ts'

const lockAmong = (name: string, table: string) =>
  queryRows<{ id: string }>()(
    name,
    sql`
  select id
    from ${raw(table)}
   where user_id = ${userId} and id = any(${uuids('ids')}::uuid[])
   order by id
     for key share`,
  )

const lockPreferences = lockAmong('recurrences.lock-preferences', 'schedule_preferences')
const lockSpaces = lockAmong('recurrences.lock-spaces', 'spaces')
const lockProjects = lockAmong('recurrences.lock-projects', 'projects')
const lockLabels = lockAmong('recurrences.lock-labels', 'labels')

/** Locks what these tasks refer to, in the common order, and returns the ids that exist. */
export async function lockReferences(db: Db, userId: string, tasks: RecurringTask[]) {
  const found = new Set<string>()
  const locks = [
    [lockPreferences, (task: RecurringTask) => [task.schedulePreferenceId]],
    [lockSpaces, (task: RecurringTask) => [task.spaceId]],
    [lockProjects, (task: RecurringTask) => [task.projectId]],
    [lockLabels, (task: RecurringTask) => task.labelIds],
  ] as const
  for (const [lock, idsOf] of locks) {
    const ids = [...new Set(tasks.flatMap(idsOf))].filter((id) => id !== null)
    if (ids.length === 0) continue
    for (const { id } of await lock(db, { userId, ids })) found.add(id)
  }
  return found
}

/** The task without references to records that no longer exist. */
export function withExisting(task: RecurringTask, found: Set<string>): RecurringTask {
  const ifFound = (id: string | null) => (id !== null && found.has(id) ? id : null)
  return {
    ...task,
    schedulePreferenceId: ifFound(task.schedulePreferenceId),
    spaceId: ifFound(task.spaceId),
    projectId: ifFound(task.projectId),
    labelIds: task.labelIds.filter((id) => found.has(id)),
  }
}

/** Refuses references in `given` to records that do not exist. */
export function requireExisting(task: RecurringTask, given: object, found: Set<string>) {
  for (const field of ['schedulePreferenceId', 'spaceId', 'projectId'] as const) {
    const id = task[field]
    if (field in given && id !== null && !found.has(id)) throw referenceNotFound(field)
  }
  if ('labelIds' in given && task.labelIds.some((id) => !found.has(id))) {
    throw referenceNotFound('labelIds')
  }
}
