/** A recurrence on the wire and in events, as SQL over its row `recurrence`. */
import { iso } from '../../platform/db/fragments.ts'

const clock = (column: string) => `to_char(recurrence.${column}, 'HH24:MI')`

export const recurrence = {
  id: 'recurrence.id',
  kind: 'recurrence.kind',
  rule: 'recurrence.rule',
  times: 'recurrence.times',
  startsOn: 'recurrence.starts_on',
  endsOn: 'recurrence.ends_on',
  most: 'recurrence.most',
  startTime: clock('start_time'),
  dueTime: clock('due_time'),
  leadDays: 'recurrence.lead_days',
  missed: 'recurrence.missed',
  preferredTime: clock('preferred_time'),
  checklist: 'recurrence.checklist',
  task: 'recurrence.task',
  words: 'recurrence.words',
  follows: 'recurrence.follows',
  pausedAt: iso('recurrence.paused_at'),
  createdAt: iso('recurrence.created_at'),
  updatedAt: iso('recurrence.updated_at'),
}

export const recurrenceRecord = { fields: recurrence, row: 'recurrence' }
