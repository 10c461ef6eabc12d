import { iso } from '../../platform/db/fragments.ts'

/** A dependency on the wire, as SQL over its row `dependency`. */
export const dependency = {
  id: 'dependency.id',
  userId: 'dependency.user_id',
  taskId: 'dependency.task_id',
  dependsOnTaskId: 'dependency.depends_on_task_id',
  createdAt: iso('dependency.created_at'),
}

export const dependencyRecord = { fields: dependency, row: 'dependency' }
