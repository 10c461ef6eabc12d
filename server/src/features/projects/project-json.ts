import { iso } from '../../platform/db/fragments.ts'

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
  createdAt: iso('project.created_at'),
  updatedAt: iso('project.updated_at'),
}

export const projectRecord = {
  table: 'projects',
  name: 'project',
  fields: {
    ...project,
    autoSchedule: 'project.auto_schedule',
    schedulePreferenceId: 'project.schedule_preference_id',
  },
  row: 'project',
}
