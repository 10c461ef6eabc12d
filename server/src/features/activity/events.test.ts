import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it as base, newPerson, type Person, testApp } from '../../../test/it.ts'
import { follow } from '../../../test/follow.ts'

const it = base
  .extend('origin', { scope: 'file' }, async ({ app }) =>
    app.listen({ host: '127.0.0.1', port: 0 }),
  )
  // Another process on the same database.
  .extend('elsewhere', { scope: 'file' }, async ({ db, now }, { onCleanup }) => {
    const app = await testApp(db, () => now)
    onCleanup(() => app.close())
    return app
  })

const rename = (person: Person, id: string, name: string) =>
  person.patch(`/api/labels/${id}`, { name })

describe('GET /api/events', () => {
  it('200: streams new events, in order', async ({ ada, grace, origin }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'before' })
    const stream = await follow(origin, ada.key)
    expect(stream.response.headers.get('content-type')).toMatch('text/event-stream')

    await grace.post('/api/labels', { name: 'not for ada' })
    for (const name of ['a', 'b', 'c']) await rename(ada, label.id, name)

    await stream.seen(3)
    expect(stream.messages.map(({ data }) => data.after?.name)).toEqual(['a', 'b', 'c'])
    expect(stream.messages[0]).toMatchObject({ id: '2-1', event: 'label.updated' })
    await stream.leave()
  })

  it('429: more than 50 streams of one user; other users are served', async ({
    ada,
    grace,
    origin,
  }) => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => follow(origin, ada.key)))
    const refused = await fetch(`${origin}/api/events`, {
      headers: { authorization: `Bearer ${ada.key}` },
    })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    await (await follow(origin, grace.key)).leave()
    for (const stream of streams) await stream.leave()
  })

  it('delivers events of another process', async ({ ada, db, elsewhere, origin }) => {
    const stream = await follow(origin, ada.key)
    await elsewhere.inject({
      method: 'POST',
      url: '/api/labels',
      headers: { authorization: `Bearer ${ada.key}` },
      payload: { name: 'home' },
    })
    // `npm run bench -- streams` measures the delay.
    await expect.poll(() => stream.messages).toHaveLength(1)
    await stream.leave()
    expect(db.load().waiting).toBe(0)
  })

  it('opens once its cursor is known: later events are delivered', async ({ ada, db, origin }) => {
    let opened: ReturnType<typeof follow> | undefined
    await db.transaction(async (transaction) => {
      await transaction.query('lock user_state')
      opened = follow(origin, ada.key)
      const first = await Promise.race([opened.then(() => 'open'), sleep(300, 'not yet')])
      expect(first).toBe('not yet')
    })
    const stream = await opened
    await ada.post('/api/labels', { name: 'home' })
    await stream?.seen(1)
    await stream?.leave()
  })

  it('resumes after Last-Event-ID without a gap', async ({ ada, origin }) => {
    for (const name of ['a', 'b', 'c', 'd']) await ada.post('/api/labels', { name })
    const stream = await follow(origin, ada.key, { 'last-event-id': '2-1' })
    await stream.seen(2)
    expect(stream.messages.map(({ id }) => id)).toEqual(['3-1', '4-1'])
    await stream.leave()
  })

  it.for(['224-1', '2-1'])(
    'tells a reader at the unknown cursor %s to read everything again, and continues from now',
    async (place, { ada, db, origin }) => {
      for (const name of ['a', 'b', 'c', 'd']) await ada.post('/api/labels', { name })
      await db.pool.query('delete from events where user_id = $1 and seq < 4', [ada.id])

      const stream = await follow(origin, ada.key, { 'last-event-id': place })
      await ada.post('/api/labels', { name: 'e' })

      await stream.seen(2)
      expect(stream.messages.map(({ id, event }) => [id, event])).toEqual([
        ['4-999999999', 'reset'],
        ['5-1', 'label.created'],
      ])
      await stream.leave()
    },
  )

  it('400: an invalid Last-Event-ID', async ({ ada, origin }) => {
    const { response } = await follow(origin, ada.key, { 'last-event-id': 'yesterday' })
    expect(response.status).toBe(400)
  })

  it('200: answers HEAD at once', async ({ ada, origin }) => {
    const { status, headers } = await fetch(`${origin}/api/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${ada.key}` },
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  })

  it('401: without a key', async ({ origin }) => {
    expect((await fetch(`${origin}/api/events`)).status).toBe(401)
  })

  it('ends when the key is revoked, before the next event is sent', async ({
    db,
    onTestFinished,
  }) => {
    let now = new Date('2026-03-02T09:00:00Z')
    const app = await testApp(db, () => now)
    onTestFinished(() => app.close())
    const person = await newPerson(app, db)
    const stream = await follow(await app.listen({ host: '127.0.0.1', port: 0 }), person.key)
    await db.pool.query('delete from api_keys where user_id = $1', [person.id])
    now = new Date(now.getTime() + 1000) // the credential cache has expired
    await db.pool.query(
      `insert into user_state (user_id, last_event) values ($1, 1)
       on conflict (user_id) do update set last_event = 1`,
      [person.id],
    )
    await db.pool.query(
      `insert into events (user_id, seq, part, type, record_id, actor)
       values ($1, 1, 1, 'label.created', $1, '{}')`,
      [person.id],
    )
    await expect.poll(() => stream.isOver()).toBe(true)
    expect(stream.messages).toEqual([])
  })
})
