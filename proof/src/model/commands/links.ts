// Links of a task: the tasks it depends on, and documents.
import fc from 'fast-check'
import { bodyFor, call, expect, idFor, missing, success } from '../call.ts'
import { command } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import { now, type Rows } from '../model.ts'
import { dependenciesOf, linkOf } from '../show.ts'
import { body, pick, reference } from '../values.ts'
import { taskNotFound } from './tasks.ts'

/** Whether one depends on the other, directly or transitively. */
function waits({ dependencies }: Rows, from: string, to: string): boolean {
  if (from === to) return true
  return [...dependencies.values()].some(
    ({ taskId, dependsOnTaskId }) =>
      taskId === from && waits({ dependencies } as Rows, dependsOnTaskId, to),
  )
}

export const links = [
  command('findDependencies', {}, pick, async (scene, pick) => {
    const operation = 'findDependencies'
    const { segment, found } = idFor(scene, 'tasks', pick)
    const path = `/api/tasks/${segment}/dependencies`
    const answer = await call(scene, { operation, method: 'GET', path })
    if (!answer) return
    const task = scene.me.rows.tasks.get(found)
    if (!task) return expect(answer, operation, 404, taskNotFound)
    expect(answer, operation, 200, dependenciesOf(scene.me, task))
  }),

  command(
    'addDependency',
    {},
    fc.record({
      pick,
      wanted: body({ dependsOnTaskId: reference('tasks') }, ['dependsOnTaskId']),
    }),
    async (scene, { pick, wanted }) => {
      const operation = 'addDependency'
      const { me } = scene
      const { segment, found } = idFor(scene, 'tasks', pick)
      const given = bodyFor(scene, wanted)
      const path = `/api/tasks/${segment}/dependencies`
      const answer = await call(scene, { operation, method: 'POST', path, body: given })
      if (!answer) return
      if (!found) return expect(answer, operation, 404, taskNotFound)
      if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
      const { dependsOnTaskId } = given.values
      if (waits(me.rows, dependsOnTaskId, found)) {
        return expect(answer, operation, 409, { error: 'Dependency would create a cycle' })
      }
      const known = [...me.rows.dependencies.values()].find(
        (link) => link.taskId === found && link.dependsOnTaskId === dependsOnTaskId,
      )
      if (known) return expect(answer, operation, 200, { ...known, userId: me.id })
      const id = freshId(scene, answer)
      const link = { id, taskId: found, dependsOnTaskId, createdAt: now(answer) }
      expect(answer, operation, 201, { ...link, userId: me.id })
      me.rows.dependencies.set(id, link)
    },
  ),

  command(
    'removeDependency',
    {},
    fc.record({ task: pick, other: pick, existing: fc.option(fc.nat(100), { freq: 3 }) }),
    async (scene, drawn) => {
      const operation = 'removeDependency'
      const { dependencies } = scene.me.rows
      const all = [...dependencies.values()]
      const chosen = drawn.existing === null ? undefined : all[drawn.existing % (all.length || 1)]
      const task = idFor(scene, 'tasks', drawn.task)
      const other = idFor(scene, 'tasks', drawn.other)
      const [taskId, otherId] = chosen
        ? [chosen.taskId, chosen.dependsOnTaskId]
        : [task.segment, other.segment]
      const path = `/api/tasks/${taskId}/dependencies/${otherId}`
      const answer = await call(scene, { operation, method: 'DELETE', path })
      if (!answer) return
      const known =
        chosen ??
        all.find((link) => link.taskId === task.found && link.dependsOnTaskId === other.found)
      if (!known) return expect(answer, operation, 404, { error: 'Dependency not found' })
      expect(answer, operation, 200, success)
      dependencies.delete(known.id)
    },
  ),

  command(
    'linkDocument',
    {},
    fc.record({ pick, wanted: body({ documentId: reference('documents') }, ['documentId']) }),
    async (scene, { pick, wanted }) => {
      const operation = 'linkDocument'
      const { segment, found } = idFor(scene, 'tasks', pick)
      const given = bodyFor(scene, wanted)
      const path = `/api/tasks/${segment}/documents`
      const answer = await call(scene, { operation, method: 'POST', path, body: given })
      if (!answer) return
      const task = scene.me.rows.tasks.get(found)
      if (!task) return expect(answer, operation, 404, taskNotFound)
      if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
      const { documentId } = given.values
      const status = task.documentIds.has(documentId) ? 200 : 201
      expect(answer, operation, status, linkOf(task, documentId))
      task.documentIds.add(documentId)
    },
  ),

  command('unlinkDocument', {}, fc.record({ task: pick, document: pick }), async (scene, drawn) => {
    const operation = 'unlinkDocument'
    const { segment, found } = idFor(scene, 'tasks', drawn.task)
    const document = idFor(scene, 'documents', drawn.document)
    const path = `/api/tasks/${segment}/documents/${document.segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path })
    if (!answer) return
    const task = scene.me.rows.tasks.get(found)
    if (!task?.documentIds.has(document.found)) {
      return expect(answer, operation, 404, { error: 'Document link not found' })
    }
    expect(answer, operation, 200, success)
    task.documentIds.delete(document.found)
  }),
]
