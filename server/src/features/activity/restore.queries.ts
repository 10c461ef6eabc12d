// Restores a deleted record as its last event shows it, under the same id.
import { checklistItemRecord } from '../checklist-items/checklist-items.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { appendEvents } from '../../platform/db/append-events.ts'
import { jsonByColumn, raw, snake, sql, type Sql, userId, uuids } from '../../platform/db/sql.ts'
import { queryRows } from '../../platform/db/statement.ts'
import { onDuplicate, onForeignKey } from '../../platform/db/database-errors.ts'
import { document, documentRecord } from '../documents/document-json.ts'
import { conflict } from '../../platform/errors.ts'
import { labelRecord } from '../labels/labels.queries.ts'
import { projectRecord } from '../projects/project-json.ts'
import { preferenceRecord } from '../schedule-preferences/schedule-preferences.queries.ts'
import { spaceRecord } from '../spaces/space-json.ts'
import { task, taskRecord } from '../tasks/task-json.ts'
import { newThread } from '../time-blocks/own-blocks.ts'
import { timeBlockRecord } from '../time-blocks/time-block-json.ts'

const taken = () => conflict('Conflicts with an existing record')
const orphaned = () => conflict('A record it refers to no longer exists')

/** A record whose SQL fields need no parameter except the user. */
type Restorable = { fields: Record<string, string | Sql<{ userId: string }>>; row: string }

/** Columns that the API does not show but the table needs. */
const hidden = {
  tasks: { archived_at: `case when status = 'archived' then current_timestamp end` },
  time_blocks: {
    cancelled_at: `case when status = 'cancelled' then current_timestamp end`,
    thread: newThread('record'),
  },
}

function defineRestore(
  table: string,
  name: string,
  { fields, row }: Restorable,
  { plan = false, written = fields } = {},
) {
  const kept = Object.keys(written).filter((field) => field !== 'userId')
  const more = hidden[table as keyof typeof hidden] ?? {}
  const into = [...kept.map(snake), ...Object.keys(more)].join(', ')
  const from = [...kept.map(snake), ...Object.values<string>(more)].join(', ')
  const insert = queryRows<{ id: string }>()(
    `history.restore-${name}`,
    sql`
  with ${raw(row)} as (
    insert into ${raw(table)} (user_id, ${raw(into)})
    select ${userId}, ${raw(from)}
      from jsonb_populate_record(null::${raw(table)}, ${jsonByColumn('record')}) record
    returning *
  ), ${appendEvents([{ fields, row, type: `${name}.created`, after: row }], { plan })}
  select id from ${raw(row)}`,
  )
  return (db: Db, userId: string, record: object) =>
    insert(db, { userId, record }).catch(onDuplicate(taken)).catch(onForeignKey(orphaned))
}

export const restore = {
  space: defineRestore('spaces', 'space', spaceRecord),
  project: defineRestore('projects', 'project', projectRecord),
  label: defineRestore('labels', 'label', labelRecord),
  document: defineRestore('documents', 'document', documentRecord, { written: document }),
  schedulePreference: defineRestore('schedule_preferences', 'schedulePreference', preferenceRecord),
  checklistItem: defineRestore('checklist_items', 'checklistItem', checklistItemRecord),
  timeBlock: defineRestore('time_blocks', 'timeBlock', timeBlockRecord, { plan: true }),
  task: defineRestore('tasks', 'task', taskRecord, { plan: true, written: task }),
}

// Locks the tasks, so that their labels cannot change meanwhile.
const labelled = queryRows<{ id: string; label_ids: string[] }>()(
  'history.labels-of-tasks',
  sql`
  select task.id,
         array(select link.label_id from task_labels link
                where link.user_id = ${userId} and link.task_id = task.id) as label_ids
    from tasks task
   where task.user_id = ${userId} and task.id = any(${uuids('ids')}::uuid[])
   order by task.id
     for no key update`,
)

export const tasksStillThere = (db: Db, userId: string, ids: string[]) =>
  labelled(db, { userId, ids })

const labels = queryRows<{ id: string }>()(
  'history.labels-still-there',
  sql`select id from labels where user_id = ${userId} and id = any(${uuids('ids')}::uuid[])`,
)

export const labelsStillThere = async (db: Db, userId: string, ids: string[]) =>
  (await labels(db, { userId, ids })).map(({ id }) => id)
