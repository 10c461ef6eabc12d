import { BatchAction, type BatchResult, Reference } from '@daywright/contract'
import { z } from 'zod'
import type { Db } from '../db/database.ts'
import { selecting, touched } from '../db/statement.ts'
import { badRequest, invalid } from '../errors.ts'

// Locked in one order, so that two batches over the same tasks wait for each other, not in a circle.
const batch = (name: string, change: string) =>
  selecting<{ id: string }>(
    name,
    `
  with chosen as (
    select id from tasks where user_id = $1 and id = any($2::uuid[]) order by id for no key update
  )
  update tasks
     set ${change}, ${touched}
   where user_id = $1 and id in (select id from chosen)
  returning id`,
  )

const complete = batch(
  'tasks.batch-complete',
  `status = 'completed', archived_at = null, completed_at = $3,
         actual_minutes = coalesce(actual_minutes, estimate_minutes)`,
)
const archive = batch(
  'tasks.batch-archive',
  `status = 'archived', archived_at = coalesce(archived_at, $3)`,
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
  const changed = await changes[action](db, userId, ids, now.toISOString())
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
