import { ListedSpace, NewSpace, PathId, Space, SpaceChanges, Success } from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import { createSpace, deleteSpace, listSpaces, updateSpace } from './spaces.queries.ts'

export const spaceRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/spaces',
    {
      schema: {
        operationId: 'listSpaces',
        summary: 'My spaces in their order, with their projects and numbers of tasks and documents',
        response: { 200: z.array(ListedSpace) },
      },
    },
    (request) => listSpaces(request.db, request.userId),
  )

  write(app).post(
    '/api/spaces',
    {
      schema: {
        operationId: 'createSpace',
        summary: 'Create a space',
        body: NewSpace,
        response: { 201: Space, ...errors(400) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createSpace(request.db, request.userId, request.body)
    },
  )

  write(app).patch(
    '/api/spaces/:id',
    {
      schema: {
        operationId: 'updateSpace',
        summary: 'Change a space; which one is the default cannot be changed',
        params: PathId,
        body: SpaceChanges,
        response: { 200: Space, ...errors(400, 404) },
      },
    },
    (request) => updateSpace(request.db, request.userId, request.params.id, request.body),
  )

  retry(app).delete(
    '/api/spaces/:id',
    {
      schema: {
        operationId: 'deleteSpace',
        summary: 'Delete a space; its tasks, projects and documents remain without a space',
        params: PathId,
        response: { 200: Success, ...errors(400, 404) },
      },
    },
    async (request) => {
      await deleteSpace(request.db, request.userId, request.params.id)
      return success
    },
  )
}
