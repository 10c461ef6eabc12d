import fc from 'fast-check'
import { bodyFor, call, expect, idFor, success } from '../call.ts'
import { command } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import { now, type Preference, edit, touch } from '../model.ts'
import { listedPreferences, preferenceOf } from '../show.ts'
import { expectStale } from '../stale.ts'
import { body, type Field, pick, type Sent, text, whole } from '../values.ts'
import { forget } from '../world.ts'

const everyDay = { day: [0, 1, 2, 3, 4, 5, 6], start: '00:00', end: '23:59' }
const morning = { day: [1, 2, 3, 4, 5], start: '08:00', end: '12:00' }
const times = (length: number, one: unknown) => Array.from({ length }, () => one)
const good = [
  [everyDay],
  [morning],
  [{ day: [0, 6, 0], start: '22:30', end: '22:31' }, morning],
  [morning, { day: [1], start: '11:00', end: '18:00' }],
  times(50, morning),
]
const bad: [string, unknown][] = [
  ['', []],
  ['', null],
  ['', 'mornings'],
  ['', times(51, morning)],
  ['.0', [7]],
  ['.0.day', [{ ...morning, day: [] }]],
  ['.0.day', [{ ...morning, day: times(8, 1) }]],
  ['.1.day.0', [morning, { ...morning, day: [7] }]],
  ['.0.day.0', [{ ...morning, day: [1.5] }]],
  ['.0.start', [{ ...morning, start: '8:00' }]],
  ['.0.end', [{ ...morning, end: '24:00' }]],
  ['.0.end', [{ ...morning, end: '08:00' }]],
  ['.0.end', [{ ...morning, end: '07:59' }]],
]
export const windows: Field = {
  good: fc.constantFrom(...good).map((value): Sent => ({ value, stored: value })),
  bad: fc.constantFrom(...bad).map(([at, value]): Sent => ({ value, bad: at })),
}
const fields = {
  name: text(1, 100),
  windows,
  priority: whole(-2_147_483_648, 2_147_483_647, 0, 1, 5),
}
const notFound = { error: 'Schedule preference not found' }

export const preferences = [
  command('listSchedulePreferences', {}, fc.constant({}), async (scene) => {
    const operation = 'listSchedulePreferences'
    const path = '/api/schedule-preferences'
    const answer = await call(scene, { operation, method: 'GET', path })
    if (answer) expect(answer, operation, 200, listedPreferences(scene.me))
  }),

  command(
    'createSchedulePreference',
    {},
    body(fields, ['name', 'windows']),
    async (scene, drawn) => {
      const operation = 'createSchedulePreference'
      const given = bodyFor(scene, drawn)
      const path = '/api/schedule-preferences'
      const answer = await call(scene, { operation, method: 'POST', path, body: given })
      if (!answer) return
      const createdAt = now(answer)
      const { name, windows, priority = 0 } = given.values
      const id = freshId(scene, answer)
      const preference: Preference = {
        id,
        name,
        windows,
        priority,
        createdAt,
        updatedAt: createdAt,
      }
      expect(answer, operation, 201, preferenceOf(scene.me, preference))
      scene.me.rows.preferences.set(id, preference)
    },
  ),

  command(
    'updateSchedulePreference',
    {},
    fc.record({ pick, changes: body(fields) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateSchedulePreference'
      const { segment, found } = idFor(scene, 'preferences', pick)
      const given = bodyFor(scene, changes)
      if (given.bad.length === 0 && Object.keys(given.values).length === 0) given.bad.push('body')
      const path = `/api/schedule-preferences/${segment}`
      const answer = await call(scene, { operation, method: 'PATCH', path, body: given })
      if (!answer) return
      const preference = scene.me.rows.preferences.get(found)
      if (!preference) return expect(answer, operation, 404, notFound)
      edit(preference, answer, () => Object.assign(preference, given.values))
      expect(answer, operation, 200, preferenceOf(scene.me, preference))
    },
  ),

  command('deleteSchedulePreference', {}, pick, async (scene, pick) => {
    const operation = 'deleteSchedulePreference'
    const { segment, found } = idFor(scene, 'preferences', pick)
    const path = `/api/schedule-preferences/${segment}`
    const answer = await call(scene, { operation, method: 'DELETE', path })
    if (!answer) return
    if (!found) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, success)
    forget(scene.me, 'preferences', found)
    const { rows, settings } = scene.me
    for (const table of [rows.spaces, rows.projects, rows.tasks]) {
      for (const row of table.values()) {
        if (row.schedulePreferenceId !== found) continue
        row.schedulePreferenceId = null
        touch(row, answer)
      }
    }
    if (settings.schedulePreferenceId === found) settings.schedulePreferenceId = null
    await expectStale(scene, operation)
  }),
]
