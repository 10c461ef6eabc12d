import { z } from 'zod'
import { TaskPriority, TaskStatus } from './task-status.ts'
import { Id, Reference, Timestamp, TimestampInput } from './values.ts'

export const TimeBlockStatus = z.enum(['scheduled', 'in_progress', 'completed', 'cancelled'])

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e71',
  userId: '01980f2e-0000-7d3e-9b54-000000000001',
  taskId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41',
  title: 'Write the report',
  type: 'task',
  startAt: '2026-03-03T09:00:00.000Z',
  endAt: '2026-03-03T10:00:00.000Z',
  locked: false,
  defended: false,
  source: 'manual',
  sortOrder: 0,
  status: 'scheduled' as const,
  explanation: null,
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}
const taskExample = { id: example.taskId, title: example.title, priority: 'high' as const }

/** A block in the JSON of its task. */
export const BareTimeBlock = z
  .object({
    id: Id,
    userId: Id,
    taskId: Id.nullable(),
    title: z.string(),
    type: z.string(),
    startAt: Timestamp,
    endAt: Timestamp,
    locked: z.boolean(),
    defended: z.boolean(),
    source: z.string(),
    sortOrder: z.int32().min(0),
    status: TimeBlockStatus,
    explanation: z.string().nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'BareTimeBlock', examples: [example] })

const TaskOfBlock = z.object({ id: Id, title: z.string(), priority: TaskPriority })

export const TimeBlock = BareTimeBlock.extend({ task: TaskOfBlock.nullable() }).meta({
  id: 'TimeBlock',
  examples: [{ ...example, task: taskExample }],
})
export const ListedTimeBlock = BareTimeBlock.extend({
  task: TaskOfBlock.extend({ status: TaskStatus }).nullable(),
}).meta({
  id: 'ListedTimeBlock',
  examples: [{ ...example, task: { ...taskExample, status: 'todo' } }],
})

export const NewTimeBlock = z
  .object({ taskId: Reference, startAt: TimestampInput, endAt: TimestampInput })
  .refine(({ startAt, endAt }) => endAt > startAt, {
    path: ['endAt'],
    error: 'Must be after startAt',
  })
  .refine(({ startAt, endAt }) => endAt.getTime() - startAt.getTime() <= 86_400_000, {
    path: ['endAt'],
    error: 'Must be at most 24 hours after startAt',
  })
  .meta({
    id: 'NewTimeBlock',
    examples: [{ taskId: example.taskId, startAt: example.startAt, endAt: example.endAt }],
  })

export const TimeBlockChanges = z
  .object({
    startAt: TimestampInput,
    endAt: TimestampInput,
    locked: z.boolean(),
    sortOrder: z.int32().min(0),
    status: TimeBlockStatus,
  })
  .partial()
  .meta({ id: 'TimeBlockChanges', examples: [{ locked: true }] })

export const TimeBlockOrder = z
  .object({
    orderedIds: z
      .array(Id)
      .min(1)
      .max(1000)
      .refine(
        (ids) => new Set(ids.map((id) => id.toLowerCase())).size === ids.length,
        'Must name each block once',
      ),
  })
  .meta({ id: 'TimeBlockOrder', examples: [{ orderedIds: [example.id] }] })

/** Validated by the service, which has its own messages for it. */
export const TimeBlockRange = z.object({
  from: z
    .unknown()
    .optional()
    .meta({ type: 'string', format: 'date-time', description: 'Default: now' }),
  to: z.unknown().optional().meta({
    type: 'string',
    format: 'date-time',
    description: 'Default: 24 hours after `from`; at most 62 days after it',
  }),
})

export type BareTimeBlock = z.infer<typeof BareTimeBlock>
export type TimeBlock = z.infer<typeof TimeBlock>
export type ListedTimeBlock = z.infer<typeof ListedTimeBlock>
export type NewTimeBlock = z.infer<typeof NewTimeBlock>
export type TimeBlockChanges = z.infer<typeof TimeBlockChanges>
export type TimeBlockRange = z.infer<typeof TimeBlockRange>
