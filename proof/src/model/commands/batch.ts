import fc from 'fast-check'
import { call, expect, idFor, invalid } from '../call.ts'
import { command } from '../command.ts'
import { editTask } from '../follow.ts'
import { now } from '../model.ts'
import { pick, rarely } from '../values.ts'

const lacking = { error: 'action and taskIds[] are required' }
const unknownAction = { error: 'Invalid action. Use: complete, delete, archive' }

/** Invalid lists of ids, and their errors. */
const odd: { taskIds: unknown; fault: object }[] = [
  { taskIds: undefined, fault: lacking },
  { taskIds: [], fault: lacking },
  { taskIds: 'all', fault: lacking },
  { taskIds: null, fault: lacking },
  { taskIds: Array(1001).fill('x'), fault: invalid('taskIds') },
  { taskIds: ['x', 7], fault: invalid('taskIds.1') },
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
      noise: fc.constantFrom({}, { userId: 'x', status: 'cancelled' }),
    }),
    async (scene, { action, picks, odd, noise }) => {
      const operation = 'batchTasks'
      const drawn = picks.map((each) => idFor(scene, 'tasks', each))
      const taskIds = odd ? odd.taskIds : drawn.map(({ id }) => id)
      const sent = { ...noise, action, taskIds }
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
          asked: JSON.stringify([action, taskIds]),
        },
      })
      if (!answer) return
      const isKnown = ['complete', 'delete', 'archive'].includes(action as string)
      if (!action || odd?.fault === lacking) return expect(answer, operation, 400, lacking)
      if (!isKnown) return expect(answer, operation, 400, unknownAction)
      if (odd) return expect(answer, operation, 400, odd.fault)
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
      }
    },
  ),
]
