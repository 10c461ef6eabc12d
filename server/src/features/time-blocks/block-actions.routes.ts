import {
  BlockExtension,
  BlockSkip,
  ListedTimeBlock,
  MissedBlockDecision,
  PathId,
  TimeBlock,
  Updated,
} from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes } from '../../platform/http/routes.ts'
import {
  extendTimeBlock,
  skipTimeBlock,
  startTimeBlock,
  stopTimeBlock,
} from './block-actions.queries.ts'
import { decideOnMissedBlocks, listMissedBlocks } from './missed-blocks.queries.ts'

export const blockActionRoutes: Routes = async (app, { now, write }) => {
  app.get(
    '/api/time-blocks/missed',
    {
      schema: {
        operationId: 'listMissedBlocks',
        summary:
          'Blocks of open tasks that ended in the last 14 days without being started, latest first',
        response: { 200: z.array(ListedTimeBlock) },
      },
    },
    (request) => listMissedBlocks(request.db, request.userId, now()),
  )

  write(app).post(
    '/api/time-blocks/missed',
    {
      schema: {
        operationId: 'decideOnMissedBlocks',
        summary:
          'Plan missed blocks again, complete them, or drop them, which shortens the estimate',
        body: MissedBlockDecision,
        response: { 200: Updated, ...errors(400) },
      },
    },
    (request) => decideOnMissedBlocks(request.db, request.userId, request.body, now()),
  )

  write(app).post(
    '/api/time-blocks/:id/start',
    {
      schema: {
        operationId: 'startTimeBlock',
        summary: 'Start a scheduled block now; a running block is stopped first',
        params: PathId,
        response: { 200: TimeBlock, ...errors(404, 409) },
      },
    },
    (request) => startTimeBlock(request.db, request.userId, request.params.id, now()),
  )

  write(app).post(
    '/api/time-blocks/:id/stop',
    {
      schema: {
        operationId: 'stopTimeBlock',
        summary: 'Stop a running block now; its minutes are added to its task’s actualMinutes',
        params: PathId,
        response: { 200: TimeBlock, ...errors(404, 409) },
      },
    },
    (request) => stopTimeBlock(request.db, request.userId, request.params.id, now()),
  )

  write(app).post(
    '/api/time-blocks/:id/extend',
    {
      schema: {
        operationId: 'extendTimeBlock',
        summary: 'Extend a block; planner blocks that are in the way are cancelled',
        params: PathId,
        body: BlockExtension,
        response: { 200: TimeBlock, ...errors(400, 404, 409) },
      },
    },
    ({ db, userId, params, body }) => extendTimeBlock(db, userId, params.id, body.minutes, now()),
  )

  write(app).post(
    '/api/time-blocks/:id/skip',
    {
      schema: {
        operationId: 'skipTimeBlock',
        summary: 'Cancel a block, and plan its task no earlier than `until`',
        params: PathId,
        body: BlockSkip,
        response: { 200: TimeBlock, ...errors(400, 404, 409) },
      },
    },
    ({ db, userId, params, body }) => skipTimeBlock(db, userId, params.id, body.until, now()),
  )
}
