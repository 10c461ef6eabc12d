import { createHmac } from 'node:crypto'
import { type App, describe, expect, it, newPerson, signUp, testApp } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { applyRetention } from '../../jobs/retention.queries.ts'

const password = 'correct horse battery staple'

const post = (app: App, path: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: `/api/auth${path}`, payload, headers })

async function signIn(app: App, email: string, more: object = {}) {
  const answer = await post(app, '/sign-in/email', { email, password, ...more })
  const { name, value, maxAge } = answer.cookies.find((each) =>
    each.name.endsWith('session_token'),
  )!
  return { cookie: `${name}=${encodeURIComponent(value)}`, maxAge, answer }
}

const statusWith = async (app: App, cookie: string) =>
  (await app.inject({ url: '/api/user', headers: { cookie } })).statusCode

const rowsOf = async (db: Database, userId: string) => {
  const { rows } = await db.pool.query<{ id: string; token: string }>(
    'select id, token from auth.sessions where user_id = $1',
    [userId],
  )
  return rows
}

describe('a session’s token', () => {
  it('401: cannot be derived from the database', async ({ app, db }) => {
    const ada = await signUp(app)
    const [row] = await rowsOf(db, ada.id)
    const { rows } = await db.pool.query<{ secret: string }>('select secret from auth.instance')
    const signature = createHmac('sha256', rows[0]?.secret ?? '')
      .update(row?.token ?? '')
      .digest('base64')

    const forged = `daywright.session_token=${encodeURIComponent(`${row?.token}.${signature}`)}`

    expect(await statusWith(app, ada.cookie)).toBe(200)
    expect(await statusWith(app, forged)).toBe(401)
  })

  it('is only in the cookie, in no response body and not in the database', async ({ app, db }) => {
    const ada = await signUp(app)
    const { answer, cookie } = await signIn(app, ada.email)
    const token = decodeURIComponent(cookie).split('=')[1]?.split('.')[0] ?? ''
    const headers = { cookie }

    const texts = [
      answer.body,
      (await app.inject({ url: '/api/auth/get-session', headers })).body,
      (await app.inject({ url: '/api/auth/list-sessions', headers })).body,
      JSON.stringify(await rowsOf(db, ada.id)),
    ]

    expect(token.length).toBeGreaterThanOrEqual(32)
    for (const text of texts) expect(text).not.toContain(token)
  })

  it('200: stays the same when a session in use is prolonged', async ({ app, db }) => {
    const { email, id } = await signUp(app)
    const { cookie } = await signIn(app, email)
    await db.pool.query(
      `update auth.sessions set expires_at = current_timestamp + interval '20 days' where user_id = $1`,
      [id],
    )

    const answer = await app.inject({ url: '/api/auth/get-session', headers: { cookie } })

    const [prolonged] = answer.cookies
    expect(`${prolonged?.name}=${encodeURIComponent(prolonged?.value ?? '')}`).toBe(cookie)
    expect(prolonged?.maxAge).toBe(30 * 86_400)
    expect(await statusWith(app, cookie)).toBe(200)
  })

  it('200: ends with the browser on request, even after it was prolonged', async ({ app, db }) => {
    const { email, id } = await signUp(app)
    const { answer, maxAge } = await signIn(app, email, { rememberMe: false })
    expect(maxAge).toBeUndefined()
    for (const each of answer.cookies) expect(each.maxAge).toBeUndefined()
    await db.pool.query(
      `update auth.sessions set expires_at = current_timestamp + interval '20 days' where user_id = $1`,
      [id],
    )
    const cookie = answer.cookies
      .map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
      .join('; ')

    const again = await app.inject({ url: '/api/auth/get-session', headers: { cookie } })

    expect(again.json()).toMatchObject({ user: { id } })
    for (const each of again.cookies) expect(each.maxAge).toBeUndefined()
  })
})

describe('with an https PUBLIC_URL', () => {
  const https = { PUBLIC_URL: 'https://plan.example.com', SIGN_UP: 'open' } as const

  it('401: a cookie without the name prefix is ignored, and hides no other', async ({
    db,
    now,
  }) => {
    const [plain, app] = [await testApp(db, () => now), await testApp(db, () => now, https)]
    const attacker = await signUp(plain)
    const victim = await signUp(plain)
    const { cookie } = await signIn(app, victim.email)
    expect(cookie).toMatch(/^__Host-daywright\.session_token=/)
    const tossed = attacker.cookie.split('; ').find((each) => each.includes('session_token')) ?? ''

    expect(await statusWith(app, tossed)).toBe(401)
    for (const cookies of [`${tossed}; ${cookie}`, `${cookie}; ${tossed}`]) {
      const headers = { cookie: cookies }
      const user = await app.inject({ url: '/api/user', headers })
      const session = await app.inject({ url: '/api/auth/get-session', headers })
      expect(user.json().id).toBe(victim.id)
      expect(session.json().user.id).toBe(victim.id)
    }
  })

  it('200: every cookie is limited to this host and HTTPS', async ({ db, now }) => {
    const app = await testApp(db, () => now, https)
    const ada = await signUp(app)

    const { answer: kept } = await signIn(app, ada.email)
    const { answer: forgotten } = await signIn(app, ada.email, { rememberMe: false })

    const namesOf = ({ cookies }: typeof kept) => cookies.map(({ name }) => name).toSorted()
    const session = '__Host-daywright.session_token'
    expect(namesOf(kept)).toEqual(['__Host-daywright.browser', session])
    expect(namesOf(forgotten)).toEqual(['__Host-daywright.dont_remember', session])
    for (const cookie of [...kept.cookies, ...forgotten.cookies]) {
      expect(cookie).toMatchObject({ secure: true, httpOnly: true, path: '/', sameSite: 'Lax' })
      expect(cookie.domain).toBeUndefined()
    }
  })
})

