// Google Calendar API v3. Google expands series itself: every occurrence is an event with an id of its own.
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

const Color = z
  .string()
  .regex(/^#[\da-f]{6}$/i)
  .optional()
  .catch(undefined)

const CalendarList = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        summary: z.string().catch(''),
        summaryOverride: z.string().optional(),
        backgroundColor: Color,
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
})

const Time = z.union([
  z.object({ dateTime: z.iso.datetime({ offset: true }) }),
  z.object({ date: z.iso.date() }),
])

const Event = z.object({
  id: EventId,
  status: z.enum(['confirmed', 'tentative']).catch('confirmed'),
  eventType: z.string().default('default'),
  summary: z.string().default(''),
  location: z.string().optional(),
  start: Time,
  end: Time,
  created: z.iso.datetime({ offset: true }).optional().catch(undefined),
  updated: z.iso.datetime({ offset: true }).optional().catch(undefined),
  transparency: z.string().optional(),
  visibility: z.string().optional(),
  attendees: z
    .array(z.object({ self: z.boolean().optional(), responseStatus: z.string().optional() }))
    .default([]),
})

/** A deleted event may have nothing but its id. */
const Listed = z.union([z.object({ id: z.string(), status: z.literal('cancelled') }), Event])

const EventList = z.object({
  items: z.array(Listed).default([]),
  nextPageToken: z.string().optional(),
  nextSyncToken: z.string().optional(),
})

export function googleProvider(api: string): Provider {
  const isCalendarUrl = (url: string) =>
    url.startsWith(`${api}/calendars/`) && URL.parse(url)?.href === url
  return { isCalendarUrl, listCalendars, syncEvents }

  async function listCalendars(ask: Ask) {
    const listUrl = (pageToken: string | undefined) =>
      urlOf(`${api}/users/me/calendarList`, { maxResults: '250', pageToken })
    const found = await readPages(
      async (pageToken) => understand(CalendarList, await ask(listUrl(pageToken))),
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

  async function syncEvents(ask: Ask, url: string, state: SyncState, window: SyncWindow) {
    if (!isCalendarUrl(url)) throw new ProviderError('failed')
    const { token } = state
    if (token !== null) {
      try {
        return await readEvents(ask, url, state, { syncToken: token }, window)
      } catch (error) {
        // The token is too old: everything is read again.
        if (!(error instanceof ProviderError) || error.status !== 410) throw error
      }
    }
    const span = { timeMin: window.from.toISOString(), timeMax: window.to.toISOString() }
    return readEvents(ask, url, state, span, window)
  }
}

async function readEvents(
  ask: Ask,
  url: string,
  state: SyncState,
  query: Record<string, string>,
  { mostEvents }: SyncWindow,
) {
  let count = 0
  const pages = await readPages(
    async (pageToken) => {
      const asked = { singleEvents: 'true', maxResults: '2500', ...query, pageToken }
      const page = understand(EventList, await ask(urlOf(url, asked)))
      count += page.items.length
      if (count > mostEvents) throw new ProviderError('too-large')
      return page
    },
    ({ nextPageToken }) => nextPageToken,
  )
  const items = pages.flatMap((page) => page.items)
  const gone = items.flatMap((item) => (item.status === 'cancelled' ? [item.id] : []))
  const events = items.flatMap((item) =>
    item.status === 'cancelled' ? [] : [objectOf(eventOf(item))],
  )
  const token = pages.at(-1)?.nextSyncToken ?? null
  return changesOf(events, gone, state, { token, isWhole: query.syncToken === undefined })
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
