import { z } from 'zod'

export const PlannerStatus = z
  .object({ pendingTasks: z.int(), unscheduledTasks: z.int(), scheduledBlocks: z.int() })
  .meta({
    id: 'PlannerStatus',
    examples: [{ pendingTasks: 7, unscheduledTasks: 2, scheduledBlocks: 9 }],
  })

export type PlannerStatus = z.infer<typeof PlannerStatus>
