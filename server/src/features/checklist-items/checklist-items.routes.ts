import {
  ChecklistItem,
  ChecklistItemChanges,
  NewChecklistItem,
  PathId,
  Success,
} from '@daywright/contract'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import {
  createChecklistItem,
  deleteChecklistItem,
  updateChecklistItem,
} from './checklist-items.queries.ts'

export const checklistItemRoutes: Routes = async (app, { write }) => {
  write(app).post(
    '/api/checklist-items',
    {
      schema: {
        operationId: 'createChecklistItem',
        summary: 'Add an item to the checklist of a task',
        body: NewChecklistItem,
        response: { 201: ChecklistItem, ...errors(400, 404) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createChecklistItem(request.db, request.userId, request.body)
    },
  )

  write(app).patch(
    '/api/checklist-items/:id',
    {
      schema: {
        operationId: 'updateChecklistItem',
        summary: 'Tick, rename or move a checklist item',
        params: PathId,
        body: ChecklistItemChanges,
        response: { 200: ChecklistItem, ...errors(400, 404) },
      },
    },
    (request) => updateChecklistItem(request.db, request.userId, request.params.id, request.body),
  )

  retry(app).delete(
    '/api/checklist-items/:id',
    {
      schema: {
        operationId: 'deleteChecklistItem',
        summary: 'Delete a checklist item; its task is not changed',
        params: PathId,
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      await deleteChecklistItem(request.db, request.userId, request.params.id)
      return success
    },
  )
}
