import IcalJs from 'ical.js'
import nodeIcal from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
import { readCalendar } from '@daywright/ical'
import { onTestFinished } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { changesOf } from '../../../test/events.ts'
import {
  type App,
  caller,
  describe,
  expect,
  it,
  signUp,
  testApp,
  unknownId,
} from '../../../test/it.ts'

type SignedIn = Awaited<ReturnType<typeof signUp>>

const newFeed = async (person: SignedIn, more: object = {}) =>
  (await person.post('/api/feeds', { name: 'My plan', ...more })).body as {
    id: string
    path: string
  }

const fetchFile = (app: App, url: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { host: 'plan.example.com', ...headers } })

/** The values of a property in the file, unfolded. */
const valuesOf = (file: string, name: string) =>
  [...file.replaceAll('\r\n ', '').matchAll(new RegExp(`^${name}:(.*)\r$`, 'gm'))].map(
    ([, value]) => value,
  )

const newTask = async (person: SignedIn, body: object = {}) =>
  (await person.post('/api/tasks', { title: 'Write', estimateMinutes: 60, ...body })).body
    .id as string

const nine = { startAt: '2026-03-02T09:00:00Z', endAt: '2026-03-02T10:00:00Z' }
const needsSession = { status: 403, body: { error: 'Sign in to do this: API keys cannot' } }

describe('GET /api/feeds', () => {
  it('200: my feeds, newest first, without addresses', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    await newFeed(grace)
    const made = [await newFeed(ada, { name: 'first' }), await newFeed(ada, { name: 'second' })]

    const { status, body } = await ada.get('/api/feeds')

    expect(status).toBe(200)
    expect(body).toEqual(made.toReversed().map(({ path: _path, ...rest }) => rest))
  })
})

describe('POST /api/feeds', () => {
  it('201: the address, shown only once and stored as a hash', async ({ app, db }) => {
    const ada = await signUp(app)

    const { status, body } = await ada.post('/api/feeds', { name: 'Work', detail: 'busy' })

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Work',
      detail: 'busy',
      createdAt: expect.any(String),
      lastReadAt: null,
      path: expect.stringMatching(/^\/feeds\/dwf_[\w-]{22}_[\w-]{51}\.ics$/),
    })
    const { rows } = await db.pool.query('select feed::text from feeds feed where user_id = $1', [
      ada.id,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0].feed).not.toContain(body.path.slice(33, -4))
  })

  it('201: has full detail by default', async ({ app }) => {
    expect(await newFeed(await signUp(app))).toMatchObject({ detail: 'full' })
  })

  it('201: repeats the response for a repeated Idempotency-Key', async ({ app }) => {
    const ada = await signUp(app)
    const repeat = () => ada.post('/api/feeds', { name: 'Work' }, { 'idempotency-key': 'once' })

    const first = await repeat()

    expect(await repeat()).toEqual(first)
    expect((await ada.get('/api/feeds')).body).toHaveLength(1)
  })

  it.for([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['detail', { name: 'Work', detail: 'everything' }],
  ] as const)('400: names the field that failed: %s of %o', async ([field, body], { app }) => {
    const ada = await signUp(app)

    expect(await ada.post('/api/feeds', body)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('409: the eleventh feed, even if requests are concurrent', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]

    const answers = await Promise.all(
      Array.from({ length: 15 }, () => ada.post('/api/feeds', { name: 'Work' })),
    )

    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(5)
    for (const answer of refused) {
      expect(answer).toEqual({
        status: 409,
        body: { error: 'At most 10 feeds; delete one first' },
      })
    }
    expect((await grace.post('/api/feeds', { name: 'Work' })).status).toBe(201)
  })
})

describe('DELETE /api/feeds/{id}', () => {
  it('200: this address stops working at once, and no other', async ({ app }) => {
    const ada = await signUp(app)
    const [lost, kept] = [await newFeed(ada), await newFeed(ada)]
    expect((await fetchFile(app, lost.path)).statusCode).toBe(200)

    expect(await ada.delete(`/api/feeds/${lost.id}`)).toEqual({
      status: 200,
      body: { success: true },
    })

    expect((await fetchFile(app, lost.path)).statusCode).toBe(404)
    expect((await fetchFile(app, kept.path)).statusCode).toBe(200)
  })

  it('404: unknown, malformed, another user’s or deleted', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    const [hers, gone] = [await newFeed(grace), await newFeed(ada)]
    await ada.delete(`/api/feeds/${gone.id}`)

    for (const id of [unknownId, 'not-an-id', hers.id, gone.id]) {
      expect(await ada.delete(`/api/feeds/${id}`)).toEqual({
        status: 404,
        body: { error: 'Feed not found' },
      })
    }
    expect((await fetchFile(app, hers.path)).statusCode).toBe(200)
  })
})

