import { z } from 'zod'

// In rank order, as the lists sort them and as the database's enums have them.
export const TaskStatus = z.enum([
  'backlog',
  'todo',
  'in_progress',
  'completed',
  'cancelled',
  'archived',
])
export const TaskPriority = z.enum(['none', 'low', 'medium', 'high', 'urgent'])

export type TaskStatus = z.infer<typeof TaskStatus>
export type TaskPriority = z.infer<typeof TaskPriority>
