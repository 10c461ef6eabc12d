import { findTimezone } from './user.queries.ts'
import { changesOf } from '../../../test/events.ts'
import { describe, expect, it, signUp, unknownId } from '../../../test/it.ts'

describe('GET /api/user', () => {
  it('200: my whole profile', async ({ ada }) => {
    expect(await ada.get('/api/user')).toEqual({
      status: 200,
      body: {
        id: ada.id,
        email: ada.email,
        displayName: 'Someone',
        timezone: 'UTC',
        isAdmin: false,
      },
    })
  })

  it('200: the zone sent at sign-up, in the spelling of the IANA list', async ({ app }) => {
    const ada = await signUp(app, undefined, { timezone: 'europe/LISBON' })

    expect((await ada.get('/api/user')).body.timezone).toBe('Europe/Lisbon')
  })

  it('200: the profile from sign-up', async ({ app }) => {
    const linus = await signUp(app, undefined, { name: 'Linus', timezone: 'Europe/Helsinki' })

    expect((await linus.get('/api/user')).body).toMatchObject({
      id: linus.id,
      email: linus.email,
      displayName: 'Linus',
      timezone: 'Europe/Helsinki',
    })
  })

  it('200: isAdmin follows the role of the account', async ({ ada, db }) => {
    await db.pool.query(`update users set role = 'admin' where id = $1`, [ada.id])

    expect((await ada.get('/api/user')).body).toMatchObject({ isAdmin: true })
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.get('/api/user')).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })

  it('404: the profile was deleted while the credential was cached', async ({ ada, db }) => {
    await ada.get('/api/user')
    await db.pool.query('delete from users where id = $1', [ada.id])

    const notFound = { status: 404, body: { error: 'User not found' } }
    expect(await ada.get('/api/user')).toEqual(notFound)
    expect(await ada.patch('/api/user', { displayName: 'Ada' })).toEqual(notFound)
  })
})

