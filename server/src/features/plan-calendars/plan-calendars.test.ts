import { changesOf } from '../../../test/events.ts'
import { caller, describe, expect, it, signUp, unknownId } from '../../../test/it.ts'

type SignedIn = Awaited<ReturnType<typeof signUp>>

const account = {
  url: 'https://dav.example.com/ada/plan',
  username: 'ada',
  password: 'calendar secret',
}

const add = async (person: SignedIn, more: object = {}) =>
  (await person.post('/api/plan-calendars', { ...account, ...more })).body as { id: string }

const publishes = async (db: { pool: { query: Function } }, { id }: SignedIn) =>
  (await db.pool.query('select publishes from user_state where user_id = $1', [id])).rows[0]
    .publishes

describe('GET /api/plan-calendars', () => {
  it('200: my plan calendars, oldest first', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    await add(grace)
    const made = [await add(ada, { name: 'first' }), await add(ada, { name: 'second' })]

    expect(await ada.get('/api/plan-calendars')).toEqual({ status: 200, body: made })
  })
})

describe('POST /api/plan-calendars', () => {
  it('201: with defaults, and without its password', async ({ app, db }) => {
    const ada = await signUp(app)

    const { status, body } = await ada.post('/api/plan-calendars', account)

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'dav.example.com',
      host: 'dav.example.com',
      username: 'ada',
      detail: 'full',
      twoWay: false,
      removing: false,
      eventCount: 0,
      syncedAt: null,
      error: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const { rows } = await db.pool.query(
      'select calendar::text from plan_calendars calendar where user_id = $1',
      [ada.id],
    )
    expect(rows[0].calendar).not.toContain('secret')
    expect(await publishes(db, ada)).toBe(true)
  })

  it.for([
    ['url', { url: 'ftp://example.com' }],
    ['url', { url: 'http://127.0.0.1:1/' }],
    ['username', { username: 'a:b' }],
    ['password', { password: '' }],
    ['detail', { detail: 'all' }],
    ['twoWay', { twoWay: 'yes' }],
  ] as const)('400: names the field that failed: %s of %o', async ([field, more], { app }) => {
    const ada = await signUp(app)

    expect(await ada.post('/api/plan-calendars', { ...account, ...more })).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('409: the sixth, even if requests are concurrent', async ({ app }) => {
    const ada = await signUp(app)

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => ada.post('/api/plan-calendars', account)),
    )

    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(3)
    expect(refused[0]).toEqual({
      status: 409,
      body: { error: 'At most 5 plan calendars; delete one first' },
    })
  })
})

describe('PATCH /api/plan-calendars/{id}', () => {
  it('200: changes what was sent, and makes it due at once', async ({ app, db }) => {
    const ada = await signUp(app)
    const { id } = await add(ada)

    const { status, body } = await ada.patch(`/api/plan-calendars/${id}`, {
      name: 'Plan',
      detail: 'busy',
      twoWay: true,
    })

    expect(status).toBe(200)
    expect(body).toMatchObject({ id, name: 'Plan', detail: 'busy', twoWay: true })
    const { rows } = await db.pool.query(
      'select next_sync_at is not null as due from plan_calendars where user_id = $1',
      [ada.id],
    )
    expect(rows).toEqual([{ due: true }])
  })

  it('200: a new password replaces the old one, and clears the error', async ({ app, db }) => {
    const ada = await signUp(app)
    const { id } = await add(ada)
    const read = async () =>
      (
        await db.pool.query(
          'select sealed_url, error, failures from plan_calendars where user_id = $1',
          [ada.id],
        )
      ).rows[0]
    await db.pool.query(
      `update plan_calendars set error = 'refused', failures = 1 where user_id = $1`,
      [ada.id],
    )
    const before = await read()

    const { body } = await ada.patch(`/api/plan-calendars/${id}`, { password: 'new secret' })

    expect(body).toMatchObject({ id, error: null })
    expect(await read()).toEqual({
      sealed_url: expect.not.stringContaining(before.sealed_url),
      error: null,
      failures: 0,
    })
  })

  it('404: unknown or another user’s', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    const { id } = await add(grace)

    for (const each of [unknownId, id]) {
      for (const changes of [{ name: 'x' }, { password: 'x' }]) {
        expect(await ada.patch(`/api/plan-calendars/${each}`, changes)).toEqual({
          status: 404,
          body: { error: 'Plan calendar not found' },
        })
      }
    }
  })
})

describe('DELETE /api/plan-calendars/{id}', () => {
  it('200: deletes it at once if its events may stay', async ({ app, db }) => {
    const ada = await signUp(app)
    const { id } = await add(ada)

    expect(await ada.delete(`/api/plan-calendars/${id}`)).toEqual({
      status: 200,
      body: { success: true },
    })

    expect((await ada.get('/api/plan-calendars')).body).toEqual([])
    expect(await publishes(db, ada)).toBe(false)
  })

  it('200: with events=remove, the worker deletes the events first', async ({ app }) => {
    const ada = await signUp(app)
    const { id } = await add(ada)

    expect((await ada.delete(`/api/plan-calendars/${id}?events=remove`)).status).toBe(200)

    expect((await ada.get('/api/plan-calendars')).body).toMatchObject([{ id, removing: true }])
  })

  it('404: unknown or another user’s', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    const { id } = await add(grace)

    for (const each of [unknownId, id, `${id}?events=remove`]) {
      expect((await ada.delete(`/api/plan-calendars/${each}`)).status).toBe(404)
    }
    expect((await grace.get('/api/plan-calendars')).body).toMatchObject([{ id, removing: false }])
  })
})

describe('access', () => {
  it('403: only a session may manage them, never a key', async ({ app }) => {
    const ada = await signUp(app)
    const { id } = await add(ada)
    const { key } = (await ada.post('/api/api-keys', { name: 'script' })).body
    const script = caller(app, { authorization: `Bearer ${key}` })

    const answers = [
      await script.get('/api/plan-calendars'),
      await script.post('/api/plan-calendars', account),
      await script.patch(`/api/plan-calendars/${id}`, { name: 'x' }),
      await script.delete(`/api/plan-calendars/${id}`),
    ]

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  })
})

describe('events', () => {
  it('record what happens to a plan calendar, but not its password', async ({ app, db }) => {
    const ada = await signUp(app)
    const { id } = await add(ada)
    await ada.patch(`/api/plan-calendars/${id}`, { name: 'Plan', password: 'another secret' })
    await ada.delete(`/api/plan-calendars/${id}`)

    const events = (await changesOf(db, ada)).slice(-3)

    expect(events).toMatchObject([
      ['planCalendar.created', null, { id }],
      ['planCalendar.updated', { name: 'dav.example.com' }, { name: 'Plan' }],
      ['planCalendar.deleted', { name: 'Plan' }, null],
    ])
    expect(JSON.stringify(events)).not.toContain('secret')
  })
})
