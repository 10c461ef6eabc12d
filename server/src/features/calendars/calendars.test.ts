import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Calendar, CalendarEvent } from '@daywright/contract'
import { prepareCalendarJobs } from '../../../test/calendar-jobs.ts'
import {
  caller,
  describe,
  expect,
  it as base,
  newPerson,
  type Person,
  signUp,
  testApp,
} from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { createHostLimiter } from './hosts.ts'
import { makeReader } from './reader.ts'
import { type Refreshing, refreshCalendar } from './refresh-calendar.ts'

const hour = 3_600_000
const start = Date.parse('2026-03-02T08:00:00Z')
let time = start
const now = () => new Date(time)
const contextOf = prepareCalendarJobs(now)

type Meeting = { uid?: string; title?: string; from: string; to: string; more?: string[] }

/** An event at these times of 3 March, in UTC. */
const meeting = ({ uid = 'a', title = 'Stand-up', from, to, more = [] }: Meeting) =>
  [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SUMMARY:${title}`,
    `DTSTAMP:20260302T${String(Math.floor(time / 1000) % 86_400).padStart(6, '0')}Z`,
    `DTSTART:20260303T${from}00Z`,
    `DTEND:20260303T${to}00Z`,
    ...more,
    'END:VEVENT',
  ].join('\r\n')

const file = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'X-WR-CALNAME:Team', ...events, 'END:VCALENDAR', ''].join(
    '\r\n',
  )

type Site = { answer: Answer; onRequest: () => Promise<unknown>; url: string }
type Answer = { status?: number; body?: string; headers?: Record<string, string> }

const it = base.extend('site', async ({}, { onCleanup }) => {
  const site = { answer: { body: file() } as Answer, onRequest: async () => {}, url: '' } as Site
  async function respond(response: ServerResponse) {
    await site.onRequest()
    const { status = 200, headers = {}, body = '' } = site.answer
    response.writeHead(status, headers).end(body)
  }
  const server = createServer((_request, response) => void respond(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/work.ics`
  onCleanup(() => {
    server.closeAllConnections()
    server.close()
  })
  return site
})

async function refresh(
  db: Database,
  { id }: { id: string },
  calendarId: string,
  others: Partial<Refreshing> = {},
) {
  time += hour
  await refreshCalendar({ ...contextOf(db), ...others }, id, calendarId)
}

const range = '/api/calendar-events?from=2026-03-03T00:00:00Z&to=2026-03-04T00:00:00Z'

async function eventsOf(person: Person) {
  const { body } = await person.get(range)
  return CalendarEvent.array()
    .parse(body)
    .map(({ title, startAt, blocks }) => [title, startAt.toISOString().slice(11, 16), blocks])
}

async function subscribe(person: Person, url: string, settings: object = {}) {
  const { status, body } = await person.post('/api/calendars', { url, ...settings })
  expect(status).toBe(201)
  return body.id as string
}

const stateOf = async (person: Pick<Person, 'get'>, id: string) =>
  Calendar.parse((await person.get(`/api/calendars/${id}`)).body)

