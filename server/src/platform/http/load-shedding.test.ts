import { once } from 'node:events'
import { type AddressInfo, connect as openSocket, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../app.ts'
import { type Config, readConfig } from '../../config.ts'
import { connect, type Database } from '../db/database.ts'
import { type App, describe, expect, it, newPerson, testApp } from '../../../test/it.ts'
import type { Lifecycle } from './lifecycle.ts'

const config = readConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'silent' })

async function appIn(db: Database, now: Date, lifecycle: Lifecycle) {
  return buildApp({ db, now: () => now, config, lifecycle })
}

/** Blocks every reader of labels until the returned function is called. */
async function holdLabels(db: Database) {
  const client = await db.pool.connect()
  await client.query('begin; lock table labels in access exclusive mode')
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

/** The number of statements that wait for a lock. */
const countWaiting = async (db: Database) => {
  const { rows } = await db.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

/** Blocks every planner run of this user until the returned function is called. */
async function holdUser(db: Database, userId: string) {
  const client = await db.pool.connect()
  await client.query('begin')
  await client.query('select from users where id = $1 for update', [userId])
  return async () => {
    await client.query('rollback')
    client.release()
  }
}

const inFlight = async (app: App) => {
  const { body } = await app.inject({ url: '/metrics' })
  return Number(/^http_requests_in_flight (\d+)$/m.exec(body)?.[1])
}

describe('a starting service', () => {
  it('503: with Retry-After, before authentication', async ({ now }) => {
    const nowhere = connect('postgres://daywright@127.0.0.1:1/daywright')
    onTestFinished(() => nowhere.end())
    const app = await appIn(nowhere, now, { phase: 'starting' })

    for (const url of ['/api/labels', '/api/auth/get-session', '/api/nothing']) {
      const answer = await app.inject({ url })
      expect(answer.statusCode, url).toBe(503)
      expect(answer.json()).toEqual({ error: 'Starting' })
      expect(answer.headers['retry-after']).toBe('1')
      expect(answer.headers['x-request-id']).toEqual(expect.any(String))
    }
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200)
  })

  it('200: once it is ready, and while it drains', async ({ db, now }) => {
    const lifecycle: Lifecycle = { phase: 'starting' }
    const app = await appIn(db, now, lifecycle)
    const ada = await newPerson(app, db)
    expect((await ada.get('/api/labels')).status).toBe(503)

    lifecycle.phase = 'serving'
    expect((await ada.get('/api/labels')).status).toBe(200)

    lifecycle.phase = 'draining'
    expect((await ada.get('/api/labels')).status).toBe(200)
  })
})

describe('MAX_IN_FLIGHT', () => {
  it('503: a user’s request over the limit is refused after a delay; the rest, and other users, are served', async ({
    db,
    now,
  }) => {
    const app = await testApp(db, () => now, { MAX_IN_FLIGHT: 2 })
    const ada = await newPerson(app, db)
    const letGo = await holdLabels(db)
    const served = [ada.get('/api/labels'), ada.get('/api/labels')]

    const before = performance.now()
    const refused = await app.inject({
      url: '/api/labels',
      headers: { authorization: `Bearer ${ada.key}` },
    })
    const waited = performance.now() - before
    const stranger = await app.inject({ url: '/api/labels' })
    const health = await app.inject({ url: '/health/ready' })
    await letGo()

    expect(refused.statusCode).toBe(503)
    expect(refused.json()).toEqual({ error: 'Overloaded' })
    expect(refused.headers['retry-after']).toBe('1')
    expect(waited).toBeGreaterThan(50)
    expect(stranger.statusCode).toBe(401)
    expect(health.statusCode).toBe(200)
    expect((await Promise.all(served)).map(({ status }) => status)).toEqual([200, 200])
    expect((await ada.get('/api/labels')).status).toBe(200)
  })

  it('does not count held refusals', async ({ db, now }) => {
    const app = await testApp(db, () => now, { MAX_IN_FLIGHT: 1 })
    const ada = await newPerson(app, db)
    await ada.get('/api/labels')
    const letGo = await holdLabels(db)
    const served = ada.get('/api/labels')
    const refused = Array.from({ length: 5 }, () => ada.get('/api/labels'))
    await letGo()
    await served

    const next = await ada.get('/api/labels')

    expect(next.status).toBe(200)
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(Array(5).fill(503))
  })

  it('delays refusals longer the more are held', async ({ db, now }) => {
    const app = await testApp(db, () => now, { MAX_IN_FLIGHT: 1 })
    const ada = await newPerson(app, db)
    const letGo = await holdLabels(db)
    const served = ada.get('/api/labels')
    const before = performance.now()

    const waits = await Promise.all(
      Array.from({ length: 300 }, async () => {
        expect((await ada.get('/api/labels')).status).toBe(503)
        return performance.now() - before
      }),
    )
    await letGo()
    await served

    const [earliest, latest] = [waits.slice(0, 50), waits.slice(-50)].map(
      (some) => some.reduce((sum, wait) => sum + wait, 0) / some.length,
    )
    expect((latest ?? 0) - (earliest ?? 0)).toBeGreaterThan(300)
  })

  it('answers all held refusals when the process drains', async ({ db, now }) => {
    const lifecycle: Lifecycle = { phase: 'serving' }
    const full = { ...config, MAX_IN_FLIGHT: 1 }
    const app = await buildApp({ db, now: () => now, config: full, lifecycle })
    const ada = await newPerson(app, db)
    const letGo = await holdLabels(db)
    const served = ada.get('/api/labels')
    let answered = 0
    const refused = Array.from({ length: 400 }, async () => {
      expect((await ada.get('/api/labels')).status).toBe(503)
      answered += 1
    })
    await expect.poll(() => answered).toBeGreaterThan(0)

    lifecycle.phase = 'draining'
    const told = performance.now()
    await Promise.all(refused)
    expect(performance.now() - told).toBeLessThan(1000)
    await letGo()
    expect((await served).status).toBe(200)
  })

  it('does not count a request whose body is still arriving', async ({ db, now }) => {
    const app = await testApp(db, () => now, { MAX_IN_FLIGHT: 1 })
    const ada = await newPerson(app, db)
    await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    const { port } = app.server.address() as AddressInfo
    const slow = Array.from({ length: 3 }, () => {
      const socket = openSocket(port, '127.0.0.1')
      socket.write(
        'POST /api/labels HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
          `Content-Length: 15\r\nAuthorization: Bearer ${ada.key}\r\n\r\n{"name":`,
      )
      return socket
    })
    await expect.poll(() => inFlight(app)).toBe(4) // including the request that asks

    expect((await ada.get('/api/labels')).status).toBe(200)
    const [first] = slow
    first?.write('"home"}')
    const [answer] = (await once(first ?? app.server, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1.1 201/)
    for (const socket of slow) socket.destroy()
    await expect.poll(() => inFlight(app)).toBe(1)
    expect((await ada.get('/api/labels')).status).toBe(200)
  })

  it('does not count finished requests: refused, malformed or disconnected', async ({
    db,
    now,
  }) => {
    const app = await testApp(db, () => now)
    const ada = await newPerson(app, db)
    await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    const { port } = app.server.address() as AddressInfo
    for (const url of ['/api/labels', '/api/nothing', '/api/tasks/%zz', '/api/tasks?page=0']) {
      await app.inject({ url })
      await ada.get(url)
    }
    const letGo = await holdLabels(db)
    const socket = openSocket(port, '127.0.0.1')
    socket.write(
      `GET /api/labels HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.key}\r\n\r\n`,
    )
    await once(socket, 'connect')
    await expect.poll(() => inFlight(app)).toBe(2)

    socket.destroy()
    await letGo()

    await expect.poll(() => inFlight(app)).toBe(1) // the request that asks
  })
})

describe('another user', () => {
  it('200: is served while one user has all slots; 503 for another request of that user', async ({
    db,
    now,
  }) => {
    const app = await testApp(db, () => now, { MAX_IN_FLIGHT: 4 })
    const [ada, grace] = [await newPerson(app, db), await newPerson(app, db)]
    const letGo = await holdLabels(db)
    const served = Array.from({ length: 4 }, () => ada.get('/api/labels'))
    await expect.poll(() => countWaiting(db)).toBe(4)

    const answers = [await grace.get('/api/user'), await ada.get('/api/user')]

    await letGo()
    expect(answers.map(({ status }) => status)).toEqual([200, 503])
    expect((await Promise.all(served)).map(({ status }) => status)).toEqual(Array(4).fill(200))
  })

  it('200: is served while planner runs wait: they take no slot', async ({ db, now }) => {
    const app = await testApp(db, () => now, { MAX_IN_FLIGHT: 25 })
    const [ada, grace] = [await newPerson(app, db), await newPerson(app, db)]
    const letGo = await holdUser(db, ada.id)
    const runs: ReturnType<typeof ada.post>[] = []
    while (runs.length < 100) {
      for (let count = 0; count < 20; count += 1) runs.push(ada.post('/api/planner'))
      await expect.poll(() => inFlight(app)).toBe(runs.length + 1)
    }

    const answers = [await ada.get('/api/user'), await grace.get('/api/user')]

    await letGo()
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(Array(100).fill(200))
  })
})

describe('a client that does not read', () => {
  /** Requests megabytes and reads none of them. */
  function ask(port: number, path: string) {
    const socket = openSocket({ port, host: '127.0.0.1' })
    socket.pause()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    return socket
  }
  const large = '/docs/js/scalar.js'

  async function listening(db: Database, now: Date, settings: Partial<Config>) {
    const app = await testApp(db, () => now, settings)
    await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    const { port } = app.server.address() as AddressInfo
    const sockets: Socket[] = []
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()))
    return {
      app,
      stare: (count: number) => {
        for (let each = 0; each < count; each += 1) sockets.push(ask(port, large))
      },
    }
  }

  it('takes no slot once its response is complete', async ({ db, now }) => {
    const { app, stare } = await listening(db, now, { MAX_IN_FLIGHT: 1 })
    const ada = await newPerson(app, db)
    for (let count = 1; count <= 4; count += 1) {
      stare(1)
      await expect.poll(() => inFlight(app)).toBe(count + 1)
    }

    expect((await ada.get('/api/user')).status).toBe(200)
  })

  it('is disconnected after READ_TIMEOUT_MS', async ({ db, now }) => {
    const settings = { READ_TIMEOUT_MS: 1000, READ_BYTES_PER_SECOND: 1_000_000_000 }
    const { app, stare } = await listening(db, now, settings)
    stare(3)
    await expect.poll(() => inFlight(app)).toBe(4)

    await expect.poll(() => inFlight(app), { timeout: 10_000 }).toBe(1)
  })

  it('503: gets no more responses until it has read those it has; another address is served', async ({
    db,
    now,
  }) => {
    const { app, stare } = await listening(db, now, { MAX_UNREAD_BYTES: 8 * 1024 * 1024 })
    stare(1)
    await expect.poll(() => inFlight(app)).toBe(2)
    const get = async (remoteAddress: string) =>
      (await app.inject({ url: large, remoteAddress })).statusCode

    expect(await get('127.0.0.1')).toBe(503)
    expect(await get('192.0.2.1')).toBe(200)
  })
})
