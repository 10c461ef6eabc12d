import fc from 'fast-check'
import { defaultLimits } from '../../../../server/src/platform/db/usage.ts'
import { call, expect } from '../call.ts'
import { command } from '../command.ts'
import { countRows } from '../count-rows.ts'
import type { Person } from '../world.ts'

export const usage = [
  command('findUsage', {}, fc.constant({}), async (scene) => {
    const operation = 'findUsage'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/usage' })
    if (answer) expect(answer, operation, 200, usageOf(scene.me))
  }),
]

export function usageOf(person: Person) {
  const { historyBytes, answerBytes: _, ...limits } = defaultLimits
  const counted = countRows(person.rows)
  // The initial data was inserted by SQL, and is not counted.
  const before = person.uncounted
  const used = Object.entries(limits).map(([name, limit]) => {
    const key = name as keyof typeof counted
    return [name, { used: counted[key] - before[key], limit }] as const
  })
  return {
    ...Object.fromEntries(used),
    historyBytes: { used: () => undefined, limit: historyBytes },
  }
}
