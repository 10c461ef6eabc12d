import { z } from 'zod'
import { DocType } from './documents.ts'
import { LabelSummary } from './labels.ts'
import { SpaceSummary } from './spaces.ts'
import { TaskPriority, TaskStatus } from './task-status.ts'
import {
  ClearableTimestamp,
  Description,
  FilterId,
  Id,
  Reference,
  SortOrder,
  text,
  Timestamp,
  TimestampInput,
} from './values.ts'

export const ProjectStatus = z.enum([
  'backlog',
  'planned',
  'in_progress',
  'completed',
  'cancelled',
  'archived',
])

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e81',
  userId: '01980f2e-0000-7d3e-9b54-000000000001',
  spaceId: null,
  name: 'Website',
  description: '',
  color: '#6B7280',
  icon: 'folder',
  status: 'backlog' as const,
  priority: null,
  targetDate: null,
  archived: false,
  sortOrder: 0,
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}

export const Project = z
  .object({
    id: Id,
    userId: Id,
    spaceId: Id.nullable(),
    name: text(1, 200),
    description: Description,
    color: text(0, 50),
    icon: text(0, 100),
    status: ProjectStatus,
    priority: z.int32().nullable(),
    targetDate: Timestamp.nullable(),
    archived: z.boolean(),
    sortOrder: SortOrder,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Project', examples: [example] })

const withSpace = { space: SpaceSummary.nullable() }

export const ProjectWithSpace = Project.extend(withSpace).meta({
  id: 'ProjectWithSpace',
  examples: [{ ...example, space: null }],
})
export const ListedProject = Project.extend({
  ...withSpace,
  _count: z.object({ tasks: z.int(), documents: z.int() }),
}).meta({
  id: 'ListedProject',
  examples: [{ ...example, space: null, _count: { tasks: 4, documents: 0 } }],
})
export const FullProject = Project.extend({
  ...withSpace,
  tasks: z.array(
    z.object({
      id: Id,
      title: z.string(),
      status: TaskStatus,
      priority: TaskPriority,
      dueAt: Timestamp.nullable(),
      estimateMinutes: z.int().nullable(),
      labels: z.array(LabelSummary),
    }),
  ),
  documents: z.array(
    z.object({
      id: Id,
      title: z.string(),
      docType: DocType,
      url: z.string().nullable(),
      createdAt: Timestamp,
    }),
  ),
}).meta({
  id: 'FullProject',
  examples: [{ ...example, space: null, tasks: [], documents: [] }],
})

const input = Project.pick({
  name: true,
  description: true,
  color: true,
  icon: true,
  priority: true,
}).extend({
  spaceId: Reference.nullable(),
  targetDate: TimestampInput.nullable(),
  autoSchedule: z.boolean(),
})
export const NewProject = input
  .partial()
  .required({ name: true })
  .meta({ id: 'NewProject', examples: [{ name: 'Website', color: '#0EA5E9' }] })
export const ProjectChanges = input
  .extend({
    status: ProjectStatus,
    targetDate: ClearableTimestamp,
    archived: z.boolean(),
    sortOrder: SortOrder,
  })
  .partial()
  .meta({ id: 'ProjectChanges', examples: [{ status: 'in_progress' }] })

export const ProjectFilter = z.object({ spaceId: FilterId })

export type Project = z.infer<typeof Project>
export type ProjectWithSpace = z.infer<typeof ProjectWithSpace>
export type ListedProject = z.infer<typeof ListedProject>
export type FullProject = z.infer<typeof FullProject>
export type NewProject = z.infer<typeof NewProject>
export type ProjectChanges = z.infer<typeof ProjectChanges>
export type ProjectFilter = z.infer<typeof ProjectFilter>
