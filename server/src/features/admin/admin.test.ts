import { eventsOf } from '../../../test/events.ts'
import { type App, caller, describe, expect, it, signUp, unknownId } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { findUserState } from '../../jobs/user-jobs.queries.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

async function newAdmin(app: App, db: Database) {
  const admin = await signUp(app)
  await db.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
  await db.pool.query(`update auth.users set role = 'admin' where id = $1`, [admin.id])
  return admin
}

const signIn = (app: App, email: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email, password: 'correct horse battery staple' },
  })

describe('GET /api/admin/users', () => {
  it('200: every account, in order of creation, page by page', async ({ app, db }) => {
    const admin = await newAdmin(app, db)
    const made = [admin.id, (await signUp(app)).id, (await signUp(app)).id]

    const { body: all } = await admin.get('/api/admin/users')
    const { total } = all.pagination
    const { status, body } = await admin.get(
      `/api/admin/users?limit=2&page=${Math.ceil(total / 2)}`,
    )

    expect(all.data.map(({ id }: { id: string }) => id).slice(-3)).toEqual(made)
    expect(status).toBe(200)
    expect(body.pagination).toEqual({
      page: Math.ceil(total / 2),
      limit: 2,
      total,
      pages: Math.ceil(total / 2),
    })
    expect(body.data.at(-1)).toEqual({
      id: made[2],
      email: expect.stringContaining('@example.com'),
      displayName: 'Someone',
      role: 'user',
      disabled: false,
      jobsStopped: false,
      createdAt: isoUtcMilliseconds,
    })
  })

  it('200: empty past the last page', async ({ app, db }) => {
    const admin = await newAdmin(app, db)

    const { body } = await admin.get('/api/admin/users?page=999999999&limit=100')

    expect(body.data).toEqual([])
    expect(body.pagination.total).toBeGreaterThan(0)
  })

  it.for(['page=0', 'limit=101', 'limit=0', 'page=x', 'limit=1.5'])(
    '400: %s',
    async (query, { app, db }) => {
      const admin = await newAdmin(app, db)

      expect(await admin.get(`/api/admin/users?${query}`)).toEqual({
        status: 400,
        body: {
          error: 'Validation failed',
          details: { [query.split('=')[0] ?? '']: [expect.any(String)] },
        },
      })
    },
  )
})

describe('GET /api/admin/users/{id}/usage', () => {
  it('200: the usage of that user, not of the admin', async ({ app, db }) => {
    const [admin, ada] = [await newAdmin(app, db), await signUp(app)]
    await admin.post('/api/labels', { name: 'home' })
    await ada.post('/api/tasks', { title: 'Write', description: 'Words' })

    const { status, body } = await admin.get(`/api/admin/users/${ada.id}/usage`)

    expect(status).toBe(200)
    expect(body).toEqual((await ada.get('/api/usage')).body)
    expect(body).toMatchObject({
      tasks: { used: 1, limit: 50_000 },
      labels: { used: 0, limit: 5_000 },
      textBytes: { used: 5, limit: 100_000_000 },
    })
  })

  it('404: an unknown or malformed id', async ({ app, db }) => {
    const admin = await newAdmin(app, db)

    for (const id of [unknownId, 'not-an-id']) {
      expect(await admin.get(`/api/admin/users/${id}/usage`)).toEqual({
        status: 404,
        body: { error: 'User not found' },
      })
    }
  })
})

describe('GET /api/admin/quarantine', () => {
  it('200: the calendars of all users that are read again only later', async ({ app, db }) => {
    const [admin, ada] = [await newAdmin(app, db), await signUp(app)]
    const url = 'https://calendar.example.com/team.ics'
    const { body: calendar } = await ada.post('/api/calendars', { url, name: 'Team' })
    await ada.post('/api/calendars', { url, name: 'Another' })
    await db.pool.query(
      `update calendars set crashes = 4, error = 'It takes too long', next_fetch_at = null,
              attempted_at = '2026-03-02T08:00:00Z'
        where user_id = $1 and id = $2`,
      [ada.id, calendar.id],
    )

    const { status, body } = await admin.get('/api/admin/quarantine')

    expect(status).toBe(200)
    expect(body).toEqual([
      {
        userId: ada.id,
        email: ada.email,
        calendarId: calendar.id,
        host: 'calendar.example.com',
        crashes: 4,
        error: 'It takes too long',
        attemptedAt: '2026-03-02T08:00:00.000Z',
        nextFetchAt: null,
      },
    ])
    expect((await ada.get('/api/admin/quarantine')).status).toBe(404)
  })
})

