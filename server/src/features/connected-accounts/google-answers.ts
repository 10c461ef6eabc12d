// The answers of Google's Calendar API v3.
import { z } from 'zod'
import { EventId } from './event-id.ts'
import { listOf } from './list-of.ts'

const Color = z
  .string()
  .regex(/^#[\da-f]{6}$/i)
  .optional()
  .catch(undefined)

export const CalendarList = z.object({
  items: listOf(
    z.object({
      id: z.string(),
      summary: z.string().catch(''),
      summaryOverride: z.string().optional(),
      backgroundColor: Color,
    }),
  ).default([]),
  nextPageToken: z.string().optional(),
})

export const Time = z.union([
  z.object({ dateTime: z.iso.datetime({ offset: true }) }),
  z.object({ date: z.iso.date() }),
])

export const Event = z.object({
  id: EventId,
  status: z.enum(['confirmed', 'tentative']).catch('confirmed'),
  eventType: z.string().default('default'),
  summary: z.string().default(''),
  location: z.string().optional(),
  start: Time,
  end: Time,
  created: z.iso.datetime({ offset: true }).optional().catch(undefined),
  updated: z.iso.datetime({ offset: true }).optional().catch(undefined),
  transparency: z.string().optional(),
  visibility: z.string().optional(),
  attendees: listOf(
    z.object({ self: z.boolean().optional(), responseStatus: z.string().optional() }),
  ).default([]),
})

/** A deleted event may have nothing but its id. */
const Listed = z.union([z.object({ id: z.string(), status: z.literal('cancelled') }), Event])

export const EventList = z.object({
  items: listOf(Listed).default([]),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
})
