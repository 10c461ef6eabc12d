import type { PlanningPreferences } from '@daywright/contract'
import { object } from '../../platform/db/fragments.ts'
import { sql } from '../../platform/db/sql.ts'

const clock = (column: string) => `to_char(agenda.${column}, 'HH24:MI')`

const noPreferences: PlanningPreferences = {
  lunch: null,
  breaks: null,
  dailyLimitMinutes: null,
  keepFreePercent: 0,
  bufferMinutes: 0,
  focusHours: null,
  deepWorkUntil: null,
}

/** A user's settings on the wire, as SQL over the row `agenda`. */
export const settings = {
  automatic: 'agenda.automatic',
  quietHours: sql`case when agenda.quiet_from is not null
                    then ${object({ from: clock('quiet_from'), to: clock('quiet_to') })} end`,
  dailyRunAt: clock('daily_run_at'),
  morningSummaryAt: clock('summary_at'),
  deadlineAlerts: 'agenda.deadline_alerts',
  missedBlocks: 'agenda.missed_blocks',
  assumedMinutes: 'agenda.assumed_minutes',
  schedulePreferenceId: 'agenda.schedule_preference_id',
  planning: `'${JSON.stringify(noPreferences)}'::jsonb || agenda.planning`,
}

export const settingsRecord = { fields: settings, row: 'agenda', id: 'agenda.user_id' }
