import { BatchAction, type BatchResult, BlocksOfTask, Reference } from '@daywright/contract'
import { z } from 'zod'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { setUpdatedAt } from '../../platform/db/fragments.ts'
import { raw, sql, type Sql, userId, uuids } from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'
import { badRequest, invalid } from '../../platform/errors.ts'
import { cancelOwnBlocks, now, ownBlockCancelled } from '../time-blocks/own-blocks.ts'
import { taskRecord } from './task-json.ts'

const ids = uuids('ids')

// Locks the tasks in one order, which prevents deadlocks between batches, and in a separate statement, so that the
// next one sees the current labels.
const lock = execute(
  'tasks.lock-for-batch',
  sql`
  select id
    from tasks
   where user_id = ${userId} and id = any(${ids}::uuid[])
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

const defineBatch = (name: string, change: Sql<{ now: Date }>, withBlocks = false) =>
  queryRows<{ id: string }>()(
    withBlocks ? `${name}-with-blocks` : name,
    sql`
  with old as (
    select old as was, id from tasks old where user_id = ${userId} and id = any(${ids}::uuid[])
  ), task as (
    update tasks task
       set ${change}, ${setUpdatedAt('task')}
      from old
     where task.user_id = ${userId} and task.id = old.id
    returning task.*, old.was
  )${withBlocks ? sql`, ${cancelOwnBlocks}` : raw('')}, ${appendEvents(
    [updated, ...(withBlocks ? [ownBlockCancelled] : [])],
    { plan: true },
  )}
  select id from task`,
  )

const complete = sql`status = 'completed', archived_at = null, completed_at = ${now},
         actual_minutes = coalesce(task.actual_minutes, task.estimate_minutes)`
const archive = sql`status = 'archived', archived_at = coalesce(task.archived_at, ${now})`
const changesOf = (withBlocks: boolean) => {
  const archiving = defineBatch('tasks.batch-archive', archive, withBlocks)
  const completing = defineBatch('tasks.batch-complete', complete, withBlocks)
  return { complete: completing, archive: archiving, delete: archiving }
}
const changes = changesOf(false)
const changesWithBlocks = changesOf(true)

const Given = z.object({
  taskIds: z.array(Reference).max(1000),
  blocks: BlocksOfTask.optional(),
})
type GivenBatch = { action?: unknown; taskIds?: unknown; blocks?: unknown }

/** Only the caller's own tasks change; every other id is counted as invalid. */
export async function batchTasks(
  db: Db,
  userId: string,
  given: GivenBatch,
  now: Date,
): Promise<BatchResult> {
  const { action, ids, blocks: withBlocks } = read(given)
  const change = (withBlocks ? changesWithBlocks : changes)[action]
  const changed = await db.transaction(async (transaction) => {
    await lock(transaction, { userId, ids })
    return change(transaction, { userId, ids, now })
  })
  const owned = new Set(changed.map(({ id }) => id))
  return {
    affected: owned.size,
    requested: ids.length,
    invalid: ids.filter((id) => !owned.has(id)).length,
  }
}

function read({ action, taskIds, blocks }: GivenBatch) {
  if (!action || !Array.isArray(taskIds) || taskIds.length === 0) {
    throw badRequest('action and taskIds[] are required')
  }
  const known = BatchAction.safeParse(action)
  if (!known.success) throw badRequest('Invalid action. Use: complete, delete, archive')
  const { data, error } = Given.safeParse({ taskIds, blocks })
  if (error) {
    throw invalid(
      Object.fromEntries(error.issues.map(({ path, message }) => [path.join('.'), [message]])),
    )
  }
  const ids = data.taskIds.map((id) => id.toLowerCase())
  return { action: known.data, ids, blocks: data.blocks }
}
