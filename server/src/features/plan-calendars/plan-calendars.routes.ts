import {
  NewPlanCalendar,
  PathId,
  PlanCalendar,
  PlanCalendarChanges,
  PlanCalendarRemoval,
  Success,
} from '@daywright/contract'
import { z } from 'zod'
import type { Cipher } from '../../platform/auth/encryption.ts'
import { invalid } from '../../platform/errors.ts'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import type { OutboundAddresses } from '../../platform/outbound/outbound-addresses.ts'
import { fetchedUrl } from '../calendars/calendars.queries.ts'
import {
  createPlanCalendar,
  deletePlanCalendar,
  listPlanCalendars,
  updatePlanCalendar,
} from './plan-calendars.queries.ts'

// Requires a session: the plan is published as long as the calendar exists, which may outlast an API key.
const config = { sessionOnly: true }

export const planCalendarRoutes =
  (addresses: OutboundAddresses, seal: Cipher): Routes =>
  async (app, { now, write }) => {
    app.get(
      '/api/plan-calendars',
      {
        config,
        schema: {
          operationId: 'listPlanCalendars',
          summary: 'The calendars that are kept up to date with my plan',
          response: { 200: z.array(PlanCalendar) },
        },
      },
      (request) => listPlanCalendars(request.db, request.userId),
    )

    write(app).post(
      '/api/plan-calendars',
      {
        config: { ...config, security: 'plan-calendar-created' },
        schema: {
          operationId: 'createPlanCalendar',
          summary: 'Keep a calendar at a CalDAV server up to date with my plan',
          body: NewPlanCalendar,
          response: { 201: PlanCalendar, ...errors(400, 409) },
        },
      },
      async (request, reply) => {
        const refusal = addresses.refusalOf(new URL(fetchedUrl(request.body.url)))
        if (refusal !== undefined) throw invalid({ url: [refusal] })
        reply.code(201)
        return createPlanCalendar(request.db, request.userId, request.body, seal)
      },
    )

    write(app).patch(
      '/api/plan-calendars/:id',
      {
        config,
        schema: {
          operationId: 'updatePlanCalendar',
          summary: 'Change a plan calendar: its name, what it shows, its password or `twoWay`',
          params: PathId,
          body: PlanCalendarChanges,
          response: { 200: PlanCalendar, ...errors(400, 404) },
        },
      },
      (request) => {
        const { db, userId, params, body } = request
        return updatePlanCalendar(db, userId, params.id, body, seal, now())
      },
    )

    retry(app).delete(
      '/api/plan-calendars/:id',
      {
        config: { ...config, security: 'plan-calendar-deleted' },
        schema: {
          operationId: 'deletePlanCalendar',
          summary: 'Stop updating a calendar with my plan; `events=remove` also deletes its events',
          params: PathId,
          querystring: PlanCalendarRemoval,
          response: { 200: Success, ...errors(404) },
        },
      },
      async (request) => {
        const { db, userId, params, query } = request
        const isRemoving = query.events === 'remove'
        await deletePlanCalendar(db, userId, params.id, { isRemoving, seal, now: now() })
        return success
      },
    )
  }
