import { z } from 'zod'
import { Id, Timestamp } from './values.ts'

export const PlannerStatus = z
  .object({ pendingTasks: z.int(), unscheduledTasks: z.int(), scheduledBlocks: z.int() })
  .meta({
    id: 'PlannerStatus',
    examples: [{ pendingTasks: 7, unscheduledTasks: 2, scheduledBlocks: 9 }],
  })

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

/** The response of a run. */
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

/** `preview`: computed and not applied. */
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

/** A run as a record. `gap` is how far its lateness may be above the least that any plan has. */
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
  explanation: 'Earliest free time in its windows; done Mon 10:00, due Fri 16:00.',
}

/** A run with its changes to the calendar, block by block, and the reasons. */
export const FullPlannerRun = PlannerRun.extend({
  blocks: z.object({
    stay: z.array(Planned),
    move: z.array(Planned.extend({ from: Place })),
    appear: z.array(Planned),
    go: z.array(Place.extend({ taskId: Id.nullable(), title: z.string() })),
  }),
  atRisk: z.array(Reason),
  unscheduled: z.array(Reason.extend({ minutes: z.int() })),
}).meta({
  id: 'FullPlannerRun',
  examples: [
    {
      ...run,
      blocks: { stay: [block], move: [], appear: [], go: [] },
      atRisk: [{ taskId: task, text: 'It is overdue.', proof: null }],
      unscheduled: [],
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

export type PlannerStatus = z.infer<typeof PlannerStatus>
export type PlannerResult = z.infer<typeof PlannerResult>
export type PlannerRun = z.infer<typeof PlannerRun>
export type PlannerRuns = z.infer<typeof PlannerRuns>
export type FullPlannerRun = z.infer<typeof FullPlannerRun>
export type PlannerUndo = z.infer<typeof PlannerUndo>
