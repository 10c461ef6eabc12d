import { z } from 'zod'
import { Window } from './schedule-preferences.ts'
import { Flag, Id, Timestamp, TimestampInput } from './values.ts'

export const PlannerStatus = z
  .object({ pendingTasks: z.int(), unscheduledTasks: z.int(), scheduledBlocks: z.int() })
  .meta({
    id: 'PlannerStatus',
    examples: [{ pendingTasks: 7, unscheduledTasks: 2, scheduledBlocks: 9 }],
  })

/** `fromScratch`: plan without regard to where the planner's blocks are now. */
export const PlannerQuery = z.object({ fromScratch: Flag })

const task = '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e41'
const result = {
  ok: true,
  timezone: 'Australia/Sydney',
  tasksScheduled: 9,
  tasksAtRisk: 1,
  tasksUnscheduled: 0,
  tasksOversized: 0,
  atRiskTaskIds: [task],
  unscheduledTaskIds: [],
  oversizedTaskIds: [],
}

/** The response to a planner run. */
export const PlannerResult = z
  .object({
    ok: z.boolean(),
    timezone: z.string(),
    tasksScheduled: z.int(),
    tasksAtRisk: z.int(),
    tasksUnscheduled: z.int(),
    tasksOversized: z.int(),
    atRiskTaskIds: z.array(Id),
    unscheduledTaskIds: z.array(Id),
    oversizedTaskIds: z.array(Id),
  })
  .meta({ id: 'PlannerResult', examples: [result] })

/** `preview`: computed, but not applied. */
export const PlannerRunState = z.enum(['preview', 'applied', 'undone'])

const run = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2ed1',
  state: 'applied' as const,
  plannedAt: '2026-03-02T08:00:00.000Z',
  version: '1',
  inputHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  cost: { lateness: 2880, leftOver: 0, earliness: 81_000 },
  bound: { lateness: 2880, leftOver: 0 },
  gap: 0,
  result,
}

/** A stored run. `gap` says how far its lateness may be above the minimum. */
export const PlannerRun = z
  .object({
    id: Id,
    state: PlannerRunState,
    plannedAt: Timestamp,
    version: z.string(),
    inputHash: z.string(),
    cost: z.object({ lateness: z.number(), leftOver: z.number(), earliness: z.number() }),
    bound: z.object({ lateness: z.number(), leftOver: z.number() }),
    gap: z.number(),
    result: PlannerResult,
  })
  .meta({ id: 'PlannerRun', examples: [run] })

const Reason = z.object({ taskId: Id, text: z.string(), proof: z.string().nullable() })
const Place = z.object({ startAt: Timestamp, endAt: Timestamp })
const Planned = Place.extend({
  taskId: Id,
  title: z.string(),
  defended: z.boolean(),
  explanation: z.string(),
})
const block = {
  taskId: task,
  title: 'Write the report',
  startAt: '2026-03-02T09:00:00.000Z',
  endAt: '2026-03-02T10:00:00.000Z',
  defended: false,
  explanation:
    'This is the earliest time in your hours. Done Mon 10:00, four days before it is due.',
}

/** A run with its changes to the calendar, block by block, and the reasons. */
export const FullPlannerRun = PlannerRun.extend({
  blocks: z.object({
    unchanged: z.array(Planned),
    moved: z.array(Planned.extend({ from: Place })),
    added: z.array(Planned),
    removed: z.array(Place.extend({ taskId: Id.nullable(), title: z.string() })),
  }),
  atRisk: z.array(Reason),
  unscheduled: z.array(Reason.extend({ minutes: z.int() })),
  missed: z
    .array(Place.extend({ blockId: Id, taskId: Id }))
    .optional()
    .meta({
      description:
        'Blocks that had ended without being started or completed. The run cancels them and plans their ' +
        'minutes again. Absent in runs of older versions, which did not record them',
    }),
  needsEstimate: z
    .array(z.object({ taskId: Id, title: z.string() }))
    .optional()
    .meta({ description: 'Tasks that were not planned because they have no estimate' }),
}).meta({
  id: 'FullPlannerRun',
  examples: [
    {
      ...run,
      blocks: { unchanged: [block], moved: [], added: [], removed: [] },
      atRisk: [{ taskId: task, text: 'It is overdue.', proof: null }],
      unscheduled: [],
      missed: [],
      needsEstimate: [],
    },
  ],
})

export const PlannerRuns = z
  .object({ runs: z.array(PlannerRun) })
  .meta({ id: 'PlannerRuns', examples: [{ runs: [run] }] })

/** How much of the former plan an undo restored. */
export const PlannerUndo = z
  .object({ ok: z.boolean(), restored: z.int(), cancelled: z.int(), skipped: z.int() })
  .meta({
    id: 'PlannerUndo',
    examples: [{ ok: true, restored: 8, cancelled: 9, skipped: 0 }],
  })

const Move = z.object({ taskId: Id, from: Place.nullable(), to: Place.nullable() })

/** How a change would affect the plan that a run would make now. */
const Effect = z.object({
  becomeLate: z.array(Id).meta({ description: 'Tasks that the change puts at risk' }),
  becomeOnTime: z.array(Id).meta({ description: 'Tasks that are no longer at risk' }),
  lateMinutes: z.number().meta({
    description:
      'The change in the total minutes by which planned work ends after its due dates; negative if less',
  }),
  leftOverMinutes: z.int().meta({
    description: 'The change in the minutes of work that do not fit into the next 14 days',
  }),
  moves: z.array(Move).meta({
    description: 'Blocks that are moved, added (`from` is null) or removed (`to` is null)',
  }),
})

