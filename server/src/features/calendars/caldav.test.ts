// Calendars at CalDAV servers: at real ones, and at a fake one for answers that real ones do not give.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createProgram,
  fileOf,
  isInstalled,
  password,
  serverNames,
  startCaldavServer,
  user as username,
} from '../../../../caldav/test/servers.ts'
import { prepareCalendarJobs } from '../../../test/calendar-jobs.ts'
import { describe, expect, it as base, type Person } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { refreshCalendar } from './refresh-calendar.ts'

const minute = 60_000
let time = Date.parse('2026-03-02T08:00:00Z')
const now = () => new Date(time)
const contextOf = prepareCalendarJobs(now)

async function refresh(db: Database, { id }: Person, calendarId: string) {
  time += minute
  await refreshCalendar(contextOf(db), id, calendarId)
}

async function eventsOf(person: Person) {
  const { body } = await person.get(
    '/api/calendar-events?from=2026-03-03T00:00:00Z&to=2026-03-10T00:00:00Z',
  )
  return body.map(({ title, startAt }: { title: string; startAt: string }) => [
    title,
    startAt.slice(8, 16),
  ])
}

const changesOf = async (person: Person) =>
  (await person.get('/api/history')).body.events.filter(
    ({ type }: { type: string }) => type === 'calendar.refreshed',
  ).length

const account = { username, password }

for (const name of serverNames) {
  const it = base.extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startCaldavServer(name)
    onCleanup(server.stop)
    return server
  })

  describe.skipIf(!isInstalled(name))(`a calendar at ${name}`, () => {
    it('is found and read, and its later changes are read', async ({ ada, db, server }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Team')
      await program.put(`${url}a.ics`, fileOf('a', '20260303'))
      await program.put(`${url}series.ics`, fileOf('b', '20260304', 'RRULE:FREQ=DAILY;COUNT=2'))

      const found = await ada.post('/api/calendars/discover', { url: server.origin, ...account })
      expect(found.status).toBe(200)
      expect(found.body.calendars).toContainEqual({
        url,
        name: 'Team',
        color: name === 'radicale' ? '#11AA33' : null,
        mayWrite: true,
      })

      const { status, body } = await ada.post('/api/calendars', { url, ...account, name: 'Team' })
      expect(status).toBe(201)
      expect(body).toMatchObject({ kind: 'caldav', username, host: '127.0.0.1' })
      expect(JSON.stringify(body)).not.toContain(password)
      await refresh(db, ada, body.id)
      expect(await eventsOf(ada)).toEqual([
        ['Meeting a', '03T09:00'],
        ['Meeting b', '04T09:00'],
        ['Meeting b', '05T09:00'],
      ])
      const changes = await changesOf(ada)

      await refresh(db, ada, body.id)
      expect(await changesOf(ada)).toBe(changes)

      await program.put(`${url}a.ics`, fileOf('a', '20260306'))
      await program.delete(`${url}series.ics`)
      await program.put(`${url}c.ics`, fileOf('c', '20260307'))
      await refresh(db, ada, body.id)
      expect(await eventsOf(ada)).toEqual([
        ['Meeting a', '06T09:00'],
        ['Meeting c', '07T09:00'],
      ])

      // On another day the whole calendar is listed again.
      time += 24 * 60 * minute
      await program.put(`${url}c.ics`, fileOf('c', '20260308'))
      await refresh(db, ada, body.id)
      expect(await eventsOf(ada)).toEqual([
        ['Meeting a', '06T09:00'],
        ['Meeting c', '08T09:00'],
      ])
    })

    it('keeps its events if it is deleted there, and reports it', async ({ ada, db, server }) => {
      const program = createProgram(server)
      const url = await program.createCalendar('Gone')
      await program.put(`${url}a.ics`, fileOf('a', '20260303'))
      const { body } = await ada.post('/api/calendars', { url, ...account })
      await refresh(db, ada, body.id)
      await program.delete(url)
      await refresh(db, ada, body.id)

      expect(await eventsOf(ada)).toHaveLength(1)
      expect((await ada.get(`/api/calendars/${body.id}`)).body).toMatchObject({
        error: 'There is no calendar at this address',
        eventCount: 1,
      })
    })
  })
}

