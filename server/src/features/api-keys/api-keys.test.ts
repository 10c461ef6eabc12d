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

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

type SignedIn = Awaited<ReturnType<typeof signUp>>

const newKey = async (person: SignedIn, more: object = {}) =>
  (await person.post('/api/api-keys', { name: 'script', ...more })).body

const withKey = (app: App, key: string) => caller(app, { authorization: `Bearer ${key}` })

const insufficientScope = { status: 403, body: { error: 'Insufficient scope' } }
const needsSession = { status: 403, body: { error: 'Sign in to do this: API keys cannot' } }

describe('GET /api/api-keys', () => {
  it('200: my keys, newest first, without the secrets', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    await newKey(grace)
    const issued = [await newKey(ada, { name: 'first' }), await newKey(ada, { name: 'second' })]

    const { status, body } = await ada.get('/api/api-keys')

    expect(status).toBe(200)
    expect(body).toEqual(issued.toReversed().map(({ key: _key, ...rest }) => rest))
    for (const { key } of issued) expect(JSON.stringify(body)).not.toContain(key.slice(33))
  })

  it('401: without a session', async ({ stranger }) => {
    expect((await stranger.get('/api/api-keys')).status).toBe(401)
  })
})

describe('POST /api/api-keys', () => {
  it('201: the whole key, shown only once and stored as a hash', async ({ app, db }) => {
    const ada = await signUp(app)

    const { status, body } = await ada.post('/api/api-keys', { name: 'backup' })

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'backup',
      prefix: body.key.slice(0, 33),
      scopes: ['read', 'write', 'planner'],
      expiresAt: null,
      createdAt: isoUtcMilliseconds,
      lastUsedAt: null,
      key: expect.stringMatching(/^dwk_/),
    })
    const { rows } = await db.pool.query('select key::text from api_keys key where user_id = $1', [
      ada.id,
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0].key).not.toContain(body.key.slice(33))
  })

  it('201: the key acts as me at once', async ({ app }) => {
    const ada = await signUp(app)

    const { key } = await newKey(ada)

    expect((await withKey(app, key).get('/api/user')).body).toMatchObject({ id: ada.id })
  })

  it('201: with the requested scopes and expiry', async ({ app }) => {
    const ada = await signUp(app)
    const scopes = ['planner', 'read', 'read']

    const key = await newKey(ada, { scopes, expiresAt: '2026-04-01T00:00:00+02:00' })

    expect(key).toMatchObject({
      scopes: ['planner', 'read'],
      expiresAt: '2026-03-31T22:00:00.000Z',
    })
  })

  it('201: repeats the response, even after the key has expired', async ({ db }) => {
    const clock = { now: new Date('2026-03-02T08:00:00Z') }
    const ada = await signUp(await testApp(db, () => clock.now))
    const repeat = () =>
      ada.post(
        '/api/api-keys',
        { name: 'script', expiresAt: '2026-03-02T09:00:00Z' },
        { 'idempotency-key': 'once' },
      )
    const issued = await repeat()
    clock.now = new Date('2026-03-02T10:00:00Z')

    expect(issued.status).toBe(201)
    expect(await repeat()).toEqual(issued)
  })

  it('201: ignores an owner, id or hash in the body', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]

    const { id } = await newKey(ada, { userId: grace.id, id: unknownId, lastUsedAt: '2026-01-01' })

    expect(id).not.toBe(unknownId)
    expect((await grace.get('/api/api-keys')).body).toEqual([])
    expect((await ada.get('/api/api-keys')).body).toMatchObject([{ id, lastUsedAt: null }])
  })

  it.for([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: 'a\0b' }],
    ['scopes', { name: 'key', scopes: [] }],
    ['scopes', { name: 'key', scopes: null }],
    ['scopes.0', { name: 'key', scopes: ['admin'] }],
    ['expiresAt', { name: 'key', expiresAt: 'soon' }],
    ['expiresAt', { name: 'key', expiresAt: '2026-02-30' }],
    ['expiresAt', { name: 'key', expiresAt: '2026-03-02T07:59:59.999Z' }],
    ['expiresAt', { name: 'key', expiresAt: '2026-03-02T08:00:00Z' }],
  ] as const)('400: names the field that failed: %s of %o', async ([field, body], { app }) => {
    const ada = await signUp(app)

    expect(await ada.post('/api/api-keys', body)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('409: the twenty-sixth key, even if concurrent; expired keys do not count', async ({
    app,
    db,
  }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    const { id: ended } = await newKey(ada)
    await db.pool.query(`update api_keys set expires_at = '2026-03-02T08:00:00Z' where id = $1`, [
      ended,
    ])

    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ada.post('/api/api-keys', { name: 'script' })),
    )

    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(5)
    for (const answer of refused) {
      expect(answer).toEqual({
        status: 409,
        body: { error: 'At most 25 API keys; revoke one first' },
      })
    }
    expect((await grace.post('/api/api-keys', { name: 'script' })).status).toBe(201)
    const [{ id }] = (await ada.get('/api/api-keys')).body
    await ada.delete(`/api/api-keys/${id}`)
    expect((await ada.post('/api/api-keys', { name: 'script' })).status).toBe(201)
  })
})

