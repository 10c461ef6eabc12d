import { z } from 'zod'
import { ChecklistItem } from './checklist-items.ts'
import { DocType } from './documents.ts'
import { LabelSummary } from './labels.ts'
import { SpaceSummary } from './spaces.ts'
import { TaskPriority, TaskStatus } from './task-status.ts'
import { BareTimeBlock, Progress } from './time-blocks.ts'
import {
  ClearableTimestamp,
  Description,
  FilterId,
  Flag,
  Id,
  PageQuery,
  Pagination,
  Reference,
  SortOrder,
  text,
  Timestamp,
  TimestampInput,
} from './values.ts'

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41',
  userId: '01980f2e-0000-7d3e-9b54-000000000001',
  spaceId: null,
  projectId: null,
  parentTaskId: null,
  title: 'Write the report',
  description: '',
  status: 'todo' as const,
  priority: 'high' as const,
  dueAt: '2026-03-06T16:00:00.000Z',
  startAfter: null,
  completedAt: null,
  estimateMinutes: 120,
  actualMinutes: null,
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  autoSchedule: true,
  autoSplit: true,
  schedulePreferenceId: null,
  locked: false,
  sortOrder: 0,
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}
const relations = { space: null, project: null, labels: [], checklistItems: [] }

/** A task without its relations, as its parent lists it. */
export const BareTask = z
  .object({
    id: Id,
    userId: Id,
    spaceId: Id.nullable(),
    projectId: Id.nullable(),
    parentTaskId: Id.nullable(),
    title: text(1, 500),
    description: Description,
    status: TaskStatus,
    priority: TaskPriority,
    dueAt: Timestamp.nullable(),
    startAfter: Timestamp.nullable(),
    completedAt: Timestamp.nullable(),
    estimateMinutes: z.int().min(0).max(960).nullable(),
    actualMinutes: z.int().nullable(),
    minSessionMinutes: z.int().min(1).max(60),
    maxSessionMinutes: z.int().min(1).max(480),
    cooldownMinutes: z.int32().min(0),
    autoSchedule: z.boolean(),
    autoSplit: z.boolean(),
    schedulePreferenceId: Id.nullable(),
    locked: z.boolean(),
    sortOrder: SortOrder,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'BareTask', examples: [example] })

export const Task = BareTask.extend({
  space: SpaceSummary.nullable(),
  project: z.object({ id: Id, name: z.string(), color: z.string() }).nullable(),
  labels: z.array(LabelSummary),
  checklistItems: z.array(ChecklistItem),
}).meta({ id: 'Task', examples: [{ ...example, ...relations }] })

export const ListedTask = Task.extend({ timeBlocks: z.array(BareTimeBlock) }).meta({
  id: 'ListedTask',
  examples: [{ ...example, ...relations, timeBlocks: [] }],
})

export const FullTask = ListedTask.extend({
  subtasks: z.array(BareTask),
  parentTask: z.object({ id: Id, title: z.string() }).nullable(),
  documents: z.array(
    z.object({ id: Id, title: z.string(), docType: DocType, url: z.string().nullable() }),
  ),
}).meta({
  id: 'FullTask',
  examples: [
    { ...example, ...relations, timeBlocks: [], subtasks: [], parentTask: null, documents: [] },
  ],
})

export const TaskPage = z
  .object({
    data: z.array(ListedTask),
    pagination: Pagination,
  })
  .meta({
    id: 'TaskPage',
    examples: [
      {
        data: [{ ...example, ...relations, timeBlocks: [] }],
        pagination: { page: 1, limit: 50, total: 1, pages: 1 },
      },
    ],
  })

export const TaskFilter = PageQuery.extend(Progress.shape).extend({
  status: TaskStatus.optional(),
  spaceId: FilterId,
  projectId: FilterId,
  labelId: FilterId,
  dueBefore: TimestampInput.optional(),
  includeCompleted: Flag,
})

const input = BareTask.pick({
  title: true,
  description: true,
  status: true,
  priority: true,
  estimateMinutes: true,
  minSessionMinutes: true,
  maxSessionMinutes: true,
  cooldownMinutes: true,
  autoSchedule: true,
  autoSplit: true,
}).extend({
  dueAt: TimestampInput.nullable(),
  startAfter: TimestampInput.nullable(),
  spaceId: Reference.nullable(),
  projectId: Reference.nullable(),
  schedulePreferenceId: Reference.nullable(),
  labelIds: z.array(Reference).max(100),
})
export const NewTask = input
  .extend({ parentTaskId: Reference.nullable() })
  .partial()
  .required({ title: true })
  .meta({
    id: 'NewTask',
    examples: [
      {
        title: 'Write the report',
        priority: 'high',
        dueAt: '2026-03-06T16:00:00Z',
        estimateMinutes: 120,
      },
    ],
  })
