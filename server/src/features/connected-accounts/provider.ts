// What Google and Microsoft have in common: a list of calendars, and the events of one of them since the last reading.
import type { z } from 'zod'
import type { CalendarObject, Changes } from '@daywright/caldav'
import type { WrittenEvent } from '@daywright/ical'
import type { Content, Receiving, Request } from '../../platform/outbound/http-get.ts'
import { parseForeignJson } from '../../platform/parse-json.ts'
import type { AnswerName, Answers } from './answers.ts'

export type ProviderErrorReason =
  /** The user or the provider has withdrawn the access. */
  | 'access-withdrawn'
  /** The operator has removed the client id. */
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

/** Reads an answer with the access token of the account. Rejects with a ProviderError. */
export type Ask = <Name extends AnswerName>(
  name: Name,
  url: string,
  headers?: Record<string, string>,
) => Promise<Answers[Name]>

export type Asking = {
  ask: Ask
  /** Writes events as calendar files, so that they are stored and read like those of a CalDAV server. */
  writeObjects: (events: WrittenEvent[]) => Promise<CalendarObject[]>
}

/** Parses and checks an answer; undefined if it is not what we expect. */
export type ReadAnswer = <Name extends AnswerName>(
  name: Name,
  content: Content,
  mostBytes: number,
) => Promise<Answers[Name] | undefined>

export type ProviderCalendar = {
  url: string
  name: string
  /** `#RRGGBB`, if the provider knows one. */
  color: string | null
}

export type SyncState = {
  /** The token of the last reading; null to read the whole calendar. */
  token: string | null
  /** The ETag of each stored event, by its id. */
  etags: Map<string, string>
}

export type SyncWindow = { from: Date; to: Date; mostEvents: number }

export type Provider = {
  /** Whether `listCalendars` could return this URL. No other is allowed, since the access token is sent there. */
  isCalendarUrl: (url: string) => boolean
  listCalendars: (ask: Ask) => Promise<ProviderCalendar[]>
  syncEvents: (
    asking: Asking,
    url: string,
    state: SyncState,
    window: SyncWindow,
  ) => Promise<Changes>
}

const mostAnswerBytes = 20_000_000
const mostReadBytes = 100_000_000
const longestToken = 10_000
const patienceMs = 60_000

type AskOptions = {
  accessToken: string
  readAnswer: ReadAnswer
  receiving?: Receiving
  ending?: AbortSignal
}

/** Asks with an access token. The requests of one reading share a limit of bytes, and a time limit of one minute. */
export function askAs(
  request: Request,
  { accessToken, readAnswer, receiving, ending }: AskOptions,
): Ask {
  const timeUp = AbortSignal.timeout(patienceMs)
  const signal = ending ? AbortSignal.any([ending, timeUp]) : timeUp
  let bytes = 0
  return async (name, url, headers = {}) => {
    const answer = await request(url, {
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', ...headers },
      body: '',
      mostBytes: mostAnswerBytes,
      ...receiving,
      signal,
    })
    if (answer.kind === 'failed')
      throw new ProviderError(answer.isTooLarge ? 'too-large' : 'failed')
    const { status, content, retryAfterSeconds } = answer
    if (status !== 200) throw errorOf(status, retryAfterSeconds)
    bytes += content.body.length
    if (bytes > mostReadBytes) throw new ProviderError('too-large')
    const read = await readAnswer(name, content, mostAnswerBytes)
    // Nothing is skipped silently.
    if (read === undefined) throw new ProviderError('failed')
    return read
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
    return parseForeignJson(text)
  } catch {
    throw new ProviderError('failed')
  }
}

/** Parses an answer. One that we do not understand fails the reading, so that nothing is skipped silently. */
export function understand<Shape>(schema: z.ZodType<Shape>, answer: unknown): Shape {
  const { data, success } = schema.safeParse(answer)
  if (!success) throw new ProviderError('failed')
  return data
}

/** Stops the reading of a server that always has another page. */
const mostPages = 50

/** Reads pages until one has no next page. */
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

/** The differences from what is stored. With `isWhole`, stored events that are not in the list were deleted. */
export function changesOf(
  listed: Changes['written'],
  gone: string[],
  { etags }: SyncState,
  { token, isWhole }: { token: string | null; isWhole: boolean },
): Changes {
  if (token !== null && token.length > longestToken) throw new ProviderError('too-large')
  const there = new Set(listed.map(({ path }) => path))
  const removed = isWhole ? etags.keys().filter((path) => !there.has(path)) : gone.values()
  return {
    written: listed.filter(({ path, etag }) => etags.get(path) !== etag),
    removed: removed.filter((path) => etags.has(path) && !there.has(path)).toArray(),
    token,
    tag: null,
  }
}

/** Error messages for the user. */
const texts: Record<ProviderErrorReason, string> = {
  'access-withdrawn': 'The account no longer allows access: connect it again',
  'not-configured': 'This server can no longer connect accounts of this provider',
  'not-found': 'The calendar no longer exists',
  'too-many-requests': 'The provider asks us to wait',
  'too-large': 'The calendar is too large',
  failed: 'The provider cannot answer',
}

/** Describes a failure of the provider; undefined for any other error. */
export function describeProviderFailure(error: unknown) {
  if (!(error instanceof ProviderError)) return undefined
  const { reason, status, retryAfterSeconds } = error
  return {
    error: texts[reason],
    isRefused: reason === 'access-withdrawn',
    isTooLarge: reason === 'too-large',
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}
