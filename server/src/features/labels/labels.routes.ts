import { Label, LabelChanges, ListedLabel, NewLabel, PathId, Success } from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import { createLabel, deleteLabel, listLabels, updateLabel } from './labels.queries.ts'

export const labelRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/labels',
    {
      schema: {
        operationId: 'listLabels',
        summary: 'My labels, sorted by name, with the number of tasks that have each',
        response: { 200: z.array(ListedLabel) },
      },
    },
    (request) => listLabels(request.db, request.userId),
  )

  write(app).post(
    '/api/labels',
    {
      schema: {
        operationId: 'createLabel',
        summary: 'Create a label; 409 if I already have one with this name',
        body: NewLabel,
        response: { 201: Label, ...errors(400, 409) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createLabel(request.db, request.userId, request.body)
    },
  )

  write(app).patch(
    '/api/labels/:id',
    {
      schema: {
        operationId: 'updateLabel',
        summary: 'Rename or recolor a label; tasks keep it',
        params: PathId,
        body: LabelChanges,
        response: { 200: Label, ...errors(400, 404, 409) },
      },
    },
    (request) => updateLabel(request.db, request.userId, request.params.id, request.body),
  )

  retry(app).delete(
    '/api/labels/:id',
    {
      schema: {
        operationId: 'deleteLabel',
        summary: 'Delete a label; the tasks that had it remain',
        params: PathId,
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      await deleteLabel(request.db, request.userId, request.params.id)
      return success
    },
  )
}
