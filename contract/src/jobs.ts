import { z } from 'zod'
import { Timestamp } from './values.ts'

export const Job = z
  .object({
    id: z.string(),
    task: z.string().meta({ description: 'The kind of job' }),
    key: z.string().meta({
      description:
        'The id of the user; in jobs for a webhook or calendar, followed by `/` and its id',
    }),
    attempts: z.int(),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    parkedAt: Timestamp,
  })
  .meta({
    id: 'Job',
    examples: [
      {
        id: '17',
        task: 'run-user-jobs',
        key: '01980f2e-0000-7d3e-9b54-000000000001',
        attempts: 5,
        error: 'The plan breaks a rule',
        parkedAt: '2026-03-02T08:00:00.000Z',
      },
    ],
  })

/** A job's number; a malformed one matches nothing (404). */
export const JobId = z.object({
  id: z
    .string()
    .regex(/^\d{1,18}$/)
    .catch('0'),
})

export type Job = z.infer<typeof Job>
