import fc from 'fast-check'
import { bodyFor, call, creatorOf, expect, idFor, invalid, success } from '../call.ts'
import { command } from '../command.ts'
import { freshId } from '../fresh-id.ts'
import { type Calendar, edit, now, touch } from '../model.ts'
import { calendarOf, listedCalendars } from '../show.ts'
import { expectStale } from '../stale.ts'
import { body, type Field, flag, hexColor, oneOf, pick, type Sent, text, whole } from '../values.ts'
import { forget } from '../world.ts'

const notFound = { error: 'Calendar not found' }
/** Well-formed URLs that calendars may not be fetched from. */
const notAllowed = ['http://127.0.0.1:8080/', 'webcal://localhost/a.ics', 'https://example.com:25/']
export const isRefused = (url: unknown) => notAllowed.includes(String(url))

export const url: Field = {
  good: fc
    .constantFrom('https://one.invalid/a.ics', 'webcal://two.invalid/b.ics', ...notAllowed)
    .map((value): Sent => ({ value, stored: value })),
  bad: fc
    .constantFrom<unknown>(
      '',
      'a.ics',
      'ftp://example.com',
      'https://me:pw@example.com',
      'a\0',
      7,
      null,
    )
    .map((value): Sent => ({ value, bad: '' })),
}
export const username: Field = {
  good: fc
    .constantFrom('ada', 'grace@example.com')
    .map((value): Sent => ({ value, stored: value })),
  bad: fc.constantFrom<unknown>('', 'a:b', 7, null).map((value): Sent => ({ value, bad: '' })),
}
const password = text(1, 1000)
const credentials = { username, password }
const settings = {
  name: text(1, 200),
  color: hexColor,
  shown: flag,
  blocks: flag,
  allDay: oneOf('marked', 'always', 'never'),
  tentativeBlocks: flag,
  paddingMinutes: whole(0, 60),
}
/** A user name without a password is refused, and the reverse. */
function requirePair({ values, bad }: ReturnType<typeof bodyFor>) {
  const isPair = (values.username === undefined) === (values.password === undefined)
  if (bad.length === 0 && !isPair) bad.push('password')
}

/** The access to a calendar: by CalDAV if there is a user name, otherwise as a file. */
const access = (username: unknown) => ({
  kind: username === undefined ? 'file' : 'caldav',
  username: username ?? null,
})

export const hostOf = (url: unknown) => new URL(String(url).replace('webcal', 'https')).hostname

const calendarPath = (segment: string, rest = '') => `/api/calendars/${segment}${rest}`

const newCalendar = body({ url, ...credentials, ...settings }, ['url'])
const account = body({ url, ...credentials }, ['url', 'username', 'password'])

