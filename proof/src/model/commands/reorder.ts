import fc from 'fast-check'
import { call, expect, idFor, invalid } from '../call.ts'
import { command } from '../command.ts'
import { edit } from '../model.ts'
import { ownPick, pick, rarely } from '../values.ts'

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const notFound = { error: 'One or more time blocks not found or access denied' }
const odd: { orderedIds: unknown; fault: object }[] = [
  { orderedIds: undefined, fault: invalid('orderedIds') },
  { orderedIds: [], fault: invalid('orderedIds') },
  { orderedIds: null, fault: invalid('orderedIds') },
  { orderedIds: [7], fault: invalid('orderedIds.0') },
]

export const reorder = [
  command(
    'reorderTimeBlocks',
    {},
    fc.record({
      picks: fc.oneof(
        { weight: 3, arbitrary: fc.array(ownPick, { minLength: 1, maxLength: 6 }) },
        { weight: 1, arbitrary: fc.array(pick, { minLength: 1, maxLength: 4 }) },
      ),
      keepRepeats: fc.constantFrom(false, false, false, true),
      odd: rarely(fc.constantFrom(...odd), 15),
    }),
    async (scene, { picks, keepRepeats, odd }) => {
      const operation = 'reorderTimeBlocks'
      const all = picks.map((each) => idFor(scene, 'blocks', each))
      const isFirst = ({ id }: { id: string }, place: number) =>
        all.findIndex((other) => other.id.toLowerCase() === id.toLowerCase()) === place
      const drawn = keepRepeats ? all : all.filter(isFirst)
      const orderedIds = odd ? odd.orderedIds : drawn.map(({ id }) => id)
      const bad = drawn.flatMap(({ id }, place) => (guid.test(id) ? [] : [`orderedIds.${place}`]))
      const hasRepeats = new Set(drawn.map(({ id }) => id.toLowerCase())).size < drawn.length
      if (hasRepeats) bad.push('orderedIds')
      const answer = await call(scene, {
        operation,
        method: 'PATCH',
        path: '/api/time-blocks/reorder',
        body: {
          text: JSON.stringify({ orderedIds, sortOrder: 7 }),
          values: {},
          bad: odd ? Object.keys((odd.fault as { details: object }).details) : bad,
          missing: [],
          isJson: true,
          asked: JSON.stringify(orderedIds ?? null),
        },
      })
      if (!answer) return
      if (drawn.some(({ found }) => !found)) return expect(answer, operation, 404, notFound)
      expect(answer, operation, 200, { success: true })
      for (const [place, { found }] of drawn.entries()) {
        const block = scene.me.rows.blocks.get(found)
        if (!block) continue
        edit(block, answer, () => (block.sortOrder = place))
      }
    },
  ),
]
