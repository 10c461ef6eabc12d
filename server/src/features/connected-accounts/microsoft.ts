// Microsoft Graph v1.0. `calendarView/delta` expands series: an occurrence has only its times, the series the rest.
import type { z } from 'zod'
import type { WrittenEvent } from '@daywright/ical'
import {
  details,
  type Event as EventAnswer,
  type Series as SeriesAnswer,
} from './microsoft-answers.ts'
import {
  type Ask,
  type Asking,
  changesOf,
  type Provider,
  ProviderError,
  readPages,
  type SyncState,
  type SyncWindow,
} from './provider.ts'

const prefer = { prefer: 'odata.maxpagesize=200, outlook.timezone="UTC"' }
const longAgo = '1970-01-01T00:00:00.000Z'

type Event = z.infer<typeof EventAnswer>
type Series = z.infer<typeof SeriesAnswer>

export function microsoftProvider(api: string): Provider {
  const isCalendarUrl = (url: string) =>
    url.startsWith(`${api}/me/calendars/`) && URL.parse(url)?.href === url
  return { isCalendarUrl, listCalendars, syncEvents }

  async function listCalendars(ask: Ask) {
    const pages = await readPages(
      (next = `${api}/me/calendars?$top=100&$select=id,name,hexColor`) =>
        ask('microsoft-calendars', requireOwnOrigin(next)),
      (page) => page['@odata.nextLink'],
    )
    return pages.flatMap(({ value }) =>
      value.map(({ id, name, hexColor }) => ({
        url: `${api}/me/calendars/${encodeURIComponent(id)}/calendarView/delta`,
        name,
        color: hexColor?.toUpperCase() ?? null,
      })),
    )
  }

  async function syncEvents(asking: Asking, url: string, state: SyncState, window: SyncWindow) {
    if (!isCalendarUrl(url)) throw new ProviderError('failed')
    const { token } = state
    if (token !== null) {
      try {
        return await readEvents(asking, token, state, { ...window, isWhole: false })
      } catch (error) {
        // The server no longer knows the token: everything is read again.
        if (!(error instanceof ProviderError) || error.status !== 410) throw error
      }
    }
    const span = new URLSearchParams({
      startDateTime: window.from.toISOString(),
      endDateTime: window.to.toISOString(),
    })
    return readEvents(asking, `${url}?${span.toString()}`, state, { ...window, isWhole: true })
  }

  async function readEvents(
    { ask, writeObjects }: Asking,
    first: string,
    state: SyncState,
    { mostEvents, isWhole }: SyncWindow & { isWhole: boolean },
  ) {
    let count = 0
    const pages = await readPages(
      async (next = first) => {
        const page = await ask('microsoft-events', requireOwnOrigin(next), prefer)
        count += page.value.length
        if (count > mostEvents) throw new ProviderError('too-large')
        return page
      },
      (page) => page['@odata.nextLink'],
    )
    const items = pages.flatMap(({ value }) => value)
    const found = items.flatMap((item) => ('start' in item ? [item] : []))
    const series = new Map<string, Series>(
      found.filter(({ type }) => type === 'seriesMaster').map((each) => [each.id, each]),
    )
    const gone = items.flatMap((item) => ('@removed' in item ? [item.id] : []))
    const events: WrittenEvent[] = []
    for (const event of found) {
      if (event.type === 'seriesMaster') continue
      const whole = await withDetails(event)
      if (whole.isCancelled) gone.push(event.id)
      else events.push(eventOf(whole))
    }
    const token = pages.at(-1)?.['@odata.deltaLink'] ?? null
    return changesOf(await writeObjects(events), gone, state, { token, isWhole })

    /** Completes an occurrence, which has only its times, from its series. An exception of a series is complete. */
    async function withDetails(event: Event): Promise<Event> {
      const { seriesMasterId: id } = event
      if (event.type !== 'occurrence' || !id) return event
      const known = series.get(id) ?? (await readSeries(id))
      series.set(id, known)
      const { id: _, ...rest } = known
      return { ...rest, ...withoutEmpty(event) }
    }

    async function readSeries(id: string) {
      const url = `${api}/me/events/${encodeURIComponent(id)}?$select=${Object.keys(details).join(',')}`
      return ask('microsoft-series', url, prefer)
    }
  }

  /** Refuses a link to another origin, because the access token would be sent there. */
  function requireOwnOrigin(link: string) {
    const url = URL.parse(link)
    if (url?.origin !== new URL(api).origin) throw new ProviderError('failed')
    return url.href
  }
}

const withoutEmpty = (event: Event) =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value != null)) as Event

const free = new Set(['free', 'workingElsewhere'])
const uncertain = new Set(['tentativelyAccepted', 'notResponded'])

function eventOf(event: Event): WrittenEvent {
  const { showAs, sensitivity, location } = event
  const answer = event.responseStatus?.response ?? ''
  const times = { startAt: `${event.start.dateTime}Z`, endAt: `${event.end.dateTime}Z` }
  return {
    uid: event.id,
    title: event.subject ?? '',
    ...(event.isAllDay
      ? { startAt: times.startAt.slice(0, 10), endAt: times.endAt.slice(0, 10), isAllDay: true }
      : times),
    createdAt: event.createdDateTime ?? longAgo,
    updatedAt: event.lastModifiedDateTime ?? longAgo,
    ...(location?.displayName && { location: location.displayName }),
    isTentative: showAs === 'tentative' || uncertain.has(answer),
    isFree: free.has(showAs ?? '') || answer === 'declined',
    isPrivate: sensitivity === 'private' || sensitivity === 'confidential',
  }
}
