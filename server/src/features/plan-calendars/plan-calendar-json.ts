import { iso } from '../../platform/db/fragments.ts'

/** A plan calendar on the wire, as SQL over the row `calendar`. */
export const planCalendar = {
  id: 'calendar.id',
  name: 'calendar.name',
  host: 'calendar.host',
  username: 'calendar.username',
  detail: 'calendar.detail',
  twoWay: 'calendar.two_way',
  removing: 'calendar.removing',
  eventCount: 'calendar.event_count',
  syncedAt: iso('calendar.synced_at'),
  error: 'calendar.error',
  createdAt: iso('calendar.created_at'),
  updatedAt: iso('calendar.updated_at'),
}

/** A plan calendar in events. */
export const record = { fields: planCalendar, row: 'calendar' }