export const calendars = [
  command('listCalendars', {}, fc.constant({}), async (scene) => {
    const operation = 'listCalendars'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/calendars' })
    if (answer) expect(answer, operation, 200, listedCalendars(scene.me))
  }),

  command('createCalendar', {}, newCalendar, async (scene, drawn) => {
    const operation = 'createCalendar'
    const { me } = scene
    const given = bodyFor(scene, drawn)
    requirePair(given)
    const answer = await call(scene, {
      operation,
      method: 'POST',
      path: '/api/calendars',
      body: given,
    })
    if (!answer) return
    const { url, username, password: _, ...values } = given.values
    if (isRefused(url)) return expect(answer, operation, 400, invalid('url'))
    if (me.rows.calendars.size >= 25) {
      const error = 'At most 25 calendars; delete one first'
      return expect(answer, operation, 409, { error })
    }
    const createdAt = now(answer)
    const calendar: Calendar = {
      id: freshId(scene, answer),
      name: hostOf(url),
      color: '#8A8680',
      shown: true,
      blocks: true,
      allDay: 'marked',
      tentativeBlocks: true,
      paddingMinutes: 0,
      ...values,
      ...access(username),
      host: hostOf(url),
      createdBy: creatorOf(scene),
      createdAt,
      updatedAt: createdAt,
    }
    expect(answer, operation, 201, calendarOf(calendar))
    me.rows.calendars.set(calendar.id, calendar)
  }),

  command('findCalendar', {}, pick, async (scene, pick) => {
    const operation = 'findCalendar'
    const { segment, found } = idFor(scene, 'calendars', pick)
    const answer = await call(scene, { operation, method: 'GET', path: calendarPath(segment) })
    if (!answer) return
    const calendar = scene.me.rows.calendars.get(found)
    if (!calendar) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, calendarOf(calendar))
  }),

  command(
    'updateCalendar',
    {},
    fc.record({ pick, changes: body({ url, ...credentials, ...settings }) }),
    async (scene, { pick, changes }) => {
      const operation = 'updateCalendar'
      const { segment, found } = idFor(scene, 'calendars', pick)
      const given = bodyFor(scene, changes)
      if (given.bad.length === 0 && Object.keys(given.values).length === 0) given.bad.push('body')
      requirePair(given)
      const path = calendarPath(segment)
      const answer = await call(scene, { operation, method: 'PATCH', path, body: given })
      if (!answer) return
      const { url, username, password: _, ...values } = given.values
      if (isRefused(url)) return expect(answer, operation, 400, invalid('url'))
      const calendar = scene.me.rows.calendars.get(found)
      if (!calendar) return expect(answer, operation, 404, notFound)
      if (url === undefined && username === undefined) {
        edit(calendar, answer, () => void Object.assign(calendar, values))
      } else {
        // The encrypted address is different each time, so `updatedAt` always changes.
        const host = url === undefined ? calendar.host : hostOf(url)
        const createdBy = creatorOf(scene)
        Object.assign(calendar, values, access(username), { host, createdBy })
        touch(calendar, answer)
        await expectStale(scene, operation)
      }
      expect(answer, operation, 200, calendarOf(calendar))
    },
  ),

  command('refreshCalendar', {}, pick, async (scene, pick) => {
    const operation = 'refreshCalendar'
    const { segment, found } = idFor(scene, 'calendars', pick)
    const path = calendarPath(segment, '/refresh')
    const answer = await call(scene, { operation, method: 'POST', path })
    if (!answer) return
    const calendar = scene.me.rows.calendars.get(found)
    if (!calendar) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, calendarOf(calendar))
  }),

  command('deleteCalendar', {}, pick, async (scene, pick) => {
    const operation = 'deleteCalendar'
    const { segment, found } = idFor(scene, 'calendars', pick)
    const answer = await call(scene, { operation, method: 'DELETE', path: calendarPath(segment) })
    if (!answer) return
    if (!found) return expect(answer, operation, 404, notFound)
    expect(answer, operation, 200, success)
    forget(scene.me, 'calendars', found)
    await expectStale(scene, operation)
  }),

  // No worker runs here and no host name can be resolved, so calendars have no events.
  command('listCalendarEvents', {}, fc.constant({}), async (scene) => {
    const operation = 'listCalendarEvents'
    const answer = await call(scene, { operation, method: 'GET', path: '/api/calendar-events' })
    if (answer) expect(answer, operation, 200, [])
  }),

  command('discoverCalendars', {}, account, async (scene, drawn) => {
    const operation = 'discoverCalendars'
    const given = bodyFor(scene, drawn)
    const path = '/api/calendars/discover'
    const answer = await call(scene, { operation, method: 'POST', path, body: given })
    if (!answer) return
    if (isRefused(given.values.url)) return expect(answer, operation, 400, invalid('url'))
    expect(answer, operation, 422, { error: () => undefined })
  }),

  command('previewCalendar', {}, body({ url }, ['url']), async (scene, drawn) => {
    const operation = 'previewCalendar'
    const given = bodyFor(scene, drawn)
    const path = '/api/calendars/preview'
    const answer = await call(scene, { operation, method: 'POST', path, body: given })
    if (!answer) return
    if (isRefused(given.values.url)) return expect(answer, operation, 400, invalid('url'))
    expect(answer, operation, 422, { error: () => undefined })
  }),
]
