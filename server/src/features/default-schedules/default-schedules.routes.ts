import {
  DefaultSchedule,
  DefaultScheduleChanges,
  DefaultSchedules,
  PathId,
} from '@daywright/contract'
import { errors, type Routes } from '../../platform/http/routes.ts'
import {
  listDefaultSchedules,
  setDefaultScheduleOfProject,
  setDefaultScheduleOfSpace,
} from './default-schedules.queries.ts'

export const defaultScheduleRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/default-schedules',
    {
      schema: {
        operationId: 'listDefaultSchedules',
        summary:
          'The default schedules of my spaces and projects; that of my account is in the settings',
        response: { 200: DefaultSchedules },
      },
    },
    (request) => listDefaultSchedules(request.db, request.userId),
  )

  write(app).put(
    '/api/spaces/:id/default-schedule',
    {
      schema: {
        operationId: 'setDefaultScheduleOfSpace',
        summary: 'Set or clear the default schedule of a space',
        params: PathId,
        body: DefaultScheduleChanges,
        response: { 200: DefaultSchedule, ...errors(400, 404) },
      },
    },
    (request) =>
      setDefaultScheduleOfSpace(request.db, request.userId, request.params.id, request.body),
  )

  write(app).put(
    '/api/projects/:id/default-schedule',
    {
      schema: {
        operationId: 'setDefaultScheduleOfProject',
        summary: 'Set or clear the default schedule of a project',
        params: PathId,
        body: DefaultScheduleChanges,
        response: { 200: DefaultSchedule, ...errors(400, 404) },
      },
    },
    (request) =>
      setDefaultScheduleOfProject(request.db, request.userId, request.params.id, request.body),
  )
}
