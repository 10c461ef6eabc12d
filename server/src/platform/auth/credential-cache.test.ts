import { crc32 } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { describe, expect, it, newPerson, signUp, testApp } from '../../../test/it.ts'
import { connect, type Database } from '../db/database.ts'
import { newKey } from './api-key-format.ts'

/** A database that records which statements were run on it. */
function watchStatements(db: Database) {
  const asked: string[] = []
  const query: Database['query'] = (statement) => {
    asked.push(typeof statement === 'string' ? statement : statement.name)
    return db.query(statement)
  }
  const times = (name: string) => asked.filter((each) => each === name).length
  return { db: withQuery(db, query), asked, times }
}

/** The given database with another `query`, for every actor. */
const withQuery = (db: Database, query: Database['query']): Database => ({
  ...db,
  query,
  as: (actor) => ({ ...db.as(actor), query }),
})

/** A separate app with a clock that the test sets. */
async function appWithClock(db: Database, start: Date) {
  const watch = watchStatements(db)
  const clock = { time: start.getTime() }
  const app = await testApp(watch.db, () => new Date(clock.time))
  return { app, clock, ...watch, db }
}

describe('the credential cache', () => {
  it('looks a key up once for fifty concurrent requests, and not again for 0.9 s', async ({
    db,
    now,
  }) => {
    const { app, clock, times } = await appWithClock(db, now)
    const ada = await newPerson(app, db)

    await Promise.all(Array.from({ length: 50 }, () => ada.get('/api/labels')))
    clock.time += 899
    await ada.get('/api/labels')

    expect(times('auth.key-owner')).toBe(1)

    clock.time += 1
    await Promise.all([ada.get('/api/labels'), ada.get('/api/labels')])

    expect(times('auth.key-owner')).toBe(2)
  })

  it('looks a session up as rarely as a key', async ({ db, now }) => {
    const { app, clock, times } = await appWithClock(db, now)
    const ada = await signUp(app)

    await Promise.all(Array.from({ length: 50 }, () => ada.get('/api/labels')))
    clock.time += 899
    await ada.get('/api/labels')

    expect(times('auth.session-owner')).toBe(1)

    clock.time += 1
    await ada.get('/api/labels')

    expect(times('auth.session-owner')).toBe(2)
  })

  it('finds the session cookie among other cookies', async ({ db, now }) => {
    const { app, times } = await appWithClock(db, now)
    const { cookie, id } = await signUp(app)

    for (const cookies of [cookie, `theme=dark; ${cookie}`, `a=b;${cookie};c=d`]) {
      const answer = await app.inject({ url: '/api/user', headers: { cookie: cookies } })
      expect(answer.json()).toMatchObject({ id })
    }

    expect(times('auth.session-owner')).toBe(1)
  })

  it('401: a cookie without our signature is not looked up', async ({ db, now }) => {
    const { app, asked } = await appWithClock(db, now)

    for (const value of ['', 'x'.repeat(10_000), '%', '.']) {
      const headers = { cookie: `daywright.session_token=${value}` }
      expect((await app.inject({ url: '/api/user', headers })).statusCode).toBe(401)
    }

    expect(asked.filter((name) => name !== 'auth.secret')).toEqual([])
  })

  it('adds no statement to a request with a cached key', async ({ db, now }) => {
    const { app, asked } = await appWithClock(db, now)
    const ada = await newPerson(app, db)
    await ada.get('/api/labels')
    asked.length = 0

    await ada.get('/api/labels')

    expect(asked).toEqual(['labels.list'])
  })

  it('401: a malformed credential is refused without a query', async ({ db, now }) => {
    const { app, asked } = await appWithClock(db, now)
    const { key } = await newPerson(app, db)
    const swapped = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')

    for (const text of ['nonsense', '', swapped, `${key} `.repeat(2)]) {
      const headers = { authorization: `Bearer ${text}` }
      expect((await app.inject({ url: '/api/labels', headers })).statusCode).toBe(401)
    }

    expect(asked).toEqual([])
  })

  it('401: a key with another user’s id', async ({ db, now }) => {
    const { app } = await appWithClock(db, now)
    const [ada, grace] = [await newPerson(app, db), await newPerson(app, db)]
    const body = newKey(grace.id).key.slice(0, 27) + ada.key.slice(27, -8)
    const forged = body + crc32(body).toString(16).padStart(8, '0')

    const headers = { authorization: `Bearer ${forged}` }
    const answer = await app.inject({ url: '/api/labels', headers })

    expect(answer.statusCode).toBe(401)
  })

  it('401: a well-formed key that was never issued', async ({ app, ada }) => {
    const headers = { authorization: `Bearer ${newKey(ada.id).key}` }

    expect((await app.inject({ url: '/api/labels', headers })).statusCode).toBe(401)
  })
})

