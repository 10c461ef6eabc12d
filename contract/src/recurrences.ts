import { z } from 'zod'
import { BareTask, NewTask } from './tasks.ts'
import { ClockTime, Id, nothingToChange, text, Timestamp } from './values.ts'

/** A day in the user's time zone. */
export const LocalDay = z
  .string()
  .regex(/^(19|20|21)\d\d-\d\d-\d\d$/, { error: 'Must be a day like 2026-03-02', abort: true })
  .refine((day) => {
    const date = new Date(`${day}T00:00:00Z`)
    return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
  }, 'There is no such day')
  .meta({ format: 'date', examples: ['2026-03-02'] })

export const RecurrenceKind = z.enum(['calendar', 'completion', 'times'])
export const MissedOccurrences = z.enum(['lapse', 'wait', 'pile'])
export const OccurrenceState = z.enum(['coming', 'open', 'done', 'skipped', 'missed'])

const templateFields = {
  title: true,
  description: true,
  priority: true,
  estimateMinutes: true,
  minSessionMinutes: true,
  maxSessionMinutes: true,
  cooldownMinutes: true,
  autoSchedule: true,
  autoSplit: true,
  spaceId: true,
  projectId: true,
  schedulePreferenceId: true,
} as const

const description = text(0, 10_000)
/** The template of each occurrence: the fields of a task without its times. */
export const RecurringTask = BareTask.pick(templateFields).extend({
  description,
  labelIds: z.array(Id),
})
const NewRecurringTask = NewTask.pick({ ...templateFields, labelIds: true }).extend({
  description: description.optional(),
})

const rule = text(1, 500).meta({
  description:
    'A recurrence rule of RFC 5545 with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY, without COUNT, UNTIL or ' +
    'times of day. In a month without a 31st, the 31st is the last day. There are no occurrences after 2199',
  examples: ['FREQ=WEEKLY;BYDAY=FR'],
})

const fields = {
  rule,
  times: z
    .int()
    .min(1)
    .max(31)
    .nullable()
    .meta({ description: 'The number of occurrences in each period; only for the kind `times`' }),
  startsOn: LocalDay,
  endsOn: LocalDay.nullable(),
  most: z.int().min(1).max(100_000).nullable().meta({
    description: 'The total number of occurrences; null for no limit',
  }),
  startTime: ClockTime.meta({
    description: 'The time from which an occurrence may be planned on its first day',
  }),
  dueTime: ClockTime.nullable().meta({
    description: 'The time at which an occurrence is due; null for the end of the day',
  }),
  leadDays: z
    .int()
    .min(0)
    .max(366)
    .meta({ description: 'How many days before its due date an occurrence may be started' }),
  missed: MissedOccurrences.meta({
    description:
      'What happens to an occurrence that is still open when it is due. `lapse`: it is cancelled. `wait`: it ' +
      'stays, and no other one is created until it is done. `pile`: it stays, and the next ones are created',
  }),
  preferredTime: ClockTime.nullable().meta({
    description:
      'The time of day near which each occurrence is planned, unless that makes work late or leaves work over',
  }),
  checklist: z.array(text(1, 500)).max(50),
}

const kind = RecurrenceKind.meta({
  description:
    '`calendar`: on the days of the rule. `completion`: one interval of the rule after the last one was done, ' +
    'skipped or missed. `times`: a number of times in each period of the rule',
})

const task = {
  title: 'Write the weekly report',
  description: '',
  priority: 'medium' as const,
  estimateMinutes: 60,
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  autoSchedule: true,
  autoSplit: true,
  spaceId: null,
  projectId: null,
  schedulePreferenceId: null,
  labelIds: [],
}

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2ec1',
  kind: 'calendar' as const,
  rule: 'FREQ=WEEKLY;BYDAY=FR',
  times: null,
  startsOn: '2026-03-02',
  endsOn: null,
  most: null,
  startTime: '00:00',
  dueTime: '17:00',
  leadDays: 2,
  missed: 'wait' as const,
  preferredTime: null,
  checklist: [],
  task,
  words: 'every Friday',
  follows: null,
  pausedAt: null,
  createdAt: '2026-03-02T08:00:00.000Z',
  updatedAt: '2026-03-02T08:00:00.000Z',
}

