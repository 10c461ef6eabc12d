// Vitest's `it`, with users as fixtures. A test names the users it needs, and each is a new user without data.
//
//   it('201: the whole label', async ({ ada }) => {
//     expect(await ada.post('/api/labels', { name: 'home' })).toMatchObject({ status: 201 })
//   })
import { randomUUID } from 'node:crypto'
import { test } from 'vitest'
import { newKey } from '../src/platform/auth/api-key-format.ts'
import { connect, type Database } from '../src/platform/db/database.ts'
import { newId } from '../src/platform/db/new-id.ts'
import { type App, testApp } from './test-app.ts'
import { testDatabase } from './test-database.ts'

export { describe, expect } from 'vitest'
export { type App, testApp }

/** An id that was never issued. */
export const unknownId = '11111111-1111-4111-8111-111111111111'

export const it = test
  .extend('now', { scope: 'file' }, new Date('2026-03-02T08:00:00Z'))
  .extend('url', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { url, drop } = await testDatabase()
    onCleanup(drop)
    return url
  })
  .extend('db', { scope: 'file' }, ({ url }, { onCleanup }) => {
    const db = connect(url)
    onCleanup(() => db.end())
    return db
  })
  .extend('app', { scope: 'file' }, ({ db, now }) => testApp(db, () => now))
  .extend('ada', ({ app, db }) => newPerson(app, db))
  .extend('grace', ({ app, db }) => newPerson(app, db))
  .extend('stranger', ({ app }) => caller(app, {}))

/** A user with a profile, a default space and a key, created without the slow password hash. */
export async function newPerson(app: App, db: Database) {
  const id = newId()
  const { key, prefix, hash } = newKey(id)
  const email = `${id}@example.com`
  await db.pool.query('insert into users (id, email, display_name) values ($1, $2, $3)', [
    id,
    email,
    'Someone',
  ])
  await db.pool.query(
    `insert into spaces (user_id, id, name, is_default) values ($1, $2, 'Personal', true)`,
    [id, newId()],
  )
  await db.pool.query(
    `insert into api_keys (user_id, id, name, prefix, hash, scopes)
     values ($1, $2, 'test', $3, $4, '{read,write,planner,webhooks}')`,
    [id, newId(), prefix, hash],
  )
  return { id, email, key, ...caller(app, { authorization: `Bearer ${key}` }) }
}

/** A user who has signed up over HTTP and has a session cookie, as in a browser. */
export async function signUp(app: App, email = `${randomUUID()}@example.com`, more: object = {}) {
  const response = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    payload: { email, password: 'correct horse battery staple', name: 'Someone', ...more },
  })
  if (response.statusCode !== 200) throw new Error(response.body)
  const cookie = response.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
  const headers = { cookie: cookie.join('; '), host: 'localhost', origin: 'http://localhost' }
  const { user } = response.json<{ user: { id: string } }>()
  return { id: user.id, email, cookie: headers.cookie, ...caller(app, headers) }
}

// `holdToContract` checks responses against the contract; tests read them as plain JSON.
// oxlint-disable-next-line typescript/no-explicit-any
type Answer = { status: number; body: any }

export function caller(app: App, headers: Record<string, string>) {
  async function call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    more: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await app.inject({ method, url, headers: { ...headers, ...more }, payload })
    return { status: response.statusCode, body: response.json() }
  }
  return {
    get: (url: string) => call('GET', url),
    post: (url: string, body?: object, more?: Record<string, string>) =>
      call('POST', url, body, more),
    put: (url: string, body?: object, more?: Record<string, string>) =>
      call('PUT', url, body, more),
    patch: (url: string, body?: object, more?: Record<string, string>) =>
      call('PATCH', url, body, more),
    delete: (url: string) => call('DELETE', url),
  }
}

export type Person = Awaited<ReturnType<typeof newPerson>>
