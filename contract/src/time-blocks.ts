import { z } from 'zod'
import { TaskPriority, TaskStatus } from './task-status.ts'
import { Flag, onRequest, Id, Reference, text, Timestamp, TimestampInput } from './values.ts'

export const TimeBlockStatus = z.enum(['scheduled', 'in_progress', 'completed', 'cancelled'])

/** Why a block was cancelled; null for any other reason, such as a new plan. */
export const CancelReason = z.enum(['missed', 'skipped'])

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
  cancelReason: null,
  startedAt: null,
  completedAt: null,
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}
const taskExample = { id: example.taskId, title: example.title, priority: 'high' as const }

/** Asks for the fields of a block that tell what has become of it. */
export const Progress = z.object({
  progress: Flag.meta({
    description:
      '`true`: blocks include `cancelReason`, `startedAt` and `completedAt`, which are otherwise left out',
  }),
})

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
    cancelReason: onRequest(CancelReason.nullable()),
    startedAt: onRequest(Timestamp.nullable()),
    completedAt: onRequest(Timestamp.nullable()),
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

const EventTitle = text(1, 500)

/** For checks that also run if other fields are missing. */
const isObject = ({ value }: { value: unknown }) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Only an event has these fields. For a block of a task, whatever is sent is ignored, like every field that cannot be set. */
const orIgnored = <Schema extends z.ZodType>() =>
  z.unknown().optional() as unknown as z.ZodOptional<Schema>

/** A block with a task is work on that task; an event, such as an appointment, has a type and a title instead. */
export const NewTimeBlock = z
  .object({
    taskId: Reference.optional().meta({ description: 'Required, unless `type` is `event`' }),
    type: orIgnored<z.ZodLiteral<'event'>>().meta({
      description: '`event` for an event without a task; ignored if `taskId` is given',
    }),
    title: orIgnored<typeof EventTitle>().meta({
      description:
        'The title of an event, which needs one of 1 to 500 characters; ignored if `taskId` is given',
    }),
    startAt: TimestampInput,
    endAt: TimestampInput,
  })
  .refine(({ taskId, type }) => taskId !== undefined || type === 'event', {
    path: ['taskId'],
    error: 'Invalid input: expected string, received undefined',
    abort: true,
    when: isObject,
  })
  .refine(
    ({ taskId, type, title }) =>
      taskId !== undefined || type !== 'event' || EventTitle.safeParse(title).success,
    {
      path: ['title'],
      error: 'Must be a text of 1 to 500 characters',
      abort: true,
      when: isObject,
    },
  )
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
    examples: [
      { taskId: example.taskId, startAt: example.startAt, endAt: example.endAt },
      { type: 'event', title: 'Dentist', startAt: example.startAt, endAt: example.endAt },
    ],
  })

export const TimeBlockChanges = z
  .object({
    startAt: TimestampInput,
    endAt: TimestampInput,
    locked: z.boolean(),
    sortOrder: z.int32().min(0),
    status: TimeBlockStatus,
    title: EventTitle.meta({
      description:
        'The title of an event; ignored for a block of a task, which has the title of its task',
    }),
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

export const BlockExtension = z
  .object({ minutes: z.int().min(5).max(240) })
  .meta({ id: 'BlockExtension', examples: [{ minutes: 15 }] })

export const BlockSkip = z
  .object({ until: TimestampInput })
  .meta({ id: 'BlockSkip', examples: [{ until: '2026-03-04T00:00:00Z' }] })

/**
 * `plan-again` cancels a block, so that its minutes are planned again. `done` completes it. `drop` cancels it
 * and takes its minutes off the estimate of its task.
 */
export const MissedAction = z.enum(['plan-again', 'done', 'drop'])

export const MissedBlockDecision = z
  .object({ action: MissedAction, blockIds: z.array(Id).min(1).max(500) })
  .meta({
    id: 'MissedBlockDecision',
    examples: [{ action: 'plan-again', blockIds: [example.id] }],
  })

export const Updated = z
  .object({ updated: z.int() })
  .meta({ id: 'Updated', examples: [{ updated: 1 }] })

/** `from` and `to` are `unknown`, because the service validates them with its own error messages. */
export const TimeBlockRange = z
  .object({
    from: z.unknown().optional().meta({
      type: 'string',
      format: 'date-time',
      description: 'The start of the range; default: now',
    }),
    to: z.unknown().optional().meta({
      type: 'string',
      format: 'date-time',
      description: 'The end of the range, at most 62 days after `from`; default: 24 hours after it',
    }),
  })
  .extend(Progress.shape)

export type BareTimeBlock = z.infer<typeof BareTimeBlock>
export type TimeBlock = z.infer<typeof TimeBlock>
export type ListedTimeBlock = z.infer<typeof ListedTimeBlock>
export type NewTimeBlock = z.infer<typeof NewTimeBlock>
export type TimeBlockChanges = z.infer<typeof TimeBlockChanges>
export type BlockExtension = z.infer<typeof BlockExtension>
export type BlockSkip = z.infer<typeof BlockSkip>
export type MissedAction = z.infer<typeof MissedAction>
export type MissedBlockDecision = z.infer<typeof MissedBlockDecision>
export type Updated = z.infer<typeof Updated>
export type Progress = z.infer<typeof Progress>
export type TimeBlockRange = z.infer<typeof TimeBlockRange>
