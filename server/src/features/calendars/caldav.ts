// Calendars at CalDAV servers: sends the requests of @daywright/caldav with a password and within our limits.
import { DavError, type DavErrorReason, discoverCalendars, type Send } from '@daywright/caldav'
import type { CalendarAccount, FoundCalendars } from '@daywright/contract'
import { unprocessable } from '../../platform/errors.ts'
import type { Request } from '../../platform/outbound/http-get.ts'

export type Credentials = { username: string; password: string }

/** The most bytes of one answer, which is a list of 20,000 objects or a batch of 100. */
const mostAnswerBytes = 10_000_000
/** Lower while a user waits, because the process that serves requests parses the answers. */
const mostFoundBytes = 1_000_000
const mostFound = 100
const patienceMs = 60_000

/** Thrown if there is no usable answer. The message is for the user. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Sends requests with a password. The requests of one reading share a time limit of one minute. */
export function sendAs(
  request: Request,
  { username, password }: Credentials,
  { ending, mostBytes = mostAnswerBytes }: { ending?: AbortSignal; mostBytes?: number } = {},
): Send {
  const timeUp = AbortSignal.timeout(patienceMs)
  const signal = ending ? AbortSignal.any([ending, timeUp]) : timeUp
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return async ({ method, url, headers, body }) => {
    const answer = await request(url, {
      method,
      headers: { authorization, ...headers },
      body,
      mostBytes,
      signal,
    })
    if (answer.kind === 'failed') throw new NoAnswer(answer.error)
    const { status, location, etag, retryAfterSeconds } = answer
    return { status, text: answer.body.toString('utf8'), location, etag, retryAfterSeconds }
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

/** Describes a failure of the server; undefined for any other error. */
export function describeDavFailure(error: unknown) {
  if (error instanceof NoAnswer) return { error: error.message }
  if (!(error instanceof DavError)) return undefined
  const { reason, status, retryAfterSeconds } = error
  const isOdd = reason === 'failed' && status !== undefined
  return {
    error: isOdd ? `The server answered ${status}` : davErrors[reason],
    isRefused: reason === 'unauthorized',
    ...(status !== undefined && { status }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

/** The name without characters that PostgreSQL cannot store, cut to the allowed length. */
export const storableName = (name: string) => name.replaceAll('\0', '').toWellFormed().slice(0, 200)

/** Finds the calendars of an account; nothing is stored. */
export async function findCalendars(
  request: Request,
  { url, ...credentials }: CalendarAccount,
): Promise<FoundCalendars> {
  try {
    const { calendars, home } = await discoverCalendars(
      sendAs(request, credentials, { mostBytes: mostFoundBytes }),
      url,
    )
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
    throw unprocessable(failure.error)
  }
}
