import fc from 'fast-check'
import { bodyFor, call, expect, idFor, success } from '../call.ts'
import { command } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import { type Label, now, edit } from '../model.ts'
import { labelOf, listedLabels } from '../show.ts'
import { body, type Field, hexColor, nullable, pick, type Sent, text } from '../values.ts'
import { forget, type Person } from '../world.ts'

const texts = text(1, 100)
/** Few enough names to collide. */
const name: Field = {
  ...texts,
  good: fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .constantFrom('a', 'b', 'B', 'ä')
        .map((value): Sent => ({ value, stored: value })),
    },
    { weight: 1, arbitrary: texts.good },
  ),
}
const fields = { name, color: nullable(hexColor) }
const notFound = { error: 'Label not found' }
const taken = { error: 'Label name already in use' }

const hasName = ({ rows }: Person, name: string, but = '') =>
  [...rows.labels.values()].some((label) => label.name === name && label.id !== but)

export const labels = [
  command('listLabels', {}, fc.constant({}), async (scene) => {
    const operation = 'listLabels'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/labels' })
    if (answer) expect(answer, operation, 200, listedLabels(scene.me))
  }),

  command('createLabel', {}, body(fields, ['name']), async (scene, drawn) => {
    const operation = 'createLabel'
    const given = bodyFor(scene, drawn)
    const request = { operation, method: 'POST', path: '/api/labels', body: given }
    const answer = await call(scene, request)
    if (!answer) return
    const { name, color = null } = given.values
    if (hasName(scene.me, name)) return expect(answer, operation, 409, taken)
    const createdAt = now(answer)
    const id = freshId(scene, answer)
    const label: Label = { id, name, color, createdAt, updatedAt: createdAt }
    expect(answer, operation, 201, labelOf(scene.me, label))
    scene.me.rows.labels.set(id, label)
  }),

  command(
    'updateLabel',
    {},
    fc.record({ pick, changes: body(fields) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateLabel'
      const { segment, found } = idFor(scene, 'labels', pick)
      const given = bodyFor(scene, changes)
      const path = `/api/labels/${segment}`
      const answer = await call(scene, { operation, method: 'PATCH', path, body: given })
      if (!answer) return
      const label = scene.me.rows.labels.get(found)
      if (!label) return expect(answer, operation, 404, notFound)
      const { name = label.name } = given.values
      if (hasName(scene.me, name, found)) return expect(answer, operation, 409, taken)
      edit(label, answer, () => Object.assign(label, given.values))
      expect(answer, operation, 200, labelOf(scene.me, label))
    },
  ),

  command('deleteLabel', {}, pick, async (scene, pick) => {
    const operation = 'deleteLabel'
    const { segment, found } = idFor(scene, 'labels', pick)
    const path = `/api/labels/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path })
    if (!answer) return
    if (!found) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, success)
    forget(scene.me, 'labels', found)
    for (const { labelIds } of scene.me.rows.tasks.values()) labelIds.delete(found)
  }),
]
