import { createHash } from 'node:crypto'
import type { CalendarObject } from '@daywright/caldav'
import { type WrittenEvent, writeEvent } from '@daywright/ical'

const product = '-//Daywright//Connected account//EN'

/** Writes an event as a calendar file of its own, so that it is stored and read like one of a CalDAV server. */
export function objectOf(event: WrittenEvent): CalendarObject {
  const body = writeEvent(event, product)
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { path: event.uid, etag, body }
}
