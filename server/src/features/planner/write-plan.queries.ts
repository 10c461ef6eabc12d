import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { setUpdatedAt } from '../../platform/db/fragments.ts'
import { json, sql, timestamp, userId, uuid, uuids } from '../../platform/db/sql.ts'
import { execute, queryRows } from '../../platform/db/statement.ts'
import { ConcurrentUpdate } from '../../platform/db/database-errors.ts'
import { type Changes, findContinued } from './plan-changes.ts'

// Cancels only blocks that are still the planner's own, not those dragged or locked meanwhile. Unchanged blocks
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

// Called before the blocks are locked, as the common lock order requires.
const lockTasks = execute(
  'planner.lock-tasks',
  sql`
  select id
    from tasks
   where user_id = ${userId} and id = any(${uuids('taskIds')}::uuid[])
   order by id
     for key share`,
)

// Called after the replaced blocks are cancelled: two active blocks must not have the same thread.
const insert = queryRows<{ id: string }>()(
  'planner.insert-blocks',
  sql`
  insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, defended,
                           explanation, made_by_run, thread)
  select ${userId}, made.id, task.id, made.title, 'auto', made.start_at, made.end_at, made.defended,
         made.explanation, ${uuid('runId')}, coalesce(old.thread, old.id)
    from jsonb_to_recordset(${json('blocks')}::jsonb) made (id uuid, task_id uuid, title text,
                                             start_at timestamptz, end_at timestamptz,
                                             defended boolean, explanation text, continues uuid)
    join tasks task on task.user_id = ${userId} and task.id = made.task_id
    left join time_blocks old on old.user_id = ${userId} and old.id = made.continues
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
  const continued = findContinued(changes)
  const blocks = changes.create.map((block) => ({
    id: newId(),
    continues: continued.get(block),
    task_id: block.taskId,
    title: block.title,
    start_at: new Date(block.startAt),
    end_at: new Date(block.endAt),
    defended: block.defended,
    explanation: block.explanation,
  }))
  const taskIds = [...new Set(changes.create.map(({ taskId }) => taskId))]
  if (blocks.length) await lockTasks(db, { userId, taskIds })
  const ended = [...changes.cancel, ...missed]
  const held = ended.length
    ? await cancel(db, { userId, cancel: changes.cancel, now, runId, stay: [...stay], missed })
    : []
  // Checked before the new blocks are inserted: a block that was moved meanwhile keeps its thread.
  if (held.length !== ended.length) throw changedMeanwhile()
  const made = blocks.length ? await insert(db, { userId, blocks, runId }) : []
  if (made.length !== blocks.length) throw changedMeanwhile()
  return {
    created: blocks.map(({ id }) => id),
    cancelled: ended.filter((id) => !stay.has(id)),
  }
}

const changedMeanwhile = () => new ConcurrentUpdate('The calendar changed while it was planned')
