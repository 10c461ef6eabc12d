import {
  NewSchedulePreference,
  PathId,
  SchedulePreference,
  SchedulePreferenceChanges,
  Success,
} from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import {
  createSchedulePreference,
  deleteSchedulePreference,
  listSchedulePreferences,
  updateSchedulePreference,
} from './schedule-preferences.queries.ts'

export const schedulePreferenceRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/schedule-preferences',
    {
      schema: {
        operationId: 'listSchedulePreferences',
        summary: 'My schedule preferences, highest priority first',
        response: { 200: z.array(SchedulePreference) },
      },
    },
    (request) => listSchedulePreferences(request.db, request.userId),
  )

  write(app).post(
    '/api/schedule-preferences',
    {
      schema: {
        operationId: 'createSchedulePreference',
        summary: 'Create a set of weekly windows in which work may be planned',
        body: NewSchedulePreference,
        response: { 201: SchedulePreference, ...errors(400) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createSchedulePreference(request.db, request.userId, request.body)
    },
  )

  write(app).patch(
    '/api/schedule-preferences/:id',
    {
      schema: {
        operationId: 'updateSchedulePreference',
        summary: 'Change a schedule preference; the body must have at least one field',
        params: PathId,
        body: SchedulePreferenceChanges,
        response: { 200: SchedulePreference, ...errors(400, 404) },
      },
    },
    (request) =>
      updateSchedulePreference(request.db, request.userId, request.params.id, request.body),
  )

  retry(app).delete(
    '/api/schedule-preferences/:id',
    {
      schema: {
        operationId: 'deleteSchedulePreference',
        summary: 'Delete a schedule preference; its tasks fall back to the next windows that apply',
        params: PathId,
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      await deleteSchedulePreference(request.db, request.userId, request.params.id)
      return success
    },
  )
}
