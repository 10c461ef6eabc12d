import fc from 'fast-check'
import { call, expect } from '../call.ts'
import { command } from '../command.ts'

const rules = { isOpen: true }
const ask = (operation: string, path: string, expected: object) =>
  command(operation, rules, fc.constant({}), async (scene) => {
    const answer = await call(scene, { operation, method: 'GET', path, rules })
    if (answer) expect(answer, operation, 200, expected)
  })

export const health = [
  ask('isLive', '/health/live', { status: 'ok' }),
  // Only the API runs here.
  ask('isReady', '/health/ready', { status: 'ok', worker: 'missing' }),
]
