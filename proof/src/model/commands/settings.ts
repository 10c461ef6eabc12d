import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { bodyFor, call, expect, missing } from '../call.ts'
import { command } from '../command.ts'
import { expectStale } from '../stale.ts'
import { body, type Field, flag, nullable, oneOf, reference, type Sent, whole } from '../values.ts'

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
const lunch = { from: '11:30', to: '14:00', minutes: 45 }
const planning: Field = {
  good: good(
    {},
    { lunch },
    { lunch: null, breaks: { afterMinutes: 45, minutes: 10 } },
    { breaks: null, bufferMinutes: 5 },
    { dailyLimitMinutes: 240, keepFreePercent: 20 },
    { dailyLimitMinutes: null, unknown: 1 },
    { focusHours: { from: '09:00', to: '12:00' }, deepWorkUntil: '11:00' },
    { focusHours: null, deepWorkUntil: null, keepFreePercent: 0, bufferMinutes: 0 },
  ),
  bad: bad(
    [null, ''],
    ['all', ''],
    [{ lunch: { ...lunch, to: '11:00' } }, '.lunch.to'],
    [{ lunch: { ...lunch, to: '12:00' } }, '.lunch.minutes'],
    [{ breaks: { afterMinutes: 10, minutes: 10 } }, '.breaks.afterMinutes'],
    [{ dailyLimitMinutes: 14 }, '.dailyLimitMinutes'],
    [{ keepFreePercent: 51 }, '.keepFreePercent'],
    [{ keepFreePercent: null }, '.keepFreePercent'],
    [{ bufferMinutes: 61 }, '.bufferMinutes'],
    [{ focusHours: { from: '12:00', to: '12:00' } }, '.focusHours.to'],
    [{ deepWorkUntil: 'noon' }, '.deepWorkUntil'],
  ),
}
const fields = {
  automatic: flag,
  quietHours: nullable(quietHours),
  dailyRunAt: clock,
  morningSummaryAt: nullable(clock),
  deadlineAlerts: flag,
  missedBlocks: oneOf('reschedule', 'assume-done'),
  assumedMinutes: nullable(whole(5, 480, 30, 45)),
  schedulePreferenceId: nullable(reference('preferences')),
  planning,
}
/** The settings that the plan depends on. */
const ofThePlan = ['missedBlocks', 'assumedMinutes', 'schedulePreferenceId', 'planning']

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
    if (given.missing.length > 0) return expect(answer, operation, 400, missing(given.missing))
    const { me } = scene
    const before = structuredClone(me.settings)
    const { planning: { unknown: _dropped, ...parts } = {}, ...rest } = given.values
    Object.assign(me.planning, parts)
    Object.assign(me.settings, rest, { planning: { ...me.settings.planning, ...parts } })
    expect(answer, operation, 200, me.settings)
    const isOfThePlan = ofThePlan.some((name) => name in given.values)
    if (isOfThePlan && !isDeepStrictEqual(me.settings, before)) await expectStale(scene, operation)
  }),
]
