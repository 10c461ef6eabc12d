import { PlannerStatus } from '@daywright/contract'
import type { Routes } from '../http/routes.ts'
import { findPlannerStatus } from './planner.queries.ts'

export const plannerRoutes: Routes = async (app, { now }) => {
  app.get(
    '/api/planner',
    {
      schema: {
        operationId: 'findPlannerStatus',
        summary: 'How much waits to be planned, and how much is',
        response: { 200: PlannerStatus },
      },
    },
    (request) => findPlannerStatus(request.db, request.userId, now()),
  )
}