describe('a calendar', () => {
  it('is created, changed and deleted, and never shows its address', async ({ ada, grace }) => {
    const { body } = await ada.post('/api/calendars', {
      url: 'webcal://calendar.example.com/secret.ics',
      name: 'Work',
    })
    expect(Calendar.parse(body)).toMatchObject({
      name: 'Work',
      host: 'calendar.example.com',
      shown: true,
      blocks: true,
      allDay: 'marked',
      fetchedAt: null,
      error: null,
    })
    expect(JSON.stringify(body)).not.toContain('secret')
    const path = `/api/calendars/${body.id}`
    expect((await ada.patch(path, { blocks: false, paddingMinutes: 15 })).body).toMatchObject({
      blocks: false,
      paddingMinutes: 15,
    })
    const moved = await ada.patch(path, { url: 'https://other.example.com/new.ics' })
    expect(moved.body).toMatchObject({ host: 'other.example.com' })
    expect((await grace.get(path)).status).toBe(404)
    expect((await grace.patch(path, { blocks: true })).status).toBe(404)
    expect((await grace.delete(path)).status).toBe(404)
    expect((await ada.delete(path)).status).toBe(200)
    expect((await ada.get('/api/calendars')).body).toEqual([])
    const { body: history } = await ada.get('/api/history')
    expect(JSON.stringify(history)).not.toMatch(/secret|new\.ics/)
  })

  it.for([
    ['ftp://example.com/a.ics', 'Must be an http, https or webcal URL without credentials'],
    [
      'https://ada:pass@example.com/a.ics',
      'Must be an http, https or webcal URL without credentials',
    ],
    ['http://127.0.0.1:8080/a.ics', 'The operator does not allow this address'],
    ['webcal://localhost/a.ics', 'The operator does not allow this address'],
    ['https://example.com:25/a.ics', 'Only ports 80, 443 and 1024 or higher are allowed'],
  ])('is refused at %s', async ([url, message], { db }) => {
    const app = await testApp(db, now, { WEBHOOK_PRIVATE_ADDRESSES: 'refuse' })
    onTestFinished(() => app.close())
    const ada = await newPerson(app, db)
    const { status, body } = await ada.post('/api/calendars', { url })
    expect(status).toBe(400)
    expect(body.details.url).toEqual([message])
    expect((await ada.post('/api/calendars/preview', { url })).status).toBe(400)
  })

  it('is no longer fetched once its API key was revoked, until a refresh is requested', async ({
    app,
    db,
    site,
  }) => {
    const ada = await signUp(app)
    const { body: key } = await ada.post('/api/api-keys', { name: 'script' })
    const script = caller(app, { authorization: `Bearer ${key.key}` })
    site.answer = { body: file(meeting({ from: '0900', to: '1000' })) }
    const { body } = await script.post('/api/calendars', { url: site.url })
    const byKey = { kind: 'key', id: key.id, name: 'script' }
    expect(body.createdBy).toEqual(byKey)
    await refresh(db, ada, body.id)
    await ada.delete(`/api/api-keys/${key.id}`)
    let requests = 0
    site.onRequest = async () => void (requests += 1)

    await refresh(db, ada, body.id)

    expect(requests).toBe(0)
    const stopped = {
      error:
        'The API key that added the calendar was revoked or has expired: fetch the calendar now to keep it',
      nextFetchAt: null,
      createdBy: byKey,
      eventCount: 1,
    }
    expect(await stateOf(ada, body.id)).toMatchObject(stopped)
    const { body: resumed } = await ada.post(`/api/calendars/${body.id}/refresh`)
    expect(resumed).toMatchObject({
      createdBy: { kind: 'person' },
      nextFetchAt: expect.any(String),
    })
    await refresh(db, ada, body.id)
    expect(requests).toBe(1)
    expect(await stateOf(ada, body.id)).toMatchObject({ error: null })
  })

  it('is no longer fetched once the API key that gave its address has expired', async ({
    app,
    db,
    site,
  }) => {
    const ada = await signUp(app)
    const expiresAt = new Date(Date.parse('2026-03-02T08:00:00Z') + 1000)
    const { body: key } = await ada.post('/api/api-keys', { name: 'script', expiresAt })
    const { body } = await ada.post('/api/calendars', { url: 'https://example.com/a.ics' })
    expect(body.createdBy).toEqual({ kind: 'person' })
    const script = caller(app, { authorization: `Bearer ${key.key}` })
    const path = `/api/calendars/${body.id}`
    expect((await script.patch(path, { name: 'Mine' })).body.createdBy).toEqual({ kind: 'person' })
    const { body: moved } = await script.patch(path, { url: site.url })
    expect(moved.createdBy).toMatchObject({ id: key.id })

    await refresh(db, ada, body.id)

    expect(await stateOf(ada, body.id)).toMatchObject({ fetchedAt: null, nextFetchAt: null })
  })

  it('is refused if there are 25 already', async ({ ada }) => {
    for (let n = 0; n < 25; n += 1) await subscribe(ada, `https://example.com/${n}.ics`)
    expect((await ada.post('/api/calendars', { url: 'https://example.com/a.ics' })).status).toBe(
      409,
    )
  })
})

