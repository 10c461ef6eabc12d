// Fetches a calendar, reads it and stores its events. A failure never frees time: the events of the last good reading
// stay until another good one replaces them.
import { createHash } from 'node:crypto'
import type { CalendarReading } from '@daywright/ical'
import type { Cipher } from '../../platform/auth/encryption.ts'
import { writeObjects } from './calendar-objects.queries.ts'
import {
  fetchCalendar,
  type FetchedCalendar,
  type Fetching,
  openAddress,
} from './fetch-calendar.ts'
import type { HostLimiter } from './hosts.ts'
import type { ReadFile, Refused } from './read-in-thread.ts'
import type { LimitSlow } from './slow-fetches.ts'
import {
  applyDifferences,
  findSubscription,
  lockCalendar,
  lockStoredEvents,
  markFailed,
  markRead,
  markUnchanged,
  postponeFetch,
  type StoredEvent,
  type Subscription,
} from './refresh.queries.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const intervalMs = 15 * minute
const jitterMs = 3 * minute
const retryMs = [15 * minute, hour, 6 * hour, day]
const daysBack = 31
const daysAhead = 184
/** A plan depends on the events within this time. */
const horizonMs = 15 * day
/** If a calendar had more events than this and now has none, its server may be at fault. */
const fewEvents = 5
const confirmEmptyMs = hour
const mostEvents = 20_000
const mostEventsOfUser = 50_000

export type Refreshing = Fetching & {
  readFile: ReadFile
  seal: Cipher
  hosts: HostLimiter
  limitSlow: LimitSlow
  /** A number from 0 to 1 that spreads the requests of calendars that were added together. */
  random: () => number
}

type Failed = Extract<FetchedCalendar, { kind: 'failed' }>

export async function refreshCalendar(refreshing: Refreshing, userId: string, id: string) {
  const { db, now, seal, hosts, limitSlow, random } = refreshing
  const subscription = await findSubscription(db, userId, id)
  if (!subscription) return
  const target = { userId, id, sealedUrl: subscription.sealed_url }
  const address = await openAddress(seal, subscription)
  if (!address) return markFailed(db, target, { error: urlLost, nextAt: null })
  // The providers limit the requests of each account themselves.
  const place = subscription.account ? undefined : hosts.enter(subscription.host, userId, now())
  if (place && 'waitMs' in place) return postpone(place.waitMs)
  const isCurrent = isReadToday(subscription, now())
  const [from, to] = readWindow(now())
  const fetched = await limitSlow((signal) =>
    fetchCalendar(refreshing, target, address, { subscription, isCurrent, from, to, signal }),
  ).finally(place?.leave)
  const nextAt = new Date(now().getTime() + intervalMs + (random() * 2 - 1) * jitterMs)
  if (fetched.kind === 'failed') return fail(fetched.error, fetched)
  const { objects } = fetched
  if (fetched.kind === 'unchanged') return storeUnchanged()
  const fileHash = hashOf(fetched.files)
  if (isCurrent && subscription.file_hash?.equals(fileHash)) return storeUnchanged()
  const reading = await read(objects ? fetched.files : fetched.files[0]!)
  if ('refused' in reading) {
    // The service is busy, which is not an error of the calendar.
    if (reading.refused === 'busy') return postpone(minute * (1 + random()))
    return fail(refusals[reading.refused])
  }
  if (isSuspiciouslyEmpty(reading, subscription, now())) {
    const emptySince = now()
    const nextAt = new Date(emptySince.getTime() + confirmEmptyMs)
    return markFailed(db, target, { error: suddenlyEmpty, nextAt, emptySince })
  }
  await store(reading, fetched)

  function postpone(ms: number) {
    return postponeFetch(db, target, new Date(now().getTime() + ms))
  }

  function storeUnchanged() {
    if (!objects) return markUnchanged(db, target, now(), nextAt)
    return db.transaction(async (transaction) => {
      if (!(await lockCalendar(transaction, target))) return
      await writeObjects(transaction, userId, id, objects)
      await markUnchanged(transaction, target, now(), nextAt)
    })
  }

  function read(files: Buffer | Buffer[]) {
    const { others } = subscription as Subscription
    const options = readingOptions(subscription as Subscription, now())
    const occurrences = Math.max(0, Math.min(mostEvents, mostEventsOfUser - others))
    return refreshing.readFile(files, { ...options, limits: { occurrences } })
  }

  /** Records a failure. The delay before the next attempt grows each time; the server can only lengthen it. */
  async function fail(error: string, answer: Omit<Failed, 'kind' | 'error'> = {}) {
    const { host, failures } = subscription as Subscription
    const { status, retryAfterSeconds = 0, isRefused } = answer
    // No further attempt: some servers lock an account after several wrong passwords.
    if (isRefused) return markFailed(db, target, { error, nextAt: null })
    if (status === 429) hosts.rest(host, now(), retryAfterSeconds || 60)
    const delayMs = retryMs[Math.min(failures, retryMs.length - 1)] ?? day
    const nextAt = new Date(
      now().getTime() + Math.min(day, Math.max(delayMs, retryAfterSeconds * 1000)),
    )
    await markFailed(db, target, { error, nextAt })
  }

  async function store(
    reading: CalendarReading,
    file: { etag: string | null; lastModified: string | null },
  ) {
    const { timezone: zone } = subscription as Subscription
    const events = reading.occurrences.map((each): StoredEvent => eventOf(id, each))
    const time = now()
    const facts = {
      userId,
      id,
      now: time,
      nextAt,
      etag: file.etag,
      lastModified: file.lastModified,
      fileHash,
      readOn: localDay(time, zone),
      zone,
      completeUntil: new Date(reading.completeUntil),
    }
    await db.transaction(async (transaction) => {
      const stored = await lockStoredEvents(transaction, target)
      if (!stored) return
      if (objects) await writeObjects(transaction, userId, id, objects)
      const { written, gone, moved } = compareEvents(stored, events)
      if (written.length === 0 && gone.length === 0) {
        await markRead(transaction, facts)
        return markUnchanged(transaction, target, time, nextAt)
      }
      await applyDifferences(transaction, isInHorizon(moved, time), {
        ...facts,
        written,
        gone,
        eventCount: events.length,
        skipped: reading.skipped.map(({ title, reason }) => ({ title: storable(title), reason })),
        skippedCount: reading.skippedCount,
      })
    })
  }
}