describe('a cookie and a key', () => {
  it('401: neither is accepted as the other, even right after use', async ({ app, db }) => {
    const [ada, { key }] = [await signUp(app), await newPerson(app, db)]
    const session = ada.cookie.split('; ').find((each) => each.includes('session_token')) ?? ''
    const value = session.slice(session.indexOf('=') + 1)
    expect(await statusWith(app, session)).toBe(200)
    const bearer = (text: string) =>
      app.inject({ url: '/api/user', headers: { authorization: `Bearer ${text}` } })
    expect((await bearer(key)).statusCode).toBe(200)

    expect((await bearer(value)).statusCode).toBe(401)
    expect(await statusWith(app, `daywright.session_token=${key}`)).toBe(401)
  })
})

describe('change-password', () => {
  const guess = (app: App, cookie: string, at: number) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/change-password',
      remoteAddress: `10.0.${at >> 8}.${at & 255}`,
      headers: { cookie },
      payload: { currentPassword: `guess number ${at}`, newPassword: 'a longer sentence still' },
    })

  it.for([
    ['the session', (cookie: string) => cookie],
    [
      'a decoy with a prefix before it',
      (cookie: string) => `__Secure-daywright.session_token=x; ${cookie}`,
    ],
    [
      'a decoy of the other name before it',
      (cookie: string) => `__Host-daywright.session_token=x; ${cookie}`,
    ],
    ['the session in quotes', (cookie: string) => cookie.replace(/=(.*)$/, '="$1"')],
    [
      'a decoy of the same name before it',
      (cookie: string) => `daywright.session_token=x; ${cookie}`,
    ],
    [
      'a decoy of the same name after it',
      (cookie: string) => `${cookie}; daywright.session_token=x`,
    ],
  ] as const)(
    'checks at most five wrong passwords with %s',
    async ([, disguise], { app, db, now }) => {
      const limited = await testApp(db, () => now, { RATE_LIMIT: 'on' })
      const { email } = await signUp(app)
      const { cookie } = await signIn(app, email)

      const statuses: number[] = []
      for (let at = 0; at < 10; at += 1) {
        statuses.push((await guess(limited, disguise(cookie), at)).statusCode)
      }

      expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(5)
      expect(statuses.slice(5).every((status) => status === 429 || status === 401)).toBe(true)
    },
  )

  it('200: ends the other sessions unless told not to, and gives this browser a new session', async ({
    app,
  }) => {
    const { email } = await signUp(app)
    const [here, there] = [await signIn(app, email), await signIn(app, email)]
    const change = (currentPassword: string, newPassword: string, cookie: string, more = {}) =>
      post(app, '/change-password', { currentPassword, newPassword, ...more }, { cookie })

    const kept = await change(password, 'a longer sentence still', here.cookie, {
      revokeOtherSessions: false,
    })
    expect(kept.statusCode).toBe(200)
    expect([await statusWith(app, here.cookie), await statusWith(app, there.cookie)]).toEqual([
      200, 200,
    ])

    const ended = await change('a longer sentence still', password, here.cookie)
    expect(ended.statusCode).toBe(200)
    const [anew] = ended.cookies
    expect(await statusWith(app, `${anew?.name}=${encodeURIComponent(anew?.value ?? '')}`)).toBe(
      200,
    )
    expect([await statusWith(app, here.cookie), await statusWith(app, there.cookie)]).toEqual([
      401, 401,
    ])
  })
})

describe('the lifetime and the number of sessions', () => {
  const age = (db: Database, userId: string, days: number) =>
    db.pool.query(
      `update auth.sessions set created_at = $2::timestamptz - $3 * interval '1 day',
              expires_at = $2::timestamptz + interval '30 days' where user_id = $1`,
      [userId, new Date().toISOString(), days],
    )

  it('401: a session ends ninety days after sign-in, even in use', async ({ db }) => {
    const app = await testApp(db, () => new Date())
    const ada = await signUp(app)

    await age(db, ada.id, 89.9)
    expect((await ada.get('/api/user')).status).toBe(200)

    await age(db, ada.id, 90)
    const fresh = await testApp(db, () => new Date())
    expect(await statusWith(fresh, ada.cookie)).toBe(401)
    const session = await fresh.inject({
      url: '/api/auth/get-session',
      headers: { cookie: ada.cookie },
    })
    expect(session.json()).toBeNull()
  })

  it('at most fifty are kept: a new one ends the oldest', async ({ app, db }) => {
    const { id, email, cookie } = await signUp(app)
    await db.pool.query(
      `insert into auth.sessions (id, token, user_id, expires_at, created_at)
       select gen_random_uuid(), 'token ' || n || $1::uuid, $1::uuid, current_timestamp + interval '1 day',
              current_timestamp - n * interval '1 second'
         from generate_series(1, 60) n`,
      [id],
    )

    const { cookie: newest } = await signIn(app, email)

    expect(await rowsOf(db, id)).toHaveLength(50)
    expect([await statusWith(app, newest), await statusWith(app, cookie)]).toEqual([200, 200])
  })

  it('expired sessions are deleted at the next sign-in and daily', async ({ app, db }) => {
    const { id, email } = await signUp(app)
    const expire = () =>
      db.pool.query('update auth.sessions set expires_at = $2 where user_id = $1', [
        id,
        '2026-01-01T00:00:00Z',
      ])

    await expire()
    await signIn(app, email)
    expect(await rowsOf(db, id)).toHaveLength(1)

    await expire()
    await applyRetention(db, id, new Date())
    expect(await rowsOf(db, id)).toEqual([])
  })
})