describe('a refresh', () => {
  it('skips the events of the user’s own plan, and shows those of another user’s', async ({
    ada,
    grace,
    db,
    site,
  }) => {
    const blockOf = async (person: Person) => {
      const times = { startAt: '2026-03-03T09:00:00Z', endAt: '2026-03-03T10:00:00Z' }
      const { body } = await person.post('/api/time-blocks', {
        type: 'event',
        title: 'Write',
        ...times,
      })
      return body.id as string
    }
    const cancelled = await blockOf(ada)
    await db.pool.query(
      `update time_blocks set status = 'cancelled', cancelled_at = $2 where id = $1`,
      [cancelled, now()],
    )
    const own = [cancelled, await blockOf(ada)].map((block) => `${block}@daywright`)
    const others = [`${await blockOf(grace)}@daywright`, 'no-id@daywright', 'daywright@example.com']
    site.answer = {
      body: file(
        ...own.map((uid) => meeting({ uid, title: 'Own', from: '0900', to: '1000' })),
        ...others.map((uid) => meeting({ uid, title: 'Other', from: '1100', to: '1200' })),
      ),
    }
    const { body: preview } = await ada.post('/api/calendars/preview', { url: site.url })
    const id = await subscribe(ada, site.url)

    await refresh(db, ada, id)

    const other = ['Other', '11:00', true]
    expect(preview).toMatchObject({ eventCount: 3, next: [{ title: 'Other' }, {}, {}] })
    expect(await eventsOf(ada)).toEqual([other, other, other])
    expect(await stateOf(ada, id)).toMatchObject({ eventCount: 3, skippedCount: 0 })
  })

  it('stores the events, and then only differences', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site.url)
    site.answer = {
      body: file(
        meeting({ from: '0900', to: '0930' }),
        meeting({ uid: 'b', title: 'Review', from: '1400', to: '1500' }),
      ),
    }
    await refresh(db, ada, id)
    expect(await eventsOf(ada)).toEqual([
      ['Stand-up', '09:00', true],
      ['Review', '14:00', true],
    ])
    const before = (await ada.get(range)).body
    expect(await stateOf(ada, id)).toMatchObject({ eventCount: 2, error: null, skipped: [] })

    site.answer = {
      body: file(
        meeting({ uid: 'b', title: 'Review', from: '1500', to: '1600' }),
        meeting({ from: '0900', to: '0930' }),
      ),
    }
    await refresh(db, ada, id)
    expect(await eventsOf(ada)).toEqual([
      ['Stand-up', '09:00', true],
      ['Review', '15:00', true],
    ])
    const after = (await ada.get(range)).body
    expect(after.map((event: { id: string }) => event.id)).toEqual(
      before.map((event: { id: string }) => event.id),
    )
  })

  it('records nothing if only DTSTAMP has changed', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site.url)
    site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
    await refresh(db, ada, id)
    const { body: first } = await ada.get('/api/history')
    site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
    await refresh(db, ada, id)

    expect((await ada.get('/api/history')).body).toEqual(first)
    const { fetchedAt, changedAt } = await stateOf(ada, id)
    expect(fetchedAt!.getTime() - changedAt!.getTime()).toBe(hour)
  })

  it.for<[string, Answer, string]>([
    ['500', { status: 500 }, 'The server answered 500'],
    ['an HTML page', { body: '<html>Sign in</html>' }, 'There is no calendar at this address'],
    ['an empty file', { body: '' }, 'There is no calendar at this address'],
    [
      'a cut file',
      { body: file(meeting({ from: '0900', to: '0930' })).slice(0, -40) },
      'The file is incomplete',
    ],
  ])(
    'that finds %s keeps the events, and reports the error',
    async ([, answer, error], { ada, db, site }) => {
      const id = await subscribe(ada, site.url)
      site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
      await refresh(db, ada, id)
      site.answer = answer
      await refresh(db, ada, id)

      expect(await eventsOf(ada)).toEqual([['Stand-up', '09:00', true]])
      const failed = await stateOf(ada, id)
      expect(failed.error).toBe(error)
      expect(failed.nextFetchAt!.getTime() - time).toBe(hour / 4)
      await refresh(db, ada, id)
      expect((await stateOf(ada, id)).nextFetchAt!.getTime() - time).toBe(hour)
      site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
      await refresh(db, ada, id)
      expect((await stateOf(ada, id)).error).toBe(null)
    },
  )

  it('keeps the events until a second reading finds none either', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site.url)
    const many = ['a', 'b', 'c', 'd', 'e', 'f']
    site.answer = { body: file(...many.map((uid) => meeting({ uid, from: '0900', to: '0930' }))) }
    await refresh(db, ada, id)
    site.answer = { body: file() }
    await refresh(db, ada, id)
    expect(await eventsOf(ada)).toHaveLength(6)
    expect((await stateOf(ada, id)).error).toContain('no events any more')
    await refresh(db, ada, id)
    expect(await eventsOf(ada)).toEqual([])
    expect((await stateOf(ada, id)).error).toBe(null)
  })

  it('is aborted if the server is too slow, and keeps the events', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site.url)
    site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
    await refresh(db, ada, id)
    const asked = Promise.withResolvers<void>()
    const never = new Promise(() => {})
    site.onRequest = () => (asked.resolve(), never)
    await refresh(db, ada, id, {
      async limitSlow(work) {
        const ending = new AbortController()
        void asked.promise.then(() => ending.abort())
        return work(ending.signal)
      },
    })

    expect((await stateOf(ada, id)).error).toBe('The server is too slow')
    expect(await eventsOf(ada)).toHaveLength(1)
  })

  it('waits without an error while the service reads other calendars', async ({
    ada,
    db,
    site,
  }) => {
    const id = await subscribe(ada, site.url)
    site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
    const busy = makeReader(async () => ({ kind: 'busy', waitMs: 0 }))
    await refresh(db, ada, id, { reader: busy })

    const { error, nextFetchAt } = await stateOf(ada, id)
    expect([error, nextFetchAt!.getTime() - time]).toEqual([null, 90_000])
  })

  it('writes nothing if the address was replaced meanwhile', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site.url)
    site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
    site.onRequest = () => ada.patch(`/api/calendars/${id}`, { url: `${site.url}?other` })
    await refresh(db, ada, id)

    expect(await eventsOf(ada)).toEqual([])
    expect(await stateOf(ada, id)).toMatchObject({ fetchedAt: null, nextFetchAt: new Date(start) })
  })

  it('waits as long as the host asks us to', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site.url)
    site.answer = { status: 429, headers: { 'retry-after': '7200' } }
    await refresh(db, ada, id)
    const { nextFetchAt } = await stateOf(ada, id)
    expect(nextFetchAt!.getTime() - time).toBe(2 * hour)
  })

  it('is read while the host asks another user to wait', async ({ ada, grace, db, site }) => {
    const hosts = createHostLimiter()
    const [own, other] = [await subscribe(ada, site.url), await subscribe(grace, site.url)]
    site.answer = { status: 429, headers: { 'retry-after': '7200' } }
    await refresh(db, ada, own, { hosts })
    site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
    await refresh(db, grace, other, { hosts })

    expect(await eventsOf(grace)).toHaveLength(1)
  })

  it('follows the rules of its calendar', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site.url)
    const day = ['BEGIN:VEVENT', 'UID:d', 'SUMMARY:Holiday', 'DTSTART;VALUE=DATE:20260303']
    site.answer = {
      body: file(
        meeting({ from: '1200', to: '1300', title: 'Maybe', more: ['STATUS:TENTATIVE'] }),
        [...day, 'END:VEVENT'].join('\r\n'),
      ),
    }
    await refresh(db, ada, id)
    const listBlocking = async (settings: object) => {
      await ada.patch(`/api/calendars/${id}`, settings)
      return (await eventsOf(ada)).filter(([, , blocks]) => blocks).map(([title]) => title)
    }
    expect(await listBlocking({ color: '#112233' })).toEqual(['Maybe'])
    expect(await listBlocking({ tentativeBlocks: false })).toEqual([])
    expect(await listBlocking({ allDay: 'always' })).toEqual(['Holiday'])
    expect(await listBlocking({ blocks: false })).toEqual([])
  })

  it('makes the planner plan around the events', async ({ ada, db, site }) => {
    await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 60, autoSplit: false })
    const id = await subscribe(ada, site.url)
    await ada.post('/api/planner')
    const { body: before } = await ada.get(
      '/api/time-blocks?from=2026-03-02T00:00:00Z&to=2026-03-09T00:00:00Z',
    )
    const [block] = before
    const clock = (at: string) => at.slice(11, 16).replace(':', '')
    const [date] = block.startAt.replaceAll('-', '').split('T')
    const event = meeting({ from: clock(block.startAt), to: clock(block.endAt) })
    site.answer = { body: file(event.replaceAll('20260303', date)) }
    await refresh(db, ada, id)
    await ada.post('/api/planner')

    const { body: after } = await ada.get(
      '/api/time-blocks?from=2026-03-02T00:00:00Z&to=2026-03-09T00:00:00Z',
    )
    expect(after).toHaveLength(1)
    expect(after[0].startAt >= block.endAt || after[0].endAt <= block.startAt).toBe(true)
  })

  it('lets events of a hidden calendar block time, too', async ({ ada, db, site }) => {
    const id = await subscribe(ada, site.url, { shown: false })
    site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
    await refresh(db, ada, id)
    expect(await stateOf(ada, id)).toMatchObject({ shown: false })
    expect(await eventsOf(ada)).toEqual([['Stand-up', '09:00', true]])
    expect((await ada.patch(`/api/calendars/${id}`, { shown: true })).body).toMatchObject({
      shown: true,
    })
  })

  it('previews what is at an address', async ({ ada, site }) => {
    site.answer = { body: file(meeting({ from: '0900', to: '0930' })) }
    const { status, body } = await ada.post('/api/calendars/preview', { url: site.url })
    expect([status, body]).toMatchObject([200, { name: 'Team', skippedCount: 0 }])
    site.answer = { body: 'nothing' }
    const refused = await ada.post('/api/calendars/preview', { url: site.url })
    expect([refused.status, refused.body.error]).toEqual([
      422,
      'There is no calendar at this address',
    ])
    expect((await ada.get('/api/calendars')).body).toEqual([])
  })
})
