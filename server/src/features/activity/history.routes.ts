import { EventPath, History, HistoryQuery, Reverted } from '@daywright/contract'
import { areAllowed } from '../../platform/http/authenticate.ts'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { listHistory } from './history.queries.ts'
import { revert } from './revert.ts'

export const historyRoutes: Routes = async (app, { now, write }) => {
  app.get(
    '/api/history',
    {
      schema: {
        operationId: 'listHistory',
        summary: 'The history of changes, with their actors, newest first',
        querystring: HistoryQuery,
        response: { 200: History, ...errors(400) },
      },
    },
    (request) => listHistory(request.db, request.userId, request.query),
  )

  write(app).post(
    '/api/history/:id/revert',
    {
      schema: {
        operationId: 'revertChange',
        summary: 'Revert one change; 409 if that is no longer possible',
        params: EventPath,
        response: { 200: Reverted, ...errors(404, 409) },
      },
    },
    (request) => {
      const { db, userId, caller, params } = request
      const mayPlan = areAllowed(caller, ['planner'])
      return revert(db, userId, params.id, now(), { mayPlan })
    },
  )
}
