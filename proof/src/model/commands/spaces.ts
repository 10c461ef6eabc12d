import fc from 'fast-check'
import { bodyFor, call, expect, idFor, success } from '../call.ts'
import { command } from '../command.ts'
import { now, type Space, edit, touch } from '../model.ts'
import { freshId } from '../fresh-id.ts'
import { listedSpaces, spaceOf } from '../show.ts'
import { expectStale } from '../stale.ts'
import { body, number, pick, text } from '../values.ts'
import { forget } from '../world.ts'

const fields = {
  name: text(1, 100),
  color: text(0, 50),
  icon: text(0, 100),
}
const notFound = { error: 'Space not found' }

export const spaces = [
  command('listSpaces', {}, fc.constant({}), async (scene) => {
    const operation = 'listSpaces'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/spaces' })
    if (answer) expect(answer, operation, 200, listedSpaces(scene.me))
  }),

  command('createSpace', {}, body(fields, ['name']), async (scene, drawn) => {
    const operation = 'createSpace'
    const given = bodyFor(scene, drawn)
    const request = { operation, method: 'POST', path: '/api/spaces', body: given }
    const answer = await call(scene, request)
    if (!answer) return
    const createdAt = now(answer)
    const space: Space = {
      id: freshId(scene, answer),
      name: given.values.name,
      color: given.values.color ?? '#6B7280',
      icon: given.values.icon ?? 'folder',
      isDefault: false,
      sortOrder: 0,
      schedulePreferenceId: null,
      createdAt,
      updatedAt: createdAt,
    }
    expect(answer, operation, 201, spaceOf(scene.me, space))
    scene.me.rows.spaces.set(space.id, space)
  }),

  command(
    'updateSpace',
    {},
    fc.record({ pick, changes: body({ ...fields, sortOrder: number }) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateSpace'
      const { segment, found } = idFor(scene, 'spaces', pick)
      const given = bodyFor(scene, changes)
      const path = `/api/spaces/${segment}`
      const answer = await call(scene, { operation, method: 'PATCH', path, body: given })
      if (!answer) return
      const space = scene.me.rows.spaces.get(found)
      if (!space) return expect(answer, operation, 404, notFound)
      const { updatedAt } = space
      edit(space, answer, () => Object.assign(space, given.values))
      const isChanged = space.updatedAt !== updatedAt
      expect(answer, operation, 200, spaceOf(scene.me, space))
      if (isChanged) await expectStale(scene, operation)
    },
  ),

  command('deleteSpace', {}, pick, async (scene, pick) => {
    const operation = 'deleteSpace'
    const { segment, found } = idFor(scene, 'spaces', pick)
    const path = `/api/spaces/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path })
    if (!answer) return
    const { rows } = scene.me
    const space = rows.spaces.get(found)
    if (!space) return expect(answer, operation, 404, notFound)
    if (space.isDefault) {
      return expect(answer, operation, 400, { error: 'Cannot delete default space' })
    }
    expect(answer, operation, 200, success)
    forget(scene.me, 'spaces', found)
    for (const table of [rows.tasks, rows.projects, rows.documents]) {
      for (const row of table.values()) {
        if (row.spaceId !== found) continue
        row.spaceId = null
        touch(row, answer)
      }
    }
  }),
]
