import {
  FullPlannerRun,
  PathId,
  PlannerForecast,
  PlannerQuery,
  PlannerResult,
  PlannerRuns,
  PlannerStatus,
  PlannerUndo,
  Slots,
  SlotSearchInput,
} from '@daywright/contract'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { applyRun } from './apply-run.ts'
import { findSlots, forecastPlan } from './forecast.ts'
import { findPlannerStatus } from './planner.queries.ts'
import { runPlanner } from './run-planner.ts'
import { findRun, listRuns } from './runs.queries.ts'
import type { Advise, Solve } from './solve.ts'
import { undoRun } from './undo-run.ts'

const config = { scopes: ['planner'] } as const

export const plannerRoutes =
  (solve: Solve, advise: Advise): Routes =>
  async (app, { now, write, writeInOwnTransaction, queue }) => {
    const plan = (userId: string, query: { fromScratch?: string }) => ({
      userId,
      now: now(),
      solve,
      fromScratch: query.fromScratch === 'true',
    })

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

    // No connection is held while a plan is computed.
    writeInOwnTransaction(queue(app)).post(
      '/api/planner',
      {
        config,
        schema: {
          operationId: 'runPlanner',
          summary: 'Plan my next 14 days; the header Planner-Run-Id has the id of the run',
          querystring: PlannerQuery,
          response: { 200: PlannerResult },
        },
      },
      ({ db, userId, query }, reply) =>
        runPlanner(
          db,
          { ...plan(userId, query), kind: 'requested' },
          async (_, { runId, result }) => {
            reply.header('planner-run-id', runId)
            return result
          },
        ),
    )

    // No connection is held while a plan is computed.
    writeInOwnTransaction(queue(app)).post(
      '/api/planner/preview',
      {
        config,
        schema: {
          operationId: 'previewPlan',
          summary: 'Preview what a run would change in my calendar, and why; nothing is changed',
          querystring: PlannerQuery,
          response: { 200: FullPlannerRun },
        },
      },
      ({ db, userId, query }) =>
        runPlanner(db, { ...plan(userId, query), kind: 'preview' }, (transaction, { runId }) =>
          findRun(transaction, userId, runId),
        ),
    )

    queue(app).get(
      '/api/planner/forecast',
      {
        config,
        schema: {
          operationId: 'forecastPlan',
          summary:
            'How likely I am to meet my due dates, how full my weeks are, and changes that would help',
          response: { 200: PlannerForecast },
        },
      },
      ({ db, userId }) => forecastPlan(db, userId, now(), advise),
    )

    // No connection is held while the plans are computed.
    writeInOwnTransaction(queue(app)).post(
      '/api/planner/slots',
      {
        config,
        schema: {
          operationId: 'findSlots',
          summary: 'Find slots for an appointment, with the effect of each on my plan',
          body: SlotSearchInput,
          response: { 200: Slots },
        },
      },
      ({ db, userId, body }) => findSlots(db, userId, now(), advise, body),
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

    write(queue(app)).post(
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

    write(queue(app)).post(
      '/api/planner/runs/:id/undo',
      {
        config,
        schema: {
          operationId: 'undoPlannerRun',
          summary: 'Undo my last run: restore the plan from before it',
          params: PathId,
          response: { 200: PlannerUndo, ...errors(404, 409) },
        },
      },
      (request) => undoRun(request.db, request.userId, request.params.id, now()),
    )
  }
