import { z } from 'zod'
import { CalendarPassword, CalendarUrl, CalendarUsername } from './calendars.ts'
import { FeedDetail } from './feeds.ts'
import { Id, nothingToChange, text, Timestamp } from './values.ts'

const Name = text(1, 200)
const TwoWay = z.boolean().meta({
  description: 'Whether a block is moved when its event is moved in the calendar',
})

const example = {
  id: '01980f2e-7c1a-7d3e-9b54-3f1a6c0d2ec7',
  name: 'Daywright',
  host: 'dav.example.com',
  username: 'ada',
  detail: 'full' as const,
  twoWay: true,
  removing: false,
  eventCount: 24,
  syncedAt: '2026-03-02T08:00:00.000Z',
  error: null,
  createdAt: '2026-03-01T08:00:00.000Z',
  updatedAt: '2026-03-01T08:00:00.000Z',
}

export const PlanCalendar = z
  .object({
    id: Id,
    name: Name,
    host: z.string().meta({ description: 'The host name in the address of the calendar' }),
    username: z.string(),
    detail: FeedDetail,
    twoWay: TwoWay,
    removing: z.boolean().meta({
      description: 'Whether the calendar is being removed; its events are deleted first',
    }),
    eventCount: z.int().meta({
      description: 'The number of events that Daywright has written to the calendar',
    }),
    syncedAt: Timestamp.nullable().meta({ description: 'When the last update succeeded' }),
    error: z.string().nullable().meta({ description: 'Why the last attempt failed' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'PlanCalendar', examples: [example] })

export const NewPlanCalendar = z
  .object({
    url: CalendarUrl,
    username: CalendarUsername,
    password: CalendarPassword,
    name: Name.optional(),
    create: z.boolean().optional().meta({
      description: 'Whether the calendar has to be created at this address first; default: false',
    }),
    detail: FeedDetail.optional().meta({ description: 'What the events show; default: `full`' }),
    twoWay: TwoWay.optional().meta({
      description:
        'Whether a block is moved when its event is moved in the calendar; default: false',
    }),
  })
  .meta({
    id: 'NewPlanCalendar',
    examples: [
      { url: 'https://dav.example.com/ada/daywright/', username: 'ada', password: 'app password' },
    ],
  })

export const PlanCalendarChanges = z
  .object({ name: Name, detail: FeedDetail, twoWay: TwoWay, password: CalendarPassword })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, nothingToChange)
  .meta({ id: 'PlanCalendarChanges', examples: [{ twoWay: true }] })

/** What happens to the events that the service wrote to a plan calendar when the calendar is removed. */
export const PlanCalendarRemoval = z.object({
  events: z
    .enum(['leave', 'remove'])
    .optional()
    .meta({ description: 'What to do with the events in the calendar; default: `leave`' }),
})

export type PlanCalendar = z.infer<typeof PlanCalendar>
export type NewPlanCalendar = z.infer<typeof NewPlanCalendar>
export type PlanCalendarChanges = z.infer<typeof PlanCalendarChanges>
