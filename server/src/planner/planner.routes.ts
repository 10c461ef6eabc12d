import {
  FullPlannerRun,
  PathId,
  PlannerResult,
  PlannerRuns,
  PlannerStatus,
  PlannerUndo,
} from '@daywright/contract'
import { errors, type Routes } from '../http/routes.ts'
import { applyRun } from './apply-run.ts'
import { findPlannerStatus } from './planner.queries.ts'
import { previewPlan, runPlanner } from './run-planner.ts'
import { findRun, listRuns } from './runs.queries.ts'
import type { Solve } from './solve.ts'
import { undoRun } from './undo-run.ts'

const config = { scopes: ['planner'], inTurn: true } as const

export const plannerRoutes =
  (solve: Solve): Routes =>
  async (app, { now }) => {
    app.get(
      '/api/planner',
      {
        schema: {
          operationId: 'findPlannerStatus',
          summary: 'Counts of pending tasks, unscheduled tasks and scheduled blocks',
          response: { 200: PlannerStatus },
        },
      },
      (request) => findPlannerStatus(request.db, request.userId, now()),
    )

    app.post(
      '/api/planner',
      {
        config,
        schema: {
          operationId: 'runPlanner',
          summary: 'Plan my next 14 days; the run is in the header Planner-Run-Id',
          response: { 200: PlannerResult },
        },
      },
      async (request, reply) => {
        const { runId, result } = await runPlanner(request.db, request.userId, now(), solve)
        reply.header('planner-run-id', runId)
        return result
      },
    )

    app.post(
      '/api/planner/preview',
      {
        config,
        schema: {
          operationId: 'previewPlan',
          summary: 'What a run would do to my calendar, and why; nothing in it changes',
          response: { 200: FullPlannerRun },
        },
      },
      async (request) => {
        const runId = await previewPlan(request.db, request.userId, now(), solve)
        return findRun(request.db, request.userId, runId)
      },
    )

    app.get(
      '/api/planner/runs',
      {
        schema: {
          operationId: 'listPlannerRuns',
          summary: 'My 50 newest runs and previews',
          response: { 200: PlannerRuns },
        },
      },
      (request) => listRuns(request.db, request.userId),
    )

    app.get(
      '/api/planner/runs/:id',
      {
        schema: {
          operationId: 'findPlannerRun',
          summary: 'A run: what it did, why, and what it could not do',
          params: PathId,
          response: { 200: FullPlannerRun, ...errors(404) },
        },
      },
      (request) => findRun(request.db, request.userId, request.params.id),
    )

    app.post(
      '/api/planner/runs/:id/apply',
      {
        config,
        schema: {
          operationId: 'applyPlannerRun',
          summary: 'Apply a previewed plan to my calendar; 409 if something has changed since',
          params: PathId,
          response: { 200: PlannerResult, ...errors(404, 409) },
        },
      },
      async (request, reply) => {
        reply.header('planner-run-id', request.params.id)
        return applyRun(request.db, request.userId, request.params.id, now())
      },
    )

    app.post(
      '/api/planner/runs/:id/undo',
      {
        config,
        schema: {
          operationId: 'undoPlannerRun',
          summary: 'Bring back the plan before my last run',
          params: PathId,
          response: { 200: PlannerUndo, ...errors(404, 409) },
        },
      },
      (request) => undoRun(request.db, request.userId, request.params.id, now()),
    )
  }
