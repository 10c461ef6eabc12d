import fc from 'fast-check'
import { call, expect } from '../call.ts'
import { command } from '../command.ts'

const rules = { isOpen: true }
const ask = (operation: string, path: string) =>
  command(operation, rules, fc.constant({}), async (scene) => {
    const answer = await call(scene, { operation, method: 'GET', path, rules })
    if (answer) expect(answer, operation, 200, { status: 'ok' })
  })

export const health = [ask('isLive', '/health/live'), ask('isReady', '/health/ready')]