describe('access', () => {
  it('403: feeds are managed only in a session, never with a key', async ({ app }) => {
    const ada = await signUp(app)
    const { id } = await newFeed(ada)
    const { key } = (await ada.post('/api/api-keys', { name: 'script' })).body
    const script = caller(app, { authorization: `Bearer ${key}` })

    expect(await script.get('/api/feeds')).toEqual(needsSession)
    expect(await script.post('/api/feeds', { name: 'more' })).toEqual(needsSession)
    expect(await script.delete(`/api/feeds/${id}`)).toEqual(needsSession)
  })

  it('401: the token of a feed is not an API key', async ({ app }) => {
    const { path } = await newFeed(await signUp(app))
    const [token = ''] = /dwf_[\w-]+/.exec(path) ?? []

    const answer = await caller(app, { authorization: `Bearer ${token}` }).get('/api/user')

    expect(answer.status).toBe(401)
  })
})

describe('events', () => {
  it('record that a feed is created and deleted, but not its address', async ({ app, db }) => {
    const ada = await signUp(app)
    const { id, path } = await newFeed(ada)
    await ada.delete(`/api/feeds/${id}`)

    const events = (await changesOf(db, ada)).slice(-2)

    expect(events).toMatchObject([
      ['feed.created', null, { id, name: 'My plan' }],
      ['feed.deleted', { id, name: 'My plan' }, null],
    ])
    expect(JSON.stringify(events)).not.toContain(path.slice(33, -4))
  })
})

