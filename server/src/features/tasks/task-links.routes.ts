// Links of a task: the tasks it depends on, and documents.
import {
  Dependencies,
  Dependency,
  DocumentLink,
  Id,
  NewDependency,
  NewDocumentLink,
  nilUuid,
  PathId,
  Success,
} from '@daywright/contract'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import { addDependency, findDependencies, removeDependency } from './dependencies.queries.ts'
import { linkDocument, unlinkDocument } from './document-links.queries.ts'

export const taskLinkRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/tasks/:id/dependencies',
    {
      schema: {
        operationId: 'findDependencies',
        summary: 'The tasks that a task waits for, and those that wait for it',
        params: PathId,
        response: { 200: Dependencies, ...errors(404) },
      },
    },
    (request) => findDependencies(request.db, request.userId, request.params.id),
  )

  write(app).post(
    '/api/tasks/:id/dependencies',
    {
      schema: {
        operationId: 'addDependency',
        summary: 'Make a task wait for another one; 200 if it already does',
        params: PathId,
        body: NewDependency,
        response: { 200: Dependency, 201: Dependency, ...errors(400, 404, 409) },
      },
    },
    async (request, reply) => {
      const { isNew, dependency } = await addDependency(
        request.db,
        request.userId,
        request.params.id,
        request.body.dependsOnTaskId,
      )
      reply.code(isNew ? 201 : 200)
      return dependency
    },
  )

  retry(app).delete(
    '/api/tasks/:id/dependencies/:dependsOnTaskId',
    {
      schema: {
        operationId: 'removeDependency',
        summary: 'Remove a dependency: the task no longer waits for the other one',
        params: PathId.extend({ dependsOnTaskId: Id.catch(nilUuid) }),
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      const { id, dependsOnTaskId } = request.params
      await removeDependency(request.db, request.userId, id, dependsOnTaskId)
      return success
    },
  )

  write(app).post(
    '/api/tasks/:id/documents',
    {
      schema: {
        operationId: 'linkDocument',
        summary: 'Link a document to a task; 200 if it is already linked',
        params: PathId,
        body: NewDocumentLink,
        response: { 200: DocumentLink, 201: DocumentLink, ...errors(400, 404) },
      },
    },
    async (request, reply) => {
      const { isNew, link } = await linkDocument(
        request.db,
        request.userId,
        request.params.id,
        request.body.documentId,
      )
      reply.code(isNew ? 201 : 200)
      return link
    },
  )

  retry(app).delete(
    '/api/tasks/:id/documents/:documentId',
    {
      schema: {
        operationId: 'unlinkDocument',
        summary: 'Remove the link between a document and a task; both remain',
        params: PathId.extend({ documentId: Id.catch(nilUuid) }),
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      const { id, documentId } = request.params
      await unlinkDocument(request.db, request.userId, id, documentId)
      return success
    },
  )
}
