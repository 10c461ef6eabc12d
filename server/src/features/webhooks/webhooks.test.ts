import { Webhook } from 'standardwebhooks'
import { afterAll, vi } from 'vitest'
import {
  type App,
  caller,
  describe,
  expect,
  it as base,
  signUp,
  testApp,
} from '../../../test/it.ts'
import { type Received, startReceiver } from '../../../test/receiver.ts'
import { encryptWith } from '../../platform/auth/encryption.ts'
import { instanceSecrets } from '../../platform/auth/secret.ts'
import type { Database } from '../../platform/db/database.ts'
import { deliver } from './deliver.ts'
import { postOutside } from './http-post.ts'
import { createSlowLimit } from '../../platform/outbound/limit-slow.ts'
import { outboundAddresses } from '../../platform/outbound/outbound-addresses.ts'
import { nameResolver } from '../../platform/outbound/resolve-name.ts'
import { sealPlainSecrets } from './seal-secrets.ts'

const it = base.extend('receiver', async ({}, { onCleanup }) => {
  const receiver = await startReceiver()
  onCleanup(receiver.close)
  return receiver
})

type SignedIn = Awaited<ReturnType<typeof signUp>>

const day = 86_400_000
let time = Date.parse('2026-03-02T08:00:00Z')
const now = () => new Date(time)
const { post, close } = postOutside(outboundAddresses('allow', undefined), nameResolver(now))
afterAll(close)

const sealOf = (db: Database) => encryptWith(instanceSecrets(db))
const delivering = (db: Database) => ({
  db,
  now,
  post,
  limitSlow: createSlowLimit({ most: 1, afterMs: 10_000 }),
  seal: sealOf(db),
  retrySeconds: [1, 60],
})
const send = (db: Database, { id }: { id: string }, webhookId: string) =>
  deliver(delivering(db), id, webhookId)

