// Brings a copy of a calendar up to date: by RFC 6578 where the server supports it, else by comparing ETags.
import { DavError } from './errors.ts'
import { isSuccess, type Resource } from './multistatus.ts'
import { ask, empty, escapeXml, propfind, report, type Send, type Session } from './request.ts'
import { textOf } from './xml.ts'

/** The stored state of the last reading. */
export type CalendarState = {
  token: string | null
  /** The CTag, for servers without sync tokens: it differs after each change. */
  tag: string | null
  /** The ETags of the stored copies, by path. */
  etags: Map<string, string>
}

export type CalendarObject = { path: string; etag: string; body: string }

export type Changes = {
  written: CalendarObject[]
  removed: string[]
  token: string | null
  tag: string | null
}

export type SyncOptions = {
  /** Lists the whole calendar even if there is a token, in case a change was missed. */
  isWhole: boolean
  /** Ignores objects without a stored copy. */
  copiesOnly?: boolean
  mostObjects: number
  mostBytes: number
}

const longestPath = 2000
/** The limit for all responses together: about 15 elements for each of 20,000 objects, parsed in a second. */
const mostElements = 400_000
const batchSize = 100
/** A limit, because a server that always reports more pages would never end the loop. */
const mostPages = 50

export async function syncCalendar(
  send: Send,
  url: string,
  state: CalendarState,
  options: SyncOptions,
): Promise<Changes> {
  const session = { send, budget: { elements: mostElements } }
  const { token } = state
  if (token !== null && !options.isWhole) {
    const found = await listChanged(session, url, token, state.etags).catch(orListWhole)
    if (found) return readListed(found)
  }
  return readListed(await listWhole(session, url, state, options))

  async function readListed({ changed: listed, removed, ...marks }: Listed): Promise<Changes> {
    const changed = options.copiesOnly ? listed.filter((path) => state.etags.has(path)) : listed
    const added = changed.filter((path) => !state.etags.has(path))
    const count = state.etags.size - removed.length + added.length
    if (count > options.mostObjects) throw new DavError('too-large')
    if (added.some((path) => path.length > longestPath)) throw new DavError('not-caldav')
    const read = await multiget(session, url, changed, options.mostBytes)
    return { ...marks, written: read.written, removed: [...removed, ...read.missing] }
  }
}

/** Reads the objects at these paths. Those that do not exist are left out. */
export async function readObjects(send: Send, url: string, paths: string[], mostBytes: number) {
  const session = { send, budget: { elements: mostElements } }
  return (await multiget(session, url, paths, mostBytes)).written
}

type Listed = { changed: string[]; removed: string[]; token: string | null; tag: string | null }

/**
 * Returns undefined, so that the whole calendar is listed, if the server may no longer know the token. Servers
 * then answer 403, 409, 410, 412 or 500.
 */
function orListWhole(error: unknown) {
  if (!(error instanceof DavError)) throw error
  const isOfToken = error.reason === 'failed' || error.reason === 'not-found'
  if (!isOfToken || error.status === 503) throw error
  return undefined
}

async function listChanged(
  session: Session,
  url: string,
  firstToken: string,
  etags: CalendarState['etags'],
): Promise<Listed> {
  const changed = new Set<string>()
  const removed = new Set<string>()
  let token = firstToken
  for (let page = 0; page < mostPages; page += 1) {
    const since = `<d:sync-token>${escapeXml(token)}</d:sync-token><d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop>`
    const answer = await ask(session, report(url, '0', 'd:sync-collection', since))
    // Without a new token, the next reading could miss changes.
    if (answer.syncToken === null) throw new DavError('failed')
    const own = pathOf(url, url)
    let isCut = false
    for (const resource of answer.resources) {
      const path = pathOf(resource.href, answer.url)
      if (path === own) isCut ||= resource.status === 507
      else if (isGone(resource)) {
        changed.delete(path)
        removed.add(path)
      } else if (etags.get(path) === undefined || etags.get(path) !== etagOf(resource)) {
        removed.delete(path)
        changed.add(path)
      }
    }
    const isSame = answer.syncToken === token
    token = answer.syncToken
    if (isCut && !isSame) continue
    const known = [...removed].filter((path) => etags.has(path))
    return { changed: [...changed], removed: known, token, tag: null }
  }
  throw new DavError('failed')
}

