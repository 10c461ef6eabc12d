import fc from 'fast-check'
import { bodyFor, call, expect, idFor, invalid, success } from '../call.ts'
import { command } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import { edit, now, type PlanCalendar, touch } from '../model.ts'
import { listedPlanCalendars, planCalendarOf } from '../show.ts'
import { body, flag, oneOf, pick, text } from '../values.ts'
import { forget } from '../world.ts'
import { hostOf, isRefused, url, username } from './calendars.ts'

const rules = { sessionOnly: true }
const notFound = { error: 'Plan calendar not found' }
const settings = { name: text(1, 200), detail: oneOf('full', 'titles', 'busy'), twoWay: flag }
const password = text(1, 1000)

export const planCalendars = [
  command('listPlanCalendars', rules, fc.constant({}), async (scene) => {
    const operation = 'listPlanCalendars'
    const answer = await call(scene, {
      operation,
      method: 'GET',
      path: '/api/plan-calendars',
      rules,
    })
    if (answer) expect(answer, operation, 200, listedPlanCalendars(scene.me))
  }),

  command(
    'createPlanCalendar',
    rules,
    body({ url, username, password, ...settings }, ['url', 'username', 'password']),
    async (scene, drawn) => {
      const operation = 'createPlanCalendar'
      const { me } = scene
      const given = bodyFor(scene, drawn)
      const path = '/api/plan-calendars'
      const answer = await call(scene, { operation, method: 'POST', path, rules, body: given })
      if (!answer) return
      const { url, username, password: _, ...values } = given.values
      if (isRefused(url)) {
        return expect(answer, operation, 400, invalid('url'))
      }
      if (me.rows.planCalendars.size >= 5) {
        const error = 'At most 5 plan calendars; delete one first'
        return expect(answer, operation, 409, { error })
      }
      const createdAt = now(answer)
      const calendar: PlanCalendar = {
        id: freshId(scene, answer),
        name: hostOf(url),
        detail: 'full',
        twoWay: false,
        ...values,
        host: hostOf(url),
        username,
        removing: false,
        createdAt,
        updatedAt: createdAt,
      }
      expect(answer, operation, 201, planCalendarOf(calendar))
      me.rows.planCalendars.set(calendar.id, calendar)
    },
  ),

  command(
    'updatePlanCalendar',
    rules,
    fc.record({ pick, changes: body({ ...settings, password }) }),
    async (scene, { pick, changes }) => {
      const operation = 'updatePlanCalendar'
      const { segment, found } = idFor(scene, 'planCalendars', pick)
      const given = bodyFor(scene, changes)
      if (given.bad.length === 0 && Object.keys(given.values).length === 0) given.bad.push('body')
      const path = `/api/plan-calendars/${segment}`
      const answer = await call(scene, { operation, method: 'PATCH', path, rules, body: given })
      if (!answer) return
      const { password, ...values } = given.values
      const calendar = scene.me.rows.planCalendars.get(found)
      if (!calendar) return expect(answer, operation, 404, notFound)
      if (password === undefined) edit(calendar, answer, () => void Object.assign(calendar, values))
      else {
        // The encrypted address is different each time, so `updatedAt` always changes.
        Object.assign(calendar, values)
        touch(calendar, answer)
      }
      expect(answer, operation, 200, planCalendarOf(calendar))
    },
  ),

  command(
    'deletePlanCalendar',
    rules,
    fc.record({ pick, isRemoving: fc.boolean() }),
    async (scene, { pick, isRemoving }) => {
      const operation = 'deletePlanCalendar'
      const { segment, found } = idFor(scene, 'planCalendars', pick)
      const path = `/api/plan-calendars/${segment}${isRemoving ? '?events=remove' : ''}`
      const answer = await call(scene, { operation, method: 'DELETE', path, rules })
      if (!answer) return
      const calendar = scene.me.rows.planCalendars.get(found)
      if (!calendar) return expect(answer, operation, 404, notFound)
      expect(answer, operation, 200, success)
      if (isRemoving) edit(calendar, answer, () => void (calendar.removing = true))
      else forget(scene.me, 'planCalendars', found)
    },
  ),
]
