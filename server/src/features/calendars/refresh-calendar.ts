// Fetches a calendar, reads it and stores its events. A failure never frees time: the events of the last good reading
// stay until another good one replaces them.
import { isTooLarge } from '../../platform/db/database-errors.ts'
import { newId } from '../../platform/db/new-id.ts'
import type { Holding, ShareMemory } from '../../platform/outbound/share-memory.ts'
import { listFiles, writeObjects } from './calendar-objects.queries.ts'
import {
  fetchCalendar,
  type FetchedCalendar,
  type Fetching,
  mostFileBytes,
  openAddress,
} from './fetch-calendar.ts'
import type { HostLimiter } from './hosts.ts'
import { quarantine } from './quarantine.ts'
import { findOwnThreads } from './own-threads.queries.ts'
import type { ReadChanges } from './read-changes.ts'
import type { Refused } from './reader.ts'
import { refusals } from './refusals.ts'
import type { LimitSlow } from '../../platform/outbound/limit-slow.ts'
import {
  applyDifferences,
  beginReading,
  findSubscription,
  listStoredEvents,
  lockCalendar,
  markFailed,
  markRead,
  markUnchanged,
  postponeFetch,
  type Subscription,
  type Target,
} from './refresh.queries.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const intervalMs = 15 * minute
const jitterMs = 3 * minute
const retryMs = [15 * minute, hour, 6 * hour, day]
const daysBack = 31
const daysAhead = 184
/** If a calendar had more events than this and now has none, its server may be at fault. */
const fewEvents = 5
const confirmEmptyMs = hour
const mostEvents = 20_000
const mostEventsOfUser = 50_000

export type Refreshing = Fetching & {
  hosts: HostLimiter
  limitSlow: LimitSlow
  memory: ShareMemory
  /** Identifies this process: a reading that another process has begun and not ended was cut off by its end. */
  instance: string
  /** Aborts when the process stops. */
  stopping: AbortSignal
  /** A number from 0 to 1 that spreads the requests of calendars that were added together. */
  random: () => number
}

type Failed = Extract<FetchedCalendar, { kind: 'failed' }>
type Read = Extract<FetchedCalendar, { kind: 'file' | 'objects' }>

export async function refreshCalendar(refreshing: Refreshing, userId: string, id: string) {
  const { db, now, seal, hosts, memory, instance } = refreshing
  const subscription = await findSubscription(db, userId, id, now())
  if (!subscription) return
  const address = await openAddress(seal, subscription)
  const target = { userId, id, sealedUrl: subscription.sealed_url }
  const stop = (error: string) => markFailed(db, target, { error, nextAt: null, now: now() })
  if (subscription.is_key_gone) return stop(keyGone)
  if (!address) return stop(urlLost)
  // The providers limit the requests of each account themselves.
  const place = subscription.account ? undefined : hosts.enter(subscription.host, userId, now())
  if (place && 'waitMs' in place) {
    return postponeFetch(db, target, new Date(now().getTime() + place.waitMs))
  }
  const holding = memory.open(userId)
  const readBy = `${instance}/${newId()}`
  const reading = { ...refreshing, subscription, target: { ...target, readBy } }
  try {
    if (isOfDeadProcess(subscription, instance)) {
      return await quarantineAfter(reading, serviceStopped)
    }
    await readNow(reading, address, holding)
  } finally {
    place?.leave()
    holding.release()
  }
}

type Reading = Refreshing & { subscription: Subscription; target: Target & { readBy: string } }

/** Whether another process has begun to read the calendar, and not come to an end. */
const isOfDeadProcess = ({ read_by }: Subscription, instance: string) =>
  read_by !== null && !read_by.startsWith(`${instance}/`)

