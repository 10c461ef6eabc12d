import { BatchAction, type BatchResult, Reference } from '@daywright/contract'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { recording } from '../db/recording.ts'
import { selecting, touchedOf } from '../db/statement.ts'
import { badRequest, invalid } from '../errors.ts'
import { taskRecord } from './task-json.ts'

// Locked in one order, which prevents deadlocks between batches; and in a separate statement, so that the next
// one sees the current labels.
const lock = selecting(
  'tasks.lock-for-batch',
  `
  select id
    from tasks
   where user_id = $1 and id = any($2::uuid[])
   order by id
     for no key update`,
)

const updated = {
  ...taskRecord,
  type: 'task.updated',
  before: 'was',
  after: 'task',
  ifChanged: true,
}

const batch = (name: string, change: string) =>
  selecting<{ id: string }>(
    name,
    `
  with old as (
    select old as was, id from tasks old where user_id = $1 and id = any($2::uuid[])
  ), task as (
    update tasks task
       set ${change}, ${touchedOf('task')}
      from old
     where task.user_id = $1 and task.id = old.id
    returning task.*, old.was
  ), ${recording([updated], { plan: true })}
  select id from task`,
  )

const complete = batch(
  'tasks.batch-complete',
  `status = 'completed', archived_at = null, completed_at = $3,
         actual_minutes = coalesce(task.actual_minutes, task.estimate_minutes)`,
)
const archive = batch(
  'tasks.batch-archive',
  `status = 'archived', archived_at = coalesce(task.archived_at, $3)`,
)
const changes = { complete, archive, delete: archive }

const Ids = z.object({ taskIds: z.array(Reference).max(1000) })

/** Only the caller's own tasks change; every other id is counted as invalid. */
export async function batchTasks(
  db: Db,
  userId: string,
  given: { action?: unknown; taskIds?: unknown },
  now: Date,
): Promise<BatchResult> {
  const { action, ids } = read(given)
  const changed = await db.transaction(async (transaction) => {
    await lock(transaction, userId, ids)
    return changes[action](transaction, userId, ids, now.toISOString())
  })
  const owned = new Set(changed.map(({ id }) => id))
  return {
    affected: owned.size,
    requested: ids.length,
    invalid: ids.filter((id) => !owned.has(id)).length,
  }
}

function read({ action, taskIds }: { action?: unknown; taskIds?: unknown }) {
  if (!action || !Array.isArray(taskIds) || taskIds.length === 0) {
    throw badRequest('action and taskIds[] are required')
  }
  const known = BatchAction.safeParse(action)
  if (!known.success) throw badRequest('Invalid action. Use: complete, delete, archive')
  const { data, error } = Ids.safeParse({ taskIds })
  if (error) {
    throw invalid(
      Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), [message]])),
    )
  }
  return { action: known.data, ids: data.taskIds.map((id) => id.toLowerCase()) }
}