describe('GET /feeds/{token}.ics', () => {
  it('200: my blocks, as a calendar file for a private cache', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    const taskId = await newTask(ada, { title: 'Write; the report' })
    await newTask(grace, { title: 'Secret of Grace' })
    await ada.post('/api/planner')
    await grace.post('/api/planner')
    await ada.post('/api/time-blocks', {
      type: 'event',
      title: 'Dentist',
      startAt: '2026-03-03T15:00:00Z',
      endAt: '2026-03-03T16:00:00Z',
    })
    const { path } = await newFeed(ada)

    const answer = await fetchFile(app, path)

    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-disposition': 'attachment; filename="daywright.ics"',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
    })
    expect(valuesOf(answer.body, 'SUMMARY')).toEqual(['Write\\; the report', 'Dentist'])
    expect(valuesOf(answer.body, 'DTSTART')).toEqual(['20260302T090000Z', '20260303T150000Z'])
    expect(valuesOf(answer.body, 'URL')).toEqual([`http://plan.example.com/tasks/${taskId}`])
    expect(valuesOf(answer.body, 'X-WR-CALNAME')).toEqual(['My plan'])
  })

  it('is read without complaint by three libraries and by our own reader', async ({ app }) => {
    const ada = await signUp(app)
    const title = `${'Ünïcödé 😀 '.repeat(20)}; a, b: "c" \\ d`
    await newTask(ada, { title, autoSplit: true, estimateMinutes: 240, maxSessionMinutes: 60 })
    await ada.post('/api/planner')
    const { path } = await newFeed(ada)
    const expected = (
      await ada.get('/api/time-blocks?from=2026-03-02T00:00:00Z&to=2026-04-01T00:00:00Z')
    ).body.map(({ startAt, endAt }: { startAt: string; endAt: string }) => [title, startAt, endAt])
    expect(expected.length).toBeGreaterThan(2)

    const { body: file } = await fetchFile(app, path)

    const byIcalJs = new IcalJs.Component(IcalJs.parse(file) as unknown[])
      .getAllSubcomponents('vevent')
      .map((each) => new IcalJs.Event(each))
      .map((each) => [
        each.summary,
        isoOf(each.startDate.toJSDate()),
        isoOf(each.endDate.toJSDate()),
      ])
    expect(byIcalJs).toEqual(expected)
    const byNodeIcal = Object.values(nodeIcal.sync.parseICS(file)).flatMap((each) =>
      each?.type === 'VEVENT' ? [[each.summary, isoOf(each.start), isoOf(each.end)]] : [],
    )
    expect(byNodeIcal).toEqual(expected)
    const byTsIcs = convertIcsCalendar(undefined, file).events?.map((each) => [
      each.summary,
      isoOf(each.start.date),
      isoOf(each.end?.date),
    ])
    expect(byTsIcs).toEqual(expected)
    const window = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z', zone: 'UTC' }
    const reading = readCalendar(new TextEncoder().encode(file), window)
    expect(reading).toMatchObject({ name: 'My plan', skippedCount: 0 })
    expect(reading.occurrences.map((each) => [each.title, each.startAt, each.endAt])).toEqual(
      expected,
    )
  })

  it('shows only the detail that the feed allows', async ({ app }) => {
    const ada = await signUp(app)
    await newTask(ada, { title: 'Secret' })
    await ada.post('/api/planner')
    const fileOf = async (detail: string) =>
      (await fetchFile(app, (await newFeed(ada, { detail })).path)).body

    const [full, titles, busy] = [
      await fileOf('full'),
      await fileOf('titles'),
      await fileOf('busy'),
    ]

    expect(valuesOf(full, 'SUMMARY')).toEqual(['Secret'])
    expect(valuesOf(full, 'DESCRIPTION')).toEqual([expect.stringMatching(/\w/)])
    expect(valuesOf(full, 'CLASS')).toEqual(['PRIVATE'])
    expect(valuesOf(titles, 'SUMMARY')).toEqual(['Secret'])
    expect(titles).not.toMatch(/DESCRIPTION|URL/)
    expect(valuesOf(busy, 'SUMMARY')).toEqual(['Busy'])
    expect(busy).not.toMatch(/DESCRIPTION|URL|Secret/)
  })

  it('keeps the UID of an event that the planner moves, with a higher SEQUENCE', async ({
    app,
  }) => {
    const ada = await signUp(app)
    await newTask(ada)
    await ada.post('/api/planner')
    const { path } = await newFeed(ada, { detail: 'titles' })
    const { body: before } = await fetchFile(app, path)
    await ada.post('/api/time-blocks', { type: 'event', title: 'Dentist', ...nine })

    await ada.post('/api/planner')

    const { body: after } = await fetchFile(app, path)
    const [uid] = valuesOf(before, 'UID')
    const at = valuesOf(after, 'SUMMARY').indexOf('Write')
    expect(uid).toMatch(/^[\da-f-]{36}@daywright$/)
    expect(valuesOf(after, 'UID')[at]).toBe(uid)
    expect(valuesOf(after, 'DTSTART')[at]).not.toBe(valuesOf(before, 'DTSTART')[0])
    expect(Number(valuesOf(after, 'SEQUENCE')[at])).toBeGreaterThanOrEqual(
      Number(valuesOf(before, 'SEQUENCE')[0]),
    )
  })

  it('has neither cancelled blocks nor ones more than 31 days back or 184 ahead', async ({
    app,
  }) => {
    const ada = await signUp(app)
    const add = async (title: string, startAt: string) => {
      const endAt = new Date(Date.parse(startAt) + 3_600_000)
      return (await ada.post('/api/time-blocks', { type: 'event', title, startAt, endAt })).body
        .id as string
    }
    await add('long ago', '2026-01-29T23:59:00Z')
    await add('a month ago', '2026-01-30T00:00:00Z')
    await add('in half a year', '2026-09-01T23:59:00Z')
    await add('later', '2026-09-02T00:00:00Z')
    const id = await add('cancelled', '2026-03-03T08:00:00Z')
    await ada.patch(`/api/time-blocks/${id}`, { status: 'cancelled' })

    const { body } = await fetchFile(app, (await newFeed(ada)).path)

    expect(valuesOf(body, 'SUMMARY')).toEqual(['a month ago', 'in half a year'])
  })

  it('has at most 2,000 blocks: those nearest to the present', async ({ app, db }) => {
    const ada = await signUp(app)
    await db.pool.query(
      `insert into time_blocks (user_id, id, title, type, source, start_at, end_at)
       select $1, gen_random_uuid(), n::text, 'event', 'manual',
              '2026-03-02T08:00:00Z'::timestamptz + n * interval '1 hour',
              '2026-03-02T08:30:00Z'::timestamptz + n * interval '1 hour'
         from generate_series(-5, 2010) n`,
      [ada.id],
    )

    const { body } = await fetchFile(app, (await newFeed(ada)).path)

    const titles = valuesOf(body, 'SUMMARY')
    expect(titles).toHaveLength(2000)
    expect([titles[0], titles.at(-1)]).toEqual(['-5', '1994'])
  })

  it('304: while nothing has changed, even for a weak ETag', async ({ app }) => {
    const ada = await signUp(app)
    const { path } = await newFeed(ada)
    const etag = String((await fetchFile(app, path)).headers.etag)

    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await fetchFile(app, path, { 'if-none-match': tag })
      expect([answer.statusCode, answer.body, answer.headers.etag]).toEqual([304, '', etag])
    }
    await ada.post('/api/time-blocks', { type: 'event', title: 'Dentist', ...nine })
    const answer = await fetchFile(app, path, { 'if-none-match': etag })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers.etag).not.toBe(etag)
  })

  it('reads the blocks once for each version, and not for a 304', async ({ db }) => {
    const clock = { now: new Date('2026-03-02T08:00:00Z') }
    const names: string[] = []
    const counting: Database = {
      ...db,
      as: (actor, party) => ({
        ...db.as(actor, party),
        query(statement) {
          names.push(typeof statement === 'string' ? statement : statement.name)
          return db.as(actor, party).query(statement)
        },
      }),
    }
    const app = await testApp(counting, () => clock.now)
    onTestFinished(() => app.close())
    const ada = await signUp(app)
    const { path } = await newFeed(ada)
    const countReads = () => names.filter((name) => name === 'feeds.list-blocks').length

    const [first] = await Promise.all(Array.from({ length: 4 }, () => fetchFile(app, path)))
    const etag = String(first?.headers.etag)
    await fetchFile(app, path)
    expect((await fetchFile(app, path, { 'if-none-match': etag })).statusCode).toBe(304)
    expect(countReads()).toBe(1)

    await ada.post('/api/time-blocks', { type: 'event', title: 'Dentist', ...nine })
    await fetchFile(app, path, { 'if-none-match': etag })
    expect(countReads()).toBe(2)

    // On the next day the window has moved on.
    clock.now = new Date('2026-03-03T08:00:00Z')
    expect((await fetchFile(app, path, { 'if-none-match': etag })).statusCode).toBe(200)
    expect(countReads()).toBe(3)
  })

  it('503: many requests for one address at once, while another address is read', async ({
    app,
  }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    const [own, other] = [await newFeed(ada), await newFeed(grace)]
    const answers = await Promise.all([
      ...Array.from({ length: 12 }, () => fetchFile(app, own.path)),
      fetchFile(app, other.path),
    ])
    const codes = answers.map(({ statusCode }) => statusCode)

    expect(new Set(codes)).toEqual(new Set([200, 503]))
    expect(codes.at(-1)).toBe(200)
  })

  it('200: HEAD has only the headers', async ({ app }) => {
    const { path } = await newFeed(await signUp(app))

    const answer = await app.inject({ method: 'HEAD', url: path })

    expect([answer.statusCode, answer.body]).toEqual([200, ''])
    expect(answer.headers).toMatchObject({ 'content-type': 'text/calendar; charset=utf-8' })
  })

  it('404: unknown, altered or malformed; 405: other methods', async ({ app }) => {
    const ada = await signUp(app)
    const { path } = await newFeed(ada)
    const { key } = (await ada.post('/api/api-keys', { name: 'script' })).body

    const wrong = [
      '/feeds/',
      '/feeds/dwf_.ics',
      `/feeds/${key}.ics`,
      path.replace(/.\.ics$/, 'x.ics'),
      `${path}/more`,
    ]
    for (const url of wrong) {
      const answer = await fetchFile(app, url)
      expect([url, answer.statusCode, answer.json()]).toEqual([url, 404, { error: 'Not found' }])
    }
    expect((await app.inject({ method: 'POST', url: path })).statusCode).toBe(405)
  })

  it('404: the account of the user is disabled', async ({ app, db }) => {
    const ada = await signUp(app)
    const { path } = await newFeed(ada)
    await db.pool.query('update users set disabled_at = now() where id = $1', [ada.id])

    expect((await fetchFile(app, path)).statusCode).toBe(404)
  })

  it('429: is rate-limited by address like any other request', async ({ db, now }) => {
    const app = await testApp(db, () => now, { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: 1 })
    onTestFinished(() => app.close())
    const { path } = await newFeed(await signUp(app))

    const answers = []
    for (let i = 0; i < 6; i += 1) answers.push((await fetchFile(app, path)).statusCode)

    expect(answers.at(-1)).toBe(429)
  })

  it('records when it was last read, to the hour', async ({ db }) => {
    const clock = { now: new Date('2026-03-02T08:00:00Z') }
    const app = await testApp(db, () => clock.now)
    onTestFinished(() => app.close())
    const ada = await signUp(app)
    const { path } = await newFeed(ada)
    const lastRead = async () => (await ada.get('/api/feeds')).body[0].lastReadAt as string | null

    await fetchFile(app, path)
    expect(await lastRead()).toBe('2026-03-02T08:00:00.000Z')
    clock.now = new Date('2026-03-02T09:00:00Z')
    await fetchFile(app, path)
    expect(await lastRead()).toBe('2026-03-02T09:00:00.000Z')
  })
})

const isoOf = (date: Date | undefined) => date?.toISOString()