/**
 * Lists the whole calendar. The token is read before the list, so that the next reading sees a change between
 * the two again. There is no time range, because Xandikos leaves out series that began before it.
 */
async function listWhole(
  session: Session,
  url: string,
  { etags, tag: tagBefore }: CalendarState,
  { isWhole }: SyncOptions,
): Promise<Listed> {
  const marks = await ask(session, propfind(url, '0', ['d:sync-token', 'cs:getctag']))
  const read = (name: string) =>
    textOf(marks.resources.find(({ properties }) => properties.has(name))?.properties.get(name)) ||
    null
  const token = read('{DAV:}sync-token')
  const tag = read('{http://calendarserver.org/ns/}getctag')
  if (!isWhole && token === null && tag !== null && tag === tagBefore) {
    return { changed: [], removed: [], token, tag }
  }
  const answer = await ask(session, report(url, '1', 'c:calendar-query', allEvents))
  const listed = new Map<string, string | undefined>()
  for (const resource of answer.resources) {
    const path = pathOf(resource.href, answer.url)
    // The list is truncated, so an object that is missing from it may still exist.
    if (resource.status === 507) throw new DavError('too-large')
    if (!isGone(resource) && path !== pathOf(url, url)) listed.set(path, etagOf(resource))
  }
  return {
    changed: [...listed]
      .filter(([path, etag]) => !etag || etags.get(path) !== etag)
      .map(([path]) => path),
    removed: [...etags.keys()].filter((path) => !listed.has(path)),
    token,
    tag,
  }
}

const allEvents =
  '<d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"/></c:comp-filter></c:filter>'

async function multiget(session: Session, url: string, paths: string[], mostBytes: number) {
  /** Undefined until the server returns the object; null if it was deleted after the list was made. */
  const found = new Map<string, CalendarObject | null | undefined>(
    paths.map((path) => [path, undefined]),
  )
  let bytes = 0
  for (let first = 0; first < paths.length; first += batchSize) {
    const hrefs = paths
      .slice(first, first + batchSize)
      .map((path) => `<d:href>${escapeXml(path)}</d:href>`)
    const wanted = `<d:prop>${empty(['d:getetag', 'c:calendar-data'])}</d:prop>${hrefs.join('')}`
    const answer = await ask(session, report(url, '1', 'c:calendar-multiget', wanted))
    for (const resource of answer.resources) {
      const path = pathOf(resource.href, answer.url)
      if (!found.has(path)) continue
      const body = resource.properties.get('{urn:ietf:params:xml:ns:caldav}calendar-data')?.text
      bytes += body?.length ?? 0
      if (bytes > mostBytes) throw new DavError('too-large')
      if (isGone(resource)) found.set(path, null)
      else if (body === undefined) throw new DavError('failed')
      else found.set(path, { path, etag: etagOf(resource) ?? '', body })
    }
  }
  // An object that the response leaves out may still exist.
  if (found.values().some((object) => object === undefined)) throw new DavError('failed')
  return {
    written: [...found.values()].filter((object) => !!object),
    missing: paths.filter((path) => found.get(path) === null),
  }
}

/** Whether the object was deleted. Throws for other failures, because the object may still exist. */
function isGone({ status }: Resource) {
  if (status === 404 || status === 410) return true
  if (!isSuccess(status)) throw new DavError('failed')
  return false
}

const etagOf = ({ properties }: Resource) => textOf(properties.get('{DAV:}getetag')) || undefined

/** The path in one spelling: servers encode the same name differently in different answers. */
export function pathOf(href: string, base: string) {
  const { pathname } = URL.parse(href, base) ?? new URL(base)
  return pathname.split('/').map(normalize).join('/')
}

function normalize(segment: string) {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return segment
  }
}
