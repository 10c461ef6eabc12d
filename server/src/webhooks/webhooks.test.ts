import { Webhook } from 'standardwebhooks'
import { afterAll, vi } from 'vitest'
import { describe, expect, it as base, type Person } from '../../test/it.ts'
import { type Received, startReceiver } from '../../test/receiver.ts'
import type { Database } from '../db/database.ts'
import { deliver } from './deliver.ts'
import { postOutside } from './post.ts'
import { receiverAddresses } from './receiver-addresses.ts'
import { nameResolver } from './resolve-name.ts'

const it = base.extend('receiver', async ({}, { onCleanup }) => {
  const receiver = await startReceiver()
  onCleanup(receiver.close)
  return receiver
})

const { post, close } = postOutside(
  receiverAddresses('allow', undefined),
  nameResolver(() => new Date()),
)
afterAll(close)

const day = 86_400_000
let time = Date.parse('2026-03-02T08:00:00Z')
const now = () => new Date(time)
const send = (db: Database, { id }: Person, webhookId: string) =>
  deliver({ db, now, post, retrySeconds: [1, 60] }, id, webhookId)

describe('a webhook', () => {
  it('is told of every event from then on, in order, signed', async ({ ada, db, receiver }) => {
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

  it('takes turns where its receiver is slow', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', {
      url: receiver.url,
      types: ['label.created'],
    })
    for (const name of ['a', 'b', 'c']) await ada.post('/api/labels', { name })
    const slowly: typeof post = async (...message) => {
      time += 6000
      return post(...message)
    }
    const later = `update agendas set due_at = '2100-01-01' where user_id = $1`
    const dueAt = 'select due_at from agendas where user_id = $1'
    for (const [sent, isMore] of [
      [1, true],
      [2, true],
      [3, true], // its turn was over before it knew that there is no more
      [3, false],
    ] as const) {
      await db.pool.query(later, [ada.id])
      await deliver({ db, now, post: slowly, retrySeconds: [1, 60] }, ada.id, webhook.id)
      expect(receiver.received).toHaveLength(sent)
      const { rows } = await db.pool.query<{ due_at: Date }>(dueAt, [ada.id])
      expect(rows[0]?.due_at).toEqual(isMore ? now() : new Date('2100-01-01'))
    }
    const names = receiver.received.map(({ body }) => JSON.parse(body).after.name)
    expect(names).toEqual(['a', 'b', 'c'])
  })

  it('tries again with the same id, and keeps the order', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', {
      url: receiver.url,
      types: ['label.created'],
    })
    for (const name of ['a', 'b']) await ada.post('/api/labels', { name })
    receiver.answers.push(500)

    await send(db, ada, webhook.id)
    expect(receiver.received).toHaveLength(1)
    await send(db, ada, webhook.id) // not yet
    expect(receiver.received).toHaveLength(1)
    time += 1000
    await send(db, ada, webhook.id)

    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
    expect(receiver.received.map(({ data }) => data.id)).toEqual(['2-1', '2-1', '3-1'])
  })

  it('is disabled after the last attempt, and goes on when enabled', async ({
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
      disabledReason: '3 attempts failed, the last: It answered 500',
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

  it('is told again from an event on', async ({ ada, db, receiver }) => {
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
    const ahead = await ada.post(`/api/webhooks/${webhook.id}/redeliver`, { eventId: '99-1' })
    expect(ahead).toMatchObject({ status: 400 })
    const first = await ada.post(`/api/webhooks/${webhook.id}/redeliver`, { eventId: '0-0' })
    expect(first).toMatchObject({ status: 200, body: { lastEventId: '0-0' } })
  })

  it('does not follow a redirect', async ({ ada, db, receiver }) => {
    const { body: webhook } = await ada.post('/api/webhooks', { url: receiver.url })
    receiver.answers.push(302)
    await send(db, ada, webhook.id)
    expect(receiver.received).toHaveLength(1)
    expect((await ada.get('/api/webhooks')).body[0]).toMatchObject({ attempts: 1 })
  })

  it.for(['ftp://example.com', 'example.com', 'http://me:secret@example.com', 'javascript:1'])(
    '400: %s is no receiver',
    async (url, { ada }) => {
      expect(await ada.post('/api/webhooks', { url })).toMatchObject({ status: 400 })
    },
  )
})
