import { randomUUID } from 'node:crypto'
import { type App, describe, expect, it, newPerson, signUp, testApp } from '../../../test/it.ts'
import { connect, type Database } from '../db/database.ts'
import { defaultLimits } from '../db/usage.ts'
import { recountUsage } from '../../features/usage/usage.queries.ts'
import { applyRetention } from '../../jobs/retention.queries.ts'

type Caller = { key: string } | { cookie: string }

/** Sends a change with an Idempotency-Key and returns the response with its headers. */
const change = (
  app: App,
  person: Caller,
  method: 'POST' | 'PATCH',
  url: string,
  payload: object,
  key: string,
) =>
  app.inject({
    method,
    url,
    payload,
    headers: {
      ...('key' in person ? { authorization: `Bearer ${person.key}` } : { cookie: person.cookie }),
      'idempotency-key': key,
    },
  })

const post = (app: App, person: Caller, payload: object, key: string) =>
  change(app, person, 'POST', '/api/labels', payload, key)

const storedKeys = async (db: Database, userId: string) =>
  (await db.pool.query('select * from idempotency_keys where user_id = $1', [userId])).rows

describe('Idempotency-Key', () => {
  it('201: a repeated request gets the same response and is carried out once', async ({
    app,
    ada,
  }) => {
    const key = randomUUID()

    const first = await post(app, ada, { name: 'home' }, key)
    const again = await post(app, ada, { name: 'home' }, key)

    expect([first.statusCode, again.statusCode]).toEqual([201, 201])
    expect(again.body).toBe(first.body)
    expect(again.headers['content-type']).toBe(first.headers['content-type'])
    expect(first.headers).not.toHaveProperty('idempotency-replayed')
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await ada.get('/api/labels')).body).toHaveLength(1)
  })

  it('200: a repeated planner run names the same run, also in the header', async ({ app, ada }) => {
    const key = randomUUID()
    const run = () => change(app, ada, 'POST', '/api/planner', {}, key)

    const [first, again] = [await run(), await run()]

    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(first.headers['planner-run-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(again.headers['planner-run-id']).toBe(first.headers['planner-run-id'])
    expect(again.body).toBe(first.body)
  })

  it('200: a repeated PATCH does not undo later changes', async ({ app, ada }) => {
    const { id } = (await ada.post('/api/labels', { name: 'home' })).body
    const key = randomUUID()
    const rename = () => change(app, ada, 'PATCH', `/api/labels/${id}`, { name: 'work' }, key)

    const first = await rename()
    await ada.patch(`/api/labels/${id}`, { name: 'garden' })
    const again = await rename()

    expect(first.statusCode).toBe(200)
    expect(again.body).toBe(first.body)
    expect((await ada.get('/api/labels')).body).toMatchObject([{ name: 'garden' }])
  })

  it('201: twenty concurrent requests with one key create one record and get one response', async ({
    app,
    ada,
  }) => {
    const key = randomUUID()

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post(app, ada, { name: 'home' }, key)),
    )

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(answers.filter(({ headers }) => !headers['idempotency-replayed'])).toHaveLength(1)
    expect((await ada.get('/api/labels')).body).toHaveLength(1)
  })

  it('201: the same key of another user is independent', async ({ app, ada, grace }) => {
    const key = randomUUID()

    const mine = await post(app, ada, { name: 'home' }, key)
    const hers = await post(app, grace, { name: 'work' }, key)

    expect(hers.statusCode).toBe(201)
    expect(hers.json()).toMatchObject({ name: 'work', userId: grace.id })
    expect(hers.json().id).not.toBe(mine.json().id)
  })

  it('201: requests with other keys, or without one, are independent', async ({ app, ada }) => {
    const task = { title: 'Water the plants' }
    const send = (key: string) => change(app, ada, 'POST', '/api/tasks', task, key)

    await send('a')
    await send('b')
    await ada.post('/api/tasks', task)
    await ada.post('/api/tasks', task)

    expect((await ada.get('/api/tasks')).body.pagination.total).toBe(4)
  })

  it('422: the key was used for another body, path or method', async ({ app, ada }) => {
    const key = randomUUID()
    const { id } = (await post(app, ada, { name: 'home' }, key)).json()

    const others = [
      await post(app, ada, { name: 'work' }, key),
      await change(app, ada, 'POST', '/api/spaces', { name: 'home' }, key),
      await change(app, ada, 'PATCH', `/api/labels/${id}`, { name: 'home' }, key),
    ]

    for (const answer of others) {
      expect(answer.statusCode).toBe(422)
      expect(answer.json()).toEqual({ error: 'Idempotency-Key was used for another request' })
    }
    expect((await ada.get('/api/labels')).body).toMatchObject([{ name: 'home' }])
    expect((await ada.get('/api/spaces')).body).toHaveLength(1)
  })

  it.for(['x'.repeat(256), '', 'two words', 'clé'])(
    '400: %o is not a valid key',
    async (key, { app, ada }) => {
      const answer = await post(app, ada, { name: 'home' }, key)

      expect(answer.statusCode).toBe(400)
      expect(answer.json()).toEqual({
        error: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
      })
      expect((await ada.get('/api/labels')).body).toEqual([])
    },
  )

  it('201: a key of 255 characters is valid', async ({ app, ada }) => {
    expect((await post(app, ada, { name: 'home' }, 'x'.repeat(255))).statusCode).toBe(201)
  })

  it('a refused request is not stored: a repeat may succeed', async ({ app, db, ada }) => {
    const { id } = (await ada.post('/api/labels', { name: 'home' })).body
    const [taken, invalid] = [randomUUID(), randomUUID()]

    const refused = [
      await post(app, ada, { name: 'home' }, taken),
      await post(app, ada, { name: '' }, invalid),
    ]
    expect(await storedKeys(db, ada.id)).toEqual([])
    await ada.delete(`/api/labels/${id}`)
    const done = [
      await post(app, ada, { name: 'home' }, taken),
      await post(app, ada, { name: 'work' }, invalid),
    ]

    expect(refused.map(({ statusCode }) => statusCode)).toEqual([409, 400])
    expect(done.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  })

  it('expires after 72 hours, not before', async ({ db, now }) => {
    let time = now.getTime()
    const app = await testApp(db, () => new Date(time))
    const ada = await newPerson(app, db)
    const task = { title: 'Water the plants' }
    const send = () => change(app, ada, 'POST', '/api/tasks', task, 'every-day')
    const first = await send()

    time += 72 * 3_600_000
    const replayed = await send()
    time += 1
    const anew = await send()

    expect(replayed.json().id).toBe(first.json().id)
    expect(anew.statusCode).toBe(201)
    expect(anew.json().id).not.toBe(first.json().id)
    expect(await storedKeys(db, ada.id)).toHaveLength(1)
  })

  it('201: many expired keys reused concurrently, twice each, are each carried out once', async ({
    db,
    now,
  }) => {
    let time = now.getTime()
    const app = await testApp(db, () => new Date(time))
    const ada = await newPerson(app, db)
    const keys = Array.from({ length: 12 }, (_, number) => `key-${number}`)
    const send = (key: string) =>
      change(app, ada, 'POST', '/api/tasks', { title: `With ${key}` }, key)
    await Promise.all(keys.map(send))

    time += 73 * 3_600_000
    const answers = await Promise.all([...keys, ...keys.toReversed()].map(send))

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
    expect((await ada.get('/api/tasks?limit=100')).body.pagination.total).toBe(24)
    expect(await storedKeys(db, ada.id)).toHaveLength(12)
  })

  it('is committed with the write or not at all', async ({ app, db, ada }) => {
    await db.query(`
      create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'not at commit'; end $$`)
    await db.query(`
      create constraint trigger refuse after insert on labels
      deferrable initially deferred for each row when (new.name = 'refused')
      execute function refuse()`)
    const key = randomUUID()

    const failed = await post(app, ada, { name: 'refused' }, key)
    const labels = (await ada.get('/api/labels')).body
    const keys = await storedKeys(db, ada.id)
    await db.query('drop trigger refuse on labels')
    const done = await post(app, ada, { name: 'refused' }, key)

    expect(failed.statusCode).toBe(500)
    expect([labels, keys]).toEqual([[], []])
    expect(done.statusCode).toBe(201)
    expect(done.headers).not.toHaveProperty('idempotency-replayed')
  })

  it('201: replays a new API key in full, though the table holds it encrypted', async ({
    app,
    db,
  }) => {
    const ada = await signUp(app)
    const key = randomUUID()
    const issue = () => change(app, ada, 'POST', '/api/api-keys', { name: 'script' }, key)

    const first = await issue()
    const again = await issue()

    expect(first.statusCode).toBe(201)
    expect(again.body).toBe(first.body)
    expect((await ada.get('/api/api-keys')).body).toHaveLength(1)
    const [row] = await storedKeys(db, ada.id)
    const secret = first.json().key.slice(33)
    for (const text of [row.body, Buffer.from(row.body, 'base64').toString()]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('script')
    }
  })

  it('401: comes before a replay', async ({ app, ada }) => {
    const key = randomUUID()
    await post(app, ada, { name: 'home' }, key)

    const answer = await post(app, { key: 'nonsense' }, { name: 'home' }, key)

    expect(answer.statusCode).toBe(401)
  })
})

