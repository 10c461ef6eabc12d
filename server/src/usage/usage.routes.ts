import { Usage } from '@daywright/contract'
import type { Routes } from '../http/routes.ts'
import { findUsage } from './usage.queries.ts'

export const usageRoutes: Routes = async (app) => {
  app.get(
    '/api/usage',
    {
      schema: {
        operationId: 'findUsage',
        summary: 'How much I have of everything, and how much I may have',
        response: { 200: Usage },
      },
    },
    (request) => findUsage(request.db, request.userId),
  )
}
