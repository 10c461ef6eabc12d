import { z } from 'zod'
import { Recurrence } from './recurrences.ts'
import { BareTask, Task } from './tasks.ts'
import { Id, text } from './values.ts'

const line = 'Send the contract fri 5pm ~45m !high @legal'

export const QuickAddInput = z
  .object({
    text: text(1, 1000)
      .regex(/^[^\r\n]*$/, 'Must be one line')
      .meta({ minLength: 1, maxLength: 1000 }),
    dryRun: z.boolean().optional().meta({
      description: 'Whether to return only what is understood, and create nothing',
    }),
    locale: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$/, 'Must be a language tag like en-GB')
      .optional()
      .meta({
        description:
          'The language of abbreviated days and months (`en`, `de`, `fr`, `es`), and the order of day and ' +
          'month in 12/5; default: `en-US`. Whole words of all four languages are always understood',
        examples: ['en-GB'],
      }),
  })
  .meta({ id: 'QuickAddInput', examples: [{ text: line }] })

export const RecognisedKind = z.enum([
  'due',
  'start',
  'event',
  'period',
  'estimate',
  'priority',
  'space',
  'project',
  'label',
  'new label',
  'repeat',
])

/** Words of the line that are not part of the title; `start` and `end` count UTF-16 code units. */
export const Recognised = z.object({
  kind: RecognisedKind,
  text: z.string(),
  start: z.int(),
  end: z.int(),
})

/** How often the task recurs, if the line says so. */
const PreviewedRecurrence = Recurrence.pick({
  kind: true,
  rule: true,
  times: true,
  startsOn: true,
  endsOn: true,
  dueTime: true,
  words: true,
})

const understood = {
  recognised: z.array(Recognised),
  newLabels: z.array(z.string()).meta({ description: 'The names of labels that did not exist' }),
}

const recognised = [
  { kind: 'due' as const, text: 'fri 5pm', start: 18, end: 25 },
  { kind: 'estimate' as const, text: '~45m', start: 26, end: 30 },
  { kind: 'priority' as const, text: '!high', start: 31, end: 36 },
  { kind: 'new label' as const, text: '@legal', start: 37, end: 43 },
]

/** What the task would be; nothing is created. */
export const QuickAddPreview = z
  .object({
    ...understood,
    task: BareTask.pick({
      title: true,
      dueAt: true,
      startAfter: true,
      estimateMinutes: true,
      priority: true,
      spaceId: true,
      projectId: true,
    }).extend({ labelIds: z.array(Id) }),
    recurrence: PreviewedRecurrence.optional(),
  })
  .meta({
    id: 'QuickAddPreview',
    examples: [
      {
        recognised,
        newLabels: ['legal'],
        task: {
          title: 'Send the contract',
          dueAt: '2026-03-06T06:00:00.000Z',
          startAfter: null,
          estimateMinutes: 45,
          priority: 'high' as const,
          spaceId: null,
          projectId: null,
          labelIds: [],
        },
      },
    ],
  })

/** The created task; for a line like "every friday", the first occurrence. */
export const QuickAddResult = z
  .object({ ...understood, task: Task, recurrence: Recurrence.optional() })
  .meta({
    id: 'QuickAddResult',
    examples: [{ recognised: [], newLabels: [], task: exampleTask() }],
  })

function exampleTask() {
  const [example] = (Task.meta()?.examples ?? []) as z.input<typeof Task>[]
  return { ...example!, title: 'Send the contract' }
}

export type QuickAddInput = z.infer<typeof QuickAddInput>
export type QuickAddPreview = z.infer<typeof QuickAddPreview>
export type QuickAddResult = z.infer<typeof QuickAddResult>
