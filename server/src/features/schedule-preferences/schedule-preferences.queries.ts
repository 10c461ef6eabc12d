import type {
  NewSchedulePreference,
  SchedulePreference,
  SchedulePreferenceChanges,
} from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { appendEvents, detachReferences } from '../../platform/db/append-events.ts'
import {
  differsBy,
  iso,
  many,
  object,
  setUpdatedAt,
  writtenOrOld,
} from '../../platform/db/fragments.ts'
import { integer, json, jsonByColumn, raw, sql, text, userId, uuid } from '../../platform/db/sql.ts'
import { deleteReturning, queryJson, queryJsonOrNone } from '../../platform/db/statement.ts'
import { notFound } from '../../platform/errors.ts'
import { projectRecord } from '../projects/project-json.ts'
import { settingsRecord } from '../settings/settings-json.ts'
import { spaceRecord } from '../spaces/space-json.ts'
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

const list = queryJson<SchedulePreference[]>()(
  'schedule-preferences.list',
  sql`
  select ${many(
    preference,
    sql`from schedule_preferences preference
    where preference.user_id = ${userId}
    order by preference.priority desc, preference.id`,
  )}::text as json`,
)

const insert = queryJson<SchedulePreference>()(
  'schedule-preferences.insert',
  sql`
  with preference as (
    insert into schedule_preferences (user_id, id, name, windows, priority)
    values (${userId}, ${uuid('id')}, ${text('name')}, ${json('windows')}, ${integer('priority')})
    returning *
  ), ${appendEvents([{ ...preferenceRecord, type: 'schedulePreference.created', after: 'preference' }])}
  select ${object(preference)}::text as json from preference`,
)

const changes = jsonByColumn('changes')
const update = queryJsonOrNone<SchedulePreference>()(
  'schedule-preferences.update',
  sql`
  with old as (
    select old.*, ${differsBy(changes)}
      from schedule_preferences old
     where user_id = ${userId} and id = ${uuid('id')}
       for no key update
  ), preference as (
    update schedule_preferences preference
       set (name, windows, priority) =
           (select name, windows, priority from jsonb_populate_record(preference, ${changes})),
           ${setUpdatedAt('preference')}
      from old
     where preference.user_id = ${userId} and preference.id = old.id and old.differs
    returning preference.*, old.differs
  ), ${appendEvents(
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
  select ${object(preference)}::text as json from ${writtenOrOld('preference')}`,
)

const inUse = 'schedule_preference_id in (select id from leaving)'
const spaces = detachReferences(spaceRecord, 'schedule_preference_id', inUse)
const projects = detachReferences(projectRecord, 'schedule_preference_id', inUse)
const tasks = detachReferences(taskRecord, 'schedule_preference_id', inUse)

// The settings are locked after all other rows, and `user_state`, which has `automatic`, after them.
const remove = deleteReturning(
  'schedule-preferences.delete',
  sql`
  with leaving as (
    select id from schedule_preferences where user_id = ${userId} and id = ${uuid('id')} for update
  ), ${spaces.ctes}, ${projects.ctes}, ${tasks.ctes}, gone as (
    delete from schedule_preferences where user_id = ${userId} and id in (select id from leaving) returning *
  ), old as (
    select old.* from user_settings old where user_id = ${userId} and ${raw(inUse)} for no key update
  ), old_settings as (
    select old.*, user_state.automatic
      from old, user_state
     where user_state.user_id = ${userId}
       for no key update of user_state
  ), detached_settings as (
    update user_settings settings
       set schedule_preference_id = null
      from old_settings old
     where settings.user_id = ${userId}
    returning settings.*, old.automatic
  ), ${appendEvents(
    [
      { ...preferenceRecord, type: 'schedulePreference.deleted', before: 'gone' },
      spaces.change,
      projects.change,
      tasks.change,
      {
        ...settingsRecord,
        type: 'settings.updated',
        before: 'old_settings',
        after: 'detached_settings',
      },
    ],
    { plan: true },
  )}
  select id from gone`,
)

export const listSchedulePreferences = (db: Db, userId: string) => list(db, { userId })

export const createSchedulePreference = (
  db: Db,
  userId: string,
  { name, windows, priority = 0 }: NewSchedulePreference,
) => insert(db, { userId, id: newId(), name, windows, priority })

export async function updateSchedulePreference(
  db: Db,
  userId: string,
  id: string,
  changes: SchedulePreferenceChanges,
) {
  const updated = await update(db, { userId, id, changes })
  if (!updated) throw preferenceNotFound()
  return updated
}

/** Deletes a preference. What used it falls back to the next windows that apply. */
export async function deleteSchedulePreference(db: Db, userId: string, id: string) {
  if (!(await remove(db, { userId, id }))) throw preferenceNotFound()
}
