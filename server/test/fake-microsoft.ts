import { type Answer, startFakeProvider } from './fake-provider.ts'

type Time = { dateTime: string; timeZone: string }
export type MicrosoftEvent = {
  id: string
  type?: 'singleInstance' | 'occurrence' | 'exception' | 'seriesMaster'
  seriesMasterId?: string
  start: Time
  end: Time
} & Record<string, unknown>
type Entry = { event: MicrosoftEvent; version: number; isDeleted: boolean }

const pageSize = 2

/** Microsoft Graph v1.0: the calendars of a user, and `calendarView/delta`, with small pages. */
export async function startFakeMicrosoft() {
  const calendars = new Map<string, Map<string, Entry>>()
  let version = 0
  let oldest = 0

  const provider = await startFakeProvider({ rotatesRefreshToken: true, answerApi })

  function answerApi(url: URL, origin: string): Answer {
    const path = url.pathname.replace('/api/', '')
    if (path === 'me/calendars') {
      const value = [...calendars.keys()].map((id) => ({
        id,
        name: `Calendar ${id}`,
        hexColor: '#a6d1f5',
      }))
      return { status: 200, body: pageOf(value, url, origin, {}) }
    }
    const [, eventId] = /^me\/events\/([^/]+)$/.exec(path) ?? []
    if (eventId !== undefined) return readEvent(decodeURIComponent(eventId))
    const [, id = ''] = /^me\/calendars\/([^/]+)\/calendarView\/delta$/.exec(path) ?? []
    const entries = calendars.get(decodeURIComponent(id))
    return entries ? listChanges(url, origin, [...entries.values()]) : { status: 404, body: {} }
  }

  function readEvent(id: string): Answer {
    for (const entries of calendars.values()) {
      const entry = entries.get(id)
      if (entry) return { status: 200, body: entry.event }
    }
    return { status: 404, body: {} }
  }

  function listChanges(url: URL, origin: string, entries: Entry[]): Answer {
    const query = url.searchParams
    const since = query.get('$deltatoken')
    const link = new URL(url.pathname, origin)
    link.searchParams.set('$deltatoken', String(version))
    const last = { '@odata.deltaLink': link.href }
    if (since !== null) {
      if (Number(since) < oldest) {
        return { status: 410, body: { error: { code: 'SyncStateNotFound' } } }
      }
      const changed = entries.filter((entry) => entry.version > Number(since)).map(shown)
      return { status: 200, body: pageOf(changed, url, origin, last) }
    }
    const [from, to] = [query.get('startDateTime') ?? '', query.get('endDateTime') ?? '']
    if (from === '' || to === '') return { status: 400, body: {} }
    const within = entries.filter(
      ({ event, isDeleted }) =>
        !isDeleted && `${event.end.dateTime}Z` > from && `${event.start.dateTime}Z` < to,
    )
    return { status: 200, body: pageOf(within.map(shown), url, origin, last) }
  }

  return Object.assign(provider, {
    addCalendar: (id: string) => void calendars.set(id, new Map()),
    put(calendar: string, event: MicrosoftEvent) {
      version += 1
      calendars.get(calendar)?.set(event.id, { event, version, isDeleted: false })
    },
    remove(calendar: string, id: string) {
      version += 1
      const entry = calendars.get(calendar)?.get(id)
      if (entry) Object.assign(entry, { version, isDeleted: true })
    },
    /** Tokens up to now are answered 410, and deleted events are forgotten. */
    forgetTokens() {
      version += 1
      oldest = version
      for (const entries of calendars.values()) {
        for (const [id, { isDeleted }] of entries) if (isDeleted) entries.delete(id)
      }
    },
  })
}

/** An event as it is listed; of an occurrence, only the series and the times. */
function shown({ event, isDeleted }: Entry) {
  const { id, type, seriesMasterId, start, end } = event
  if (isDeleted) return { id, '@removed': { reason: 'deleted' } }
  return type === 'occurrence' ? { id, type, seriesMasterId, start, end } : event
}

/** One page of the items; the link to the next page repeats the query. */
function pageOf(value: unknown[], url: URL, origin: string, last: object) {
  const from = Number(url.searchParams.get('$skiptoken') ?? 0)
  const next = from + pageSize
  if (next >= value.length) return { value: value.slice(from), ...last }
  const link = new URL(url.pathname + url.search, origin)
  link.searchParams.set('$skiptoken', String(next))
  return { value: value.slice(from, next), '@odata.nextLink': link.href }
}
