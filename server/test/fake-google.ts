import { type Answer, startFakeProvider } from './fake-provider.ts'

type Time = { dateTime?: string; date?: string; timeZone?: string }
export type GoogleEvent = { id: string; start: Time; end: Time } & Record<string, unknown>
type Entry = { event: GoogleEvent; version: number; isDeleted: boolean }

const pageSize = 2

export type FakeGoogle = Awaited<ReturnType<typeof startFakeGoogle>>

/** Google Calendar API v3: `calendarList.list` and `events.list`, with small pages. */
export async function startFakeGoogle() {
  const calendars = new Map<string, Map<string, Entry>>()
  let version = 0
  let oldest = 0

  const provider = await startFakeProvider({ rotatesRefreshToken: false, answerApi })

  function answerApi(url: URL): Answer {
    const path = url.pathname.replace('/api/', '')
    if (path === 'users/me/calendarList') {
      const items = [...calendars.keys()].map((id) => ({
        id,
        summary: `Calendar ${id}`,
        backgroundColor: '#9fe1e7',
      }))
      return { status: 200, body: pageOf(items, url, {}) }
    }
    const [, id = ''] = /^calendars\/([^/]+)\/events$/.exec(path) ?? []
    const entries = calendars.get(decodeURIComponent(id))
    return entries ? listEvents(url, [...entries.values()]) : { status: 404, body: {} }
  }

  function listEvents(url: URL, entries: Entry[]): Answer {
    const query = url.searchParams
    if (query.get('singleEvents') !== 'true') return { status: 501 }
    const token = query.get('syncToken')
    if (token !== null) {
      if (query.has('timeMin') || query.has('timeMax')) return { status: 400, body: {} }
      const since = Number(token)
      if (since < oldest) return { status: 410, body: { error: { code: 410 } } }
      const changed = entries.filter((entry) => entry.version > since).map(shown)
      return { status: 200, body: pageOf(changed, url, { nextSyncToken: String(version) }) }
    }
    const [from, to] = [query.get('timeMin') ?? '', query.get('timeMax') ?? '']
    const within = entries.filter(
      ({ event, isDeleted }) => !isDeleted && timeOf(event.end) > from && timeOf(event.start) < to,
    )
    return {
      status: 200,
      body: pageOf(within.map(shown), url, { nextSyncToken: String(version) }),
    }
  }

  return Object.assign(provider, {
    addCalendar: (id: string) => void calendars.set(id, new Map()),
    put(calendar: string, event: GoogleEvent) {
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

const shown = ({ event, isDeleted }: Entry) =>
  isDeleted ? { id: event.id, status: 'cancelled' } : { status: 'confirmed', ...event }

const timeOf = ({ dateTime, date }: Time) => new Date(dateTime ?? date ?? '').toISOString()

/** One page of the items; the sync token is on the last page only. */
function pageOf(items: unknown[], url: URL, last: object) {
  const from = Number(url.searchParams.get('pageToken') ?? 0)
  const next = from + pageSize
  const isLast = next >= items.length
  return { items: items.slice(from, next), ...(isLast ? last : { nextPageToken: String(next) }) }
}