describe('a webhook', () => {
  it('receives every later event, in order and signed', async ({ ada, db, receiver }) => {
    await ada.post('/api/labels', { name: 'before' })
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    for (const name of ['a', 'b', 'c']) await ada.post('/api/labels', { name })

    await send(db, ada, webhook.id)

    const types = receiver.received.map(({ data }) => data.type)
    expect(types).toEqual(['webhook.created', 'label.created', 'label.created', 'label.created'])
    for (const { headers, body } of receiver.received) {
      vi.setSystemTime(time)
      expect(new Webhook(webhook.secret).verify(body, headers)).toEqual(JSON.parse(body))
      expect(() => new Webhook(webhook.secret).verify(`${body} `, headers)).toThrow('signature')
    }
    vi.useRealTimers()
    const { body: log } = await ada.get(`/api/webhooks/${webhook.id}/deliveries`)
    expect(log).toHaveLength(4)
    expect(log[0]).toMatchObject({ status: 204, attempt: 1, error: null, type: 'label.created' })
  })

  it('lets others take turns if its receiver is slow', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', {
      url: receiver.url,
      types: ['label.created'],
    })
    for (const name of ['a', 'b', 'c']) await ada.post('/api/labels', { name })
    const slowly: typeof post = async (...message) => {
      time += 6000
      return post(...message)
    }
    const later = `update user_state set due_at = '2100-01-01' where user_id = $1`
    const dueAt = 'select due_at from user_state where user_id = $1'
    for (const [sent, isMore] of [
      [1, true],
      [2, true],
      [3, true], // its turn ended before it knew that nothing was left
      [3, false],
    ] as const) {
      await db.pool.query(later, [ada.id])
      await deliver({ ...delivering(db), post: slowly }, ada.id, webhook.id)
      expect(receiver.received).toHaveLength(sent)
      const { rows } = await db.pool.query<{ due_at: Date }>(dueAt, [ada.id])
      expect(rows[0]?.due_at).toEqual(isMore ? now() : new Date('2100-01-01'))
    }
    const names = receiver.received.map(({ body }) => JSON.parse(body).after.name)
    expect(names).toEqual(['a', 'b', 'c'])
  })

  it('retries with the same id, and keeps the order', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', {
      url: receiver.url,
      types: ['label.created'],
    })
    for (const name of ['a', 'b']) await ada.post('/api/labels', { name })
    receiver.answers.push(500)

    await send(db, ada, webhook.id)
    expect(receiver.received).toHaveLength(1)
    await send(db, ada, webhook.id) // too early: nothing is sent
    expect(receiver.received).toHaveLength(1)
    time += 1000
    await send(db, ada, webhook.id)

    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['2-1', '2-1', '3-1'])
  })

  it('waits without counting an attempt while too many receivers are slow', async ({
    ada,
    db,
    receiver,
  }) => {
    const url = receiver.url
    const { body: webhook } = await ada.post('/api/webhooks', { url, types: ['label.created'] })
    await ada.post('/api/labels', { name: 'a' })
    receiver.answers.push(500)
    await send(db, ada, webhook.id)
    time += 1000
    const noneSlow = createSlowLimit({ most: 0, afterMs: 10_000 })
    await deliver({ ...delivering(db), limitSlow: noneSlow }, ada.id, webhook.id)
    expect(receiver.received).toHaveLength(1)

    time += 9999
    await send(db, ada, webhook.id)
    expect(receiver.received).toHaveLength(1)
    time += 1
    await send(db, ada, webhook.id)
    const { body: log } = await ada.get(`/api/webhooks/${webhook.id}/deliveries`)
    expect(log).toMatchObject([
      { status: 204, attempt: 2 },
      { status: 500, attempt: 1 },
    ])
  })

  it('is disabled after the last attempt, and resumes when enabled', async ({
    ada,
    db,
    receiver,
  }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    receiver.answers.push(500, 500, 500)
    for (const wait of [0, 1000, 60_000]) {
      time += wait
      await send(db, ada, webhook.id)
    }
    const { body: listed } = await ada.get('/api/webhooks')
    expect(listed[0]).toMatchObject({
      enabled: false,
      disabledReason: '3 attempts failed. Last error: The receiver answered 500',
    })
    await send(db, ada, webhook.id)
    expect(receiver.received).toHaveLength(3)

    await ada.patch(`/api/webhooks/${webhook.id}`, { enabled: true })
    await send(db, ada, webhook.id)
    expect(receiver.received.slice(3).map(({ data }) => data.type)).toEqual([
      'webhook.created',
      'webhook.disabled',
      'webhook.updated',
    ])
  })

  it('is disabled at once by 410', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    receiver.answers.push(410)
    await send(db, ada, webhook.id)
    expect((await ada.get('/api/webhooks')).body[0]).toMatchObject({ enabled: false })
  })

  it('signs with both secrets for a day after a rotation', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    const { body: rotated } = await ada.post(`/api/webhooks/${webhook.id}/secret`)
    await send(db, ada, webhook.id)
    await ada.post('/api/labels', { name: 'later' })
    time += day + 1000
    await send(db, ada, webhook.id)

    const opens = ({ body, headers }: Received, secret: string) => {
      vi.setSystemTime(Number(headers['webhook-timestamp']) * 1000)
      try {
        return Boolean(new Webhook(secret).verify(body, headers))
      } catch {
        return false
      } finally {
        vi.useRealTimers()
      }
    }
    const [first, last] = [receiver.received[0], receiver.received.at(-1)]
    if (!first || !last) throw new Error('Nothing arrived')
    expect([opens(first, webhook.secret), opens(first, rotated.secret)]).toEqual([true, true])
    expect([opens(last, webhook.secret), opens(last, rotated.secret)]).toEqual([false, true])
  })

  it('redelivers all events from a given one on', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', {
      url: receiver.url,
      types: ['label'],
    })
    for (const name of ['a', 'b', 'c']) await ada.post('/api/labels', { name })
    await send(db, ada, webhook.id)
    const again = await ada.post(`/api/webhooks/${webhook.id}/redeliver`, { eventId: '3-1' })
    expect(again).toMatchObject({ status: 200 })
    await send(db, ada, webhook.id)
    expect(receiver.received.map(({ data }) => data.id)).toEqual([
      '2-1',
      '3-1',
      '4-1',
      '3-1',
      '4-1',
    ])
    const newest = (await ada.get('/api/history?limit=1')).body.events[0].id
    const later = await ada.post('/api/webhooks', { url: receiver.url })
    expect(later.body).toMatchObject({ lastEventId: newest })
    const ahead = await ada.post(`/api/webhooks/${webhook.id}/redeliver`, { eventId: '99-1' })
    expect(ahead).toMatchObject({ status: 400 })
    const first = await ada.post(`/api/webhooks/${webhook.id}/redeliver`, { eventId: '1-1' })
    expect(first).toMatchObject({ status: 200, body: { lastEventId: '1-0' } })
  })

  it('does not follow a redirect', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    receiver.answers.push(302)
    await send(db, ada, webhook.id)
    expect(receiver.received).toHaveLength(1)
    expect((await ada.get('/api/webhooks')).body[0]).toMatchObject({ attempts: 1 })
  })

  it.for(['ftp://example.com', 'example.com', 'http://me:secret@example.com', 'javascript:1'])(
    '400: %s is not a valid receiver',
    async (url, { ada }) => {
      expect(await ada.post('/api/webhooks', { url })).toMatchObject({ status: 400 })
    },
  )
})

