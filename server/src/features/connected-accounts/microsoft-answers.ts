// The answers of Microsoft Graph v1.0.
import { z } from 'zod'
import { EventId } from './event-id.ts'
import { listOf } from './list-of.ts'

const Link = z.string().optional()

export const CalendarList = z.object({
  value: listOf(
    z.object({
      id: z.string(),
      name: z.string().catch(''),
      hexColor: z
        .string()
        .regex(/^#[\da-f]{6}$/i)
        .optional()
        .catch(undefined),
    }),
  ),
  '@odata.nextLink': Link,
})

/** A time in UTC, as we request it, but without a `Z` or an offset. */
const Time = z.object({ dateTime: z.iso.datetime({ local: true }) })
const Instant = z.iso.datetime({ offset: true }).nullish().catch(undefined)

export const details = {
  subject: z.string().nullish(),
  location: z.object({ displayName: z.string().nullish() }).nullish(),
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  showAs: z.string().nullish(),
  sensitivity: z.string().nullish(),
  responseStatus: z.object({ response: z.string().nullish() }).nullish(),
  createdDateTime: Instant,
  lastModifiedDateTime: Instant,
}

export const Event = z.object({
  id: EventId,
  type: z.string().nullish(),
  seriesMasterId: z.string().nullish(),
  start: Time,
  end: Time,
  ...details,
})
const Removed = z.object({ id: z.string(), '@removed': z.object({}) })
export const Series = z.object({ id: z.string(), ...details })

export const Delta = z.object({
  value: listOf(z.union([Removed, Event])),
  '@odata.nextLink': Link,
  '@odata.deltaLink': Link,
})
