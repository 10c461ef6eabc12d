import fc from 'fast-check'
import { bodyFor, call, expect } from '../call.ts'
import { command } from '../command.ts'
import { body, type Field, flag, nullable, type Sent } from '../values.ts'

const path = '/api/settings'
const good = (...values: unknown[]) =>
  fc.constantFrom(...values).map((value): Sent => ({ value, stored: value }))
const bad = (...faults: [value: unknown, at: string][]) =>
  fc.constantFrom(...faults).map(([value, at]): Sent => ({ value, bad: at }))

const clock: Field = {
  good: good('00:00', '23:59', '07:00', '05:30'),
  bad: bad(['24:00', ''], ['7:00', ''], ['07:00:00', ''], [7, ''], [' 07:00', '']),
}
const quietHours: Field = {
  good: good({ from: '22:00', to: '06:00' }, { from: '00:00', to: '00:01' }),
  bad: bad(
    [{ from: '22:00', to: '22:00' }, '.to'],
    [{ from: '22:00' }, '.to'],
    [{ from: '22', to: '06:00' }, '.from'],
    ['22:00', ''],
    [[], ''],
  ),
}
const fields = {
  automatic: flag,
  quietHours: nullable(quietHours),
  dailyRunAt: clock,
  morningSummaryAt: nullable(clock),
  deadlineAlerts: flag,
}

export const settings = [
  command('findSettings', {}, fc.constant({}), async (scene) => {
    const operation = 'findSettings'
    const answer = await call(scene, { operation, method: 'GET', path })
    if (answer) expect(answer, operation, 200, scene.me.settings)
  }),

  command('updateSettings', {}, body(fields), async (scene, drawn) => {
    const operation = 'updateSettings'
    const given = bodyFor(scene, drawn)
    if (given.bad.length === 0 && Object.keys(given.values).length === 0) given.bad.push('body')
    const answer = await call(scene, { operation, method: 'PATCH', path, body: given })
    if (!answer) return
    Object.assign(scene.me.settings, given.values)
    expect(answer, operation, 200, scene.me.settings)
  }),
]