/** The span of time that is read. */
const readWindow = (now: Date) =>
  [new Date(now.getTime() - daysBack * day), new Date(now.getTime() + daysAhead * day)] as const

/** `addresses` identify the user as an attendee, whose answer decides whether an event blocks time. */
export const readingOptions = (
  { timezone, email }: { timezone: string; email: string },
  now: Date,
) => ({
  from: readWindow(now)[0].toISOString(),
  to: readWindow(now)[1].toISOString(),
  zone: timezone,
  addresses: [email],
})

/** Error messages for the user. */
const urlLost =
  'Its address cannot be read by this instance, which has another secret: enter it again'
const suddenlyEmpty =
  'The calendar has no events any more. The earlier ones are kept until the next reading confirms this.'

export const refusals: Record<Refused['refused'], string> = {
  'no-calendar': 'There is no calendar at this address',
  incomplete: 'The file is incomplete',
  'nested-too-deeply': 'The file is not a valid calendar',
  'too-large': 'The file is larger than 50 MB',
  'too-many-events': 'The calendar has more than 100,000 events',
  'too-expensive': 'The calendar takes too long to read',
  busy: 'The service is busy reading other calendars',
}

const localDay = (time: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()

/** Whether it was read today in this zone. If not, even an unchanged file is read again: the stored days have moved. */
const isReadToday = ({ read_on, read_in_zone, timezone }: Subscription, now: Date) =>
  read_in_zone === timezone && read_on === localDay(now, timezone)

const isSuspiciouslyEmpty = (
  { occurrences }: CalendarReading,
  { event_count, empty_since }: Subscription,
  now: Date,
) =>
  occurrences.length === 0 &&
  event_count > fewEvents &&
  (empty_since === null || now.getTime() - empty_since.getTime() < confirmEmptyMs)

/** Hashes the files without the time of their export, which Google and Exchange write into every event. */
export function hashOf(files: Buffer[]) {
  const hash = createHash('sha256')
  for (const file of files) {
    const text = file
      .toString('latin1')
      .replaceAll(/^(?:DTSTAMP|CREATED|LAST-MODIFIED)[:;].*$/gim, '')
    hash.update(text, 'latin1')
  }
  return hash.digest()
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
export function compareEvents(stored: StoredEvent[], read: StoredEvent[]) {
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