async function readNow(
  reading: Reading,
  address: Parameters<typeof fetchCalendar>[2],
  holding: Holding,
) {
  const { db, now, limitSlow, random, stopping, subscription, target } = reading
  let begun: Promise<unknown> | undefined
  const beforeBody = () => (begun ??= beginReading(db, target))
  const isCurrent = isReadToday(subscription, now())
  const [from, to] = readWindow(now())
  const fetched = await limitSlow((slow) => {
    const signal = AbortSignal.any([slow, stopping, holding.signal])
    const receiving = { holding, beforeBody }
    const wanted = { subscription, isCurrent, from, to, receiving, signal }
    return fetchCalendar(reading, target, address, wanted)
  })
  // The service is stopping, or the memory was needed for others: neither is an error of the calendar.
  if (stopping.aborted) return postponeFetch(db, target, now())
  if (holding.signal.aborted) return postponeAtRandom(reading)
  const nextAt = new Date(now().getTime() + intervalMs + (random() * 2 - 1) * jitterMs)
  if (fetched.kind === 'failed') {
    if (fetched.refusal) return refuse(reading, fetched.refusal)
    return fetched.isTooLarge ? quarantineAfter(reading, fetched.error) : fail(reading, fetched)
  }
  if (fetched.kind === 'unchanged') return storeUnchanged(reading, fetched, nextAt)
  const changes = await readChanges(reading, fetched, isCurrent)
  if (changes === 'unchanged') return storeUnchanged(reading, fetched, nextAt)
  if ('refused' in changes) return refuse(reading, changes)
  if (isSuspiciouslyEmpty(changes, subscription, now())) {
    const emptySince = now()
    const nextAt = new Date(emptySince.getTime() + confirmEmptyMs)
    return markFailed(db, target, { error: suddenlyEmpty, nextAt, emptySince, now: now() })
  }
  try {
    await store(reading, fetched, changes, nextAt)
  } catch (error) {
    if (!isTooLarge(error)) throw error
    await fail(reading, { error: refusals['too-large-to-store'] })
  }
}

/** What has changed since the last reading; `unchanged` if the files are the same and that reading is still valid. */
async function readChanges(
  { db, reader, now, subscription, target }: Reading,
  fetched: Read,
  isCurrent: boolean,
) {
  const { userId, id } = target
  const owner = { userId, name: id }
  const knownHash = isCurrent ? subscription.file_hash : null
  if (fetched.kind === 'file' && knownHash) {
    const hashed = await reader.hashFile(owner, fetched.content, mostFileBytes)
    if ('refused' in hashed) return hashed
    if (knownHash.equals(hashed.hash)) return 'unchanged'
  }
  const occurrences = Math.max(0, Math.min(mostEvents, mostEventsOfUser - subscription.others))
  const options = { ...readingOptions(subscription, now()), limits: { occurrences } }
  const source =
    fetched.kind === 'file'
      ? {
          kind: 'file' as const,
          encoding: fetched.content.encoding,
          mostBytes: mostFileBytes,
        }
      : {
          kind: 'objects' as const,
          written: fetched.objects.written,
          removed: fetched.objects.removed,
          mostBytes: fetched.mostBytes,
        }
  const content =
    fetched.kind === 'file' ? fetched.content.body : Buffer.from(await listFiles(db, userId, id))
  const request = { calendarId: id, options, now: now(), knownHash, source }
  const findOwn = (threads: string[]) => findOwnThreads(db, userId, threads, now())
  const stored = await listStoredEvents(db, userId, id)
  return reader.readChanges(owner, request, content, stored, findOwn)
}

function storeUnchanged({ db, now, target }: Reading, fetched: FetchedCalendar, nextAt: Date) {
  const objects = 'objects' in fetched ? fetched.objects : undefined
  if (!objects) return markUnchanged(db, target, now(), nextAt)
  return db.transaction(async (transaction) => {
    if (!(await lockCalendar(transaction, target))) return
    await writeObjects(transaction, target.userId, target.id, objects)
    await markUnchanged(transaction, target, now(), nextAt)
  })
}

