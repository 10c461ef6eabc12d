import { Changes, ChangesQuery } from '@daywright/contract'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { listChanges } from './changes.queries.ts'

export const changesRoutes: Routes = async (app) => {
  app.get(
    '/api/changes',
    {
      schema: {
        operationId: 'listChanges',
        summary: 'The changes after a cursor, oldest first',
        querystring: ChangesQuery,
        response: { 200: Changes, ...errors(400) },
      },
    },
    (request) => listChanges(request.db, request.userId, request.query),
  )
}
