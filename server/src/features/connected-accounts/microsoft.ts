// Microsoft Graph v1.0. `calendarView/delta` expands series: an occurrence has only its times, the series the rest.
import { z } from 'zod'
import type { WrittenEvent } from '@daywright/ical'
import {
  type Ask,
  changesOf,
  EventId,
  objectOf,
  type Provider,
  ProviderError,
  readPages,
  type SyncState,
  type SyncWindow,
  understand,
} from './provider.ts'

const prefer = { prefer: 'odata.maxpagesize=200, outlook.timezone="UTC"' }
const longAgo = '1970-01-01T00:00:00.000Z'

const Link = z.string().optional()

const CalendarList = z.object({
  value: z.array(
    z.object({
      id: z.string(),
      name: z.string().catch(''),
      hexColor: z
        .string()
        .regex(/^#[\da-f]{6}$/i)
        .optional()
        .catch(undefined),
    }),
  ),
  '@odata.nextLink': Link,
})

/** A time in UTC, as we request it, but without a `Z` or an offset. */
const Time = z.object({ dateTime: z.iso.datetime({ local: true }) })
const Instant = z.iso.datetime({ offset: true }).nullish().catch(undefined)

const details = {
  subject: z.string().nullish(),
  location: z.object({ displayName: z.string().nullish() }).nullish(),
  isAllDay: z.boolean().nullish(),
  isCancelled: z.boolean().nullish(),
  showAs: z.string().nullish(),
  sensitivity: z.string().nullish(),
  responseStatus: z.object({ response: z.string().nullish() }).nullish(),
  createdDateTime: Instant,
  lastModifiedDateTime: Instant,
}

const Event = z.object({
  id: EventId,
  type: z.string().nullish(),
  seriesMasterId: z.string().nullish(),
  start: Time,
  end: Time,
  ...details,
})
const Removed = z.object({ id: z.string(), '@removed': z.object({}) })
const Series = z.object({ id: z.string(), ...details })

const Delta = z.object({
  value: z.array(z.union([Removed, Event])),
  '@odata.nextLink': Link,
  '@odata.deltaLink': Link,
})

type Event = z.infer<typeof Event>
type Series = z.infer<typeof Series>

export function microsoftProvider(api: string): Provider {
  const isCalendarUrl = (url: string) =>
    url.startsWith(`${api}/me/calendars/`) && URL.parse(url)?.href === url
  return { isCalendarUrl, listCalendars, syncEvents }

  async function listCalendars(ask: Ask) {
    const pages = await readPages(
      async (next = `${api}/me/calendars?$top=100&$select=id,name,hexColor`) =>
        understand(CalendarList, await ask(requireOwnOrigin(next))),
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

  async function syncEvents(ask: Ask, url: string, state: SyncState, window: SyncWindow) {
    if (!isCalendarUrl(url)) throw new ProviderError('failed')
    const { token } = state
    if (token !== null) {
      try {
        return await readEvents(ask, token, state, { ...window, isWhole: false })
      } catch (error) {
        // The server no longer knows the token: everything is read again.
        if (!(error instanceof ProviderError) || error.status !== 410) throw error
      }
    }
    const span = new URLSearchParams({
      startDateTime: window.from.toISOString(),
      endDateTime: window.to.toISOString(),
    })
    return readEvents(ask, `${url}?${span.toString()}`, state, { ...window, isWhole: true })
  }

  async function readEvents(
    ask: Ask,
    first: string,
    state: SyncState,
    { mostEvents, isWhole }: SyncWindow & { isWhole: boolean },
  ) {
    let count = 0
    const pages = await readPages(
      async (next = first) => {
        const page = understand(Delta, await ask(requireOwnOrigin(next), prefer))
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
    const objects: ReturnType<typeof objectOf>[] = []
    for (const event of found) {
      if (event.type === 'seriesMaster') continue
      const whole = await withDetails(event)
      if (whole.isCancelled) gone.push(event.id)
      else objects.push(objectOf(eventOf(whole)))
    }
    const token = pages.at(-1)?.['@odata.deltaLink'] ?? null
    return changesOf(objects, gone, state, { token, isWhole })

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
      return understand(Series, await ask(url, prefer))
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
