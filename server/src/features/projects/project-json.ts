import { iso, withoutUnused } from '../../platform/db/fragments.ts'
import type { Sql } from '../../platform/db/sql.ts'

/** A project on the wire, as SQL over its row `project`. */
export const project = {
  id: 'project.id',
  userId: 'project.user_id',
  spaceId: 'project.space_id',
  name: 'project.name',
  description: 'project.description',
  color: 'project.color',
  icon: 'project.icon',
  status: 'project.status',
  priority: 'project.priority',
  targetDate: iso('project.target_date'),
  archived: 'project.archived',
  sortOrder: 'project.sort_order',
  schedulePreferenceId: 'project.schedule_preference_id',
  createdAt: iso('project.created_at'),
  updatedAt: iso('project.updated_at'),
}

/** The JSON text of an answer with projects, without null fields that the contract does not list. */
export const projectText = <Given>(json: Sql<Given>) =>
  withoutUnused(json, ['schedulePreferenceId'])

export const projectRecord = {
  table: 'projects',
  name: 'project',
  fields: { ...project, autoSchedule: 'project.auto_schedule' },
  row: 'project',
}
