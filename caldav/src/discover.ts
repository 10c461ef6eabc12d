// Finds the calendars of an account from an address that the user knows (RFC 6764 and RFC 4791).
import { DavError } from './errors.ts'
import { isSuccess, type Resource } from './multistatus.ts'
import { type Answer, ask, type Client, propfind, type Session } from './request.ts'
import { resolveHref } from './same-site.ts'
import { childOf, childrenOf, type Element, textOf } from './xml.ts'

export type FoundCalendar = {
  url: string
  name: string
  /** `#RRGGBB`; null if the server has none. */
  color: string | null
  mayWrite: boolean
}

const collectionProperties = [
  'd:resourcetype',
  'd:displayname',
  'a:calendar-color',
  'c:supported-calendar-component-set',
  'd:current-user-privilege-set',
]
const principalProperties = ['d:current-user-principal', 'c:calendar-home-set', 'd:resourcetype']

/** The limits for all responses together; a calendar has about 30 elements. */
const most = { elements: 10_000, characters: 5_000_000 }

export type Discovered = {
  /** The calendars that may contain events, in the order of the server. */
  calendars: FoundCalendar[]
  /** The collection in which calendars can be created; null if it is not known. */
  home: string | null
}

export async function discoverCalendars(client: Client, address: string): Promise<Discovered> {
  const session = { ...client, budget: { ...most } }
  const { home, self } = await findHome(session, address)
  if (!home) {
    if (self) return { calendars: [self], home: null }
    throw new DavError('not-found')
  }
  const listed = await ask(session, propfind(home, '1', collectionProperties))
  const found = listed.resources.flatMap((each) => calendarOf(each, listed.url) ?? [])
  const calendars = [...new Map(found.map((calendar) => [calendar.url, calendar])).values()]
  return { calendars, home: listed.url }
}

/** Finds the collection that holds the calendars, and the calendar at the address itself if there is one. */
async function findHome(session: Session, address: string) {
  let failure: unknown
  for (const candidate of candidatesOf(address)) {
    try {
      const answer = await ask(session, propfind(candidate, '0', principalProperties))
      const home = homeOf(answer) ?? (await homeOfPrincipal(session, answer))
      const self = answer.resources.flatMap((each) => calendarOf(each, answer.url) ?? [])[0]
      if (home || self) return { home, self }
    } catch (error) {
      // With a wrong password no other address helps, and some servers lock the account.
      if (!(error instanceof DavError) || error.reason === 'unauthorized') throw error
      failure ??= error
    }
  }
  throw failure ?? new DavError('not-found')
}

/** The addresses to try: the given one and the well-known one, which comes first if only a host is given. */
function candidatesOf(address: string) {
  const url = new URL(address)
  const wellKnown = new URL('/.well-known/caldav', url).href
  const isHost = url.pathname === '/'
  return isHost ? [wellKnown, url.href] : [url.href, wellKnown]
}

const homeOf = (answer: Answer) =>
  hrefIn(answer, '{urn:ietf:params:xml:ns:caldav}calendar-home-set')

async function homeOfPrincipal(session: Session, answer: Answer) {
  const principal = hrefIn(answer, '{DAV:}current-user-principal')
  if (!principal) return undefined
  return homeOf(await ask(session, propfind(principal, '0', ['c:calendar-home-set'])))
}

function hrefIn({ resources, url }: Answer, property: string) {
  for (const { properties } of resources) {
    const href = textOf(childOf(properties.get(property), '{DAV:}href'))
    if (href) return resolveHref(href, url)
  }
  return undefined
}

const caldav = '{urn:ietf:params:xml:ns:caldav}'

function calendarOf(
  { href, status, properties }: Resource,
  base: string,
): FoundCalendar | undefined {
  const isCalendar = childOf(properties.get('{DAV:}resourcetype'), `${caldav}calendar`)
  if (!isCalendar || !isSuccess(status) || !mayHaveEvents(properties)) return undefined
  return {
    url: resolveHref(href, base),
    name: textOf(properties.get('{DAV:}displayname')),
    color: colorOf(properties.get('{http://apple.com/ns/ical/}calendar-color')),
    mayWrite: mayWrite(properties.get('{DAV:}current-user-privilege-set')),
  }
}

/** Whether a collection is not just for tasks or journals. If the server does not say, it may have events. */
function mayHaveEvents(properties: Resource['properties']) {
  const components = childrenOf(
    properties.get(`${caldav}supported-calendar-component-set`),
    `${caldav}comp`,
  )
  return (
    components.length === 0 ||
    components.some(({ attributes }) => attributes.get('name')?.toUpperCase() === 'VEVENT')
  )
}

/** Drops the alpha channel, because Apple writes `#RRGGBBAA`. */
const colorOf = (element: Element | undefined) =>
  /^#[\da-f]{6}/i.exec(textOf(element))?.[0].toUpperCase() ?? null

const writing = ['{DAV:}all', '{DAV:}write', '{DAV:}write-content', '{DAV:}bind']

/** Whether the user may write. True if the server does not say. */
const mayWrite = (privileges: Element | undefined) =>
  !privileges ||
  childrenOf(privileges, '{DAV:}privilege').some(({ children }) =>
    children.some(({ name }) => writing.includes(name)),
  )
