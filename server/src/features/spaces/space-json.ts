import { iso } from '../../platform/db/fragments.ts'

/** A space on the wire, as SQL over its row `space`. */
export const space = {
  id: 'space.id',
  userId: 'space.user_id',
  name: 'space.name',
  color: 'space.color',
  icon: 'space.icon',
  isDefault: 'space.is_default',
  sortOrder: 'space.sort_order',
  createdAt: iso('space.created_at'),
  updatedAt: iso('space.updated_at'),
}

/** A space in the JSON of records that belong to it. */
export const spaceSummary = {
  id: 'space.id',
  name: 'space.name',
  color: 'space.color',
  icon: 'space.icon',
}

export const spaceRecord = {
  table: 'spaces',
  name: 'space',
  fields: { ...space, schedulePreferenceId: 'space.schedule_preference_id' },
  row: 'space',
}
