import { Writable } from 'node:stream'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import type { Database } from '../db/database.ts'
import { caller, describe, expect, it, signUp } from '../../../test/it.ts'

type Line = Record<string, unknown> & { level: number; msg: string }

async function appWithLog(db: Database, now: () => Date, settings: Record<string, string> = {}) {
  const lines: Line[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const app = await buildApp({
    db,
    now,
    config: readConfig({ RATE_LIMIT: 'off', ...settings }),
    lifecycle: { phase: 'serving' },
    options: { logger: { level: 'info', stream } },
  })
  const security = () => lines.filter(({ msg }) => msg === 'Security')
  return { app, lines, security }
}

const password = 'correct horse battery staple'

describe('the security log', () => {
  it('has one line per event: event, user, address, request id and outcome', async ({
    db,
    now,
  }) => {
    const { app, security } = await appWithLog(db, () => now)
    const admin = await signUp(app)
    await db.pool.query(`update users set role = 'admin' where id = $1`, [admin.id])
    const ada = await signUp(app)
    const signIn = (email: string, given: string) =>
      app.inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        remoteAddress: '192.0.2.7',
        payload: { email, password: given },
      })

    await signIn(ada.email, password)
    await signIn(ada.email, 'a wrong password')
    await signIn('unknown@example.com', 'a wrong password')
    const scopes = ['read', 'write', 'webhooks']
    const { body: key } = await ada.post('/api/api-keys', { name: 'script', scopes })
    const script = caller(app, { authorization: `Bearer ${key.key}` })
    await script.get('/api/api-keys')
    const { body: calendar } = await script.post('/api/calendars', {
      url: 'https://example.com/hidden.ics',
    })
    await ada.patch(`/api/calendars/${calendar.id}`, { name: 'Work' })
    await ada.patch(`/api/calendars/${calendar.id}`, { url: 'https://example.com/hidden2.ics' })
    const { body: webhook } = await script.post('/api/webhooks', {
      url: 'https://example.com/hidden3',
      types: ['task'],
    })
    await ada.patch(`/api/webhooks/${webhook.id}`, { enabled: false })
    await ada.patch(`/api/webhooks/${webhook.id}`, { url: 'https://example.com/hidden4' })
    await ada.post(`/api/webhooks/${webhook.id}/secret`)
    await ada.delete(`/api/api-keys/${key.id}`)
    await ada.post('/api/auth/change-password', {
      currentPassword: 'a wrong password',
      newPassword: 'a longer sentence still',
    })
    const { body: feed } = await ada.post('/api/feeds', { name: 'My plan' })
    await ada.delete(`/api/feeds/${feed.id}`)
    await admin.patch(`/api/admin/users/${ada.id}`, { role: 'admin' })
    await ada.post('/api/auth/sign-out')

    const [, ...lines] = security()
    expect(lines).toMatchObject([
      { security: 'sign-up', outcome: 'done', userId: ada.id },
      { security: 'sign-in', outcome: 'done', userId: ada.id, address: '192.0.2.7' },
      { security: 'sign-in', outcome: 'refused', status: 401, userId: ada.id },
      { security: 'sign-in', outcome: 'refused', status: 401, address: '192.0.2.7' },
      { security: 'key-issued', outcome: 'done', userId: ada.id, keyId: key.id },
      {
        security: 'refused',
        outcome: 'refused',
        status: 403,
        userId: ada.id,
        route: '/api/api-keys',
      },
      { security: 'calendar-created', outcome: 'done', keyId: key.id, calendarId: calendar.id },
      { security: 'calendar-moved', outcome: 'done', userId: ada.id, calendarId: calendar.id },
      { security: 'webhook-created', outcome: 'done', keyId: key.id, webhookId: webhook.id },
      { security: 'webhook-moved', outcome: 'done', userId: ada.id, webhookId: webhook.id },
      { security: 'webhook-secret-changed', outcome: 'done', webhookId: webhook.id },
      { security: 'key-revoked', outcome: 'done', userId: ada.id, keyId: key.id },
      { security: 'password-changed', outcome: 'refused', status: 400, userId: ada.id },
      { security: 'feed-created', outcome: 'done', userId: ada.id, feedId: feed.id },
      { security: 'feed-deleted', outcome: 'done', userId: ada.id, feedId: feed.id },
      {
        security: 'account-changed',
        outcome: 'done',
        userId: admin.id,
        accountId: ada.id,
        role: 'admin',
      },
      { security: 'sign-out', outcome: 'done', userId: ada.id },
    ])
    expect(lines[3]).not.toHaveProperty('userId')
    for (const line of lines)
      expect(line).toMatchObject({ level: 30, requestId: expect.any(String) })
    const text = JSON.stringify(lines)
    for (const secret of [
      ada.email,
      'unknown@example.com',
      password,
      'a wrong password',
      key.key,
      webhook.secret,
      'hidden',
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  it('has a line for 429', async ({ db, now }) => {
    const { app, security } = await appWithLog(db, () => now, { RATE_LIMIT: 'on' })
    const { email } = await signUp(app)

    for (let count = 0; count < 6; count += 1) {
      await app.inject({
        method: 'POST',
        url: '/api/auth/sign-in/email',
        payload: { email, password: 'a wrong password' },
      })
    }

    expect(security().at(-1)).toMatchObject({
      security: 'sign-in',
      outcome: 'refused',
      status: 429,
    })
  })

  it('has a line for 429 of any other route, and for no other answer', async ({ db, now }) => {
    const settings = { RATE_LIMIT: 'on', RATE_LIMIT_PER_ADDRESS: '1' }
    const { app, security } = await appWithLog(db, () => now, settings)
    const statuses: number[] = []

    for (let count = 0; count < 7; count += 1) {
      statuses.push((await app.inject({ url: '/api/labels' })).statusCode)
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
    const line = { security: 'refused', outcome: 'refused', status: 429, route: '/api/labels' }
    expect(security()).toMatchObject([line, line])
  })

  it('is bounded: lines of a flood from one address are dropped and counted', async ({
    db,
    now,
    ada,
  }) => {
    let time = now.getTime()
    const { app, security } = await appWithLog(db, () => new Date(time))
    const flood = async (remoteAddress: string, count: number) => {
      for (let at = 0; at < count; at += 1) {
        await app.inject({
          url: '/api/api-keys',
          remoteAddress,
          headers: { authorization: `Bearer ${ada.key}` },
        })
      }
    }

    await flood('192.0.2.1', 100)
    expect(security()).toHaveLength(30)

    await flood('192.0.2.2', 1)
    expect(security().at(-1)).toMatchObject({ address: '192.0.2.2', leftOut: 70 })

    time += 2000
    await flood('192.0.2.1', 5)
    expect(security()).toHaveLength(32)
  })
})

describe('a request from another origin', () => {
  it('403: with an explanation, and the log says once which PUBLIC_URL to set', async ({
    db,
    now,
  }) => {
    const { app, lines } = await appWithLog(db, () => now)
    const ada = await signUp(app)
    const origin = 'https://plan.example.com'

    for (let count = 0; count < 3; count += 1) {
      expect(await ada.post('/api/labels', { name: 'home' }, { origin })).toEqual({
        status: 403,
        body: {
          error:
            'Cross-site request refused: https://plan.example.com is not the address of this service (PUBLIC_URL)',
        },
      })
    }

    const warnings = lines.filter(({ level }) => level === 40)
    expect(warnings).toMatchObject([
      { msg: expect.stringContaining('set PUBLIC_URL=https://plan.example.com') },
    ])
  })
})
