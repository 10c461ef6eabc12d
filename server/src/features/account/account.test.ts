import { eventsOf } from '../../../test/events.ts'
import { type App, describe, expect, it, signUp, testApp } from '../../../test/it.ts'
import { connect, type Database } from '../../platform/db/database.ts'

const password = 'correct horse battery staple'
let lastPerson = 0
const newEmail = () => `person-${++lastPerson}@example.com`

const post = (app: App, path: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: `/api/auth${path}`, payload, headers })

const signIn = (app: App, email: string, given = password) =>
  post(app, '/sign-in/email', { email, password: given })

const tally = (answers: { statusCode: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ statusCode }) => statusCode)].map(([status, { length }]) => [
      status,
      length,
    ]),
  )

/** Deletes all accounts of the instance. */
async function emptyInstance(db: Database) {
  await db.query('truncate users, auth.users cascade')
  await db.query('update auth.instance set first_user_id = null')
}

describe('POST /api/auth/sign-up/email', () => {
  it('200: sets a session cookie, and creates a profile and a default space', async ({ app }) => {
    const email = newEmail()

    const answer = await post(app, '/sign-up/email', { email, password, name: 'Ada' })

    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ user: { email, name: 'Ada' } })
    expect(answer.cookies).toMatchObject([
      { name: 'daywright.session_token', httpOnly: true, sameSite: 'Lax', path: '/' },
      { name: 'daywright.browser', httpOnly: true, sameSite: 'Lax', path: '/' },
    ])
    const headers = { cookie: String(answer.headers['set-cookie']).split(';', 1)[0] }
    const user = await app.inject({ url: '/api/user', headers })
    expect(user.json()).toEqual({
      id: answer.json().user.id,
      email,
      displayName: 'Ada',
      timezone: 'UTC',
      isAdmin: expect.any(Boolean),
    })
    const spaces = await app.inject({ url: '/api/spaces', headers })
    expect(spaces.json()).toMatchObject([{ name: 'Personal', isDefault: true }])
  })

  it('200: sets the timezone that was sent', async ({ app }) => {
    const ada = await signUp(app, newEmail(), { timezone: 'Australia/Sydney' })

    expect((await ada.get('/api/user')).body.timezone).toBe('Australia/Sydney')
  })

  it('200: the first account of an instance is its admin, the next is not', async ({ app, db }) => {
    await emptyInstance(db)

    const first = await signUp(app)
    const second = await signUp(app)

    expect((await first.get('/api/user')).body.isAdmin).toBe(true)
    expect((await second.get('/api/user')).body.isAdmin).toBe(false)
  })

  it('200: makes one of six concurrent sign-ups on an empty instance the admin', async ({
    app,
    db,
  }) => {
    await emptyInstance(db)

    const people = await Promise.all(Array.from({ length: 6 }, () => signUp(app)))

    const profiles = await Promise.all(people.map((person) => person.get('/api/user')))
    expect(profiles.filter(({ body }) => body.isAdmin)).toHaveLength(1)
    const spaces = await Promise.all(people.map((person) => person.get('/api/spaces')))
    expect(spaces.map(({ body }) => body.length)).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('200: ignores a role or id in the body', async ({ app }) => {
    await signUp(app) // becomes the admin if there is none yet
    const id = '11111111-1111-4111-8111-111111111111'

    const ada = await signUp(app, newEmail(), { role: 'admin', isAdmin: true, id, banned: true })

    expect(ada.id).not.toBe(id)
    expect((await ada.get('/api/user')).body).toMatchObject({ id: ada.id, isAdmin: false })
  })

  it('200: an account whose creation was interrupted gets its profile and space at the next use', async ({
    app,
    db,
  }) => {
    const ada = await signUp(app)
    await db.pool.query('delete from users where id = $1', [ada.id])

    const { cookie } = ada
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.inject({ url: '/api/spaces', headers: { cookie } })),
    )

    expect(tally(answers)).toEqual({ 200: 5 })
    expect((await ada.get('/api/user')).body).toMatchObject({ id: ada.id, email: ada.email })
    expect((await ada.get('/api/spaces')).body).toMatchObject([{ name: 'Personal' }])
  })

  it('200: with https, the cookie is Secure', async ({ db, now }) => {
    const app = await testApp(db, () => now, {
      PUBLIC_URL: 'https://plan.example.com',
      SIGN_UP: 'open',
    })

    const answer = await post(app, '/sign-up/email', { email: newEmail(), password, name: 'Ada' })

    const [cookie] = answer.cookies
    expect(cookie).toMatchObject({ name: '__Host-daywright.session_token', secure: true })
    const headers = { cookie: `${cookie?.name}=${encodeURIComponent(cookie?.value ?? '')}` }
    expect((await app.inject({ url: '/api/user', headers })).statusCode).toBe(200)
  })

  it.for([
    ['email', { email: 'ada' }],
    ['password', { password: 'seven77' }],
    ['password', { password: 'x'.repeat(129) }],
    ['name', { name: '' }],
    ['name', { name: 'Ada\0' }],
    ['timezone', { timezone: 'Mars/Olympus_Mons' }],
    ['timezone', { timezone: '+05:30' }],
  ] as const)('400: names the field that failed: %s of %o', async ([field, wrong], { app }) => {
    const body = { email: newEmail(), password, name: 'Ada', ...wrong }

    const answer = await post(app, '/sign-up/email', body)

    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({
      error: 'Validation failed',
      details: { [field]: [expect.any(String)] },
    })
    expect(answer.cookies).toEqual([])
  })

  it('403: if sign-up is closed; existing accounts can sign in', async ({ app, db, now }) => {
    const { email } = await signUp(app)
    const closed = await testApp(db, () => now, { SIGN_UP: 'closed' })

    const answer = await post(closed, '/sign-up/email', { email: newEmail(), password, name: 'A' })

    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ error: 'Sign-up is closed' })
    expect((await signIn(closed, email)).statusCode).toBe(200)
  })

  it('422: the e-mail is in use, whatever its case', async ({ app }) => {
    const { email } = await signUp(app)

    for (const same of [email, email.toUpperCase()]) {
      const answer = await post(app, '/sign-up/email', { email: same, password, name: 'Ada' })
      expect(answer.statusCode).toBe(422)
      expect(answer.json().error).toMatch(/already exists/)
      expect(answer.cookies).toEqual([])
    }
  })
})

