import type {
  NewSchedulePreference,
  SchedulePreference,
  SchedulePreferenceChanges,
} from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import { detaching, recording } from '../db/recording.ts'
import {
  answering,
  asItIs,
  columns,
  differs,
  finding,
  iso,
  many,
  object,
  removing,
  touchedOf,
} from '../db/statement.ts'
import { notFound } from '../errors.ts'
import { taskRecord } from '../tasks/task-json.ts'

const preferenceNotFound = () => notFound('Schedule preference not found')

const preference = {
  id: 'preference.id',
  userId: 'preference.user_id',
  name: 'preference.name',
  windows: 'preference.windows',
  priority: 'preference.priority',
  createdAt: iso('preference.created_at'),
  updatedAt: iso('preference.updated_at'),
}

export const preferenceRecord = { fields: preference, row: 'preference' }

const list = answering<SchedulePreference[]>(
  'schedule-preferences.list',
  `
  select ${many(
    preference,
    `from schedule_preferences preference
    where preference.user_id = $1
    order by preference.priority desc, preference.id`,
  )}::text as json`,
)

const insert = answering<SchedulePreference>(
  'schedule-preferences.insert',
  `
  with preference as (
    insert into schedule_preferences (user_id, id, name, windows, priority)
    values ($1, $2, $3, $4, $5)
    returning *
  ), ${recording([{ ...preferenceRecord, type: 'schedulePreference.created', after: 'preference' }])}
  select ${object(preference)}::text as json from preference`,
)

const update = finding<SchedulePreference>(
  'schedule-preferences.update',
  `
  with old as (
    select old.*, ${differs()} from schedule_preferences old where user_id = $1 and id = $2 for no key update
  ), preference as (
    update schedule_preferences preference
       set (name, windows, priority) =
           (select name, windows, priority from jsonb_populate_record(preference, $3)),
           ${touchedOf('preference')}
      from old
     where preference.user_id = $1 and preference.id = old.id and old.differs
    returning preference.*, old.differs
  ), ${recording(
    [
      {
        ...preferenceRecord,
        type: 'schedulePreference.updated',
        before: 'old',
        after: 'preference',
      },
    ],
    { plan: true },
  )}
  select ${object(preference)}::text as json from ${asItIs('preference')}`,
)

const tasks = detaching(
  taskRecord,
  'schedule_preference_id',
  'schedule_preference_id in (select id from old)',
)

const remove = removing(
  'schedule-preferences.delete',
  `
  with old as (
    select id from schedule_preferences where user_id = $1 and id = $2 for update
  ), ${tasks.ctes}, gone as (
    delete from schedule_preferences where user_id = $1 and id in (select id from old) returning *
  ), ${recording(
    [{ ...preferenceRecord, type: 'schedulePreference.deleted', before: 'gone' }, tasks.change],
    { plan: true },
  )}
  select id from gone`,
)

export const listSchedulePreferences = (db: Db, userId: string) => list(db, userId)

export const createSchedulePreference = (
  db: Db,
  userId: string,
  { name, windows, priority = 0 }: NewSchedulePreference,
) => insert(db, userId, newId(), name, JSON.stringify(windows), priority)

export async function updateSchedulePreference(
  db: Db,
  userId: string,
  id: string,
  changes: SchedulePreferenceChanges,
) {
  const updated = await update(db, userId, id, columns(changes))
  if (!updated) throw preferenceNotFound()
  return updated
}

/** Tasks that used it fall back to the default windows. */
export async function deleteSchedulePreference(db: Db, userId: string, id: string) {
  if (!(await remove(db, userId, id))) throw preferenceNotFound()
}
