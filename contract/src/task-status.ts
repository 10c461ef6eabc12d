import { z } from 'zod'

// In the order of the database's enums, by which task lists are sorted.
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
