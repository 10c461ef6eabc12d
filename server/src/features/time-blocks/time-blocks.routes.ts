import {
  ListedTimeBlock,
  NewTimeBlock,
  PathId,
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
        summary: 'My time blocks that start in the range, in start order, without cancelled ones',
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
          'Place work on a task, or an event with a title, by hand; the planner never touches it',
        body: NewTimeBlock,
        response: { 201: ListedTimeBlock, ...errors(400, 404) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createTimeBlock(request.db, request.userId, request.body)
    },
  )

  write(app).patch(
    '/api/time-blocks/reorder',
    {
      schema: {
        operationId: 'reorderTimeBlocks',
        summary: 'Give each block its position in the list as sortOrder: all of them, or none',
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
        response: { 200: TimeBlock, ...errors(404) },
      },
    },
    (request) => findTimeBlock(request.db, request.userId, request.params.id),
  )

  write(app).patch(
    '/api/time-blocks/:id',
    {
      schema: {
        operationId: 'updateTimeBlock',
        summary: 'Move, lock, start, complete or cancel a block, or rename an event',
        params: PathId,
        body: TimeBlockChanges,
        response: { 200: TimeBlock, ...errors(400, 404) },
      },
    },
    (request) =>
      updateTimeBlock(request.db, request.userId, request.params.id, request.body, now()),
  )

  retry(app).delete(
    '/api/time-blocks/:id',
    {
      schema: {
        operationId: 'deleteTimeBlock',
        summary: 'Delete a block; its task is untouched',
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
