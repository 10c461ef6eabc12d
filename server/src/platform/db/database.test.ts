import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'
import { setReadOnly } from '../../../test/databases.ts'
import { describe, expect, it, newPerson, testApp } from '../../../test/it.ts'
import { ApiError } from '../errors.ts'
import { connect, type Database, type Db, type PoolSettings, retrying } from './database.ts'
import { isUnavailable } from './database-errors.ts'

const unavailable = { status: 503, headers: { 'retry-after': '1' } }

/** A separate pool, so that other tests are not disturbed. */
function newPool(url: string, settings: Partial<PoolSettings> = {}) {
  const db = connect(url, settings)
  onTestFinished(() => db.end())
  return db
}

async function backend(db: Pick<Db, 'query'>) {
  const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid
}

const patience = { timeout: 20_000 }

/** Ends a connection as an administrator, a crash or a restart would. */
async function terminate(db: Database, pid: number | undefined) {
  await db.pool.query('select pg_terminate_backend($1)', [pid])
  await vi.waitFor(async () => {
    const { rows } = await db.pool.query('select from pg_stat_activity where pid = $1', [pid])
    expect(rows).toEqual([])
  }, patience)
}

/** The status that `platform/http/send-error.ts` sends, whether or not PostgreSQL's last error has arrived. */
const statusOf = (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: ApiError) => (isUnavailable(error) ? 503 : error.status),
  )

const waitUntilSleeping = async (db: Database, text: string) =>
  vi.waitFor(async () => {
    const { rows } = await db.pool.query<{ pid: number }>(
      `select pid from pg_stat_activity where query = $1 and state = 'active' and wait_event is not null`,
      [text],
    )
    expect(rows).toHaveLength(1)
    return rows[0]?.pid
  }, patience)