describe('a write that conflicts with another request', () => {
  it('200: is retried after a deadlock, which the client does not see', async ({ db, ada }) => {
    const ids = await Promise.all(
      ['home', 'work'].map(async (name) => (await ada.post('/api/labels', { name })).body.id),
    )
    // Two transactions that lock the same two rows in opposite order: PostgreSQL aborts one of them.
    await db.query(`
      create function cross_over() returns trigger language plpgsql as $$ begin
        perform pg_sleep(0.1);
        perform from labels where user_id = new.user_id and id <> new.id for update;
        return new;
      end $$`)
    await db.query(`
      create trigger cross_over after update on labels for each row execute function cross_over()`)

    const answers = await Promise.all(
      ids.map((id) => ada.patch(`/api/labels/${id}`, { color: '#000000' })),
    )

    await db.query('drop trigger cross_over on labels')
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
})

const withFewAnswers = it
  .extend('db', { scope: 'file' }, ({ url }, { onCleanup }) => {
    const db = connect(url, { limits: { ...defaultLimits, answerBytes: 10_000 } })
    onCleanup(() => db.end())
    return db
  })
  .extend('app', { scope: 'file' }, ({ db, now }) => testApp(db, () => now))
  .extend('ada', ({ app, db }) => newPerson(app, db))

describe('stored responses', () => {
  const it = withFewAnswers
  const send = (app: App, person: Caller, key: string, content = 'x'.repeat(3000)) =>
    change(app, person, 'POST', '/api/documents', { title: 'Brief', content }, key)
  const bytesOf = async (db: Database, userId: string) => {
    const { rows } = await db.pool.query<{ counted: number; kept: number }>(
      `select answer_bytes as counted,
              (select coalesce(sum(300 + 2 * octet_length(key) + coalesce(octet_length(body), 0)), 0)
                 from idempotency_keys where user_id = $1)::int as kept
         from user_state where user_id = $1`,
      [userId],
    )
    return rows[0]
  }

  it('409: above the byte limit the oldest are dropped, and their requests are not carried out again', async ({
    app,
    db,
    ada,
  }) => {
    const answers = []
    for (const key of ['a', 'b', 'c', 'd']) answers.push(await send(app, ada, key))

    const again = [await send(app, ada, 'a'), await send(app, ada, 'd')]

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201])
    expect(again.map(({ statusCode }) => statusCode)).toEqual([409, 201])
    expect(again[0]?.json()).toEqual({
      error:
        'The request with this Idempotency-Key has been carried out; its response is no longer stored',
    })
    expect(again[0]?.headers).not.toHaveProperty('idempotency-replayed')
    expect(again[1]?.body).toBe(answers[3]?.body)
    expect((await ada.get('/api/documents')).body).toHaveLength(4)
    expect((await storedKeys(db, ada.id)).filter(({ body }) => body !== null)).toHaveLength(2)
    const bytes = await bytesOf(db, ada.id)
    expect(bytes?.counted).toBe(bytes?.kept)
  })

  it('201: concurrent requests keep within the byte limit, and all are carried out', async ({
    app,
    db,
    ada,
  }) => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, number) => send(app, ada, `key-${number}`)),
    )

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 201))
    const bytes = await bytesOf(db, ada.id)
    expect(bytes?.kept).toBeLessThan(10_000)
    expect(bytes?.counted).toBe(bytes?.kept)
  })

  it('403: keys alone exceed the limit; after 72 hours there is room again', async ({ db }) => {
    const clock = { now: new Date('2026-03-02T08:00:00Z') }
    const app = await testApp(db, () => clock.now)
    const ada = await newPerson(app, db)
    const key = (number: number) => `${number}`.padEnd(250, '-')
    const statuses: number[] = []
    for (let number = 0; number < 20; number += 1) {
      statuses.push((await send(app, ada, key(number), '')).statusCode)
    }

    const refused = await send(app, ada, 'another')

    const made = statuses.filter((status) => status === 201).length
    expect(statuses).toEqual(statuses.map((_, number) => (number < made ? 201 : 403)))
    expect([made, refused.statusCode]).toEqual([13, 403])
    expect(refused.json()).toEqual({
      error: 'Too many requests with an Idempotency-Key within 72 hours',
    })
    expect((await ada.get('/api/documents')).body).toHaveLength(made)
    expect((await send(app, ada, key(0), '')).statusCode).toBe(409)
    const bytes = await bytesOf(db, ada.id)
    expect(bytes?.counted).toBe(bytes?.kept)
    clock.now = new Date('2026-03-06T08:00:00Z')
    await applyRetention(db, ada.id, clock.now)
    expect((await send(app, ada, 'another')).statusCode).toBe(201)
  })

  it('of many expired keys are deleted a thousand at a time', async ({ db }) => {
    const clock = { now: new Date('2026-03-06T08:00:00Z') }
    const app = await testApp(db, () => clock.now)
    const ada = await newPerson(app, db)
    await db.pool.query(
      `insert into idempotency_keys (user_id, key, fingerprint, status, body, created_at)
       select $1, 'old ' || n, '', 201, '{}', '2026-03-02T08:00:00Z' from generate_series(1, 2500) n`,
      [ada.id],
    )

    expect((await send(app, ada, 'new')).statusCode).toBe(201)
    expect(await storedKeys(db, ada.id)).toHaveLength(1501)
    await applyRetention(db, ada.id, clock.now)

    expect(await storedKeys(db, ada.id)).toHaveLength(1)
  })

  it('are no longer counted once they are dropped or their key expires', async ({ db }) => {
    const clock = { now: new Date('2026-03-02T08:00:00Z') }
    const app = await testApp(db, () => clock.now)
    const ada = await newPerson(app, db)
    await send(app, ada, 'a')
    await send(app, ada, 'b')
    clock.now = new Date('2026-03-06T08:00:00Z')

    const { body } = await send(app, ada, 'a', '')

    const ofBody = 300 + 2 * 'a'.length + Buffer.byteLength(body)
    const bytes = { counted: ofBody, kept: ofBody }
    expect(await bytesOf(db, ada.id)).toEqual(bytes)
    await recountUsage(db, ada.id)
    expect(await bytesOf(db, ada.id)).toEqual(bytes)
    await applyRetention(db, ada.id, new Date('2026-03-10T08:00:00Z'))
    expect(await bytesOf(db, ada.id)).toEqual({ counted: 0, kept: 0 })
  })
})