/** `windows`: the weekly times in which a slot may lie; by default those of the tasks. */
export const SlotSearchInput = z
  .object({
    minutes: z.int().min(5).max(480),
    from: TimestampInput.optional(),
    until: TimestampInput.optional(),
    windows: z.array(Window).min(1).max(50).optional(),
    count: z
      .int()
      .min(1)
      .max(8)
      .optional()
      .meta({ description: 'The maximum number of slots; default: 3' }),
  })
  .refine(({ from, until }) => !from || !until || from < until, {
    path: ['until'],
    error: 'Must be after from',
  })
  .meta({
    id: 'SlotSearchInput',
    examples: [{ minutes: 60, from: '2026-03-02T00:00:00Z', until: '2026-03-07T00:00:00Z' }],
  })

const noEffect = {
  becomeLate: [],
  becomeOnTime: [],
  lateMinutes: 0,
  leftOverMinutes: 0,
  moves: [],
}
const place = { startAt: '2026-03-02T09:00:00.000Z', endAt: '2026-03-02T10:00:00.000Z' }
const later = { startAt: '2026-03-03T09:00:00.000Z', endAt: '2026-03-03T10:00:00.000Z' }

/** The slots, best first, each with the effect that an appointment in it would have. */
export const Slots = z
  .object({ timezone: z.string(), slots: z.array(Place.extend({ effect: Effect })) })
  .meta({
    id: 'Slots',
    examples: [
      {
        timezone: 'Australia/Sydney',
        slots: [
          { ...later, effect: noEffect },
          { ...place, effect: { ...noEffect, moves: [{ taskId: task, from: place, to: later }] } },
        ],
      },
    ],
  })

export const Likelihood = z.enum([
  'very likely',
  'likely',
  'uncertain',
  'unlikely',
  'very unlikely',
])

const WayOut = z.object({
  change: z.discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('postpone'),
        taskId: Id,
        startAfter: Timestamp,
        missesDueDate: z.boolean(),
      })
      .meta({
        description:
          'Set `startAfter` of the task to this time. `missesDueDate`: whether the task is due by then',
      }),
    z
      .object({
        kind: z.literal('extend'),
        windows: z.array(Window).nullable(),
        added: Window,
      })
      .meta({
        description:
          'Add the window `added` to the schedule preference that has these `windows`; null stands for the ' +
          'default windows',
      }),
  ]),
  effect: Effect,
  solvesAll: z.boolean().meta({
    description:
      'Whether no work is late or left over after the change, except for tasks that are already overdue and ' +
      'the postponed task',
  }),
})

/** What is to be expected of the plan that a run would make now. */
export const PlannerForecast = z
  .object({
    timezone: z.string(),
    chances: z
      .array(
        z.object({
          taskId: Id,
          dueAt: Timestamp,
          chance: z.number().min(0).max(1),
          likelihood: Likelihood,
        }),
      )
      .meta({
        description:
          'The chance of meeting the due date of each task that is due within 14 days, by due date',
      }),
    completedTasks: z
      .int()
      .meta({ description: 'The number of completed tasks that the chances are based on' }),
    bookedOutUntil: Timestamp.nullable().meta({
      description:
        'The first time from which at least two of the next eight hours in my windows are free, or the end of ' +
        'the 14 days if there is none; null if it is on the first day that has windows',
    }),
    weeks: z.array(
      z.object({
        from: Timestamp,
        until: Timestamp,
        windowMinutes: z.int(),
        busyMinutes: z.int(),
        plannedMinutes: z.int(),
        freeMinutes: z.int(),
        dueMinutes: z.int(),
      }),
    ),
    leftOverMinutes: z.int(),
    waysOut: z.array(WayOut).meta({
      description: 'Changes that would help; empty unless work is late or left over',
    }),
  })
  .meta({
    id: 'PlannerForecast',
    examples: [
      {
        timezone: 'Australia/Sydney',
        chances: [
          {
            taskId: task,
            dueAt: '2026-03-06T06:00:00.000Z',
            chance: 0.86,
            likelihood: 'likely' as const,
          },
        ],
        completedTasks: 41,
        bookedOutUntil: '2026-03-05T03:30:00.000Z',
        weeks: [
          {
            from: '2026-03-02T08:00:00.000Z',
            until: '2026-03-08T13:00:00.000Z',
            windowMinutes: 1920,
            busyMinutes: 240,
            plannedMinutes: 1260,
            freeMinutes: 420,
            dueMinutes: 1380,
          },
        ],
        leftOverMinutes: 120,
        waysOut: [
          {
            change: {
              kind: 'extend' as const,
              windows: null,
              added: { day: [4], start: '17:00', end: '18:00' },
            },
            effect: { ...noEffect, becomeOnTime: [task], lateMinutes: -45 },
            solvesAll: true,
          },
        ],
      },
    ],
  })

export type PlannerStatus = z.infer<typeof PlannerStatus>
export type PlannerResult = z.infer<typeof PlannerResult>
export type PlannerRun = z.infer<typeof PlannerRun>
export type PlannerRuns = z.infer<typeof PlannerRuns>
export type FullPlannerRun = z.infer<typeof FullPlannerRun>
export type PlannerUndo = z.infer<typeof PlannerUndo>
export type SlotSearchInput = z.infer<typeof SlotSearchInput>
export type Slots = z.infer<typeof Slots>
export type PlannerForecast = z.infer<typeof PlannerForecast>