describe('POST /api/auth/sign-in/email', () => {
  it('200: a session, whatever the case of the e-mail', async ({ app }) => {
    const { email, id } = await signUp(app)

    const answer = await signIn(app, email.toUpperCase())

    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ user: { id } })
    const headers = { cookie: String(answer.headers['set-cookie']).split(';', 1)[0] }
    expect((await app.inject({ url: '/api/user', headers })).json()).toMatchObject({ id })
  })

  it('401: the same answer for a wrong password and an unknown e-mail', async ({ app }) => {
    const { email } = await signUp(app)

    const wrong = await signIn(app, email, 'not the password')
    const unknown = await signIn(app, newEmail())

    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401])
    expect(wrong.json()).toEqual({ error: expect.any(String) })
    expect(unknown.json()).toEqual(wrong.json())
    expect([...wrong.cookies, ...unknown.cookies]).toEqual([])
  })

  it('403: the account is disabled and the password is right', async ({ app, db }) => {
    const { email, id } = await signUp(app)
    await db.pool.query('update auth.users set banned = true where id = $1', [id])

    const answer = await signIn(app, email)

    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toEqual({ error: 'This account is disabled' })
    expect(answer.cookies.filter(({ value }) => value)).toEqual([])
    expect((await signIn(app, email, 'not the password')).statusCode).toBe(401)
  })

  it('429: checks only twenty of a hundred concurrent guesses at one account, across all processes', async ({
    db,
    app,
    now,
  }) => {
    const [{ email }, other] = await Promise.all([signUp(app), signUp(app)])
    let time = now.getTime()
    const newLimitedApp = () => testApp(db, () => new Date(time), { RATE_LIMIT: 'on' })
    const processes = [await newLimitedApp(), await newLimitedApp()] as const
    const guess = (address: number) =>
      processes[address % 2 ? 1 : 0].inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        remoteAddress: `10.0.0.${address}`,
        payload: { email: address % 3 ? email : email.toUpperCase(), password: 'guessed' },
      })

    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => guess(at)))

    expect(tally(answers)).toEqual({ 401: 20, 429: 80 })
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    expect(refused?.json()).toEqual({ error: 'Too many requests' })
    expect(refused?.headers['retry-after']).toBe('12')
    expect((await signIn(processes[0], other.email)).statusCode).toBe(200)
    time += 12_000
    expect((await signIn(processes[0], email, 'guessed')).statusCode).toBe(401)
    expect((await signIn(processes[1], email)).statusCode).toBe(429)
  })

  it('429: guesses at an unknown e-mail are counted as well, and the count expires', async ({
    db,
    now,
  }) => {
    let time = now.getTime()
    const limited = await testApp(db, () => new Date(time), { RATE_LIMIT: 'on' })
    const email = newEmail()
    for (let count = 0; count < 5; count += 1) await signIn(limited, email)

    expect((await signIn(limited, email)).statusCode).toBe(429)

    time += 121_000
    await signIn(limited, newEmail())
    const past = await db.pool.query('select from auth.attempts where whole_at < $1', [
      new Date(time),
    ])
    expect(past.rows).toEqual([])
  })

  it('429: thirty attempts of one address at different accounts', async ({ db, now }) => {
    const limited = await testApp(db, () => now, { RATE_LIMIT: 'on' })

    const answers = await Promise.all(
      Array.from({ length: 40 }, () => signIn(limited, newEmail(), 'guessed')),
    )

    expect(tally(answers)).toEqual({ 401: 30, 429: 10 })
    const elsewhere = await limited.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      remoteAddress: '10.0.0.1',
      payload: { email: newEmail(), password: 'guessed' },
    })
    expect(elsewhere.statusCode).toBe(401)
  })

  it('429: an address that creates account after account', async ({ db, now }) => {
    const limited = await testApp(db, () => now, { RATE_LIMIT: 'on' })

    // Sent one after the other: concurrent requests would wait for database connections.
    const answers: Awaited<ReturnType<typeof post>>[] = []
    for (let count = 0; count < 40; count += 1) {
      const person = { email: newEmail(), password, name: 'Ada' }
      answers.push(await post(limited, '/sign-up/email', person))
    }

    expect(tally(answers)).toEqual({ 200: 30, 429: 10 })
  })

  it('503: while the database is out of reach', async ({ now }) => {
    const nowhere = connect('postgres://daywright@127.0.0.1:1/daywright')
    const app = await testApp(nowhere, () => now, { AUTH_SECRET: 'x'.repeat(32) })

    const answer = await signIn(app, newEmail())

    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toEqual({ error: 'Service unavailable' })
    expect(answer.headers['retry-after']).toBe('1')
    await nowhere.end()
  })
})

