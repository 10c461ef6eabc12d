import type { Settings, SettingsChanges } from '@daywright/contract'
import type { Db } from '../../platform/db/database.ts'
import { record } from '../../platform/db/append-events.ts'
import { firstMissing } from '../../platform/db/check-references.ts'
import { differsBy, object } from '../../platform/db/fragments.ts'
import { boolean, json, jsonByColumn, raw, sql, userId } from '../../platform/db/sql.ts'
import {
  assertRow,
  execute,
  type Json,
  queryJsonOrNone,
  queryRows,
} from '../../platform/db/statement.ts'
import { referenceNotFound } from '../../platform/errors.ts'
import { settings } from './settings-json.ts'

const shown = object(settings)

// Creates missing rows with the defaults of the schema. The count makes sure that `user_state` comes last.
const provide = execute(
  'settings.provide',
  sql`
  with settings as (
    insert into user_settings (user_id) values (${userId}) on conflict do nothing returning user_id
  ), counted as (
    select count(*) from settings
  )
  insert into user_state (user_id) select ${userId} from counted on conflict do nothing`,
)

const find = queryJsonOrNone<Settings>()(
  'settings.find',
  sql`
  select ${shown}::text as json
    from (select settings.*, user_state.automatic
            from user_settings settings
            join user_state on user_state.user_id = ${userId}
           where settings.user_id = ${userId}) settings`,
)

const changes = jsonByColumn('changes')
/** The changes, with `planning` merged into the stored one, so that its other keys stay. */
const mergePlanning = (row: string) =>
  sql`${changes}::jsonb || jsonb_build_object('planning', ${raw(row)}.planning || ${json('planning')}::jsonb)`

const automatic = sql`coalesce((${changes}::jsonb ->> 'automatic')::boolean, user_state.automatic)`

// The next due time depends on the settings, so the user becomes due at once. `old` is locked first and `user_state`
// last, so that concurrent changes of settings wait for each other, and `was` is the current state of both rows.
const update = queryRows<{
  missing: string | null
  before: Json<Settings> | null
  /** Null if nothing was written. */
  after: Json<Settings> | null
}>()(
  'settings.update',
  sql`
  with given as (
    select schedule_preference_id from jsonb_populate_record(null::user_settings, ${changes})
  ), checked as (
    select ${firstMissing(['schedulePreferenceId'])} as missing from given
  ), old as (
    select old.*, ${differsBy(mergePlanning('old'))}
      from user_settings old, checked
     where old.user_id = ${userId} and missing is null
       for no key update of old
  ), was as (
    select old.*, user_state.automatic, old.differs or user_state.automatic <> ${automatic} as changed
      from old, user_state
     where user_state.user_id = ${userId}
       for no key update of user_state
  ), new as (
    update user_settings settings
       set (quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts, missed_blocks,
            assumed_minutes, schedule_preference_id, planning) =
           (select quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts, missed_blocks,
                   assumed_minutes, schedule_preference_id, planning
              from jsonb_populate_record(settings, ${mergePlanning('settings')}))
      from was
     where settings.user_id = ${userId} and was.changed
    returning settings.*
  ), due as (
    update user_state
       set automatic = ${automatic},
           stale_since = case when ${boolean('changesPlan')}::boolean then coalesce(user_state.stale_since, current_timestamp)
                              else user_state.stale_since end,
           due_at = least(user_state.due_at, current_timestamp)
      from was
     where user_state.user_id = ${userId} and was.changed
    returning user_state.automatic
  )
  select missing,
         (select ${shown} from was settings)::text as before,
         (select ${shown} from (select new.*, due.automatic from new, due) settings)::text as after
    from checked`,
)

export async function findSettings(db: Db, userId: string) {
  const found = await find(db, { userId })
  if (found) return found
  await provide(db, { userId })
  return assertRow('settings.find', await find(db, { userId }))
}

export const updateSettings = (db: Db, userId: string, changes: SettingsChanges) =>
  db.transaction(async (transaction) => {
    await provide(transaction, { userId })
    const { planning = {}, ...rest } = changes
    const [row] = await update(transaction, {
      userId,
      changes: inColumns(rest),
      planning,
      changesPlan: ofThePlan.some((field) => field in changes),
    })
    if (row?.missing) throw referenceNotFound(row.missing)
    const before = assertRow('settings.update', row?.before ?? undefined)
    const after = row?.after ?? before
    if (after !== before) {
      await record(transaction, userId, { type: 'settings.updated', id: userId, before, after })
    }
    return after
  })

const ofThePlan = ['missedBlocks', 'assumedMinutes', 'schedulePreferenceId', 'planning']

function inColumns({ quietHours, morningSummaryAt, ...rest }: Omit<SettingsChanges, 'planning'>) {
  return {
    ...rest,
    ...(morningSummaryAt !== undefined && { summaryAt: morningSummaryAt }),
    ...(quietHours !== undefined && {
      quietFrom: quietHours?.from ?? null,
      quietTo: quietHours?.to ?? null,
    }),
  }
}
