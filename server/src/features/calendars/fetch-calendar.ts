// What a calendar holds now: the file at its address, the files of a calendar at a CalDAV server, or the events of a
// calendar of a connected account.
import { type Changes, syncCalendar } from '@daywright/caldav'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Get, Request } from '../../platform/outbound/http-get.ts'
import { accessAccount } from '../connected-accounts/access.ts'
import type { StoredAccount } from '../connected-accounts/connected-accounts.queries.ts'
import { askAs, describeProviderFailure } from '../connected-accounts/provider.ts'
import type { Providers } from '../connected-accounts/providers.ts'
import { listFilesAfter, listObjects } from './calendar-objects.queries.ts'
import { type Credentials, describeDavFailure, sendAs } from './caldav.ts'
import type { Subscription, Target } from './refresh.queries.ts'

export const mostFileBytes = 50_000_000
export const accept = 'text/calendar, text/plain;q=0.5, */*;q=0.1'
const mostObjects = 20_000
/** The most bytes of one reading, including past events, which are not stored. */
const mostReadBytes = 20_000_000
/** The most bytes of one calendar whose files are stored. */
const mostStoredBytes = 10_000_000
const tooManyBytes = `The calendar is larger than ${mostStoredBytes / 1_000_000} MB`
const dayMs = 86_400_000

/** The encrypted part of a calendar: its URL, or the URL with a user name and a password. */
export type Address = { url: string; credentials?: Credentials }

export const sealAddress = (seal: Cipher, { url, credentials }: Address) =>
  seal.close(credentials ? JSON.stringify({ url, ...credentials }) : url)

/** Decrypts an address; undefined if it was encrypted with another secret. */
export async function openAddress(
  seal: Cipher,
  { sealed_url, username }: Pick<Subscription, 'sealed_url' | 'username'>,
): Promise<Address | undefined> {
  const text = await seal.open(sealed_url).catch(() => undefined)
  if (text === undefined || username === null) return text === undefined ? text : { url: text }
  const { url, ...credentials } = JSON.parse(text) as Credentials & { url: string }
  return { url, credentials }
}

export type FetchedCalendar =
  /** `objects` are changed files, to be stored in the same transaction as the events read from them. */
  | { kind: 'unchanged'; objects?: Changes }
  | {
      kind: 'files'
      files: Buffer[]
      etag: string | null
      lastModified: string | null
      objects?: Changes
    }
  | {
      kind: 'failed'
      error: string
      status?: number
      retryAfterSeconds?: number
      isRefused?: boolean
    }

export type Fetching = {
  db: Db
  get: Get
  request: Request
  now: () => Date
  seal: Cipher
  providers: Providers
}

type Wanted = {
  subscription: Subscription
  /** Whether the last reading is still valid, so that nothing need be read if the calendar has not changed. */
  isCurrent: boolean
  /** Events that end before `from`, or begin after `to`, are not needed. */
  from: Date
  to: Date
  signal: AbortSignal
}

export async function fetchCalendar(
  fetching: Fetching,
  target: Target,
  { url, credentials }: Address,
  wanted: Wanted,
): Promise<FetchedCalendar> {
  const { subscription, isCurrent, signal } = wanted
  const { account } = subscription
  if (account) return fetchEvents(fetching, target, { url, account }, wanted)
  if (credentials) return fetchObjects(fetching, target, { url, credentials }, wanted)
  const { etag, last_modified: lastModified } = subscription
  const copy = isCurrent ? { etag, lastModified } : {}
  const fetched = await fetching.get(url, { accept, mostBytes: mostFileBytes, ...copy, signal })
  return fetched.kind === 'body' ? { ...fetched, kind: 'files', files: [fetched.body] } : fetched
}

async function fetchObjects(
  { db, request }: Fetching,
  { userId, id }: Target,
  { url, credentials }: Required<Address>,
  { subscription, isCurrent, from, signal }: Wanted,
): Promise<FetchedCalendar> {
  const stored = await listObjects(db, userId, id)
  const etags = new Map(stored.map(({ path, etag }) => [path, etag]))
  const { sync_token: token, sync_tag: tag } = subscription
  try {
    const found = await syncCalendar(
      sendAs(request, credentials, { ending: signal }),
      url,
      { token, tag, etags },
      { isWhole: !isCurrent, mostObjects, mostBytes: mostReadBytes },
    )
    const objects = { ...found, written: found.written.map((each) => withoutPast(each, from)) }
    return await readFiles(db, userId, id, objects, isCurrent)
  } catch (error) {
    const failure = describeDavFailure(error)
    if (!failure) throw error
    return { kind: 'failed', ...failure }
  }
}

async function fetchEvents(
  fetching: Fetching,
  { userId, id }: Target,
  { url, account }: { url: string; account: StoredAccount },
  { subscription, isCurrent, from, to, signal }: Wanted,
): Promise<FetchedCalendar> {
  const { db, request } = fetching
  const { sync_token: token } = subscription
  const stored = await listObjects(db, userId, id)
  const etags = new Map(stored.map(({ path, etag }) => [path, etag]))
  try {
    const { provider, accessToken } = await accessAccount(fetching, userId, account)
    const state = { token: isCurrent ? token : null, etags }
    const window = { from, to, mostEvents: mostObjects }
    const ask = askAs(request, accessToken, signal)
    return await readFiles(
      db,
      userId,
      id,
      await provider.syncEvents(ask, url, state, window),
      isCurrent,
    )
  } catch (error) {
    const failure = describeProviderFailure(error)
    if (!failure) throw error
    return { kind: 'failed', ...failure }
  }
}

/** The files after these changes; `unchanged` if there are no changes and the last reading is still valid. */
async function readFiles(
  db: Db,
  userId: string,
  id: string,
  objects: Changes,
  isCurrent: boolean,
): Promise<FetchedCalendar> {
  if (isCurrent && objects.written.length === 0 && objects.removed.length === 0) {
    return { kind: 'unchanged', objects }
  }
  const files = await listFilesAfter(db, userId, id, objects)
  const bytes = files.reduce((sum, file) => sum + file.length, 0)
  if (bytes > mostStoredBytes) return { kind: 'failed', error: tooManyBytes }
  return { kind: 'files', files, etag: null, lastModified: null, objects }
}

/** Drops the body of a past event: its ETag is enough to avoid reading it again. */
const withoutPast = (object: Changes['written'][number], from: Date) =>
  isPast(object.body, from) ? { ...object, body: '' } : object

/** Whether all dates in the file are before `from`. False for a series or a duration, which imply further dates. */
export function isPast(file: string, from: Date) {
  // The definition of a time zone has dates and rules of its own.
  const body = file.replaceAll(/^BEGIN:VTIMEZONE[\s\S]*?^END:VTIMEZONE/gim, '')
  if (/^(?:RRULE|RDATE|DURATION)[:;]/im.test(body)) return false
  // One day is subtracted, since the dates may be in any time zone.
  const earliest = new Date(from.getTime() - dayMs).toISOString().slice(0, 10).replaceAll('-', '')
  const dates = [...body.matchAll(/^DT(?:START|END)[^:\r\n]*:(\d{8})/gim)].map(
    ([, date = '']) => date,
  )
  return dates.length > 0 && dates.every((date) => date < earliest)
}