describe('a password', () => {
  it('appears in no response, and is stored only as an argon2id hash', async ({ app, db }) => {
    const email = newEmail()
    const secret = 'pässword of mine'

    const answers = [
      await post(app, '/sign-up/email', { email, password: secret, name: 'Ada' }),
      await signIn(app, email, secret),
      await signIn(app, email, `${secret}!`),
      await post(app, '/sign-up/email', { email, password: secret, name: 'Ada' }),
      await post(app, '/sign-up/email', { email: 'x', password: secret, name: 'Ada' }),
    ]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 401, 422, 400])
    for (const { body } of answers) {
      expect(body).not.toContain(secret)
      expect(body).not.toContain('argon2')
    }
    const { rows } = await db.pool.query(
      `select account.password from auth.accounts account
         join auth.users person on person.id = account.user_id where person.email = $1`,
      [email],
    )
    expect(rows).toEqual([
      { password: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) },
    ])
  })

  it('is normalized, so that it matches in any Unicode form', async ({ app }) => {
    const email = newEmail()
    const composed = 'caf\u00e9 au lait'
    await post(app, '/sign-up/email', { email, password: composed, name: 'Ada' })

    const answer = await signIn(app, email, composed.normalize('NFD'))

    expect(answer.statusCode).toBe(200)
  })
})

describe('POST /api/auth/sign-out', () => {
  it('200: ends this session at once, and no other', async ({ app }) => {
    const ada = await signUp(app)
    const elsewhere = await sessionOf(app, ada.email)
    expect((await ada.get('/api/user')).status).toBe(200)

    const { status } = await ada.post('/api/auth/sign-out')

    expect(status).toBe(200)
    expect((await ada.get('/api/user')).status).toBe(401)
    expect((await app.inject({ url: '/api/user', headers: elsewhere })).statusCode).toBe(200)
  })

  it('403: refuses another site’s page, and the session stays', async ({ app }) => {
    const ada = await signUp(app)

    const { status } = await ada.post('/api/auth/sign-out', {}, { origin: 'https://evil.example' })

    expect(status).toBe(403)
    expect((await ada.get('/api/user')).status).toBe(200)
  })
})