const it = base.extend('server', { scope: 'file' }, async ({}, { onCleanup }) => {
  const server = await startCaldavServer('radicale')
  onCleanup(server.stop)
  return server
})

describe.skipIf(!isInstalled('radicale'))('a wrong password', () => {
  it('422: finds no calendars', async ({ ada, server }) => {
    const wrong = { url: server.origin, username, password: 'wrong' }
    const { status, body } = await ada.post('/api/calendars/discover', wrong)
    expect(status).toBe(422)
    expect(body.error).toBe('The server refuses the user name or the password')
  })

  it('frees no time, and is not sent again until it is changed', async ({ ada, db, server }) => {
    const program = createProgram(server)
    const url = await program.createCalendar('Password')
    await program.put(`${url}a.ics`, fileOf('a', '20260303'))
    const { body } = await ada.post('/api/calendars', { url, ...account })
    const path = `/api/calendars/${body.id}`
    await refresh(db, ada, body.id)
    await ada.patch(path, { username, password: 'wrong' })
    await refresh(db, ada, body.id)

    expect((await ada.get(path)).body).toMatchObject({
      error: 'The server refuses the user name or the password',
      nextFetchAt: null,
    })
    expect(await eventsOf(ada)).toHaveLength(1)

    const { body: changed } = await ada.patch(path, account)
    expect(changed).toMatchObject({ error: null, kind: 'caldav' })
    expect(changed.nextFetchAt).not.toBeNull()
    await program.put(`${url}b.ics`, fileOf('b', '20260304'))
    await refresh(db, ada, body.id)
    expect(await eventsOf(ada)).toHaveLength(2)
  })
})

/** A server that gives the same answer to every request, and records the Authorization headers. */
async function serveFalsely(answer: { status: number; headers?: object; body?: string }) {
  const sent: string[] = []
  const server = createServer((request, response) => {
    sent.push(request.headers.authorization ?? 'none')
    response.writeHead(answer.status, { ...answer.headers }).end(answer.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return { url, sent, answer, stop: () => void server.close() }
}

describe('a password', () => {
  base('is not sent to any address but its own', async ({ ada, db }) => {
    const elsewhere = await serveFalsely({ status: 500 })
    const { body } = await ada.post('/api/calendars', { url: 'https://a.invalid/', ...account })
    const { body: moved } = await ada.patch(`/api/calendars/${body.id}`, { url: elsewhere.url })
    expect(moved).toMatchObject({ kind: 'file', username: null })
    await refresh(db, ada, body.id)

    expect(elsewhere.sent).toEqual(['none'])
    elsewhere.stop()
  })

  base('is not sent to another host after a redirect', async ({ ada }) => {
    const other = await serveFalsely({ status: 500 })
    const location = other.url.replace('127.0.0.1', 'localhost')
    const server = await serveFalsely({ status: 301, headers: { location } })
    const { status } = await ada.post('/api/calendars/discover', { url: server.url, ...account })

    expect(status).toBe(422)
    expect(other.sent).toEqual([])
    other.stop()
    server.stop()
  })

  base('400: without a user name', async ({ ada }) => {
    const url = 'https://a.invalid/'
    for (const body of [
      { url, password },
      { url, username },
    ]) {
      const { status, body: answer } = await ada.post('/api/calendars', body)
      expect(status).toBe(400)
      expect(answer.details).toEqual({ password: ['Must be given together with username'] })
    }
  })
})

describe('a server without CalDAV', () => {
  base.for([
    [
      { status: 200, body: '<html>' },
      'The server does not offer calendars by CalDAV at this address',
    ],
    [
      { status: 207, body: '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' },
      'The server does not offer calendars by CalDAV at this address',
    ],
    [{ status: 405 }, 'The server does not offer calendars by CalDAV at this address'],
    [{ status: 404 }, 'There is no calendar at this address'],
    [{ status: 503 }, 'The server answered 503'],
  ] as const)('422: %o', async ([answer, error], { ada }) => {
    const server = await serveFalsely(answer)
    const { status, body } = await ada.post('/api/calendars/discover', {
      url: server.url,
      ...account,
    })
    expect({ status, error: body.error }).toEqual({ status: 422, error })
    server.stop()
  })
})
