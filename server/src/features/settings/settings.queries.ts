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

// Creates a missing agenda: its defaults are only in the schema.
const provide = execute(
  'settings.provide',
  sql`insert into agendas (user_id) values (${userId}) on conflict do nothing`,
)

const find = queryJsonOrNone<Settings>()(
  'settings.find',
  sql`select ${shown}::text as json from agendas agenda where agenda.user_id = ${userId}`,
)

const changes = jsonByColumn('changes')
/** The changes, with `planning` merged into the stored one, so that its other keys stay. */
const merged = (row: string) =>
  sql`${changes}::jsonb || jsonb_build_object('planning', ${raw(row)}.planning || ${json('planning')}::jsonb)`

// The next due time depends on the settings, so the user becomes due at once.
const update = queryRows<{
  missing: string | null
  before: Json<Settings> | null
  after: Json<Settings> | null
}>()(
  'settings.update',
  sql`
  with given as (
    select schedule_preference_id from jsonb_populate_record(null::agendas, ${changes})
  ), checked as (
    select ${firstMissing(['schedulePreferenceId'])} as missing from given
  ), old as (
    select old.*, ${differsBy(merged('old'))}
      from agendas old, checked
     where old.user_id = ${userId} and missing is null
       for no key update of old
  ), new as (
    update agendas agenda
       set (automatic, quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts, missed_blocks,
            assumed_minutes, schedule_preference_id, planning) =
           (select automatic, quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts,
                   missed_blocks, assumed_minutes, schedule_preference_id, planning
              from jsonb_populate_record(agenda, ${merged('agenda')})),
           stale_since = case when ${boolean('changesPlan')}::boolean then coalesce(agenda.stale_since, current_timestamp)
                              else agenda.stale_since end,
           due_at = least(agenda.due_at, current_timestamp)
      from old
     where agenda.user_id = ${userId} and old.differs
    returning agenda.*, old.differs
  )
  select missing,
         (select ${shown} from old agenda)::text as before,
         (select ${shown}
            from (select * from new union all
                  select * from old where not exists (select from new)) agenda)::text as after
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
    const after = assertRow('settings.update', row?.after ?? undefined)
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
