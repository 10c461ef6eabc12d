import {
  Document,
  DocumentChanges,
  DocumentFilter,
  DocumentVersion,
  DocumentVersionPath,
  FullDocument,
  ListedDocument,
  NewDocument,
  PathId,
  Success,
} from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import {
  createDocument,
  deleteDocument,
  findDocument,
  listDocuments,
  updateDocument,
} from './documents.queries.ts'
import { findVersion } from './versions.queries.ts'

const bodyLimit = 4 * 1024 * 1024

export const documentRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/documents',
    {
      schema: {
        operationId: 'listDocuments',
        summary: 'My documents in their order, with their space and project',
        description: 'With `content=excerpt`, the response stays small however long the texts are.',
        querystring: DocumentFilter,
        response: { 200: z.array(ListedDocument), ...errors(400) },
      },
    },
    (request) => listDocuments(request.db, request.userId, request.query),
  )

  write(app).post(
    '/api/documents',
    {
      bodyLimit,
      schema: {
        operationId: 'createDocument',
        summary: 'Create a document',
        body: NewDocument,
        response: { 201: Document, ...errors(400) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createDocument(request.db, request.userId, request.body)
    },
  )

  app.get(
    '/api/documents/:id',
    {
      schema: {
        operationId: 'findDocument',
        summary: 'A document with its space, its project and the tasks it is linked to',
        params: PathId,
        response: { 200: FullDocument, ...errors(404) },
      },
    },
    (request) => findDocument(request.db, request.userId, request.params.id),
  )

  app.get(
    '/api/documents/:id/versions/:hash',
    {
      schema: {
        operationId: 'findDocumentVersion',
        summary: 'A current or former text of a document, by the hash that its events contain',
        params: DocumentVersionPath,
        response: { 200: DocumentVersion, ...errors(404) },
      },
    },
    ({ db, userId, params }) => findVersion(db, userId, params.id, params.hash),
  )

  write(app).patch(
    '/api/documents/:id',
    {
      bodyLimit,
      schema: {
        operationId: 'updateDocument',
        summary: 'Change a document; `content` replaces the whole text',
        params: PathId,
        body: DocumentChanges,
        response: { 200: Document, ...errors(400, 404) },
      },
    },
    (request) => updateDocument(request.db, request.userId, request.params.id, request.body),
  )

  retry(app).delete(
    '/api/documents/:id',
    {
      schema: {
        operationId: 'deleteDocument',
        summary: 'Delete a document; the tasks it was linked to remain',
        params: PathId,
        response: { 200: Success, ...errors(404) },
      },
    },
    async (request) => {
      await deleteDocument(request.db, request.userId, request.params.id)
      return success
    },
  )
}
