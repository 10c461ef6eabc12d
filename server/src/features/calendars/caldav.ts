// Calendars at CalDAV servers: sends the requests of @daywright/caldav with a password and within our limits.
import {
  type Client,
  DavError,
  type DavErrorReason,
  discoverCalendars,
  type Parse,
} from '@daywright/caldav'
import type { CalendarAccount, FoundCalendars } from '@daywright/contract'
import { unavailable, unprocessable } from '../../platform/errors.ts'
import type { Receiving, Request } from '../../platform/outbound/http-get.ts'
import type { Holding } from '../../platform/outbound/share-memory.ts'
import type { Owner } from '../../platform/readers/readers.ts'
import { type Reader, ReaderRefused, type Refused } from './reader.ts'
import { refusals } from './refusals.ts'

export type Credentials = { username: string; password: string }

/** The most bytes of one answer, which is a list of 20,000 objects or a batch of 100. */
export const mostAnswerBytes = 10_000_000
/** Lower while a user waits. */
const mostFoundBytes = 1_000_000
const mostFound = 100
const patienceMs = 60_000

/** Thrown if there is no usable answer. The message is for the user. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly isTooLarge: boolean

  constructor(message: string, isTooLarge = false) {
    super(message)
    this.isTooLarge = isTooLarge
  }
}

type ClientOptions = {
  parse: Parse
  ending?: AbortSignal
  receiving?: Receiving
  mostBytes?: number
}

/** Sends requests with a password. The requests of one reading share a time limit of one minute. */
export function connectAs(
  request: Request,
  { username, password }: Credentials,
  { parse, ending, receiving, mostBytes = mostAnswerBytes }: ClientOptions,
): Client {
  const timeUp = AbortSignal.timeout(patienceMs)
  const signal = ending ? AbortSignal.any([ending, timeUp]) : timeUp
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return {
    parse,
    async send({ method, url, headers, body }) {
      const answer = await request(url, {
        method,
        headers: { authorization, ...headers },
        body,
        mostBytes,
        ...receiving,
        signal,
      })
      if (answer.kind === 'failed') throw new NoAnswer(answer.error, answer.isTooLarge)
      const { kind: _, ...rest } = answer
      return rest
    },
  }
}

/** Error messages for the user. */
export const passwordRefused = 'The server refuses the user name or the password'
const davErrors: Record<DavErrorReason, string> = {
  unauthorized: passwordRefused,
  'not-found': 'There is no calendar at this address',
  'not-caldav': 'The server does not offer calendars by CalDAV at this address',
  'too-many-requests': 'The server asks us to wait',
  'too-large': 'The calendar is too large',
  'read-only': 'The server does not allow changes of this calendar',
  failed: 'The server cannot answer',
}

type DavFailure = {
  error: string
  isRefused?: boolean
  isTooLarge?: boolean
  status?: number
  retryAfterSeconds?: number
  /** Set if the answer could not be read. */
  refusal?: Refused
}

/** Describes a failure of the server; undefined for any other error. */
export function describeDavFailure(error: unknown): DavFailure | undefined {
  if (error instanceof NoAnswer) return { error: error.message, isTooLarge: error.isTooLarge }
  if (error instanceof ReaderRefused) {
    const { refusal } = error
    return { error: refusals[refusal.refused], refusal }
  }
  if (!(error instanceof DavError)) return undefined
  const { reason, status, retryAfterSeconds } = error
  const isOdd = reason === 'failed' && status !== undefined
  return {
    error: isOdd ? `The server answered ${status}` : davErrors[reason],
    isRefused: reason === 'unauthorized',
    isTooLarge: reason === 'too-large',
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** The name without characters that PostgreSQL cannot store, cut to the allowed length. */
export const storableName = (name: string) => name.replaceAll('\0', '').toWellFormed().slice(0, 200)

/** Finds the calendars of an account; nothing is stored. */
export async function findCalendars(
  { request, reader, holding }: { request: Request; reader: Reader; holding: Holding },
  owner: Owner,
  { url, ...credentials }: CalendarAccount,
  ending: AbortSignal,
): Promise<FoundCalendars> {
  const mostBytes = mostFoundBytes
  const parse = reader.parse(owner, mostBytes)
  const client = connectAs(request, credentials, {
    parse,
    ending,
    receiving: { holding },
    mostBytes,
  })
  try {
    const { calendars, home } = await discoverCalendars(client, url)
    return {
      home,
      calendars: calendars.slice(0, mostFound).map(({ url, name, color, mayWrite }) => ({
        url,
        name: storableName(name),
        color,
        mayWrite,
      })),
    }
  } catch (error) {
    const failure = describeDavFailure(error)
    if (!failure) throw error
    if (failure.refusal?.refused === 'busy') throw unavailable('Busy reading other calendars', 5)
    throw unprocessable(failure.error)
  }
}
