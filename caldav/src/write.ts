// Creates calendars, and writes their objects. Changes that another program has made are never overwritten.
import { DavError } from './errors.ts'
import { isSuccess } from './multistatus.ts'
import {
  ask,
  type Client,
  type DavRequest,
  errorOf,
  follow,
  mkcalendar,
  propfind,
  type Send,
} from './request.ts'
import { childOf } from './xml.ts'

export type Written =
  /** `etag` is null if the server sends none: it may have changed the object, which then has to be read. */
  | { kind: 'written'; etag: string | null }
  /** The object no longer has the given ETag, or exists although none was given. */
  | { kind: 'conflict' }

/** Creates a calendar. One that exists already is left as it is. */
export async function createCalendar(client: Client, url: string, name: string) {
  const { status, retryAfterSeconds } = await follow(client.send, mkcalendar(url, name))
  if (isSuccess(status)) return
  // Servers answer with one of these if the calendar exists.
  const mayExist = status === 403 || status === 405 || status === 409
  if (!mayExist) throw errorOf(status, retryAfterSeconds)
  if (await isCalendar(client, url)) return
  throw new DavError(status === 409 ? 'not-found' : 'read-only', { status })
}

async function isCalendar(client: Client, url: string) {
  const session = { ...client, budget: { elements: 1000, characters: 1_000_000 } }
  try {
    const { resources } = await ask(session, propfind(url, '0', ['d:resourcetype']))
    return resources.some(({ properties }) =>
      childOf(properties.get('{DAV:}resourcetype'), '{urn:ietf:params:xml:ns:caldav}calendar'),
    )
  } catch (error) {
    if (error instanceof DavError) return false
    throw error
  }
}

/** Writes an object that has this ETag. Without an ETag, the object must not exist yet. */
export async function putObject(
  { send }: Client,
  url: string,
  { body, etag }: { body: string; etag: string | null },
): Promise<Written> {
  const condition: Record<string, string> =
    etag === null ? { 'if-none-match': '*' } : { 'if-match': etag }
  const headers = { 'content-type': 'text/calendar; charset=utf-8', ...condition }
  const answer = await write(send, { method: 'PUT', url, headers, body })
  // Xandikos answers 409 if another object has the same UID.
  if (answer.status === 412 || answer.status === 409) return { kind: 'conflict' }
  return { kind: 'written', etag: strongTag(answer.etag) }
}

/**
 * Returns false if the object no longer has this ETag, or the server keeps it. An object that does not exist counts as
 * deleted.
 */
export async function deleteObject({ send }: Client, url: string, etag: string) {
  const headers = { 'if-match': etag }
  const { status } = await write(send, { method: 'DELETE', url, headers, body: '' })
  return status !== 412 && status !== 409
}

async function write(send: Send, request: DavRequest) {
  const answer = await follow(send, request)
  const { status, retryAfterSeconds } = answer
  const isGone = request.method === 'DELETE' && (status === 404 || status === 410)
  if (isSuccess(status) || isGone || status === 409 || status === 412) return answer
  if (status === 403 || status === 405) throw new DavError('read-only', { status })
  throw errorOf(status, retryAfterSeconds)
}

/** A weak tag cannot be used in a condition. */
const strongTag = (etag: string | null | undefined) => (etag?.startsWith('"') ? etag : null)
