// Restores a deleted record as its last event shows it, under the same id.
import { checklistItemRecord } from '../checklist-items/checklist-items.queries.ts'
import type { Db } from '../db/database.ts'
import { recording } from '../db/recording.ts'
import { columns, type Fields, selecting, snake } from '../db/statement.ts'
import { onDuplicate, onForeignKey } from '../db/violations.ts'
import { document, documentRecord } from '../documents/document-json.ts'
import { conflict } from '../errors.ts'
import { labelRecord } from '../labels/labels.queries.ts'
import { projectRecord } from '../projects/project-json.ts'
import { preferenceRecord } from '../schedule-preferences/schedule-preferences.queries.ts'
import { spaceRecord } from '../spaces/space-json.ts'
import { task, taskRecord } from '../tasks/task-json.ts'
import { timeBlockRecord } from '../time-blocks/time-block-json.ts'

const taken = () => conflict('Conflicts with an existing record')
const orphaned = () => conflict('A record it refers to no longer exists')

type Restorable = { fields: Fields; row: string }

/** Columns that the API does not show but the table needs. */
const hidden = {
  tasks: { archived_at: `case when status = 'archived' then current_timestamp end` },
  time_blocks: { cancelled_at: `case when status = 'cancelled' then current_timestamp end` },
}

function restoring(
  table: string,
  name: string,
  { fields, row }: Restorable,
  { plan = false, written = fields } = {},
) {
  const kept = Object.keys(written).filter((field) => field !== 'userId')
  const more = hidden[table as keyof typeof hidden] ?? {}
  const into = [...kept.map(snake), ...Object.keys(more)].join(', ')
  const from = [...kept.map(snake), ...Object.values<string>(more)].join(', ')
  const insert = selecting<{ id: string }>(
    `history.restore-${name}`,
    `
  with ${row} as (
    insert into ${table} (user_id, ${into})
    select $1, ${from} from jsonb_populate_record(null::${table}, $2)
    returning *
  ), ${recording([{ fields, row, type: `${name}.created`, after: row }], { plan })}
  select id from ${row}`,
  )
  return (db: Db, userId: string, record: object) =>
    insert(db, userId, columns(record)).catch(onDuplicate(taken)).catch(onForeignKey(orphaned))
}

export const restore = {
  space: restoring('spaces', 'space', spaceRecord),
  project: restoring('projects', 'project', projectRecord),
  label: restoring('labels', 'label', labelRecord),
  document: restoring('documents', 'document', documentRecord, { written: document }),
  schedulePreference: restoring('schedule_preferences', 'schedulePreference', preferenceRecord),
  checklistItem: restoring('checklist_items', 'checklistItem', checklistItemRecord),
  timeBlock: restoring('time_blocks', 'timeBlock', timeBlockRecord, { plan: true }),
  task: restoring('tasks', 'task', taskRecord, { plan: true, written: task }),
}

// Locked, so that the labels cannot change meanwhile.
const labelled = selecting<{ id: string; label_ids: string[] }>(
  'history.labels-of-tasks',
  `
  select task.id,
         array(select link.label_id from task_labels link
                where link.user_id = $1 and link.task_id = task.id) as label_ids
    from tasks task
   where task.user_id = $1 and task.id = any($2::uuid[])
   order by task.id
     for no key update`,
)

export const tasksStillThere = (db: Db, userId: string, ids: string[]) => labelled(db, userId, ids)

const labels = selecting<{ id: string }>(
  'history.labels-still-there',
  'select id from labels where user_id = $1 and id = any($2::uuid[])',
)

export const labelsStillThere = async (db: Db, userId: string, ids: string[]) =>
  (await labels(db, userId, ids)).map(({ id }) => id)
