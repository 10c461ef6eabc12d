import { type Fields, iso, one } from '../../platform/db/fragments.ts'
import { boolean, sql, userId } from '../../platform/db/sql.ts'

// The stored title of a block with a task is that of the task when the block was created or detached.
const ofBlock = sql`from tasks task where task.user_id = ${userId} and task.id = block.task_id`
export const titleOfBlock = sql`coalesce((select task.title ${ofBlock}), block.title)`

/** The planner's reason, which does not hold for the time of a block that was placed by hand. */
export const explanationOfBlock = `case when block.source = 'auto' then block.explanation end`

/** A time block on the wire, as SQL over the row `block`. */
export const bareTimeBlock = {
  id: 'block.id',
  userId: 'block.user_id',
  taskId: 'block.task_id',
  title: titleOfBlock,
  type: 'block.type',
  startAt: iso('block.start_at'),
  endAt: iso('block.end_at'),
  locked: 'block.locked',
  defended: 'block.defended',
  source: 'block.source',
  sortOrder: 'block.sort_order',
  status: 'block.status',
  explanation: explanationOfBlock,
  createdAt: iso('block.created_at'),
  updatedAt: iso('block.updated_at'),
}

/** With what has become of it: in events, in the answers of actions, and where a request asks for it. */
export const timeBlock = {
  ...bareTimeBlock,
  cancelReason: 'block.cancel_reason',
  startedAt: iso('block.started_at'),
  completedAt: iso('block.completed_at'),
}

/** A block without a task, such as an event. */
export const timeBlockWithoutTask = { ...timeBlock, title: 'block.title' }

/** The JSON of the row `block`; `progress` is what the request asks for. */
export const timeBlockJson = <More extends Fields>(more: More) =>
  sql`case when ${boolean('progress')}::boolean then ${one({ ...timeBlock, ...more })}
         else ${one({ ...bareTimeBlock, ...more })} end`

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
