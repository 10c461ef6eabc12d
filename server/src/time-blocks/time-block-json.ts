import { iso } from '../db/statement.ts'

/** A time block on the wire, as SQL over its row `block`. */
export const timeBlock = {
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

export const timeBlockRecord = {
  table: 'time_blocks',
  name: 'timeBlock',
  fields: timeBlock,
  row: 'block',
}
