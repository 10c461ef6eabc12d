import {
  FullProject,
  ListedProject,
  NewProject,
  PathId,
  Project,
  ProjectChanges,
  ProjectFilter,
  ProjectWithSpace,
  Removal,
  Success,
} from '@daywright/contract'
import { z } from 'zod'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import {
  createProject,
  deleteProject,
  findProject,
  listProjects,
  updateProject,
} from './projects.queries.ts'

export const projectRoutes: Routes = async (app, { write }) => {
  app.get(
    '/api/projects',
    {
      schema: {
        operationId: 'listProjects',
        summary:
          'My projects that are not archived, with their spaces and numbers of tasks and documents',
        querystring: ProjectFilter,
        response: { 200: z.array(ListedProject), ...errors(400) },
      },
    },
    (request) => listProjects(request.db, request.userId, request.query),
  )

  write(app).post(
    '/api/projects',
    {
      schema: {
        operationId: 'createProject',
        summary: 'Create a project',
        body: NewProject,
        response: { 201: Project, ...errors(400) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createProject(request.db, request.userId, request.body)
    },
  )

  app.get(
    '/api/projects/:id',
    {
      schema: {
        operationId: 'findProject',
        summary: 'A project with its space, its documents and at most 50 of its open tasks',
        params: PathId,
        response: { 200: FullProject, ...errors(404) },
      },
    },
    (request) => findProject(request.db, request.userId, request.params.id),
  )

  write(app).patch(
    '/api/projects/:id',
    {
      schema: {
        operationId: 'updateProject',
        summary: 'Change a project; `archived: true` archives it, as DELETE does',
        params: PathId,
        body: ProjectChanges,
        response: { 200: ProjectWithSpace, ...errors(400, 404) },
      },
    },
    (request) => updateProject(request.db, request.userId, request.params.id, request.body),
  )

  retry(app).delete(
    '/api/projects/:id',
    {
      schema: {
        operationId: 'deleteProject',
        summary:
          'Archive a project; with `permanent=true`, delete it but keep its tasks and documents',
        params: PathId,
        querystring: Removal,
        response: { 200: Success, ...errors(400, 404) },
      },
    },
    async (request) => {
      const forGood = request.query.permanent === 'true'
      await deleteProject(request.db, request.userId, request.params.id, forGood)
      return success
    },
  )
}
