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
          'Blocks of the last 14 days that ended without work, the latest first; of open tasks only',
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
          'Plan missed blocks again, complete them, or drop them: their minutes then leave the estimate',
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
        summary: 'Begin a scheduled block now; a running block is stopped first',
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
        summary: 'End a running block now; the minutes are added to its task’s actualMinutes',
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
        summary: 'Lengthen a block; blocks of the planner that are in the way are cancelled',
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
