import fc from 'fast-check'
import { bodyFor, call, expect, idFor, success } from '../call.ts'
import { command } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import type { Item } from '../model.ts'
import { itemOf } from '../show.ts'
import { body, flag, number, pick, reference, text } from '../values.ts'
import { forget } from '../world.ts'
import { taskNotFound } from './tasks.ts'

const title = text(1, 500)
const notFound = { error: 'Not found' }

export const checklist = [
  command(
    'createChecklistItem',
    {},
    body({ taskId: reference('tasks'), title }, ['taskId', 'title']),
    async (scene, drawn) => {
      const operation = 'createChecklistItem'
      const given = bodyFor(scene, drawn)
      const request = { operation, method: 'POST', path: '/api/checklist-items', body: given }
      const answer = await call(scene, request)
      if (!answer) return
      if (given.missing.length > 0) return expect(answer, operation, 404, taskNotFound)
      const item: Item = {
        id: freshId(scene, answer),
        taskId: given.values.taskId,
        title: given.values.title,
        completed: false,
        sortOrder: 0,
      }
      expect(answer, operation, 201, itemOf(item))
      scene.me.rows.items.set(item.id, item)
    },
  ),

  command(
    'updateChecklistItem',
    {},
    fc.record({ pick, changes: body({ title, completed: flag, sortOrder: number }) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateChecklistItem'
      const { segment, found } = idFor(scene, 'items', pick)
      const given = bodyFor(scene, changes)
      const path = `/api/checklist-items/${segment}`
      const answer = await call(scene, { operation, method: 'PATCH', path, body: given })
      if (!answer) return
      const item = scene.me.rows.items.get(found)
      if (!item) return expect(answer, operation, 404, notFound)
      Object.assign(item, given.values)
      expect(answer, operation, 200, itemOf(item))
    },
  ),

  command('deleteChecklistItem', {}, pick, async (scene, pick) => {
    const operation = 'deleteChecklistItem'
    const { segment, found } = idFor(scene, 'items', pick)
    const path = `/api/checklist-items/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path })
    if (!answer) return
    if (!found) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, success)
    forget(scene.me, 'items', found)
  }),
]