describe('PATCH /api/user', () => {
  it.for([
    { displayName: ' Ada 🌱 ' },
    { timezone: 'Australia/Sydney' },
    { displayName: 'Ada', timezone: 'America/Argentina/Buenos_Aires' },
  ])('200: changes what was sent and keeps the rest: %o', async (changes, { ada, grace }) => {
    const { body: profile } = await ada.get('/api/user')
    const { body: graces } = await grace.get('/api/user')

    const changed = { status: 200, body: { ...profile, ...changes } }
    expect(await ada.patch('/api/user', changes)).toEqual(changed)
    expect(await ada.get('/api/user')).toEqual(changed)
    expect((await grace.get('/api/user')).body).toEqual(graces)
  })

  it('200: a new zone makes the user due at once', async ({ ada, db }) => {
    await ada.get('/api/settings') // creates the row in user_state
    await db.pool.query(`update user_state set due_at = '2100-01-01' where user_id = $1`, [ada.id])
    await ada.patch('/api/user', { timezone: 'Asia/Tokyo' })
    const { rows } = await db.pool.query<{ due: boolean }>(
      'select due_at <= now() as due from user_state where user_id = $1',
      [ada.id],
    )
    expect(rows).toEqual([{ due: true }])
  })

  it.for([
    ['aMERICA/aRGENTINA/bUENOS_aIRES', 'America/Argentina/Buenos_Aires'],
    ['utc', 'UTC'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['us/eastern', 'US/Eastern'],
    ['Etc/GMT+10', 'Etc/GMT+10'],
  ] as const)('200: the zone %s is stored as %s', async ([sent, stored], { ada }) => {
    const answer = await ada.patch('/api/user', { timezone: sent })

    expect(answer).toMatchObject({ status: 200, body: { timezone: stored } })
    expect((await ada.get('/api/user')).body.timezone).toBe(stored)
  })

  it('200: ignores every other field', async ({ ada }) => {
    const { body: profile } = await ada.get('/api/user')

    const { status, body } = await ada.patch('/api/user', {
      displayName: 'Ada',
      id: unknownId,
      email: 'admin@example.com',
      isAdmin: true,
      role: 'admin',
    })

    expect(status).toBe(200)
    expect(body).toEqual({ ...profile, displayName: 'Ada' })
  })

  it('200: a display name of 200 characters', async ({ ada }) => {
    const displayName = 'x'.repeat(200)

    expect((await ada.patch('/api/user', { displayName })).body).toMatchObject({ displayName })
  })

  it.for(['UTC', 'Europe/London', 'Etc/GMT+10', 'America/Port-au-Prince'])(
    '200: timezone %s',
    async (timezone, { ada }) => {
      expect((await ada.patch('/api/user', { timezone })).body).toMatchObject({ timezone })
    },
  )

  it.for(['Mars/Olympus', '', ' UTC', 'UTC\n', '+05:30', 'Australia/Sydney; DROP', null, 5, []])(
    '400: timezone %o; nothing is changed',
    async (timezone, { ada }) => {
      expect(await ada.patch('/api/user', { displayName: 'Ada', timezone })).toEqual({
        status: 400,
        body: { error: 'timezone must be an IANA zone, e.g. Australia/Sydney' },
      })
      expect((await ada.get('/api/user')).body).toMatchObject({ displayName: 'Someone' })
    },
  )

  it.for([{}, { email: 'admin@example.com' }, { isAdmin: true }])(
    '400: nothing to update in %o',
    async (changes, { ada }) => {
      expect(await ada.patch('/api/user', changes)).toEqual({
        status: 400,
        body: { error: 'No valid fields to update' },
      })
    },
  )

  it.for([
    ['null', null],
    ['a number', 5],
    ['empty', ''],
    ['of 201 characters', 'x'.repeat(201)],
    ['with U+0000', 'nul\0'],
    ['with half of a surrogate pair', '\ud83c'],
  ] as const)('400: displayName %s', async ([, displayName], { ada }) => {
    expect(await ada.patch('/api/user', { displayName, timezone: 'Asia/Tokyo' })).toEqual({
      status: 400,
      body: { error: 'No valid fields to update' },
    })
    expect((await ada.get('/api/user')).body).toMatchObject({ timezone: 'UTC' })
  })

  it.for([
    ['{"displayName": ', 'Invalid JSON'],
    ['', 'Invalid JSON'],
    ['null', 'No valid fields to update'],
    ['[]', 'No valid fields to update'],
    ['"displayName"', 'No valid fields to update'],
    ['5', 'No valid fields to update'],
  ])('400: the body %s: %s', async ([payload, error], { ada, app }) => {
    const response = await app.inject({
      method: 'PATCH',
      url: '/api/user',
      headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
      payload,
    })

    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ error })
  })

  it('400: no body at all: Invalid JSON', async ({ ada }) => {
    expect(await ada.patch('/api/user')).toEqual({ status: 400, body: { error: 'Invalid JSON' } })
  })
})

describe('findTimezone', () => {
  it.for([
    ['Europe/Lisbon', 'Europe/Lisbon'],
    ['Mars/Olympus', 'Australia/Sydney'],
    ['', 'Australia/Sydney'],
  ])('of a user with %o is %o', async ([stored, spoken], { ada, db }) => {
    await db.pool.query('update users set timezone = $2 where id = $1', [ada.id, stored])

    expect(await findTimezone(db, ada.id)).toBe(spoken)
  })
})

describe('events', () => {
  it('record a changed profile', async ({ ada, db }) => {
    const { body: before } = await ada.get('/api/user')
    const { body: after } = await ada.patch('/api/user', { timezone: 'Europe/Berlin' })

    const state = { disabled: false, jobsStopped: false }
    expect(await changesOf(db, ada)).toEqual([
      ['user.updated', { ...before, ...state }, { ...after, ...state }],
    ])
  })
})