export const TaskChanges = input
  .extend({
    dueAt: ClearableTimestamp,
    startAfter: ClearableTimestamp,
    completedAt: ClearableTimestamp,
    locked: z.boolean(),
    sortOrder: SortOrder,
  })
  .partial()
  .meta({ id: 'TaskChanges', examples: [{ status: 'in_progress', dueAt: '' }] })

/** What happens to the planner's own future blocks when a task is completed, archived or deleted. */
export const BlocksOfTask = z.enum(['cancel']).meta({
  description:
    '`cancel`: if the task is closed or deleted, also cancel the future blocks that the planner made for it',
})

export const BatchAction = z.enum(['complete', 'delete', 'archive'])

/** The fields are `unknown`, because the service validates them with its own error messages. */
export const Batch = z
  .object({
    action: z.unknown().meta({ type: 'string', enum: BatchAction.options }),
    taskIds: z.unknown().meta({
      type: 'array',
      items: { type: 'string', format: 'uuid' },
      minItems: 1,
      maxItems: 1000,
    }),
    blocks: z.unknown().meta({ type: 'string', enum: BlocksOfTask.options }),
  })
  .partial()
  .meta({ id: 'Batch', examples: [{ action: 'complete', taskIds: [example.id] }] })

export const BatchResult = z
  .object({ affected: z.int(), requested: z.int(), invalid: z.int() })
  .meta({ id: 'BatchResult', examples: [{ affected: 1, requested: 1, invalid: 0 }] })

export const TaskUpdateQuery = z.object({ blocks: BlocksOfTask.optional() })
export const Removal = z.object({ permanent: Flag })
export const TaskRemoval = Removal.extend({ blocks: BlocksOfTask.optional() })

const dependency = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e91',
  userId: example.userId,
  taskId: example.id,
  dependsOnTaskId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e42',
  createdAt: '2026-03-02T08:00:00.000Z',
}

/** The task `taskId` may start only after the work on `dependsOnTaskId` has ended. */
export const Dependency = z
  .object({ id: Id, userId: Id, taskId: Id, dependsOnTaskId: Id, createdAt: Timestamp })
  .meta({ id: 'Dependency', examples: [dependency] })

const DependencyWithTask = Dependency.extend({
  task: z.object({ id: Id, title: z.string(), status: TaskStatus }),
})
export const Dependencies = z
  .object({ blockedBy: z.array(DependencyWithTask), blocks: z.array(DependencyWithTask) })
  .meta({
    id: 'Dependencies',
    examples: [
      {
        blockedBy: [
          {
            ...dependency,
            task: { id: dependency.dependsOnTaskId, title: 'Collect', status: 'todo' },
          },
        ],
        blocks: [],
      },
    ],
  })

export const NewDependency = z
  .object({ dependsOnTaskId: Reference })
  .meta({ id: 'NewDependency', examples: [{ dependsOnTaskId: dependency.dependsOnTaskId }] })

export const ActualMinutes = z
  .object({
    actualMinutes: z.int32().min(0).nullable().meta({ description: 'null clears it' }),
  })
  .meta({ id: 'ActualMinutes', examples: [{ actualMinutes: 90 }] })

export type ActualMinutes = z.infer<typeof ActualMinutes>
export type BareTask = z.infer<typeof BareTask>
export type Task = z.infer<typeof Task>
export type ListedTask = z.infer<typeof ListedTask>
export type FullTask = z.infer<typeof FullTask>
export type TaskPage = z.infer<typeof TaskPage>
export type TaskFilter = z.infer<typeof TaskFilter>
export type NewTask = z.infer<typeof NewTask>
export type TaskChanges = z.infer<typeof TaskChanges>
export type BlocksOfTask = z.infer<typeof BlocksOfTask>
export type BatchAction = z.infer<typeof BatchAction>
export type BatchResult = z.infer<typeof BatchResult>
export type Dependency = z.infer<typeof Dependency>
export type Dependencies = z.infer<typeof Dependencies>
