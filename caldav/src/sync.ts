// Brings a copy of a calendar up to date: by RFC 6578 where the server supports it, else by comparing ETags.
import { DavError } from './errors.ts'
import { type ListedObject, pathOf } from './listing.ts'
import { isSuccess } from './multistatus.ts'
import {
  ask,
  askForObjects,
  type Client,
  empty,
  escapeXml,
  propfind,
  report,
  type Session,
} from './request.ts'
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

const longestToken = 10_000
/** The limits for all responses together: about 15 elements for each of 20,000 objects, parsed in a second. */
const most = { elements: 400_000, characters: 60_000_000 }
const batchSize = 100
/** A limit, because a server that always reports more pages would never end the loop. */
const mostPages = 50

export async function syncCalendar(
  client: Client,
  url: string,
  state: CalendarState,
  options: SyncOptions,
): Promise<Changes> {
  const session = { ...client, budget: { ...most } }
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
    if (isTooLong(marks.token) || isTooLong(marks.tag)) throw new DavError('too-large')
    const read = await multiget(session, url, changed, options.mostBytes)
    return { ...marks, written: read.written, removed: [...removed, ...read.missing] }
  }
}

const isTooLong = (mark: string | null) => mark !== null && mark.length > longestToken

/** Reads the objects at these paths. Those that do not exist are left out. */
export async function readObjects(client: Client, url: string, paths: string[], mostBytes: number) {
  const session = { ...client, budget: { ...most } }
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
    const answer = await askForObjects(session, report(url, '0', 'd:sync-collection', since))
    // Without a new token, the next reading could miss changes.
    if (answer.syncToken === null) throw new DavError('failed')
    const own = pathOf(url, url)
    let isCut = false
    for (const object of answer.objects) {
      const { path, etag } = object
      if (path === own) isCut ||= object.status === 507
      else if (isGone(object)) {
        changed.delete(path)
        removed.add(path)
      } else if (etags.get(path) === undefined || etags.get(path) !== etag) {
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
  const answer = await askForObjects(session, report(url, '1', 'c:calendar-query', allEvents))
  const own = pathOf(url, url)
  const listed = new Map<string, string | undefined>()
  for (const object of answer.objects) {
    // The list is truncated, so an object that is missing from it may still exist.
    if (object.status === 507) throw new DavError('too-large')
    if (!isGone(object) && object.path !== own) listed.set(object.path, object.etag)
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
    const answer = await askForObjects(session, report(url, '1', 'c:calendar-multiget', wanted))
    for (const object of answer.objects) {
      const { path, etag = '', body } = object
      if (!found.has(path)) continue
      bytes += path.length + etag.length + (body?.length ?? 0)
      if (bytes > mostBytes) throw new DavError('too-large')
      if (isGone(object)) found.set(path, null)
      else if (body === undefined) throw new DavError('failed')
      else found.set(path, { path, etag, body })
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
function isGone({ status }: ListedObject) {
  if (status === 404 || status === 410) return true
  if (!isSuccess(status)) throw new DavError('failed')
  return false
}