describe('a credential that another process revokes', () => {
  it('401: a deleted key, within a second', async ({ db, now }) => {
    const { app, clock } = await appWithClock(db, now)
    const ada = await newPerson(app, db)
    expect((await ada.get('/api/labels')).status).toBe(200)

    await db.pool.query('delete from api_keys where user_id = $1', [ada.id])

    clock.time += 1000
    expect((await ada.get('/api/labels')).status).toBe(401)
  })

  it('401: a deleted session, within a second, even while the session is in use', async ({
    db,
    now,
  }) => {
    const { app, clock } = await appWithClock(db, now)
    const ada = await signUp(app)
    expect((await ada.get('/api/labels')).status).toBe(200)

    await db.pool.query('delete from auth.sessions where user_id = $1', [ada.id])

    const statuses: number[] = []
    for (let step = 0; step < 10; step += 1) {
      clock.time += 100
      statuses.push((await ada.get('/api/labels')).status)
    }
    expect(statuses.at(-1)).toBe(401)
  })

  it('401: the keys and sessions of a disabled account', async ({ db, now }) => {
    const { app, clock } = await appWithClock(db, now)
    const ada = await signUp(app)
    const { key } = (await ada.post('/api/api-keys', { name: 'mine' })).body
    const headers = { authorization: `Bearer ${key}` }
    expect((await app.inject({ url: '/api/labels', headers })).statusCode).toBe(200)

    await db.pool.query('update users set disabled_at = now() where id = $1', [ada.id])

    clock.time += 1000
    expect((await app.inject({ url: '/api/labels', headers })).statusCode).toBe(401)
    expect((await ada.get('/api/labels')).status).toBe(401)
  })

  it('403: a key that has lost the scope', async ({ db, now }) => {
    const { app, clock } = await appWithClock(db, now)
    const ada = await newPerson(app, db)
    expect((await ada.post('/api/labels', { name: 'home' })).status).toBe(201)

    await db.pool.query(`update api_keys set scopes = '{read}' where user_id = $1`, [ada.id])

    clock.time += 1000
    expect((await ada.post('/api/labels', { name: 'work' })).status).toBe(403)
    expect((await ada.get('/api/labels')).status).toBe(200)
  })
})

describe('expiry', () => {
  it('401: a cached key, as soon as it expires', async ({ db, now }) => {
    const { app, clock } = await appWithClock(db, now)
    const ada = await newPerson(app, db)
    const end = new Date(now.getTime() + 500)
    await db.pool.query('update api_keys set expires_at = $2 where user_id = $1', [ada.id, end])

    clock.time += 499
    expect((await ada.get('/api/labels')).status).toBe(200)

    clock.time += 1
    expect((await ada.get('/api/labels')).status).toBe(401)
  })

  it('401: a cached session, as soon as it expires', async ({ db, now }) => {
    const { app, clock } = await appWithClock(db, now)
    const ada = await signUp(app)
    const end = new Date(now.getTime() + 500)
    await db.pool.query('update auth.sessions set expires_at = $2 where user_id = $1', [
      ada.id,
      end,
    ])

    clock.time += 499
    expect((await ada.get('/api/labels')).status).toBe(200)

    clock.time += 1
    expect((await ada.get('/api/labels')).status).toBe(401)
  })
})

describe('lastUsedAt', () => {
  const lastUsedAt = async (db: Database, userId: string) => {
    const { rows } = await db.pool.query<{ at: Date | null }>(
      'select last_used_at as at from api_keys where user_id = $1',
      [userId],
    )
    return rows[0]?.at
  }

  it('is written at most once an hour', async ({ db, now }) => {
    const { app, clock, times } = await appWithClock(db, now)
    const ada = await newPerson(app, db)
    expect(await lastUsedAt(db, ada.id)).toBeNull()

    await ada.get('/api/labels')
    await expect.poll(() => lastUsedAt(db, ada.id)).toEqual(now)
    for (const minutes of [1, 30, 59]) {
      clock.time = now.getTime() + minutes * 60_000
      await ada.get('/api/labels')
    }

    expect(times('auth.key-used')).toBe(1)

    clock.time = now.getTime() + 3_600_000
    await ada.get('/api/labels')
    await expect.poll(() => lastUsedAt(db, ada.id)).toEqual(new Date(now.getTime() + 3_600_000))

    expect(times('auth.key-used')).toBe(2)
  })

  it('200: does not fail the request if it cannot be written', async ({ db, now }) => {
    const query: Database['query'] = (statement) =>
      typeof statement === 'object' && statement.name === 'auth.key-used'
        ? db.query('select 1 / 0')
        : db.query(statement)
    const app = await testApp(withQuery(db, query), () => now)
    const ada = await newPerson(app, db)

    expect((await ada.get('/api/labels')).status).toBe(200)
  })
})

describe('a failed lookup', () => {
  it('503, then 200: is not cached, neither for a key nor for a session', async ({ db, now }) => {
    const nowhere = connect('postgres://daywright@127.0.0.1:1/daywright')
    onTestFinished(() => nowhere.end())
    let isUnreachable = false
    const query: Database['query'] = (statement) => (isUnreachable ? nowhere : db).query(statement)
    const app = await testApp(withQuery(db, query), () => now)
    const [ada, grace] = [await newPerson(app, db), await signUp(app)]

    isUnreachable = true
    const refused = [await ada.get('/api/labels'), await grace.get('/api/labels')]
    isUnreachable = false
    const answered = [await ada.get('/api/labels'), await grace.get('/api/labels')]

    expect(refused.map(({ status }) => status)).toEqual([503, 503])
    expect(answered.map(({ status }) => status)).toEqual([200, 200])
  })
})