describe('what a webhook receives', () => {
  it('is never older than the webhook, even on redelivery', async ({ ada, db, receiver }) => {
    await ada.post('/api/labels', { name: 'before' })
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    await send(db, ada, webhook.id)

    for (const eventId of ['1-1', '0-0']) {
      expect(await ada.post(`/api/webhooks/${webhook.id}/redeliver`, { eventId })).toMatchObject({
        status: 400,
        body: { error: 'eventId is older than the webhook' },
      })
    }

    await send(db, ada, webhook.id)
    expect(receiver.received.map(({ data }) => data.type)).toEqual(['webhook.created'])
  })

  it.for([['tasks'], ['task.done'], ['task.'], ['task', 'x.created']])(
    '400: %o is not a list of known types',
    async (types, { ada }) => {
      const { status, body } = await ada.post('/api/webhooks', { url: 'https://a.test', types })

      expect(status).toBe(400)
      expect(body.details).toEqual({ [`types.${types.length - 1}`]: [expect.any(String)] })
    },
  )
})

describe('permission to create a webhook', () => {
  const url = 'https://example.com/hook'
  const keyOf = async (app: App, person: SignedIn, scopes: string[]) => {
    const { body } = await person.post('/api/api-keys', { name: 'sync', scopes })
    return { id: body.id, ...caller(app, { authorization: `Bearer ${body.key}` }) }
  }

  it('requires the scopes webhooks and read, which new keys do not have', async ({ app }) => {
    const person = await signUp(app)
    const { body: issued } = await person.post('/api/api-keys', { name: 'plain' })
    expect(issued.scopes).toEqual(['read', 'write', 'planner'])

    for (const scopes of [['write'], ['read', 'write', 'planner'], ['webhooks', 'write']]) {
      const script = await keyOf(app, person, scopes)
      expect(await script.post('/api/webhooks', { url })).toEqual({
        status: 403,
        body: { error: 'Insufficient scope' },
      })
    }
    const script = await keyOf(app, person, ['read', 'webhooks'])
    const { status, body } = await script.post('/api/webhooks', { url })
    expect(status).toBe(201)
    for (const path of ['secret', 'redeliver']) {
      const reader = await keyOf(app, person, ['read', 'write'])
      const answer = await reader.post(`/api/webhooks/${body.id}/${path}`, { eventId: '1-1' })
      expect(answer.status).toBe(403)
    }
  })

  it('the creator is shown: a person, or a key by its name', async ({ app }) => {
    const person = await signUp(app)
    const script = await keyOf(app, person, ['read', 'webhooks'])
    const { body: own } = await person.post('/api/webhooks', { url })
    const { body: made } = await script.post('/api/webhooks', { url })

    expect(own.createdBy).toEqual({ kind: 'person' })
    expect(made.createdBy).toEqual({ kind: 'key', id: script.id, name: 'sync' })
    // A new URL needs the same permission as a new webhook.
    const moved = await script.patch(`/api/webhooks/${own.id}`, { url: `${url}/2` })
    expect(moved.body.createdBy).toEqual(made.createdBy)
    const paused = await person.patch(`/api/webhooks/${own.id}`, { enabled: false })
    expect(paused.body.createdBy).toEqual(made.createdBy)
  })

  it('a webhook is disabled when its key is revoked', async ({ app, db, receiver }) => {
    const person = await signUp(app)
    const script = await keyOf(app, person, ['read', 'webhooks'])
    const { body: own } = await person.post('/api/webhooks', { url: receiver.url })
    const { body: made } = await script.post('/api/webhooks', { url: receiver.url })

    await person.delete(`/api/api-keys/${script.id}`)

    const { body: listed } = await person.get('/api/webhooks')
    expect(listed).toMatchObject([
      { id: own.id, enabled: true },
      {
        id: made.id,
        enabled: false,
        disabledReason: 'The API key that created the webhook was revoked or has expired',
      },
    ])
    const { body: changes } = await person.get('/api/changes')
    expect(changes.events.slice(-2).map(({ type }: { type: string }) => type)).toEqual([
      'apiKey.deleted',
      'webhook.disabled',
    ])
    await send(db, person, made.id)
    expect(receiver.received).toEqual([])
    // A signed-in user may enable it again.
    const again = await person.patch(`/api/webhooks/${made.id}`, { enabled: true })
    expect(again.body).toMatchObject({ enabled: true, createdBy: { kind: 'person' } })
    await send(db, person, made.id)
    expect(receiver.received.length).toBeGreaterThan(0)
  })

  it('a webhook is not sent anything once the key that made it has expired', async ({
    app,
    db,
    receiver,
  }) => {
    const person = await signUp(app)
    const script = await keyOf(app, person, ['read', 'webhooks'])
    const { body: made } = await script.post('/api/webhooks', { url: receiver.url })
    await db.pool.query('update api_keys set expires_at = $2 where user_id = $1', [
      person.id,
      now(),
    ])

    await send(db, person, made.id)

    expect(receiver.received).toEqual([])
    expect((await person.get('/api/webhooks')).body).toMatchObject([{ enabled: false }])
  })
})

