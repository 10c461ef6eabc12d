import {
  ComingOccurrence,
  ComingRange,
  NewRecurrence,
  Occurrence,
  OccurrenceKey,
  OccurrenceRange,
  Occurrences,
  PathId,
  Recurrence,
  RecurrenceChanges,
  RecurrencePreview,
  RecurrenceRemoval,
  RecurrenceRuleInput,
  RecurrenceSplitInput,
  Success,
  TaskRecurrence,
} from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import {
  createRecurrence,
  deleteRecurrence,
  pauseRecurrence,
  resumeRecurrence,
  splitRecurrence,
  updateRecurrence,
} from './change-recurrences.ts'
import {
  findTaskRecurrence,
  listComing,
  listOccurrences,
  previewRecurrence,
  skipOccurrence,
  unskipOccurrence,
} from './occurrences.ts'
import { findRecurrence, listRecurrences } from './recurrences.queries.ts'
import { createTaskRecurrence } from './task-recurrence.ts'

export const recurrenceRoutes: Routes = async (app, { now, write }) => {
  app.get(
    '/api/recurrences',
    {
      schema: {
        operationId: 'listRecurrences',
        summary: 'My recurrences, in the order in which they were created',
        response: { 200: z.array(Recurrence) },
      },
    },
    (request) => listRecurrences(request.db, request.userId),
  )

  write(app).post(
    '/api/recurrences/preview',
    {
      schema: {
        operationId: 'previewRecurrence',
        summary:
          'The next occurrences of a rule, at most 20 within 25 years, and the rule in words; nothing is stored',
        body: RecurrenceRuleInput,
        response: { 200: RecurrencePreview, ...errors(400) },
      },
    },
    (request) => previewRecurrence(request.db, request.userId, request.body, now()),
  )

  app.get(
    '/api/recurrences/coming',
    {
      schema: {
        operationId: 'listComingOccurrences',
        summary:
          'Coming occurrences of my recurrences, except the kind `completion`, that have no task yet; at most 500',
        querystring: ComingRange,
        response: { 200: z.array(ComingOccurrence), ...errors(400) },
      },
    },
    ({ db, userId, query }) => listComing(db, userId, query, now()),
  )

  write(app).post(
    '/api/recurrences',
    {
      schema: {
        operationId: 'createRecurrence',
        summary:
          'Create a recurrence; the tasks for its occurrences in the next 15 days are created at once',
        body: NewRecurrence,
        response: { 201: Recurrence, ...errors(400, 409) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createRecurrence(request.db, request.userId, request.body, now())
    },
  )

  app.get(
    '/api/recurrences/:id',
    {
      schema: {
        operationId: 'findRecurrence',
        summary: 'A recurrence',
        params: PathId,
        response: { 200: Recurrence, ...errors(404) },
      },
    },
    (request) => findRecurrence(request.db, request.userId, request.params.id),
  )

  write(app).patch(
    '/api/recurrences/:id',
    {
      schema: {
        operationId: 'updateRecurrence',
        summary: 'Change a recurrence and its open future occurrences, except edited ones',
        params: PathId,
        body: RecurrenceChanges,
        response: { 200: Recurrence, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, body }) => updateRecurrence(db, userId, params.id, body, now()),
  )

  retry(app).delete(
    '/api/recurrences/:id',
    {
      schema: {
        operationId: 'deleteRecurrence',
        summary: 'Delete a recurrence; its open occurrences are archived, or kept with `open=keep`',
        params: PathId,
        querystring: RecurrenceRemoval,
        response: { 200: Success, ...errors(400, 404) },
      },
    },
    async ({ db, userId, params, query }) => {
      await deleteRecurrence(db, userId, params.id, query, now())
      return success
    },
  )

  write(app).post(
    '/api/recurrences/:id/pause',
    {
      schema: {
        operationId: 'pauseRecurrence',
        summary:
          'Pause a recurrence: no occurrences are created until it is resumed; open ones stay',
        params: PathId,
        response: { 200: Recurrence, ...errors(404) },
      },
    },
    ({ db, userId, params }) => pauseRecurrence(db, userId, params.id, now()),
  )

  write(app).post(
    '/api/recurrences/:id/resume',
    {
      schema: {
        operationId: 'resumeRecurrence',
        summary:
          'Resume a paused recurrence; occurrences that were due during the pause are left out',
        params: PathId,
        response: { 200: Recurrence, ...errors(404) },
      },
    },
    ({ db, userId, params }) => resumeRecurrence(db, userId, params.id, now()),
  )

  write(app).post(
    '/api/recurrences/:id/split',
    {
      schema: {
        operationId: 'splitRecurrence',
        summary:
          'Change a recurrence from a given day: it ends the day before, and a new one continues it',
        params: PathId,
        body: RecurrenceSplitInput,
        response: { 201: Recurrence, ...errors(400, 404, 409) },
      },
    },
    ({ db, userId, params, body }, reply) => {
      reply.code(201)
      return splitRecurrence(db, userId, params.id, body, now())
    },
  )

  app.get(
    '/api/recurrences/:id/occurrences',
    {
      schema: {
        operationId: 'listOccurrences',
        summary: 'The past, open and coming occurrences of a recurrence, and how many were done',
        params: PathId,
        querystring: OccurrenceRange,
        response: { 200: Occurrences, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, query }) => listOccurrences(db, userId, params.id, query, now()),
  )

  write(app).post(
    '/api/recurrences/:id/skip',
    {
      schema: {
        operationId: 'skipOccurrence',
        summary: 'Skip an occurrence; its task is archived',
        params: PathId,
        body: OccurrenceKey,
        response: { 200: Occurrence, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, body }) => skipOccurrence(db, userId, params.id, body, now()),
  )

  write(app).post(
    '/api/recurrences/:id/unskip',
    {
      schema: {
        operationId: 'unskipOccurrence',
        summary: 'Reopen an occurrence that was skipped or missed',
        params: PathId,
        body: OccurrenceKey,
        response: { 200: Occurrence, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, body }) => unskipOccurrence(db, userId, params.id, body, now()),
  )

  app.get(
    '/api/tasks/:id/recurrence',
    {
      schema: {
        operationId: 'findTaskRecurrence',
        summary: 'The recurrence that a task belongs to, if any, and which occurrence it is',
        params: PathId,
        response: { 200: TaskRecurrence, ...errors(404) },
      },
    },
    ({ db, userId, params }) => findTaskRecurrence(db, userId, params.id),
  )

  write(app).post(
    '/api/tasks/:id/recurrence',
    {
      schema: {
        operationId: 'createTaskRecurrence',
        summary: 'Make a task recur: it becomes the first occurrence of a new recurrence',
        params: PathId,
        body: RecurrenceRuleInput,
        response: { 201: Recurrence, ...errors(400, 404, 409) },
      },
    },
    ({ db, userId, params, body }, reply) => {
      reply.code(201)
      return createTaskRecurrence(db, userId, params.id, body, now())
    },
  )
}