async function store(
  { db, now, subscription, target }: Reading,
  fetched: Read,
  changes: ReadChanges & { written: string },
  nextAt: Date,
) {
  const { userId, id } = target
  const { timezone: zone } = subscription
  const { etag = null, lastModified = null } = fetched.kind === 'file' ? fetched : {}
  const { hash, completeUntil, gone, hasWritten, isPlanAffected, ...read } = changes
  const time = now()
  const facts = {
    userId,
    id,
    now: time,
    nextAt,
    etag,
    lastModified,
    fileHash: hash,
    readOn: localDay(time, zone),
    zone,
    completeUntil: new Date(completeUntil),
  }
  await db.transaction(async (transaction) => {
    if (!(await lockCalendar(transaction, target))) return
    if (fetched.kind === 'objects') await writeObjects(transaction, userId, id, fetched.objects)
    if (!hasWritten && gone.length === 0) {
      await markRead(transaction, facts)
      return markUnchanged(transaction, target, time, nextAt)
    }
    await applyDifferences(transaction, isPlanAffected, { ...facts, ...read, gone })
  })
}

/** Records a failure. The delay before the next attempt grows each time; the server can only lengthen it. */
async function fail(
  { db, now, hosts, subscription, target }: Reading,
  { error, status, retryAfterSeconds = 0, isRefused }: Omit<Failed, 'kind'>,
) {
  const { host, failures } = subscription
  // No further attempt: some servers lock an account after several wrong passwords.
  if (isRefused) return markFailed(db, target, { error, nextAt: null, now: now() })
  if (status === 429) hosts.rest(host, target.userId, now(), retryAfterSeconds || 60)
  const delayMs = retryMs[Math.min(failures, retryMs.length - 1)] ?? day
  const nextAt = new Date(
    now().getTime() + Math.min(day, Math.max(delayMs, retryAfterSeconds * 1000)),
  )
  await markFailed(db, target, { error, nextAt, now: now() })
}

function refuse(reading: Reading, { refused, waitMs = 0 }: Refused) {
  // The service is busy, which is not an error of the calendar.
  if (refused === 'busy') return postponeAtRandom(reading, waitMs)
  const error = refusals[refused]
  return isCostly[refused] ? quarantineAfter(reading, error) : fail(reading, { error })
}

function postponeAtRandom({ db, now, random, target }: Reading, waitMs = 0) {
  const ms = waitMs + minute * (1 + random())
  return postponeFetch(db, target, new Date(now().getTime() + ms))
}

/** Whether as much was read as is allowed before it was refused. */
const isCostly: Record<Exclude<Refused['refused'], 'busy'>, boolean> = {
  'no-calendar': false,
  incomplete: false,
  'nested-too-deeply': true,
  'too-large': true,
  'too-many-events': true,
  'too-many-steps': true,
  'too-large-to-store': true,
  'too-expensive': true,
  died: true,
}

function quarantineAfter({ db, now, subscription, target }: Reading, reason: string) {
  const state = quarantine(reason, subscription.crashes + 1, now())
  return markFailed(db, target, { ...state, now: now() })
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
const serviceStopped = 'The service stopped while it read this calendar'
const urlLost =
  'Its address cannot be read by this instance, which has another secret: enter it again'
const keyGone =
  'The API key that added the calendar was revoked or has expired: fetch the calendar now to keep it'
const suddenlyEmpty =
  'The calendar has no events any more. The earlier ones are kept until the next reading confirms this.'

const localDay = (time: Date, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString()

/** Whether it was read today in this zone. If not, even an unchanged file is read again: the stored days have moved. */
const isReadToday = ({ read_on, read_in_zone, timezone }: Subscription, now: Date) =>
  read_in_zone === timezone && read_on === localDay(now, timezone)

const isSuspiciouslyEmpty = (
  { eventCount }: ReadChanges,
  { event_count, empty_since }: Subscription,
  now: Date,
) =>
  eventCount === 0 &&
  event_count > fewEvents &&
  (empty_since === null || now.getTime() - empty_since.getTime() < confirmEmptyMs)
