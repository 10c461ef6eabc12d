import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { selecting, touched } from '../db/statement.ts'
import { ConcurrentUpdate } from '../db/violations.ts'
import type { TitledBlock } from './titled-blocks.ts'

// Only blocks that are still the planner's own, not those dragged or locked meanwhile. Unchanged blocks ($5)
// are checked as well, because the plan relies on them.
const cancel = selecting<{ id: string }>(
  'planner.cancel-blocks',
  `
  with mine as (
    select id
      from time_blocks
     where user_id = $1 and id = any($2::uuid[])
       and status = 'scheduled' and source = 'auto' and not locked
     order by id
       for no key update
  ), cancelled as (
    update time_blocks
       set status = 'cancelled', cancelled_at = $3, cancelled_by_run = $4, ${touched}
     where user_id = $1 and id in (select id from mine) and id <> all ($5::uuid[])
    returning id
  )
  select id from mine`,
)

const insert = selecting<{ id: string }>(
  'planner.insert-blocks',
  `
  insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, defended,
                           explanation, made_by_run)
  select $1, made.id, task.id, made.title, 'auto', made.start_at, made.end_at, made.defended,
         made.explanation, $3
    from jsonb_to_recordset($2::jsonb) made (id uuid, task_id uuid, title text,
                                             start_at timestamptz, end_at timestamptz,
                                             defended boolean, explanation text)
    join tasks task on task.user_id = $1 and task.id = made.task_id
  returning id`,
)

type Changes = {
  runId: string
  /** The blocks that the plan replaces. */
  cancel: string[]
  /** Those of them that stay, because the plan has an equal block at the same time. */
  stay?: Set<string>
  create: TitledBlock[]
}

/** Replaces the current plan; returns the ids of the created and cancelled blocks. */
export async function changePlan(db: Db, userId: string, changes: Changes, now: Date) {
  const { runId, stay = new Set() } = changes
  const blocks = changes.create.map((block) => ({
    id: newId(),
    task_id: block.taskId,
    title: block.title,
    start_at: new Date(block.startAt),
    end_at: new Date(block.endAt),
    defended: block.defended,
    explanation: block.explanation,
  }))
  // Tasks before blocks: the common lock order.
  const made = blocks.length ? await insert(db, userId, JSON.stringify(blocks), runId) : []
  const held = changes.cancel.length
    ? await cancel(db, userId, changes.cancel, now.toISOString(), runId, [...stay])
    : []
  if (held.length !== changes.cancel.length || made.length !== blocks.length) {
    throw new ConcurrentUpdate('The calendar changed while it was planned')
  }
  return {
    created: blocks.map(({ id }) => id),
    cancelled: changes.cancel.filter((id) => !stay.has(id)),
  }
}
