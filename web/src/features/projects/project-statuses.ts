import type { Project } from '@daywright/contract'

export type Status = Project['status']

/** In the order in which lists show them. */
export const statuses: { value: Status; label: string }[] = [
  { value: 'in_progress', label: 'In progress' },
  { value: 'planned', label: 'Planned' },
  { value: 'backlog', label: 'Backlog' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
]
