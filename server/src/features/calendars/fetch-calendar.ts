// What a calendar holds now: the file at its address, the files of a calendar at a CalDAV server, or the events of a
// calendar of a connected account.
import { type Changes, syncCalendar } from '@daywright/caldav'
import type { WrittenEvent } from '@daywright/ical'
import type { Cipher } from '../../platform/auth/encryption.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Content, Get, Receiving, Request } from '../../platform/outbound/http-get.ts'
import { accessAccount } from '../connected-accounts/access.ts'
import type { StoredAccount } from '../connected-accounts/connected-accounts.queries.ts'
import { askAs, describeProviderFailure } from '../connected-accounts/provider.ts'
import type { Providers } from '../connected-accounts/providers.ts'
import { listObjects } from './calendar-objects.queries.ts'
import { connectAs, type Credentials, describeDavFailure, mostAnswerBytes } from './caldav.ts'
import type { Reader, Refused } from './reader.ts'
import type { Subscription, Target } from './refresh.queries.ts'

export const mostFileBytes = 50_000_000
export const accept = 'text/calendar, text/plain;q=0.5, */*;q=0.1'
const mostObjects = 20_000
/** The most bytes of one reading, including past events, whose files are not stored. */
const mostReadBytes = 25_000_000
/** The most bytes that are stored of one calendar: its files, their paths and their ETags. */
const mostStoredBytes = 10_000_000

/** The encrypted part of a calendar: its URL, or the URL with a user name and a password. */
export type Address = { url: string; credentials?: Credentials }

export const sealAddress = (seal: Cipher, { url, credentials }: Address) =>
  seal.close(credentials ? JSON.stringify({ url, ...credentials }) : url)

/** Decrypts an address; undefined if it was encrypted with another secret. */
export async function openAddress(
  seal: Cipher,
  { sealed_url, username }: Pick<Subscription, 'sealed_url' | 'username'>,
): Promise<Address | undefined> {
  const text = await seal.open(sealed_url)
  if (text === undefined || username === null) return text === undefined ? text : { url: text }
  const { url, ...credentials } = JSON.parse(text) as Credentials & { url: string }
  return { url, credentials }
}

export type FetchedCalendar =
  /** `objects` are changed files, to be stored in the same transaction as the events read from them. */
  | { kind: 'unchanged'; objects?: Changes }
  | { kind: 'file'; content: Content; etag: string | null; lastModified: string | null }
  /** `mostBytes` is left for the bodies of the objects that are stored. */
  | { kind: 'objects'; objects: Changes; mostBytes: number }
  | {
      kind: 'failed'
      error: string
      status?: number
      retryAfterSeconds?: number
      isRefused?: boolean
      isTooLarge?: boolean
      refusal?: Refused
    }

export type Fetching = {
  db: Db
  get: Get
  request: Request
  reader: Reader
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
  receiving: Receiving
  signal: AbortSignal
}

export async function fetchCalendar(
  fetching: Fetching,
  target: Target,
  { url, credentials }: Address,
  wanted: Wanted,
): Promise<FetchedCalendar> {
  const { subscription, isCurrent, receiving, signal } = wanted
  const { account } = subscription
  if (account) return fetchEvents(fetching, target, { url, account }, wanted)
  if (credentials) return fetchObjects(fetching, target, { url, credentials }, wanted)
  const { etag, last_modified: lastModified } = subscription
  const copy = isCurrent ? { etag, lastModified } : {}
  const limits = { mostBytes: mostFileBytes, ...receiving, signal }
  const fetched = await fetching.get(url, { accept, ...limits, ...copy })
  return fetched.kind === 'body' ? { ...fetched, kind: 'file' } : fetched
}

async function fetchObjects(
  { db, request, reader }: Fetching,
  { userId, id }: Target,
  { url, credentials }: Required<Address>,
  { subscription, isCurrent, from, receiving, signal }: Wanted,
): Promise<FetchedCalendar> {
  const stored = await listObjects(db, userId, id)
  const etags = new Map(stored.map(({ path, etag }) => [path, etag]))
  const { sync_token: token, sync_tag: tag } = subscription
  try {
    const parse = reader.parse({ userId, name: id }, mostAnswerBytes, from)
    const objects = await syncCalendar(
      connectAs(request, credentials, { parse, receiving, ending: signal }),
      url,
      { token, tag, etags },
      { isWhole: !isCurrent, mostObjects, mostBytes: mostReadBytes },
    )
    return changed(etags, objects, isCurrent)
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
  { subscription, isCurrent, from, to, receiving, signal }: Wanted,
): Promise<FetchedCalendar> {
  const { db, request, reader } = fetching
  const owner = { userId, name: id }
  const { sync_token: token } = subscription
  const stored = await listObjects(db, userId, id)
  const etags = new Map(stored.map(({ path, etag }) => [path, etag]))
  try {
    const { provider, accessToken } = await accessAccount(fetching, userId, account)
    const state = { token: isCurrent ? token : null, etags }
    const window = { from, to, mostEvents: mostObjects }
    const ask = askAs(request, {
      accessToken,
      readAnswer: (name, content, mostBytes) => reader.readAnswer(owner, name, content, mostBytes),
      receiving,
      ending: signal,
    })
    const writeObjects = (events: WrittenEvent[]) => reader.writeObjects(owner, events)
    const objects = await provider.syncEvents({ ask, writeObjects }, url, state, window)
    return changed(etags, objects, isCurrent)
  } catch (error) {
    const failure = describeProviderFailure(error) ?? describeDavFailure(error)
    if (!failure) throw error
    return { kind: 'failed', ...failure }
  }
}

/** The changes; `unchanged` if there are none and the last reading is still valid. */
function changed(
  etags: Map<string, string>,
  objects: Changes,
  isCurrent: boolean,
): FetchedCalendar {
  if (isCurrent && objects.written.length === 0 && objects.removed.length === 0) {
    return { kind: 'unchanged', objects }
  }
  return { kind: 'objects', objects, mostBytes: mostStoredBytes - bytesOfMarks(etags, objects) }
}

/** The length of the paths and ETags after these changes. */
function bytesOfMarks(etags: Map<string, string>, { written, removed }: Changes) {
  const after = new Map(etags)
  for (const path of removed) after.delete(path)
  for (const { path, etag } of written) after.set(path, etag)
  return after.entries().reduce((sum, [path, etag]) => sum + path.length + etag.length, 0)
}