describe('the secret of a webhook', () => {
  it('is stored encrypted, even after a rotation', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    const { body: rotated } = await ada.post(`/api/webhooks/${webhook.id}/secret`)

    const { rows } = await db.pool.query<{ row: string }>(
      'select to_jsonb(webhook)::text as row from webhooks webhook where user_id = $1',
      [ada.id],
    )
    for (const { secret } of [webhook, rotated]) {
      expect(secret).toMatch(/^whsec_/)
      expect(rows[0]?.row).not.toContain(secret.slice(6))
    }
  })

  it('of an older version is encrypted when the service starts, and signs as before', async ({
    ada,
    db,
    receiver,
  }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    await db.pool.query('update webhooks set secret = $2, former_secret = $2 where user_id = $1', [
      ada.id,
      secret,
    ])

    await sealPlainSecrets(db, sealOf(db))

    const plain = `select id from webhooks where secret like 'whsec%' or former_secret like 'whsec%'`
    expect((await db.pool.query(plain)).rowCount).toBe(0)
    await send(db, ada, webhook.id)
    const [message] = receiver.received
    vi.setSystemTime(time)
    new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {})
    vi.useRealTimers()
  })

  it('that another instance encrypted keeps the webhook disabled until it is rotated', async ({
    ada,
    db,
    receiver,
  }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    const elsewhere = encryptWith({
      current: async () => 'the secret of the instance that was backed up',
      former: async () => [],
    })
    await db.pool.query('update webhooks set secret = $2 where user_id = $1', [
      ada.id,
      await elsewhere.close(webhook.secret),
    ])

    await send(db, ada, webhook.id)

    expect(receiver.received).toEqual([])
    expect((await ada.get('/api/webhooks')).body).toMatchObject([
      { enabled: false, disabledReason: expect.stringContaining('give it a new one') },
    ])
    const { body: rotated } = await ada.post(`/api/webhooks/${webhook.id}/secret`)
    expect((await ada.get('/api/webhooks')).body).toMatchObject([
      { enabled: true, disabledReason: null },
    ])
    await send(db, ada, webhook.id)
    const [message] = receiver.received
    vi.setSystemTime(time)
    new Webhook(rotated.secret).verify(message?.body ?? '', message?.headers ?? {})
    vi.useRealTimers()
  })
})

describe('a disabled webhook', () => {
  it('no longer makes its user due with each change', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    receiver.answers.push(410)

    await send(db, ada, webhook.id)

    const { rows } = await db.pool.query('select has_webhooks from user_state where user_id = $1', [
      ada.id,
    ])
    expect(rows).toEqual([{ has_webhooks: false }])
  })
})

describe('an address that is not allowed', () => {
  it.for([
    'http://127.0.0.1:8080/',
    'http://localhost:8080/',
    'http://[::1]:8080/',
    'http://192.168.1.20/',
    'http://169.254.169.254/latest',
    'https://example.com:22/',
  ])('400: %s, when the webhook is created or changed', async (url, { app, ada, db, now }) => {
    const strict = await testApp(db, () => now, { WEBHOOK_PRIVATE_ADDRESSES: 'refuse' })
    const person = caller(strict, { authorization: `Bearer ${ada.key}` })
    const refused = {
      status: 400,
      body: { error: 'Validation failed', details: { url: [expect.any(String)] } },
    }

    expect(await person.post('/api/webhooks', { url })).toEqual(refused)

    const { body } = await caller(app, { authorization: `Bearer ${ada.key}` }).post(
      '/api/webhooks',
      { url: 'https://example.com' },
    )
    expect(await person.patch(`/api/webhooks/${body.id}`, { url })).toEqual(refused)
  })
})