describe('PATCH /api/admin/users/{id}', () => {
  it('200: grants and revokes the admin role at once', async ({ app, db }) => {
    const [admin, ada] = [await newAdmin(app, db), await signUp(app)]
    expect((await ada.get('/api/user')).body.isAdmin).toBe(false)

    const { status, body } = await admin.patch(`/api/admin/users/${ada.id}`, { role: 'admin' })

    expect(status).toBe(200)
    expect(body).toMatchObject({ id: ada.id, role: 'admin', disabled: false })
    expect((await ada.get('/api/user')).body.isAdmin).toBe(true)
    expect((await ada.get('/api/admin/users')).status).toBe(200)

    await admin.patch(`/api/admin/users/${ada.id}`, { role: 'user' })

    expect((await ada.get('/api/user')).body.isAdmin).toBe(false)
    expect((await ada.get('/api/admin/users')).status).toBe(404)
  })

  it('200: disables an account, its sessions and its keys at once', async ({ app, db }) => {
    const [admin, ada] = [await newAdmin(app, db), await signUp(app)]
    const { key } = (await ada.post('/api/api-keys', { name: 'script' })).body
    const script = caller(app, { authorization: `Bearer ${key}` })
    expect((await script.get('/api/user')).status).toBe(200)

    const { body } = await admin.patch(`/api/admin/users/${ada.id}`, { disabled: true })

    expect(body).toMatchObject({ id: ada.id, disabled: true })
    expect((await ada.get('/api/user')).status).toBe(401)
    expect((await script.get('/api/user')).status).toBe(401)
    expect((await signIn(app, ada.email)).statusCode).toBe(403)
  })

  it('200: enables it again: keys work, and sign-in is possible', async ({ app, db }) => {
    const [admin, ada] = [await newAdmin(app, db), await signUp(app)]
    const { key } = (await ada.post('/api/api-keys', { name: 'script' })).body
    await admin.patch(`/api/admin/users/${ada.id}`, { disabled: true })

    const { body } = await admin.patch(`/api/admin/users/${ada.id}`, { disabled: false })

    expect(body).toMatchObject({ id: ada.id, disabled: false })
    expect((await ada.get('/api/user')).status).toBe(401)
    const script = caller(app, { authorization: `Bearer ${key}` })
    expect((await script.get('/api/user')).status).toBe(200)
    expect((await signIn(app, ada.email)).statusCode).toBe(200)
  })

  it('200: stops the background jobs of a user, and resumes them at once', async ({ app, db }) => {
    const [admin, ada] = [await newAdmin(app, db), await signUp(app)]
    const dueAt = async () => {
      const text = 'select due_at from user_state where user_id = $1'
      const { rows } = await db.pool.query<{ due_at: Date }>(text, [ada.id])
      return rows[0]?.due_at
    }

    const { body } = await admin.patch(`/api/admin/users/${ada.id}`, { jobsStopped: true })

    expect(body).toMatchObject({ id: ada.id, jobsStopped: true, disabled: false })
    expect((await ada.get('/api/user')).status).toBe(200)
    expect((await findUserState(db, ada.id, new Date()))?.isStopped).toBe(true)
    const tomorrow = new Date(Date.now() + 86_400_000)
    await db.pool.query('update user_state set due_at = $2 where user_id = $1', [ada.id, tomorrow])

    await admin.patch(`/api/admin/users/${ada.id}`, { jobsStopped: false })

    expect((await findUserState(db, ada.id, new Date()))?.isStopped).toBe(false)
    expect((await dueAt())?.getTime()).toBeLessThan(tomorrow.getTime())
  })

  it('200: a new role leaves a disabled account disabled', async ({ app, db }) => {
    const [admin, ada] = [await newAdmin(app, db), await signUp(app)]
    await admin.patch(`/api/admin/users/${ada.id}`, { disabled: true })

    const { body } = await admin.patch(`/api/admin/users/${ada.id}`, { role: 'admin' })

    expect(body).toMatchObject({ role: 'admin', disabled: true })
    expect((await signIn(app, ada.email)).statusCode).toBe(403)
  })

  it('400: for my own account, whatever the case of the id', async ({ app, db }) => {
    const admin = await newAdmin(app, db)

    for (const id of [admin.id, admin.id.toUpperCase()]) {
      expect(await admin.patch(`/api/admin/users/${id}`, { role: 'user' })).toEqual({
        status: 400,
        body: { error: 'You cannot change your own account' },
      })
    }
    expect((await admin.get('/api/admin/users')).status).toBe(200)
  })

  it.for([
    ['role', { role: 'owner' }],
    ['disabled', { disabled: 'yes' }],
    ['body', {}],
    ['body', { email: 'new@example.com' }],
  ] as const)('400: names the field that failed: %s of %o', async ([field, body], { app, db }) => {
    const [admin, ada] = [await newAdmin(app, db), await signUp(app)]

    expect(await admin.patch(`/api/admin/users/${ada.id}`, body)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('404: an unknown or malformed id', async ({ app, db }) => {
    const admin = await newAdmin(app, db)

    for (const id of [unknownId, 'not-an-id']) {
      expect(await admin.patch(`/api/admin/users/${id}`, { role: 'admin' })).toEqual({
        status: 404,
        body: { error: 'User not found' },
      })
    }
  })
})

describe('a caller that is not an admin', () => {
  it('404: with a session', async ({ app }) => {
    await signUp(app) // the first account of the instance is its admin
    const ada = await signUp(app)
    const notFound = { status: 404, body: { error: 'Not found' } }

    expect(await ada.get('/api/admin/users')).toEqual(notFound)
    expect(await ada.get('/api/admin/users?page=0')).toEqual(notFound)
    expect(await ada.get(`/api/admin/users/${ada.id}/usage`)).toEqual(notFound)
    expect(await ada.patch(`/api/admin/users/${unknownId}`, { role: 'admin' })).toEqual(notFound)
    expect(await ada.patch(`/api/admin/users/${ada.id}`, { role: 'admin' })).toEqual(notFound)
    expect(await ada.patch(`/api/admin/users/${ada.id}`, { role: 7 })).toEqual(notFound)

    expect((await ada.get('/api/user')).body.isAdmin).toBe(false)
  })

  it('401: without a session', async ({ stranger }) => {
    expect((await stranger.get('/api/admin/users')).status).toBe(401)
    expect((await stranger.get(`/api/admin/users/${unknownId}/usage`)).status).toBe(401)
    expect((await stranger.patch(`/api/admin/users/${unknownId}`, {})).status).toBe(401)
  })

  it('403: with a key, even an admin’s', async ({ app, db }) => {
    const admin = await newAdmin(app, db)
    const { key } = (await admin.post('/api/api-keys', { name: 'script' })).body
    const script = caller(app, { authorization: `Bearer ${key}` })

    const answers = [
      await script.get('/api/admin/users'),
      await script.get(`/api/admin/users/${admin.id}/usage`),
      await script.patch(`/api/admin/users/${unknownId}`, { role: 'admin' }),
    ]

    for (const answer of answers) {
      expect(answer).toEqual({
        status: 403,
        body: { error: 'Sign in to do this: API keys cannot' },
      })
    }
  })
})

describe('events', () => {
  it('record an admin’s change of the user', async ({ db, app, grace }) => {
    const admin = await signUp(app)
    await db.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    await admin.patch(`/api/admin/users/${grace.id}`, { disabled: true })

    expect(await eventsOf(db, grace)).toMatchObject([
      {
        type: 'user.updated',
        recordId: grace.id,
        before: { disabled: false },
        after: { disabled: true },
        actor: { kind: 'admin', id: admin.id },
      },
    ])
  })

  it('of an admin’s change are readable by the user', async ({ db, app, grace }) => {
    const admin = await signUp(app)
    await db.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    await admin.patch(`/api/admin/users/${grace.id}`, { role: 'admin' })

    expect(await grace.get('/api/changes')).toMatchObject({
      status: 200,
      body: { events: [{ type: 'user.updated', actor: { kind: 'admin', id: admin.id } }] },
    })
  })
})
