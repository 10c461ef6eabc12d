import { z } from 'zod'
import { ClockTime, Id, nothingToChange, text, Timestamp } from './values.ts'

/** Weekly time in the user's timezone; day 0 is Sunday. */
export const Window = z
  .object({
    day: z.array(z.int().min(0).max(6)).min(1).max(7),
    start: ClockTime,
    end: ClockTime,
  })
  .refine(({ start, end }) => start < end, { path: ['end'], error: 'Must be after start' })
  .meta({ id: 'Window', examples: [{ day: [1, 2, 3, 4, 5], start: '08:00', end: '12:00' }] })

const windows = [{ day: [1, 2, 3, 4, 5], start: '08:00', end: '12:00' }]

export const SchedulePreference = z
  .object({
    id: Id,
    userId: Id,
    name: text(1, 100),
    windows: z.array(Window).min(1).max(50),
    priority: z.int32(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({
    id: 'SchedulePreference',
    examples: [
      {
        id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2e61',
        userId: '01980f2e-0000-7d3e-9b54-000000000001',
        name: 'Mornings',
        windows,
        priority: 0,
        createdAt: '2026-03-02T08:00:00.000Z',
        updatedAt: '2026-03-02T08:00:00.000Z',
      },
    ],
  })

const input = SchedulePreference.pick({ name: true, windows: true, priority: true })
export const NewSchedulePreference = input
  .partial({ priority: true })
  .meta({ id: 'NewSchedulePreference', examples: [{ name: 'Mornings', windows }] })
export const SchedulePreferenceChanges = input
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, nothingToChange)
  .meta({ id: 'SchedulePreferenceChanges', examples: [{ priority: 5 }] })

export type Window = z.infer<typeof Window>
export type SchedulePreference = z.infer<typeof SchedulePreference>
export type NewSchedulePreference = z.infer<typeof NewSchedulePreference>
export type SchedulePreferenceChanges = z.infer<typeof SchedulePreferenceChanges>
