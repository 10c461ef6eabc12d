import { z } from 'zod'
import { Id, nothingToChange, Pagination, Timestamp } from './values.ts'

export const Role = z.enum(['user', 'admin'])

const example = {
  id: '01980f2e-0000-7d3e-9b54-000000000001',
  email: 'ada@example.com',
  displayName: 'Ada',
  role: 'user' as const,
  disabled: false,
  jobsStopped: false,
  createdAt: '2026-03-02T08:00:00.000Z',
}

/** An account, as an admin sees it. */
export const Account = z
  .object({
    id: Id,
    email: z.string(),
    displayName: z.string(),
    role: Role,
    disabled: z.boolean(),
    jobsStopped: z.boolean().meta({
      description:
        'Nothing runs in the background for this user: no planning, calendars, webhooks or summaries',
    }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Account', examples: [example] })

export const AccountPage = z
  .object({
    data: z.array(Account),
    pagination: Pagination,
  })
  .meta({
    id: 'AccountPage',
    examples: [{ data: [example], pagination: { page: 1, limit: 50, total: 1, pages: 1 } }],
  })

export const AccountChanges = z
  .object({ role: Role, disabled: z.boolean(), jobsStopped: z.boolean() })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, nothingToChange)
  .meta({ id: 'AccountChanges', examples: [{ disabled: true }] })

/** A calendar whose reading has ended the service or a reader. */
export const CalendarInQuarantine = z
  .object({
    userId: Id,
    email: z.string(),
    calendarId: Id,
    host: z.string().meta({ description: 'Where its address is' }),
    crashes: z.int().meta({ description: 'How often in a row reading it has failed like this' }),
    error: z.string().nullable(),
    attemptedAt: Timestamp.nullable(),
    nextFetchAt: Timestamp.nullable().meta({ description: 'Null: it is switched off' }),
  })
  .meta({
    id: 'CalendarInQuarantine',
    examples: [
      {
        userId: example.id,
        email: example.email,
        calendarId: '01980f2e-0000-7d3e-9b54-000000000015',
        host: 'calendar.example.com',
        crashes: 1,
        error: 'This calendar takes too long to read',
        attemptedAt: '2026-03-02T08:00:00.000Z',
        nextFetchAt: '2026-03-02T09:00:00.000Z',
      },
    ],
  })

export type CalendarInQuarantine = z.infer<typeof CalendarInQuarantine>
export type Role = z.infer<typeof Role>
export type Account = z.infer<typeof Account>
export type AccountPage = z.infer<typeof AccountPage>
export type AccountChanges = z.infer<typeof AccountChanges>
