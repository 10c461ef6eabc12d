import { QuickAddInput, QuickAddPreview, QuickAddResult } from '@daywright/contract'
import { errors, type Routes } from '../../platform/http/routes.ts'
import { quickAdd } from './add-task.ts'

export const quickAddRoutes: Routes = async (app, { now, writeInOwnTransaction }) => {
  writeInOwnTransaction(app).post(
    '/api/quick-add',
    {
      schema: {
        operationId: 'quickAdd',
        summary: 'Create a task from one line of text; with `dryRun`, only return what it means',
        body: QuickAddInput,
        response: { 200: QuickAddPreview, 201: QuickAddResult, ...errors(400) },
      },
    },
    ({ db, userId, body }, reply) => {
      reply.code(body.dryRun ? 200 : 201)
      return quickAdd(db, userId, body, now())
    },
  )
}
