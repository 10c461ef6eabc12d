import { z } from 'zod'
import { Id, Reference } from './values.ts'

const example = { schedulePreferenceId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e61' }

/** The schedule preference of tasks that have none; null for none. */
export const DefaultSchedule = z
  .object({ schedulePreferenceId: Id.nullable() })
  .meta({ id: 'DefaultSchedule', examples: [example] })

export const DefaultScheduleChanges = z
  .object({ schedulePreferenceId: Reference.nullable() })
  .meta({ id: 'DefaultScheduleChanges', examples: [example] })

/** Spaces and projects without a default schedule are left out. That of the account is in the settings. */
export const DefaultSchedules = z
  .object({
    spaces: z.array(z.object({ spaceId: Id, schedulePreferenceId: Id })),
    projects: z.array(z.object({ projectId: Id, schedulePreferenceId: Id })),
  })
  .meta({
    id: 'DefaultSchedules',
    examples: [
      { spaces: [{ spaceId: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e21', ...example }], projects: [] },
    ],
  })

export type DefaultSchedule = z.infer<typeof DefaultSchedule>
export type DefaultScheduleChanges = z.infer<typeof DefaultScheduleChanges>
export type DefaultSchedules = z.infer<typeof DefaultSchedules>
