import type {
  NewSchedulePreference,
  SchedulePreference,
  SchedulePreferenceChanges,
} from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { newId } from '../db/new-id.ts'
import {
  answering,
  columns,
  finding,
  iso,
  many,
  object,
  removing,
  touched,
} from '../db/statement.ts'
import { notFound } from '../errors.ts'

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
  insert into schedule_preferences as preference (user_id, id, name, windows, priority)
  values ($1, $2, $3, $4, $5)
  returning ${object(preference)}::text as json`,
)

const update = finding<SchedulePreference>(
  'schedule-preferences.update',
  `
  update schedule_preferences preference
     set (name, windows, priority) =
         (select name, windows, priority from jsonb_populate_record(preference, $3)),
         ${touched}
   where user_id = $1 and id = $2
  returning ${object(preference)}::text as json`,
)

const remove = removing(
  'schedule-preferences.delete',
  `
  with detached as (
    update tasks set schedule_preference_id = null, ${touched}
     where user_id = $1 and schedule_preference_id = $2
  )
  delete from schedule_preferences where user_id = $1 and id = $2`,
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
