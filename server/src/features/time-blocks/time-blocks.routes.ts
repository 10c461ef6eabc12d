import {
  ListedTimeBlock,
  NewTimeBlock,
  PathId,
  Progress,
  Success,
  TimeBlock,
  TimeBlockChanges,
  TimeBlockOrder,
  TimeBlockRange,
} from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import {
  createTimeBlock,
  deleteTimeBlock,
  findTimeBlock,
  listTimeBlocks,
  reorderTimeBlocks,
  updateTimeBlock,
} from './time-blocks.queries.ts'

export const timeBlockRoutes: Routes = async (app, { now, write }) => {
  app.get(
    '/api/time-blocks',
    {
      schema: {
        operationId: 'listTimeBlocks',
        summary: 'My time blocks that start in the range, by start time, without cancelled ones',
        querystring: TimeBlockRange,
        response: { 200: z.array(ListedTimeBlock), ...errors(400) },
      },
    },
    (request) => listTimeBlocks(request.db, request.userId, request.query, now()),
  )

  write(app).post(
    '/api/time-blocks',
    {
      schema: {
        operationId: 'createTimeBlock',
        summary:
          'Create a time block for a task, or an event with a title; the planner never changes it',
        querystring: Progress,
        body: NewTimeBlock,
        response: { 201: ListedTimeBlock, ...errors(400, 404) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createTimeBlock(request.db, request.userId, request.body, request.query)
    },
  )

  write(app).patch(
    '/api/time-blocks/reorder',
    {
      schema: {
        operationId: 'reorderTimeBlocks',
        summary:
          'Set `sortOrder` of each block to its position in the list; all are changed, or none',
        body: TimeBlockOrder,
        response: { 200: Success, ...errors(400, 404) },
      },
    },
    async (request) => {
      await reorderTimeBlocks(request.db, request.userId, request.body.orderedIds)
      return success
    },
  )

  app.get(
    '/api/time-blocks/:id',
    {
      schema: {
        operationId: 'findTimeBlock',
        summary: 'A time block with its task',
        params: PathId,
        querystring: Progress,
        response: { 200: TimeBlock, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, query }) => findTimeBlock(db, userId, params.id, query),
  )

  write(app).patch(
    '/api/time-blocks/:id',
    {
      schema: {
        operationId: 'updateTimeBlock',
        summary: 'Move, lock, start, complete or cancel a block, or rename an event',
        params: PathId,
        querystring: Progress,
        body: TimeBlockChanges,
        response: { 200: TimeBlock, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, query, body }) =>
      updateTimeBlock(db, userId, params.id, body, now(), query),
  )

  retry(app).delete(
    '/api/time-blocks/:id',
    {
      schema: {
        operationId: 'deleteTimeBlock',
        summary: 'Delete a block; its task is not changed',
        params: PathId,
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      await deleteTimeBlock(request.db, request.userId, request.params.id)
      return success
    },
  )
}
