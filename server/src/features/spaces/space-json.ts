import { iso, withoutUnused } from '../../platform/db/fragments.ts'
import type { Sql } from '../../platform/db/sql.ts'

/** A space on the wire, as SQL over its row `space`. */
export const space = {
  id: 'space.id',
  userId: 'space.user_id',
  name: 'space.name',
  color: 'space.color',
  icon: 'space.icon',
  isDefault: 'space.is_default',
  sortOrder: 'space.sort_order',
  schedulePreferenceId: 'space.schedule_preference_id',
  createdAt: iso('space.created_at'),
  updatedAt: iso('space.updated_at'),
}

/** The JSON text of an answer with spaces, without null fields that the contract does not list. */
export const spaceText = <Given>(json: Sql<Given>) => withoutUnused(json, ['schedulePreferenceId'])

/** A space in the JSON of records that belong to it. */
export const spaceSummary = {
  id: 'space.id',
  name: 'space.name',
  color: 'space.color',
  icon: 'space.icon',
}

export const spaceRecord = { table: 'spaces', name: 'space', fields: space, row: 'space' }
