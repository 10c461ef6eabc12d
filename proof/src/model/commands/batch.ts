import fc from 'fast-check'
import { call, expect, idFor, invalid } from '../call.ts'
import { command } from '../command.ts'
import { editTask } from '../follow.ts'
import { now } from '../model.ts'
import { cancelOwnBlocks } from '../own-blocks.ts'
import { pick, rarely } from '../values.ts'

const lacking = { error: 'action and taskIds[] are required' }
const unknownAction = { error: 'Invalid action. Use: complete, delete, archive' }

/** Invalid lists of ids, with the fields that the error names; without them, the list counts as missing. */
const odd: { taskIds: unknown; bad?: string[] }[] = [
  { taskIds: undefined },
  { taskIds: [] },
  { taskIds: 'all' },
  { taskIds: null },
  { taskIds: Array(1001).fill('x'), bad: ['taskIds'] },
  { taskIds: ['x', 7], bad: ['taskIds.1'] },
]

export const batch = [
  command(
    'batchTasks',
    {},
    fc.record({
      action: fc.oneof(
        { weight: 12, arbitrary: fc.constantFrom('complete', 'delete', 'archive') },
        { weight: 1, arbitrary: fc.constantFrom('', undefined, null, 'Complete', 7, {}) },
      ),
      picks: fc.array(pick, { minLength: 1, maxLength: 6 }),
      odd: rarely(fc.constantFrom(...odd), 12),
      blocks: fc.constantFrom<unknown>(undefined, undefined, undefined, 'cancel', 'cancel', 'keep'),
      noise: fc.constantFrom({}, { userId: 'x', status: 'cancelled' }),
    }),
    async (scene, { action, picks, odd, blocks, noise }) => {
      const operation = 'batchTasks'
      const drawn = picks.map((each) => idFor(scene, 'tasks', each))
      const taskIds = odd ? odd.taskIds : drawn.map(({ id }) => id)
      const sent = { ...noise, action, taskIds, blocks }
      const answer = await call(scene, {
        operation,
        method: 'POST',
        path: '/api/tasks/batch',
        body: {
          text: JSON.stringify(sent),
          values: {},
          bad: [],
          missing: [],
          isJson: true,
          asked: JSON.stringify([action, taskIds, blocks]),
        },
      })
      if (!answer) return
      const isKnown = ['complete', 'delete', 'archive'].includes(action as string)
      if (!action || (odd && !odd.bad)) return expect(answer, operation, 400, lacking)
      if (!isKnown) return expect(answer, operation, 400, unknownAction)
      const bad = [...(odd?.bad ?? []), ...(blocks === 'keep' ? ['blocks'] : [])]
      if (bad.length > 0) return expect(answer, operation, 400, invalid(...bad))
      const changed = new Set(drawn.flatMap(({ found }) => (found ? [found] : [])))
      expect(answer, operation, 200, {
        affected: changed.size,
        requested: drawn.length,
        invalid: drawn.filter(({ found }) => !found).length,
      })
      for (const id of changed) {
        const task = scene.me.rows.tasks.get(id)
        if (!task) continue
        editTask(scene.me, task, answer, () => {
          if (action === 'complete') {
            task.status = 'completed'
            task.archivedAt = null
            task.completedAt = now(answer)
            task.actualMinutes ??= task.estimateMinutes
          } else {
            task.status = 'archived'
            task.archivedAt ??= now(answer)
          }
        })
        if (blocks) cancelOwnBlocks(scene.me.rows, id, answer)
      }
    },
  ),
]