/** Recurring work. Each occurrence is a task. */
export const Recurrence = z
  .object({
    id: Id,
    kind,
    ...fields,
    task: RecurringTask,
    words: z.string().meta({ description: 'How often the work recurs, in English' }),
    follows: Id.nullable().meta({
      description: 'The recurrence from which this one was split off, if any',
    }),
    pausedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Recurrence', examples: [example] })

const optional = z.object(fields).partial().required({ rule: true, startsOn: true }).shape

export const NewRecurrence = z.object({ kind, ...optional, task: NewRecurringTask }).meta({
  id: 'NewRecurrence',
  examples: [
    {
      kind: 'calendar',
      rule: 'FREQ=WEEKLY;BYDAY=FR',
      startsOn: '2026-03-02',
      dueTime: '17:00',
      leadDays: 2,
      task: { title: 'Write the weekly report', estimateMinutes: 60 },
    },
  ],
})

/** A recurrence without its task: for a preview, or to make an existing task the first occurrence. */
export const RecurrenceRuleInput = z.object({ kind, ...optional }).meta({
  id: 'RecurrenceRuleInput',
  examples: [{ kind: 'completion', rule: 'FREQ=DAILY;INTERVAL=3', startsOn: '2026-03-02' }],
})

const changes = { ...fields, task: NewRecurringTask.partial() }

export const RecurrenceChanges = z
  .object(changes)
  .partial()
  .refine((given) => Object.keys(given).length > 0, nothingToChange)
  .meta({ id: 'RecurrenceChanges', examples: [{ dueTime: '16:00' }] })

/** Splits a recurrence: the occurrences from this day on become a recurrence of their own. */
export const RecurrenceSplitInput = z
  .object({ from: LocalDay, ...z.object(changes).omit({ startsOn: true }).partial().shape })
  .meta({
    id: 'RecurrenceSplitInput',
    examples: [{ from: '2026-03-09', rule: 'FREQ=WEEKLY;BYDAY=MO' }],
  })

export const RecurrenceRemoval = z.object({
  open: z
    .enum(['archive', 'keep'])
    .optional()
    .meta({ description: 'What happens to open occurrences; by default they are archived' }),
})

/** Identifies an occurrence within its recurrence, together with `nth`. */
const OccurrenceDay = LocalDay.meta({
  description:
    'The day of the rule, or the first day of the period. It stays the same when the task is moved',
})
const Nth = z.int().min(1).max(10_000)

export const OccurrenceKey = z
  .object({ day: OccurrenceDay, nth: Nth.optional() })
  .meta({ id: 'OccurrenceKey', examples: [{ day: '2026-03-13' }] })

export const Occurrence = z
  .object({
    day: OccurrenceDay,
    nth: Nth,
    state: OccurrenceState.meta({
      description: 'The state of the occurrence; `coming`: its task does not exist yet',
    }),
    startAfter: Timestamp.nullable(),
    dueAt: Timestamp.nullable(),
    taskId: Id.nullable().meta({
      description: 'The task of the occurrence; null if there is none, or it was deleted',
    }),
  })
  .meta({
    id: 'Occurrence',
    examples: [
      {
        day: '2026-03-13',
        nth: 1,
        state: 'open' as const,
        startAfter: '2026-03-11T00:00:00.000Z',
        dueAt: '2026-03-13T17:00:00.000Z',
        taskId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41',
      },
    ],
  })

const DatedOccurrence = Occurrence.pick({ day: true, nth: true }).extend({
  startAfter: Timestamp,
  dueAt: Timestamp,
})

export const RecurrencePreview = z
  .object({
    words: z.string(),
    next: z.array(DatedOccurrence).meta({
      description:
        'The next occurrences, at most 20 within 25 years, assuming that each is done on its day',
    }),
  })
  .meta({
    id: 'RecurrencePreview',
    examples: [
      {
        words: 'every Friday',
        next: [
          {
            day: '2026-03-06',
            nth: 1,
            startAfter: '2026-03-06T00:00:00.000Z',
            dueAt: '2026-03-06T23:59:00.000Z',
          },
        ],
      },
    ],
  })

export const OccurrenceRange = z.object({
  from: LocalDay.optional().meta({ description: 'The first day; default: 30 days ago' }),
  to: LocalDay.optional().meta({
    description:
      'The last day, at most 366 days after `from`; default: 60 days after today or after a later `from`',
  }),
})

export const ComingRange = z.object({
  from: LocalDay,
  to: LocalDay.meta({
    description: 'The last day, at most 62 days after `from` and 366 days after today',
  }),
})

/** An occurrence whose task does not exist yet. */
export const ComingOccurrence = z
  .object({
    recurrenceId: Id,
    title: z.string(),
    ...DatedOccurrence.shape,
  })
  .meta({
    id: 'ComingOccurrence',
    examples: [
      {
        recurrenceId: example.id,
        title: task.title,
        day: '2026-04-03',
        nth: 1,
        startAfter: '2026-04-01T00:00:00.000Z',
        dueAt: '2026-04-03T17:00:00.000Z',
      },
    ],
  })

export const Occurrences = z
  .object({
    occurrences: z.array(Occurrence),
    counts: z
      .object({ open: z.int(), done: z.int(), skipped: z.int(), missed: z.int() })
      .meta({ description: 'The number of occurrences in each state, since 400 days ago' }),
  })
  .meta({
    id: 'Occurrences',
    examples: [{ occurrences: [], counts: { open: 2, done: 7, skipped: 1, missed: 0 } }],
  })

/** Both are null if the task does not recur. */
export const TaskRecurrence = z
  .object({ recurrence: Recurrence.nullable(), occurrence: Occurrence.nullable() })
  .meta({
    id: 'TaskRecurrence',
    examples: [
      {
        recurrence: example,
        occurrence: {
          day: '2026-03-13',
          nth: 1,
          state: 'open' as const,
          startAfter: null,
          dueAt: null,
          taskId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41',
        },
      },
    ],
  })

export type Recurrence = z.infer<typeof Recurrence>
export type RecurringTask = z.infer<typeof RecurringTask>
export type NewRecurrence = z.infer<typeof NewRecurrence>
export type RecurrenceRuleInput = z.infer<typeof RecurrenceRuleInput>
export type RecurrenceChanges = z.infer<typeof RecurrenceChanges>
export type RecurrenceSplitInput = z.infer<typeof RecurrenceSplitInput>
export type RecurrenceRemoval = z.infer<typeof RecurrenceRemoval>
export type RecurrencePreview = z.infer<typeof RecurrencePreview>
export type OccurrenceKey = z.infer<typeof OccurrenceKey>
export type OccurrenceState = z.infer<typeof OccurrenceState>
export type Occurrence = z.infer<typeof Occurrence>
export type OccurrenceRange = z.infer<typeof OccurrenceRange>
export type ComingRange = z.infer<typeof ComingRange>
export type ComingOccurrence = z.infer<typeof ComingOccurrence>
export type Occurrences = z.infer<typeof Occurrences>
export type TaskRecurrence = z.infer<typeof TaskRecurrence>
