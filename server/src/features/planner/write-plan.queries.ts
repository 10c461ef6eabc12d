import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { setUpdatedAt } from '../../platform/db/fragments.ts'
import { json, sql, timestamp, userId, uuid, uuids } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'
import { ConcurrentUpdate } from '../../platform/db/database-errors.ts'
import type { Changes } from './plan-changes.ts'

// Only blocks that are still the planner's own, not those dragged or locked meanwhile. Unchanged blocks
// (`stay`) are checked as well, because the plan relies on them.
const cancel = queryRows<{ id: string }>()(
  'planner.cancel-blocks',
  sql`
  with mine as (
    select id
      from time_blocks
     where user_id = ${userId} and id = any(${uuids('cancel')}::uuid[] || ${uuids('missed')}::uuid[])
       and status = 'scheduled' and source = 'auto' and not locked
     order by id
       for no key update
  ), cancelled as (
    update time_blocks
       set status = 'cancelled', cancelled_at = ${timestamp('now')}, cancelled_by_run = ${uuid('runId')},
           cancel_reason = case when id = any(${uuids('missed')}::uuid[]) then 'missed' end, ${setUpdatedAt()}
     where user_id = ${userId} and id in (select id from mine) and id <> all (${uuids('stay')}::uuid[])
    returning id
  )
  select id from mine`,
)

const insert = queryRows<{ id: string }>()(
  'planner.insert-blocks',
  sql`
  insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, defended,
                           explanation, made_by_run)
  select ${userId}, made.id, task.id, made.title, 'auto', made.start_at, made.end_at, made.defended,
         made.explanation, ${uuid('runId')}
    from jsonb_to_recordset(${json('blocks')}::jsonb) made (id uuid, task_id uuid, title text,
                                             start_at timestamptz, end_at timestamptz,
                                             defended boolean, explanation text)
    join tasks task on task.user_id = ${userId} and task.id = made.task_id
  returning id`,
)

/** Replaces the current plan; returns the ids of the created and cancelled blocks. */
export async function changePlan(
  db: Db,
  userId: string,
  runId: string,
  changes: Changes,
  now: Date,
) {
  const { stay = new Set(), missed } = changes
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
  const made = blocks.length ? await insert(db, { userId, blocks, runId }) : []
  const ended = [...changes.cancel, ...missed]
  const held = ended.length
    ? await cancel(db, { userId, cancel: changes.cancel, now, runId, stay: [...stay], missed })
    : []
  if (held.length !== ended.length || made.length !== blocks.length) {
    throw new ConcurrentUpdate('The calendar changed while it was planned')
  }
  return {
    created: blocks.map(({ id }) => id),
    cancelled: ended.filter((id) => !stay.has(id)),
  }
}
