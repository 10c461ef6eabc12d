import { Usage } from '@daywright/contract'
import type { Routes } from '../../platform/http/routes.ts'
import { findUsage } from './usage.queries.ts'

export const usageRoutes: Routes = async (app) => {
  app.get(
    '/api/usage',
    {
      schema: {
        operationId: 'findUsage',
        summary: 'My usage and limits',
        response: { 200: Usage },
      },
    },
    (request) => findUsage(request.db, request.userId),
  )
}
