// The requests of CalDAV. The caller sends them: it knows the password, and which addresses are allowed.
import { DavError } from './errors.ts'
import { resolveHref } from './same-site.ts'
import type { Listing } from './listing.ts'
import type { Multistatus } from './multistatus.ts'
import type { Budget } from './xml.ts'

export type DavRequest = {
  method: 'PROPFIND' | 'REPORT' | 'MKCALENDAR' | 'PUT' | 'DELETE'
  url: string
  headers: Record<string, string>
  body: string
}

/** A body as it was received; `Parse` reads it. */
export type Content = { body: Uint8Array; encoding: string | null }

export type DavResponse = {
  status: number
  content: Content
  /** The target of a redirect. `Send` does not follow redirects. */
  location: string | null
  etag?: string | null
  retryAfterSeconds?: number
}

export type Send = (request: DavRequest) => Promise<DavResponse>

/** Reads answers and charges the budget. The caller does this in a process of its own, since a server may be hostile. */
export type Parse = {
  multistatus: (content: Content, budget: Budget) => Promise<Multistatus>
  /** The objects of a calendar. `url` is the address that paths are relative to. */
  objects: (content: Content, url: string, budget: Budget) => Promise<Listing>
}

export type Client = { send: Send; parse: Parse }

export type Answer = Multistatus & { url: string }

/** What the requests of one reading share. */
export type Session = Client & { budget: Budget }

const mostRedirects = 5

/** Sends the request; any answer but a multistatus is an error. */
export async function ask(session: Session, request: DavRequest): Promise<Answer> {
  const { url, content } = await askFor207(session, request)
  return { ...(await session.parse.multistatus(content, session.budget)), url }
}

/** Like `ask`, for a list of objects. */
export async function askForObjects(session: Session, request: DavRequest): Promise<Listing> {
  const { url, content } = await askFor207(session, request)
  return session.parse.objects(content, url, session.budget)
}

async function askFor207({ send }: Session, request: DavRequest) {
  const { url, status, content, retryAfterSeconds } = await follow(send, request)
  if (status !== 207) throw errorOf(status, retryAfterSeconds)
  return { url, content }
}

/** Sends the request, follows redirects within the site, and returns the last response. */
export async function follow(send: Send, request: DavRequest) {
  let { url } = request
  for (let hops = 0; hops <= mostRedirects; hops += 1) {
    const answer = await send({ ...request, url })
    if (!redirects.has(answer.status) || answer.location === null) return { ...answer, url }
    url = resolveHref(answer.location, url)
  }
  throw new DavError('not-caldav')
}

const redirects = new Set([301, 302, 303, 307, 308])

export function errorOf(status: number, retryAfterSeconds: number | undefined) {
  const more = { status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  if (status === 401) return new DavError('unauthorized', more)
  if (status === 404 || status === 410) return new DavError('not-found', more)
  if (status === 429) return new DavError('too-many-requests', more)
  // A web server without CalDAV rejects the method, or answers with something other than a multistatus.
  if (status === 405 || status === 501 || (status >= 200 && status < 300)) {
    return new DavError('not-caldav', more)
  }
  return new DavError('failed', more)
}

export const propfind = (url: string, depth: '0' | '1', properties: string[]): DavRequest => ({
  method: 'PROPFIND',
  url,
  headers: { depth, ...xml },
  body: `${head}<d:propfind ${namespaces}><d:prop>${empty(properties)}</d:prop></d:propfind>`,
})

/** A REPORT request. `body` is the content of the element `name`, to which the namespaces are added. */
export const report = (url: string, depth: '0' | '1', name: string, body: string): DavRequest => ({
  method: 'REPORT',
  url,
  headers: { depth, ...xml },
  body: `${head}<${name} ${namespaces}>${body}</${name}>`,
})

/** Creates a calendar for events only: some programs would otherwise show it as a task list as well. */
export const mkcalendar = (url: string, name: string): DavRequest => ({
  method: 'MKCALENDAR',
  url,
  headers: xml,
  body: `${head}<c:mkcalendar ${namespaces}><d:set><d:prop><d:displayname>${escapeXml(name)}</d:displayname><c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>`,
})

const xml = { 'content-type': 'application/xml; charset=utf-8' }
const head = '<?xml version="1.0" encoding="utf-8"?>\n'
const namespaces =
  'xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:a="http://apple.com/ns/ical/" xmlns:cs="http://calendarserver.org/ns/"'
export const empty = (names: string[]) => names.map((name) => `<${name}/>`).join('')

const special: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeXml = (text: string) => text.replaceAll(/[&<>"]/g, (each) => special[each] ?? '')
