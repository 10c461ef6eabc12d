// What Google and Microsoft have in common: a list of calendars, and the events of one of them since the last reading.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Changes } from '@daywright/caldav'
import { type WrittenEvent, writeEvent } from '@daywright/ical'
import type { Request } from '../../platform/outbound/http-get.ts'

export type ProviderErrorReason =
  /** The user or the provider has withdrawn the access. */
  | 'access-withdrawn' /** The operator has no longer registered this instance there. */
  | 'not-configured'
  | 'not-found'
  | 'too-many-requests'
  | 'too-large'
  | 'failed'

export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly reason: ProviderErrorReason
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    reason: ProviderErrorReason,
    { status, retryAfterSeconds }: { status?: number; retryAfterSeconds?: number } = {},
  ) {
    super(status === undefined ? reason : `${reason}: ${status}`)
    this.reason = reason
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Reads JSON with the access token of the account. Rejects with a ProviderError. */
export type Ask = (url: string, headers?: Record<string, string>) => Promise<unknown>

export type ProviderCalendar = {
  url: string
  name: string
  /** `#RRGGBB`, if the provider knows one. */
  color: string | null
}

export type SyncState = {
  /** Of the last reading; null for the whole calendar. */
  token: string | null
  /** Of each event that is stored, by its id. */
  etags: Map<string, string>
}

export type SyncWindow = { from: Date; to: Date; mostEvents: number }

export type Provider = {
  /** Whether it is one that `listCalendars` could answer: the access token is sent there. */
  isCalendarUrl: (url: string) => boolean
  listCalendars: (ask: Ask) => Promise<ProviderCalendar[]>
  syncEvents: (ask: Ask, url: string, state: SyncState, window: SyncWindow) => Promise<Changes>
}

const mostAnswerBytes = 20_000_000
const patienceMs = 60_000

/** The requests of one reading together have a minute. */
export function askAs(request: Request, accessToken: string, ending?: AbortSignal): Ask {
  const timeUp = AbortSignal.timeout(patienceMs)
  const signal = ending ? AbortSignal.any([ending, timeUp]) : timeUp
  return async (url, headers = {}) => {
    const answer = await request(url, {
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', ...headers },
      body: '',
      mostBytes: mostAnswerBytes,
      signal,
    })
    if (answer.kind === 'failed') throw new ProviderError('failed')
    const { status, retryAfterSeconds } = answer
    if (status !== 200) throw errorOf(status, retryAfterSeconds)
    return parseJson(answer.body.toString('utf8'))
  }
}

export function errorOf(status: number, retryAfterSeconds?: number) {
  const more = { status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  if (status === 401) return new ProviderError('access-withdrawn', more)
  if (status === 404) return new ProviderError('not-found', more)
  if (status === 429) return new ProviderError('too-many-requests', more)
  return new ProviderError('failed', more)
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderError('failed')
  }
}

/** Nothing is skipped silently: an answer that we do not understand is a failed reading, and is shown. */
export function understand<Shape>(schema: z.ZodType<Shape>, answer: unknown): Shape {
  const { data, success } = schema.safeParse(answer)
  if (!success) throw new ProviderError('failed')
  return data
}

/** A server that always has another page would never end. */
const mostPages = 50

/** Reads pages until one has no next. */
export async function readPages<Page>(
  read: (next: string | undefined) => Promise<Page>,
  nextOf: (page: Page) => string | undefined,
) {
  const pages: Page[] = []
  let next: string | undefined
  do {
    if (pages.length >= mostPages) throw new ProviderError('too-large')
    const page = await read(next)
    pages.push(page)
    next = nextOf(page)
  } while (next !== undefined)
  return pages
}

const product = '-//Daywright//Connected account//EN'

/** An event as a calendar file of its own: it is then read and stored as one at a CalDAV server is. */
export function objectOf(event: WrittenEvent): Changes['written'][number] {
  const body = writeEvent(event, product)
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return { path: event.uid, etag, body }
}

/** The differences to what is stored. With `isWhole`, what is not in the list has gone. */
export function changesOf(
  listed: Changes['written'],
  gone: string[],
  { etags }: SyncState,
  { token, isWhole }: { token: string | null; isWhole: boolean },
): Changes {
  const there = new Set(listed.map(({ path }) => path))
  const removed = isWhole ? etags.keys().filter((path) => !there.has(path)) : gone.values()
  return {
    written: listed.filter(({ path, etag }) => etags.get(path) !== etag),
    removed: removed.filter((path) => etags.has(path) && !there.has(path)).toArray(),
    token,
    tag: null,
  }
}

/** Texts that a user reads. */
const texts: Record<ProviderErrorReason, string> = {
  'access-withdrawn': 'The account no longer allows access: connect it again',
  'not-configured': 'This server can no longer connect accounts of this provider',
  'not-found': 'The calendar no longer exists',
  'too-many-requests': 'The provider asks us to wait',
  'too-large': 'The calendar is too large',
  failed: 'The provider cannot answer',
}

/** Undefined for an error that is not of the provider. */
export function describeProviderFailure(error: unknown) {
  if (!(error instanceof ProviderError)) return undefined
  const { reason, status, retryAfterSeconds } = error
  return {
    error: texts[reason],
    isRefused: reason === 'access-withdrawn',
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
