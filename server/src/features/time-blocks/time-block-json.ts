import { iso, one, withoutUnused } from '../../platform/db/fragments.ts'
import { sql, type Sql, userId } from '../../platform/db/sql.ts'

/** The fields of the contract, as SQL over the row `block`. */
export const contractTimeBlock = {
  id: 'block.id',
  userId: 'block.user_id',
  taskId: 'block.task_id',
  title: 'block.title',
  type: 'block.type',
  startAt: iso('block.start_at'),
  endAt: iso('block.end_at'),
  locked: 'block.locked',
  defended: 'block.defended',
  source: 'block.source',
  sortOrder: 'block.sort_order',
  status: 'block.status',
  explanation: 'block.explanation',
  createdAt: iso('block.created_at'),
  updatedAt: iso('block.updated_at'),
}

const additive = {
  cancelReason: 'block.cancel_reason',
  startedAt: iso('block.started_at'),
  completedAt: iso('block.completed_at'),
}

/** A time block on the wire. */
export const timeBlock = { ...contractTimeBlock, ...additive }

/** The JSON text of an answer with time blocks, without the additive fields where all of them are null. */
export const timeBlockText = <Given>(json: Sql<Given>) => withoutUnused(json, Object.keys(additive))

const ofBlock = sql`from tasks task where task.user_id = ${userId} and task.id = block.task_id`
const taskSummary = { id: 'task.id', title: 'task.title', priority: 'task.priority' }

export const taskOfBlock = one(taskSummary, ofBlock)
export const taskWithStatus = one({ ...taskSummary, status: 'task.status' }, ofBlock)

export const timeBlockRecord = {
  table: 'time_blocks',
  name: 'timeBlock',
  fields: timeBlock,
  row: 'block',
}

/** The events of changed blocks; each row has the block before the change as `was`. */
export const blockUpdated = (after: string) => ({
  ...timeBlockRecord,
  type: 'timeBlock.updated',
  before: 'was',
  after,
})