describe('POST /api/auth/revoke-session', () => {
  it('200: ends one of my other sessions at once, but no other user’s', async ({ app }) => {
    const [ada, grace] = [await signUp(app), await signUp(app)]
    const lost = await sessionOf(app, ada.email)
    expect((await app.inject({ url: '/api/user', headers: lost })).statusCode).toBe(200)
    const current = await app.inject({ url: '/api/auth/get-session', headers: lost })
    const { token } = current.json().session

    await grace.post('/api/auth/revoke-session', { token })

    expect((await app.inject({ url: '/api/user', headers: lost })).statusCode).toBe(200)

    const { status } = await ada.post('/api/auth/revoke-session', { token })

    expect(status).toBe(200)
    expect((await app.inject({ url: '/api/user', headers: lost })).statusCode).toBe(401)
    expect((await ada.get('/api/user')).status).toBe(200)
  })

  it('400: an impossible token', async ({ app }) => {
    const ada = await signUp(app)

    for (const token of ['', 'a\0b', 'a'.repeat(256)]) {
      const { status, body } = await ada.post('/api/auth/revoke-session', { token })

      expect(status).toBe(400)
      expect(body).toMatchObject({
        error: 'Validation failed',
        details: { token: [expect.anything()] },
      })
    }
  })

  it('401: without a session', async ({ stranger }) => {
    expect((await stranger.post('/api/auth/revoke-session', { token: 'any' })).status).toBe(401)
  })
})

describe('POST /api/auth/revoke-other-sessions', () => {
  it('200: ends all other sessions at once', async ({ app }) => {
    const ada = await signUp(app)
    const others = [await sessionOf(app, ada.email), await sessionOf(app, ada.email)]
    for (const headers of others) await app.inject({ url: '/api/user', headers })

    const { status } = await ada.post('/api/auth/revoke-other-sessions')

    expect(status).toBe(200)
    expect((await ada.get('/api/user')).status).toBe(200)
    for (const headers of others) {
      expect((await app.inject({ url: '/api/user', headers })).statusCode).toBe(401)
    }
  })
})

describe('POST /api/auth/change-password', () => {
  it('200: only the new password signs in, and other sessions end', async ({ app }) => {
    const ada = await signUp(app)
    const elsewhere = await sessionOf(app, ada.email)
    await app.inject({ url: '/api/user', headers: elsewhere })
    const newPassword = 'a longer sentence still'

    const { status } = await ada.post('/api/auth/change-password', {
      currentPassword: password,
      newPassword,
    })

    expect(status).toBe(200)
    expect((await signIn(app, ada.email)).statusCode).toBe(401)
    expect((await signIn(app, ada.email, newPassword)).statusCode).toBe(200)
    expect((await app.inject({ url: '/api/user', headers: elsewhere })).statusCode).toBe(401)
  })

  it('400: without the current password', async ({ app }) => {
    const ada = await signUp(app)

    const { status } = await ada.post('/api/auth/change-password', {
      currentPassword: 'not the password',
      newPassword: 'a longer sentence still',
    })

    expect(status).toBe(400)
    expect((await signIn(app, ada.email)).statusCode).toBe(200)
  })

  it('401: with an API key', async ({ ada }) => {
    const { status } = await ada.post('/api/auth/change-password', {
      currentPassword: password,
      newPassword: 'a longer sentence still',
    })

    expect(status).toBe(401)
  })
})

describe('GET /api/auth/get-session', () => {
  it('200: the session of the cookie', async ({ app }) => {
    const ada = await signUp(app)

    expect(await ada.get('/api/auth/get-session')).toMatchObject({
      status: 200,
      body: { user: { id: ada.id, email: ada.email }, session: { userId: ada.id } },
    })
  })

  it('200: null without a session', async ({ stranger }) => {
    expect(await stranger.get('/api/auth/get-session')).toEqual({ status: 200, body: null })
  })
})

describe('GET /api/auth/list-sessions', () => {
  it('200: my sessions', async ({ app }) => {
    const ada = await signUp(app)
    await signUp(app)

    const { status, body } = await ada.get('/api/auth/list-sessions')

    expect(status).toBe(200)
    expect(body).toMatchObject([{ userId: ada.id }])
  })

  it('401: without a session', async ({ stranger }) => {
    expect((await stranger.get('/api/auth/list-sessions')).status).toBe(401)
  })
})

describe('other endpoints of Better Auth', () => {
  it.for([
    ['GET', '/ok'],
    ['GET', '/error'],
    ['POST', '/update-user'],
    ['POST', '/update-session'],
    ['POST', '/delete-user'],
    ['POST', '/change-email'],
    ['POST', '/request-password-reset'],
    ['POST', '/reset-password'],
    ['GET', '/verify-email'],
    ['POST', '/send-verification-email'],
    ['POST', '/verify-password'],
    ['POST', '/revoke-sessions'],
    ['POST', '/sign-in/social'],
    ['GET', '/callback/google'],
    ['GET', '/list-accounts'],
    ['POST', '/link-social'],
    ['GET', '/admin/list-users'],
    ['POST', '/admin/create-user'],
    ['POST', '/admin/set-role'],
    ['POST', '/admin/set-user-password'],
    ['POST', '/admin/ban-user'],
    ['POST', '/admin/impersonate-user'],
    ['POST', '/admin/remove-user'],
  ] as const)('404: %s /api/auth%s', async ([method, path], { app }) => {
    const answer = await app.inject({ method, url: `/api/auth${path}`, payload: {} })

    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({ error: 'Not found' })
  })

  it('405: a known endpoint with another method', async ({ app }) => {
    const answer = await app.inject({ url: '/api/auth/sign-in/email' })

    expect(answer.statusCode).toBe(405)
    expect(answer.headers.allow).toBe('POST')
  })
})

