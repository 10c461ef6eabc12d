import {
  ActualMinutes,
  Batch,
  BatchResult,
  FullTask,
  NewTask,
  PathId,
  Progress,
  Success,
  Task,
  TaskChanges,
  TaskFilter,
  TaskPage,
  TaskRemoval,
  TaskUpdateQuery,
} from '@daywright/contract'
import { errors, type Routes, success } from '../../platform/http/routes.ts'
import { retry } from '../../platform/http/wrap-handler.ts'
import { batchTasks } from './batch-tasks.ts'
import { listTasks } from './task-list.queries.ts'
import { createTask, deleteTask, findTask, setActualMinutes, updateTask } from './tasks.queries.ts'

export const taskRoutes: Routes = async (app, { now, write }) => {
  app.get(
    '/api/tasks',
    {
      schema: {
        operationId: 'listTasks',
        summary: 'A page of my tasks with their relations; by default only open ones',
        querystring: TaskFilter,
        response: { 200: TaskPage, ...errors(400) },
      },
    },
    (request) => listTasks(request.db, request.userId, request.query),
  )

  write(app).post(
    '/api/tasks',
    {
      schema: {
        operationId: 'createTask',
        summary: 'Create a task; only the title is needed',
        body: NewTask,
        response: { 201: Task, ...errors(400) },
      },
    },
    (request, reply) => {
      reply.code(201)
      return createTask(request.db, request.userId, request.body, now())
    },
  )

  app.get(
    '/api/tasks/:id',
    {
      schema: {
        operationId: 'findTask',
        summary: 'A task with its related records, including cancelled time blocks',
        params: PathId,
        querystring: Progress,
        response: { 200: FullTask, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, query }) => findTask(db, userId, params.id, query),
  )

  write(app).patch(
    '/api/tasks/:id',
    {
      schema: {
        operationId: 'updateTask',
        summary: 'Change the given fields of a task; `labelIds` replaces all its labels',
        params: PathId,
        querystring: TaskUpdateQuery,
        body: TaskChanges,
        response: { 200: Task, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, query, body }) =>
      updateTask(db, userId, params.id, body, now(), query.blocks),
  )

  write(app).put(
    '/api/tasks/:id/actual-minutes',
    {
      schema: {
        operationId: 'setActualMinutes',
        summary: 'Correct how long a task took',
        params: PathId,
        body: ActualMinutes,
        response: { 200: ActualMinutes, ...errors(400, 404) },
      },
    },
    ({ db, userId, params, body }) => setActualMinutes(db, userId, params.id, body, now()),
  )

  retry(app).delete(
    '/api/tasks/:id',
    {
      schema: {
        operationId: 'deleteTask',
        summary:
          'Archive a task; with `permanent=true`, delete it but keep its time blocks and subtasks',
        params: PathId,
        querystring: TaskRemoval,
        response: { 200: Success, ...errors(400, 404) },
      },
    },
    async (request) => {
      const { db, userId, params, query } = request
      const forGood = query.permanent === 'true'
      await deleteTask(db, userId, params.id, { forGood, now: now(), blocks: query.blocks })
      return success
    },
  )

  write(app).post(
    '/api/tasks/batch',
    {
      schema: {
        operationId: 'batchTasks',
        summary: 'Complete or archive many tasks at once; ids that are not mine are skipped',
        body: Batch,
        response: { 200: BatchResult, ...errors(400) },
      },
    },
    (request) => batchTasks(request.db, request.userId, request.body, now()),
  )
}
