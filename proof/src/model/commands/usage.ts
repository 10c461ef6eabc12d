import fc from 'fast-check'
import { defaultLimits } from '../../../../server/src/db/usage.ts'
import { call, expect } from '../call.ts'
import { command } from '../command.ts'
import { countRows } from '../count-rows.ts'

export const usage = [
  command('findUsage', {}, fc.constant({}), async (scene) => {
    const operation = 'findUsage'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/usage' })
    if (!answer) return
    const { historyBytes, ...limits } = defaultLimits
    const counted = countRows(scene.me.rows)
    // What they began with was put into the database by SQL, and is not counted.
    const before = scene.me.uncounted
    const used = Object.entries(limits).map(([name, limit]) => {
      const key = name as keyof typeof counted
      return [name, { used: counted[key] - before[key], limit }] as const
    })
    expect(answer, operation, 200, {
      ...Object.fromEntries(used),
      historyBytes: { used: () => undefined, limit: historyBytes },
    })
  }),
]
