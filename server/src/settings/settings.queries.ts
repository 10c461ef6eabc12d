import type { Settings, SettingsChanges } from '@daywright/contract'
import type { Db } from '../db/database.ts'
import { record } from '../db/recording.ts'
import { columns, differs, finding, type Json, never, object, selecting } from '../db/statement.ts'

const clock = (column: string) => `to_char(agenda.${column}, 'HH24:MI')`

const settings = object({
  automatic: 'agenda.automatic',
  quietHours: `case when agenda.quiet_from is not null
                    then ${object({ from: clock('quiet_from'), to: clock('quiet_to') })} end`,
  dailyRunAt: clock('daily_run_at'),
  morningSummaryAt: clock('summary_at'),
  deadlineAlerts: 'agenda.deadline_alerts',
})

// Creates a missing agenda: its defaults are only in the schema.
const provide = selecting(
  'settings.provide',
  'insert into agendas (user_id) values ($1) on conflict do nothing',
)

const find = finding<Settings>(
  'settings.find',
  `select ${settings}::text as json from agendas agenda where agenda.user_id = $1`,
)

// The next due time depends on the settings, so the user becomes due at once.
const update = selecting<{ before: Json<Settings>; after: Json<Settings> }>(
  'settings.update',
  `
  with old as (
    select old.*, ${differs('$2')} from agendas old where user_id = $1 for no key update
  ), new as (
    update agendas agenda
       set (automatic, quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts) =
           (select automatic, quiet_from, quiet_to, daily_run_at, summary_at, deadline_alerts
              from jsonb_populate_record(agenda, $2)),
           due_at = least(agenda.due_at, current_timestamp)
      from old
     where agenda.user_id = $1 and old.differs
    returning agenda.*, old.differs
  )
  select (select ${settings} from old agenda)::text as before,
         (select ${settings}
            from (select * from new union all
                  select * from old where not exists (select from new)) agenda)::text as after`,
)

export async function findSettings(db: Db, userId: string) {
  const found = await find(db, userId)
  if (found) return found
  await provide(db, userId)
  return (await find(db, userId)) ?? never('settings.find')
}

export const updateSettings = (db: Db, userId: string, changes: SettingsChanges) =>
  db.transaction(async (transaction) => {
    await provide(transaction, userId)
    const [row] = await update(transaction, userId, columns(inColumns(changes)))
    if (!row) return never('settings.update')
    if (row.after === row.before) return row.after
    await record(transaction, userId, { type: 'settings.updated', id: userId, ...row })
    return row.after
  })

function inColumns({ quietHours, morningSummaryAt, ...rest }: SettingsChanges) {
  return {
    ...rest,
    ...(morningSummaryAt !== undefined && { summaryAt: morningSummaryAt }),
    ...(quietHours !== undefined && {
      quietFrom: quietHours?.from ?? null,
      quietTo: quietHours?.to ?? null,
    }),
  }
}
