import { iso } from '../../platform/db/fragments.ts'

/** A calendar on the wire, as SQL over the row `calendar`. */
export const calendar = {
  id: 'calendar.id',
  name: 'calendar.name',
  color: 'calendar.color',
  shown: 'calendar.shown',
  host: 'calendar.host',
  kind: `coalesce(calendar.provider, case when calendar.username is null then 'file' else 'caldav' end)`,
  username: 'calendar.username',
  accountId: 'calendar.account_id',
  blocks: 'calendar.blocks',
  allDay: 'calendar.all_day',
  tentativeBlocks: 'calendar.tentative_blocks',
  paddingMinutes: 'calendar.padding_minutes',
  eventCount: 'calendar.event_count',
  completeUntil: iso('calendar.complete_until'),
  skipped: 'calendar.skipped',
  skippedCount: 'calendar.skipped_count',
  fetchedAt: iso('calendar.fetched_at'),
  changedAt: iso('calendar.changed_at'),
  nextFetchAt: iso('calendar.next_fetch_at'),
  error: 'calendar.error',
  createdBy: 'calendar.created_by',
  createdAt: iso('calendar.created_at'),
  updatedAt: iso('calendar.updated_at'),
}

/** A calendar in events. */
export const record = { fields: calendar, row: 'calendar' }
