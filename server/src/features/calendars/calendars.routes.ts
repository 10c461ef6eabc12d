import {
  Calendar,
  CalendarAccount,
  CalendarAddress,
  CalendarChanges,
  CalendarEvent,
  CalendarPreview,
  FoundCalendars,
  NewCalendar,
  PathId,
  Success,
  TimeBlockRange,
} from '@daywright/contract'
import { z } from 'zod'
import type { Cipher } from '../../platform/auth/encryption.ts'
import { invalid } from '../../platform/errors.ts'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { createRunQueue } from '../../platform/http/run-queue.ts'
import { queueIn, retry } from '../../platform/http/wrap-handler.ts'
import type { OutboundAddresses } from '../../platform/outbound/outbound-addresses.ts'
import type { Providers } from '../connected-accounts/providers.ts'
import { readRange } from '../time-blocks/read-range.ts'
import {
  createCalendar,
  deleteCalendar,
  fetchedUrl,
  findCalendar,
  listCalendarEvents,
  listCalendars,
  requestFetch,
  updateCalendar,
} from './calendars.queries.ts'
import { discover } from './discover.ts'
import { type Previewing, previewCalendar } from './preview-calendar.ts'

export const previewsAtOnce = 40
/** A preview counts as slow after this time. A quarter of them may be slow. */
export const slowPreviewMs = 2000
const previewLimits = { atOnce: previewsAtOnce, waitingPerUser: 2, waitingInAll: 100 }

export const calendarRoutes =
  (
    addresses: OutboundAddresses,
    seal: Cipher,
    previewing: Previewing,
    providers: Providers,
  ): Routes =>
  async (app, { now, write, writeInOwnTransaction }) => {
    // Not in the queue of planner runs: slow calendar servers must not delay the runs of other users.
    const queue = queueIn(createRunQueue(previewLimits))
    /** Refuses a forbidden URL. The address that its host name resolves to is checked only when it is fetched. */
    function requireAllowed(url: string) {
      const refusal = addresses.refusalOf(new URL(fetchedUrl(url)))
      if (refusal !== undefined) throw invalid({ url: [refusal] })
    }

    /** Requires a URL of a provider, since the access token of the account is sent there. */
    function requireProviders(url: string) {
      const isKnown = Object.values(providers).some(({ isCalendarUrl }) => isCalendarUrl(url))
      if (!isKnown) throw invalid({ url: ['Must be that of a calendar of a connected account'] })
    }

    app.get(
      '/api/calendars',
      {
        schema: {
          operationId: 'listCalendars',
          summary: 'The calendars that I subscribe to, and when each was last fetched',
          response: { 200: z.array(Calendar) },
        },
      },
      (request) => listCalendars(request.db, request.userId),
    )

    // No connection is held while the file is fetched and read.
    writeInOwnTransaction(queue(app)).post(
      '/api/calendars/preview',
      {
        schema: {
          operationId: 'previewCalendar',
          summary: 'Preview the calendar at an address; nothing is stored',
          body: CalendarAddress,
          response: { 200: CalendarPreview, ...errors(400, 422) },
        },
      },
      async ({ db, userId, body }) => {
        requireAllowed(body.url)
        const preview = await previewCalendar(previewing, db, userId, body.url)
        return db.transaction(async () => preview)
      },
    )

    // No connection is held while the server is asked.
    writeInOwnTransaction(queue(app)).post(
      '/api/calendars/discover',
      {
        schema: {
          operationId: 'discoverCalendars',
          summary: 'The calendars of an account at a CalDAV server; nothing is stored',
          body: CalendarAccount,
          response: { 200: FoundCalendars, ...errors(400, 422) },
        },
      },
      async ({ db, userId, body }) => {
        requireAllowed(body.url)
        const account = { ...body, url: fetchedUrl(body.url) }
        const found = await discover(previewing, userId, account)
        return db.transaction(async () => found)
      },
    )

    write(app).post(
      '/api/calendars',
      {
        config: { security: 'calendar-created' },
        schema: {
          operationId: 'createCalendar',
          summary: 'Subscribe to the calendar at this address; it is fetched within seconds',
          body: NewCalendar,
          response: { 201: Calendar, ...errors(400, 409) },
        },
      },
      async (request, reply) => {
        const { url, accountId } = request.body
        const { keyId } = request.caller
        request.security = { keyId }
        if (accountId === undefined) requireAllowed(url)
        else requireProviders(url)
        reply.code(201)
        const made = await createCalendar(request.db, request.userId, request.body, seal, now())
        request.security = { keyId, calendarId: (JSON.parse(made) as Calendar).id }
        return made
      },
    )

    app.get(
      '/api/calendars/:id',
      {
        schema: {
          operationId: 'findCalendar',
          summary: 'A calendar',
          params: PathId,
          response: { 200: Calendar, ...errors(404) },
        },
      },
      (request) => findCalendar(request.db, request.userId, request.params.id),
    )

    write(app).patch(
      '/api/calendars/:id',
      {
        config: { security: ({ security }) => (security ? 'calendar-moved' : undefined) },
        schema: {
          operationId: 'updateCalendar',
          summary: 'Change a calendar, or which of its events the planner plans around',
          params: PathId,
          body: CalendarChanges,
          response: { 200: Calendar, ...errors(400, 404) },
        },
      },
      (request) => {
        const { params, body } = request
        if (body.url !== undefined) {
          request.security = { keyId: request.caller.keyId, calendarId: params.id }
          requireAllowed(body.url)
        }
        return updateCalendar(request.db, request.userId, params.id, body, seal, now())
      },
    )

    retry(app).delete(
      '/api/calendars/:id',
      {
        schema: {
          operationId: 'deleteCalendar',
          summary: 'Unsubscribe from a calendar and delete its events; this cannot be reverted',
          params: PathId,
          response: { 200: Success, ...errors(404) },
        },
      },
      async (request) => {
        await deleteCalendar(request.db, request.userId, request.params.id)
        return success
      },
    )

    write(app).post(
      '/api/calendars/:id/refresh',
      {
        schema: {
          operationId: 'refreshCalendar',
          summary: 'Fetch a calendar again within seconds, at most once every 30 seconds',
          params: PathId,
          response: { 200: Calendar, ...errors(404) },
        },
      },
      (request) => requestFetch(request.db, request.userId, request.params.id, now()),
    )

    app.get(
      '/api/calendar-events',
      {
        schema: {
          operationId: 'listCalendarEvents',
          summary: 'The events of my calendars that overlap the range, by start time',
          querystring: TimeBlockRange.omit({ progress: true }),
          response: { 200: z.array(CalendarEvent), ...errors(400) },
        },
      },
      (request) => listCalendarEvents(request.db, request.userId, readRange(request.query, now())),
    )
  }