describe('a change sent with a cookie', () => {
  const label = { name: 'home' }

  it.for([
    ['the same origin', { origin: 'http://localhost' }],
    ['no browser', { origin: '' }],
    ['the same origin, unnamed', { origin: '', 'sec-fetch-site': 'same-origin' }],
  ] as const)('201: from %s', async ([, headers], { app }) => {
    const { cookie } = await signUp(app)

    const answer = await app.inject({
      method: 'POST',
      url: '/api/labels',
      headers: { cookie, host: 'localhost', ...without(headers) },
      payload: label,
    })

    expect(answer.statusCode).toBe(201)
  })

  it.for([
    ['another site', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:8080' }],
    ['a name that only begins like ours', { origin: 'http://localhost.evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site, unnamed', { origin: '', 'sec-fetch-site': 'cross-site' }],
    ['a neighbour, unnamed', { origin: '', 'sec-fetch-site': 'same-site' }],
  ] as const)('403: from %s, and nothing is written', async ([, headers], { app }) => {
    const ada = await signUp(app)
    const { body: kept } = await ada.post('/api/labels', { name: 'kept' })
    const from = { cookie: ada.cookie, host: 'localhost', ...without(headers) }

    const answers = [
      await app.inject({ method: 'POST', url: '/api/labels', headers: from, payload: label }),
      await app.inject({ method: 'DELETE', url: `/api/labels/${kept.id}`, headers: from }),
    ]

    for (const answer of answers) {
      expect(answer.statusCode).toBe(403)
      expect(answer.json().error).toMatch(/^Cross-site request refused/)
    }
    expect((await ada.get('/api/labels')).body).toMatchObject([{ name: 'kept' }])
  })

  it('201: with an API key the origin is not checked', async ({ ada }) => {
    const more = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }

    expect((await ada.post('/api/labels', label, more)).status).toBe(201)
  })

  it('401: a cookie without our signature', async ({ app }) => {
    const { cookie } = await signUp(app)
    const [name, value = ''] = cookie.split('=')
    const [token, signature = ''] = decodeURIComponent(value).split('.')
    const other = signature.startsWith('A') ? 'B' : 'A'

    for (const forged of [
      token,
      `${token}.`,
      `.${signature}`,
      `${token}.${other}${signature.slice(1)}`,
      `${token}x.${signature}`,
      '%E0%A4%A',
    ]) {
      const headers = { cookie: `${name}=${forged}` }
      expect((await app.inject({ url: '/api/user', headers })).statusCode, forged).toBe(401)
    }
  })
})

describe('the secret that signs sessions', () => {
  it('200: is the instance’s own, so every process knows every session', async ({
    app,
    db,
    now,
  }) => {
    const { cookie, id } = await signUp(app)
    const another = await testApp(db, () => now)

    const answer = await another.inject({ url: '/api/user', headers: { cookie } })

    expect(answer.json()).toMatchObject({ id })
  })

  it('401: can be set by the operator; a change ends every session', async ({ app, db, now }) => {
    const { cookie } = await signUp(app)
    const another = await testApp(db, () => now, { AUTH_SECRET: 'x'.repeat(32) })

    const answer = await another.inject({ url: '/api/user', headers: { cookie } })

    expect(answer.statusCode).toBe(401)
    expect((await (await signUp(another)).get('/api/user')).status).toBe(200)
  })
})

/** One more session of an existing account. */
async function sessionOf(app: App, email: string) {
  const answer = await signIn(app, email)
  return { cookie: String(answer.headers['set-cookie']).split(';', 1)[0] ?? '' }
}

/** Drops empty headers. */
const without = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value))

describe('events', () => {
  it('begin with the account and its default space', async ({ app, db }) => {
    const person = await signUp(app)

    expect((await eventsOf(db, person)).slice(0, 2)).toMatchObject([
      { seq: 1, part: 1, type: 'user.created', after: { email: person.email, timezone: 'UTC' } },
      { seq: 1, part: 2, type: 'space.created', after: { name: 'Personal', isDefault: true } },
    ])
  })
})
