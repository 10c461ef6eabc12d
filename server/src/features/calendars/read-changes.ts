// Compares what a calendar holds now with the events that are stored of it. Runs in a reader.
import { createHash } from 'node:crypto'
import { type CalendarReading, type RefusalReason, withoutStamps } from '@daywright/ical'
import type { StoredEvent } from './refresh.queries.ts'

/** A plan depends on the events within this time. */
const horizonMs = 15 * 86_400_000

/** What is written of a reading. The written events themselves are JSON in the first part of the result. */
export type ReadChanges = {
  hash: Buffer
  eventCount: number
  /** The ids of stored events that are no more. */
  gone: string[]
  hasWritten: boolean
  isPlanAffected: boolean
  completeUntil: string
  skipped: { title: string; reason: string }[]
  skippedCount: number
}

export type ReadRefused = { refused: RefusalReason | 'too-large-to-store' }

/** Hashes the files without the time of their export, which Google and Exchange write into every event. */
export function hashFiles(files: Uint8Array[]) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(withoutStamps(file))
  return hash.digest()
}

export function describeChanges(
  calendarId: string,
  reading: CalendarReading,
  hash: Buffer,
  stored: StoredEvent[],
  now: Date,
): { changes: ReadChanges; written: StoredEvent[] } {
  const events = reading.occurrences.map((each) => eventOf(calendarId, each))
  const { written, gone, moved } = compareEvents(stored, events)
  const changes = {
    hash,
    eventCount: events.length,
    gone,
    hasWritten: written.length > 0,
    isPlanAffected: isInHorizon(moved, now),
    completeUntil: reading.completeUntil,
    skipped: reading.skipped.map(({ title, reason }) => ({ title: storable(title), reason })),
    skippedCount: reading.skippedCount,
  }
  return { changes, written }
}

/** PostgreSQL stores neither U+0000 nor half of a surrogate pair. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

function eventOf(
  calendarId: string,
  occurrence: CalendarReading['occurrences'][number],
): StoredEvent {
  const { key, startAt, endAt, isAllDay, isBusy, isTentative, title, location } = occurrence
  return {
    id: stableId(calendarId, key),
    startAt,
    endAt,
    allDay: isAllDay,
    busy: isBusy,
    tentative: isTentative,
    title: storable(title),
    location: location === null ? null : storable(location),
  }
}

/** A version 8 UUID derived from a hash, so that an event keeps its id. */
export function stableId(calendarId: string, key: string) {
  const hash = createHash('sha256').update(`${calendarId} ${key}`).digest().subarray(0, 16)
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80
  const hex = hash.toString('hex')
  return [0, 8, 12, 16, 20].map((from, i, all) => hex.slice(from, all[i + 1] ?? 32)).join('-')
}

const spanFields = ['startAt', 'endAt', 'allDay', 'busy', 'tentative'] as const
const textFields = ['title', 'location'] as const

/** Compares a reading with the stored events. `moved` holds the events whose time has changed, before and after. */
function compareEvents(stored: StoredEvent[], read: StoredEvent[]) {
  const before = new Map(stored.map((event) => [event.id, event]))
  const written: StoredEvent[] = []
  const moved: StoredEvent[] = []
  for (const event of read) {
    const old = before.get(event.id)
    before.delete(event.id)
    const isMoved = !old || spanFields.some((field) => old[field] !== event[field])
    if (isMoved) moved.push(event, ...(old ? [old] : []))
    if (isMoved || textFields.some((field) => old[field] !== event[field])) written.push(event)
  }
  return { written, gone: [...before.keys()], moved: [...moved, ...before.values()] }
}

const isInHorizon = (events: StoredEvent[], now: Date) =>
  events.some(
    ({ startAt, endAt }) =>
      Date.parse(endAt) > now.getTime() && Date.parse(startAt) < now.getTime() + horizonMs,
  )
