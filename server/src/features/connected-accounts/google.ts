// Google Calendar API v3. Google expands series itself: every occurrence is an event with an id of its own.
import type { z } from 'zod'
import type { WrittenEvent } from '@daywright/ical'
import type { Event, Time } from './google-answers.ts'
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

export function googleProvider(api: string): Provider {
  const isCalendarUrl = (url: string) =>
    url.startsWith(`${api}/calendars/`) && URL.parse(url)?.href === url
  return { isCalendarUrl, listCalendars, syncEvents }

  async function listCalendars(ask: Ask) {
    const listUrl = (pageToken: string | undefined) =>
      urlOf(`${api}/users/me/calendarList`, { maxResults: '250', pageToken })
    const found = await readPages(
      (pageToken) => ask('google-calendars', listUrl(pageToken)),
      ({ nextPageToken }) => nextPageToken,
    )
    return found.flatMap(({ items }) =>
      items.map(({ id, summary, summaryOverride, backgroundColor }) => ({
        url: `${api}/calendars/${encodeURIComponent(id)}/events`,
        name: summaryOverride ?? summary,
        color: backgroundColor?.toUpperCase() ?? null,
      })),
    )
  }

  async function syncEvents(asking: Asking, url: string, state: SyncState, window: SyncWindow) {
    if (!isCalendarUrl(url)) throw new ProviderError('failed')
    const { token } = state
    if (token !== null) {
      try {
        return await readEvents(asking, url, state, { syncToken: token }, window)
      } catch (error) {
        // The token is too old: everything is read again.
        if (!(error instanceof ProviderError) || error.status !== 410) throw error
      }
    }
    const span = { timeMin: window.from.toISOString(), timeMax: window.to.toISOString() }
    return readEvents(asking, url, state, span, window)
  }
}

async function readEvents(
  { ask, writeObjects }: Asking,
  url: string,
  state: SyncState,
  query: Record<string, string>,
  { mostEvents }: SyncWindow,
) {
  let count = 0
  const pages = await readPages(
    async (pageToken) => {
      const asked = { singleEvents: 'true', maxResults: '2500', ...query, pageToken }
      const page = await ask('google-events', urlOf(url, asked))
      count += page.items.length
      if (count > mostEvents) throw new ProviderError('too-large')
      return page
    },
    ({ nextPageToken }) => nextPageToken,
  )
  const items = pages.flatMap((page) => page.items)
  const gone = items.flatMap((item) => (item.status === 'cancelled' ? [item.id] : []))
  const events = items.flatMap((item) => (item.status === 'cancelled' ? [] : [eventOf(item)]))
  const token = pages.at(-1)?.nextSyncToken ?? null
  return changesOf(await writeObjects(events), gone, state, {
    token,
    isWhole: query.syncToken === undefined,
  })
}

/** Types of events that never block time: they say where the user works, or whose birthday it is. */
const neverBusy = new Set(['workingLocation', 'birthday'])
const longAgo = '1970-01-01T00:00:00.000Z'

function eventOf(event: z.infer<typeof Event>): WrittenEvent {
  const { start, end, status, transparency, eventType, visibility } = event
  const answer = event.attendees.find(({ self }) => self)?.responseStatus
  return {
    uid: event.id,
    title: event.summary,
    ...('date' in start && 'date' in end
      ? { startAt: start.date, endAt: end.date, isAllDay: true }
      : { startAt: instantOf(start), endAt: instantOf(end) }),
    createdAt: event.created ?? longAgo,
    updatedAt: event.updated ?? longAgo,
    ...(event.location && { location: event.location }),
    isTentative: status === 'tentative' || answer === 'tentative' || answer === 'needsAction',
    isFree: transparency === 'transparent' || answer === 'declined' || neverBusy.has(eventType),
    isPrivate: visibility === 'private' || visibility === 'confidential',
  }
}

const instantOf = (time: z.infer<typeof Time>) =>
  new Date('dateTime' in time ? time.dateTime : time.date).toISOString()

function urlOf(base: string, query: Record<string, string | undefined>) {
  const url = new URL(base)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}
