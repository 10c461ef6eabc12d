import type { PlanningPreferences } from '@daywright/contract'
import { object } from '../../platform/db/fragments.ts'
import { sql } from '../../platform/db/sql.ts'

const clock = (column: string) => `to_char(settings.${column}, 'HH24:MI')`

const noPreferences: PlanningPreferences = {
  lunch: null,
  breaks: null,
  dailyLimitMinutes: null,
  keepFreePercent: 0,
  bufferMinutes: 0,
  focusHours: null,
  deepWorkUntil: null,
}

/** A user's settings on the wire, as SQL over the row `settings`: a row of `user_settings` with `automatic`. */
export const settings = {
  automatic: 'settings.automatic',
  quietHours: sql`case when settings.quiet_from is not null
                    then ${object({ from: clock('quiet_from'), to: clock('quiet_to') })} end`,
  dailyRunAt: clock('daily_run_at'),
  morningSummaryAt: clock('summary_at'),
  deadlineAlerts: 'settings.deadline_alerts',
  missedBlocks: 'settings.missed_blocks',
  assumedMinutes: 'settings.assumed_minutes',
  schedulePreferenceId: 'settings.schedule_preference_id',
  planning: `'${JSON.stringify(noPreferences)}'::jsonb || settings.planning`,
}

export const settingsRecord = { fields: settings, row: 'settings', id: 'settings.user_id' }