describe('DELETE /api/api-keys/{id}', () => {
  it('200: revokes the key at once, and no other', async ({ app }) => {
    const ada = await signUp(app)
    const [lost, kept] = [await newKey(ada), await newKey(ada)]
    expect((await withKey(app, lost.key).get('/api/user')).status).toBe(200)

    expect(await ada.delete(`/api/api-keys/${lost.id}`)).toEqual({
      status: 200,
      body: { success: true },
    })

    expect((await withKey(app, lost.key).get('/api/user')).status).toBe(401)
    expect((await withKey(app, kept.key).get('/api/user')).status).toBe(200)
  })

  it('404: unknown, malformed, another user’s or revoked', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    const [hers, gone] = [await newKey(grace), await newKey(ada)]
    await ada.delete(`/api/api-keys/${gone.id}`)

    for (const id of [unknownId, 'not-an-id', hers.id, gone.id]) {
      expect(await ada.delete(`/api/api-keys/${id}`)).toEqual({
        status: 404,
        body: { error: 'API key not found' },
      })
    }
    expect((await withKey(app, hers.key).get('/api/user')).status).toBe(200)
  })
})

describe('scopes', () => {
  it('403: keys are managed only in a session, never with a key', async ({ app }) => {
    const ada = await signUp(app)
    const { id, key } = await newKey(ada)
    const script = withKey(app, key)

    expect(await script.get('/api/api-keys')).toEqual(needsSession)
    expect(await script.post('/api/api-keys', { name: 'more' })).toEqual(needsSession)
    expect(await script.delete(`/api/api-keys/${id}`)).toEqual(needsSession)

    expect((await ada.get('/api/api-keys')).body).toHaveLength(1)
  })

  it('read: allows every GET, and no change', async ({ app }) => {
    const ada = await signUp(app)
    const { body: label } = await ada.post('/api/labels', { name: 'home' })
    const reader = withKey(app, (await newKey(ada, { scopes: ['read'] })).key)

    expect((await reader.get('/api/labels')).status).toBe(200)
    expect(await reader.post('/api/labels', { name: 'work' })).toEqual(insufficientScope)
    expect(await reader.patch(`/api/labels/${label.id}`, { name: 'x' })).toEqual(insufficientScope)
    expect(await reader.delete(`/api/labels/${label.id}`)).toEqual(insufficientScope)

    expect((await ada.get('/api/labels')).body).toMatchObject([{ name: 'home' }])
  })

  it('write: allows every change, and no GET', async ({ app }) => {
    const ada = await signUp(app)
    const writer = withKey(app, (await newKey(ada, { scopes: ['write'] })).key)

    const { status, body } = await writer.post('/api/labels', { name: 'home' })

    expect(status).toBe(201)
    expect((await writer.delete(`/api/labels/${body.id}`)).status).toBe(200)
    expect(await writer.get('/api/labels')).toEqual(insufficientScope)
  })

  it('403: is answered before the body is validated', async ({ app }) => {
    const ada = await signUp(app)
    const reader = withKey(app, (await newKey(ada, { scopes: ['read'] })).key)

    expect(await reader.post('/api/labels', { name: 7 })).toEqual(insufficientScope)
  })
})

describe('events', () => {
  it('record that a key is issued and revoked, but not the key', async ({ app, db }) => {
    const person = await signUp(app)
    const { body } = await person.post('/api/api-keys', { name: 'script' })
    await person.delete(`/api/api-keys/${body.id}`)

    const { key, ...issued } = body
    const events = await changesOf(db, person)
    expect(events.slice(-2)).toEqual([
      ['apiKey.created', null, issued],
      ['apiKey.deleted', issued, null],
    ])
    expect(JSON.stringify(events)).not.toContain(key)
  })
})