describe('a table that was empty at the last ANALYZE', () => {
  it('is not scanned sequentially', async ({ db }) => {
    await db.pool.query('analyze time_blocks')
    const { rows } = await db.pool.query<{ 'QUERY PLAN': string }>(
      'explain select * from time_blocks where user_id = $1',
      [randomUUID()],
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index')
    expect(plan).not.toContain('Seq Scan')
  })
})

describe('query', () => {
  it('keeps its connection when PostgreSQL rejects a statement', async ({ url }) => {
    const db = newPool(url, { poolSize: 1 })
    const before = await backend(db)

    await expect(db.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' })
    await expect(db.query('no statement')).rejects.toMatchObject({ code: '42601' })

    expect(await backend(db)).toBe(before)
    expect(db.load()).toEqual({ total: 1, idle: 1, waiting: 0 })
  })

  it('uses generic plans, and keeps idle connections', async ({ db }) => {
    const { rows } = await db.query('show plan_cache_mode')

    expect(rows).toEqual([{ plan_cache_mode: 'force_generic_plan' }])
    expect(db.pool.options.idleTimeoutMillis).toBe(300_000)
  })

  it('returns int8 as a number', async ({ db }) => {
    const { rows } = await db.query('select count(*) from users where false')

    expect(rows).toEqual([{ count: 0 }])
  })

  it('503: at once when its queue is full', async ({ url }) => {
    const db = newPool(url, { poolSize: 1, maxWaiting: 2 })
    const held = await db.acquireClient()
    const waiting = [db.query('select 1'), db.query('select 1')]

    const refused = [db.query('select 1'), db.transaction(async () => {})].map(outcomeOf)
    await nextTurn()

    for (const outcome of refused) expect(outcome.error).toMatchObject(unavailable)
    expect(db.load()).toEqual({ total: 1, idle: 0, waiting: 2 })
    held.release()
    await Promise.all(waiting)
    expect(db.load()).toEqual({ total: 1, idle: 1, waiting: 0 })
  })

  it('503: when the connection is refused', async () => {
    const db = newPool('postgres://daywright@127.0.0.1:1/daywright')

    await expect(db.query('select 1')).rejects.toMatchObject(unavailable)
    await expect(db.transaction((inner) => inner.query('select 1'))).rejects.toMatchObject(
      unavailable,
    )
  })

  it('503: when the server accepts and then sends nothing', async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const db = newPool(`postgres://me@127.0.0.1:${(silent.address() as AddressInfo).port}/db`)

    await expect(db.query('select 1')).rejects.toMatchObject(unavailable)

    for (const socket of sockets) socket.destroy()
    silent.close()
  })
})

describe('a server that has become read-only', () => {
  const write = (userId: string) =>
    `update users set display_name = display_name where id = '${userId}'`

  it('503: refuses writes, and the first write after it is writable again succeeds', async ({
    url,
    ada,
    onTestFinished,
  }) => {
    const db = newPool(url, { poolSize: 3 })
    onTestFinished(() => setReadOnly(url, false))
    const fill = () => Promise.all([1, 2, 3].map(() => backend(db)))

    for (const kind of ['query', 'transaction', 'transaction'] as const) {
      await setReadOnly(url, true)
      await fill()
      expect(await statusOf(db.query(write(ada.id)))).toBe(503)
      expect(
        await statusOf(retrying(() => db.transaction((inner) => inner.query(write(ada.id))))),
      ).toBe(503)
      expect(await db.isWritable()).toBe(false)
      await fill()

      // The connections that are open now stay read-only.
      await setReadOnly(url, false, false)
      if (kind === 'query') await db.query(write(ada.id))
      else await retrying(() => db.transaction((inner) => inner.query(write(ada.id))))
      expect(await db.isWritable()).toBe(true)
    }
  })

  it('is noticed to be writable again without a write', async ({ url, onTestFinished }) => {
    const db = newPool(url, { poolSize: 2 })
    onTestFinished(() => setReadOnly(url, false))
    await setReadOnly(url, true)
    expect(await db.isWritable()).toBe(false)
    await setReadOnly(url, false, false)

    expect(await db.isWritable()).toBe(true)
  })
})

describe('transaction', () => {
  const count = async (db: Db, name: string) => {
    const { rows } = await db.query(`select from spaces where name = '${name}'`)
    return rows.length
  }
  const insert = (userId: string, name: string) =>
    `insert into spaces (user_id, id, name) values ('${userId}', gen_random_uuid(), '${name}')`

  it('is rolled back on an error, and its connection stays usable', async ({ url, ada }) => {
    const db = newPool(url, { poolSize: 1 })
    const before = await backend(db)
    const refusal = new ApiError(409, { error: 'No' })

    const attempt = db.transaction(async (inner) => {
      await inner.query(insert(ada.id, 'undone'))
      expect(await count(inner, 'undone')).toBe(1)
      throw refusal
    })

    await expect(attempt).rejects.toBe(refusal)
    expect(await count(db, 'undone')).toBe(0)
    expect(await backend(db)).toBe(before)
  })

  it('is rolled back when PostgreSQL rejects a statement', async ({ url, ada }) => {
    const db = newPool(url, { poolSize: 1 })

    const attempt = db.transaction(async (inner) => {
      await inner.query(insert(ada.id, 'refused'))
      await inner.query('select 1 / 0')
    })

    await expect(attempt).rejects.toMatchObject({ code: '22012' })
    expect(await count(db, 'refused')).toBe(0)
    expect(db.load()).toMatchObject({ total: 1, idle: 1 })
  })

  it('joins an outer transaction', async ({ url, ada }) => {
    const db = newPool(url, { poolSize: 1 })

    const attempt = db.transaction(async (outer) => {
      await outer.transaction((inner) => inner.query(insert(ada.id, 'inner')))
      throw new ApiError(409, { error: 'No' })
    })

    await expect(attempt).rejects.toMatchObject({ status: 409 })
    expect(await count(db, 'inner')).toBe(0)
  })

  it('is visible to other connections once it is committed', async ({ url, db, ada }) => {
    const own = newPool(url)

    const result = await own.transaction(async (inner) => {
      await inner.query(insert(ada.id, 'kept'))
      return 'done'
    })

    expect(result).toBe('done')
    expect(await count(db, 'kept')).toBe(1)
  })
})

describe('a broken connection', () => {
  it('while idle: the next statement gets another connection', async ({ url, db }) => {
    const own = newPool(url, { poolSize: 1 })
    const pid = await backend(own)

    await terminate(db, pid)

    await expect.poll(() => own.load().total).toBe(0)
    expect(await backend(own)).not.toBe(pid)
  })

  it('503: for a statement whose connection breaks; the next statement gets another connection', async ({
    url,
    db,
  }) => {
    const own = newPool(url, { poolSize: 1 })
    const text = 'select pg_sleep(4) -- broken in mid-statement'
    const status = statusOf(own.query(text))

    await terminate(db, await waitUntilSleeping(db, text))

    expect(await status).toBe(503)
    expect(own.load().total).toBe(0)
    expect((await own.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('503: between two statements of a transaction, which is rolled back', async ({
    url,
    db,
    ada,
  }) => {
    const own = newPool(url, { poolSize: 1 })

    const broken = own.transaction(async (inner) => {
      await inner.query(`update users set display_name = 'Broken' where id = '${ada.id}'`)
      await terminate(db, await backend(inner))
      await inner.query('select 1')
    })

    expect(await statusOf(broken)).toBe(503)
    expect(own.load().total).toBe(0)
    expect((await own.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect((await ada.get('/api/user')).body.displayName).toBe('Someone')
  })

  it('503: during the commit, whose outcome is unknown', async ({ url, db }) => {
    const own = newPool(url, { poolSize: 1 })

    const broken = own.transaction(async (inner) => terminate(db, await backend(inner)))

    expect(await statusOf(broken)).toBe(503)
    expect((await own.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })
})

describe('through HTTP', () => {
  it('503: a statement that times out; the next request succeeds', async ({ url, db, now }) => {
    const own = newPool(url, { statementTimeoutMs: 200 })
    const app = await testApp(own, () => now)
    const ada = await newPerson(app, db)
    await ada.get('/api/spaces') // caches the credential
    const client = await db.pool.connect()
    await client.query('begin; lock table labels in access exclusive mode')

    const answer = await app.inject({
      url: '/api/labels',
      headers: { authorization: `Bearer ${ada.key}` },
    })
    await client.query('rollback')
    client.release()

    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toEqual({ error: 'Service unavailable' })
    expect(answer.headers['retry-after']).toBe('1')
    expect((await ada.get('/api/labels')).status).toBe(200)
  })

  it('503: when the queue for connections is full; queued requests are served', async ({
    url,
    db,
    now,
  }) => {
    const own = newPool(url, { poolSize: 1, maxWaiting: 3 })
    const app = await testApp(own, () => now)
    const ada = await newPerson(app, db)
    await ada.get('/api/labels')
    const held = await own.acquireClient()

    const requests = Array.from({ length: 5 }, () => ada.get('/api/labels'))
    await expect.poll(() => own.load().waiting).toBe(3)
    held.release()
    const answers = await Promise.all(requests)

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused.map(({ body }) => body.error)).toEqual(['Overloaded', 'Overloaded'])
  })

  it('503: a backend killed in mid-statement; the next request succeeds', async ({
    url,
    db,
    now,
  }) => {
    const own = newPool(url)
    const app = await testApp(own, () => now)
    const ada = await newPerson(app, db)
    await ada.get('/api/spaces')
    const client = await db.pool.connect()
    await client.query('begin; lock table labels in access exclusive mode')
    const request = ada.get('/api/labels')
    const pid = await vi.waitFor(async () => {
      const { rows } = await db.pool.query<{ pid: number }>(
        `select pid from pg_locks where not granted and relation = 'labels'::regclass`,
      )
      expect(rows).toHaveLength(1)
      return rows[0]?.pid
    }, patience)

    await terminate(db, pid)
    const answer = await request
    await client.query('rollback')
    client.release()

    expect(answer).toEqual({ status: 503, body: { error: 'Service unavailable' } })
    expect((await ada.get('/api/labels')).status).toBe(200)
  })

  it('200: every backend killed between two requests', async ({ url, db, now }) => {
    const own = newPool(url, { poolSize: 4 })
    const app = await testApp(own, () => now)
    const ada = await newPerson(app, db)
    await ada.get('/api/labels')
    const clients = await Promise.all(Array.from({ length: 4 }, () => own.pool.connect()))
    const pids = await Promise.all(clients.map((client) => backend(client)))
    for (const client of clients) client.release()

    for (const pid of pids) await terminate(db, pid)
    await expect.poll(() => own.load().idle).toBe(0)
    const answers = await Promise.all(Array.from({ length: 8 }, () => ada.get('/api/labels')))

    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })
})

/** An object that holds the error of the promise once it is rejected. */
function outcomeOf(work: Promise<unknown>) {
  const outcome: { error?: unknown } = {}
  work.catch((error: unknown) => (outcome.error = error))
  return outcome
}
