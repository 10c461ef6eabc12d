import { z } from 'zod'

const Amount = z.object({ used: z.int(), limit: z.int() })

/** A user's usage and limit of each resource. */
export const Usage = z
  .object({
    tasks: Amount,
    projects: Amount,
    spaces: Amount,
    labels: Amount,
    documents: Amount,
    checklistItems: Amount,
    schedulePreferences: Amount,
    timeBlocks: Amount.meta({ description: 'Time blocks placed by hand, not by the planner' }),
    dependencies: Amount,
    documentLinks: Amount,
    notifications: Amount.meta({
      description: 'Notifications; read ones are deleted after 30 days',
    }),
    textBytes: Amount.meta({
      description: 'Bytes of document contents and of task and project descriptions',
    }),
    historyBytes: Amount.meta({
      description:
        'Bytes of events and the texts that they refer to; above the limit, the oldest are deleted',
    }),
  })
  .meta({
    id: 'Usage',
    examples: [
      {
        tasks: { used: 120, limit: 50_000 },
        projects: { used: 8, limit: 5_000 },
        spaces: { used: 3, limit: 500 },
        labels: { used: 12, limit: 5_000 },
        documents: { used: 20, limit: 10_000 },
        checklistItems: { used: 64, limit: 200_000 },
        schedulePreferences: { used: 2, limit: 500 },
        timeBlocks: { used: 31, limit: 100_000 },
        dependencies: { used: 5, limit: 100_000 },
        documentLinks: { used: 9, limit: 100_000 },
        notifications: { used: 40, limit: 10_000 },
        textBytes: { used: 48_213, limit: 100_000_000 },
        historyBytes: { used: 912_044, limit: 500_000_000 },
      },
    ],
  })

export type Usage = z.infer<typeof Usage>
