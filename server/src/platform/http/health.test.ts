import { onTestFinished } from 'vitest'
import { describe, expect, it, testApp } from '../../../test/it.ts'
import { setReadOnly } from '../../../test/databases.ts'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { connect, type Database } from '../db/database.ts'
import { queueOn } from '../../jobs/queue.ts'
import type { Lifecycle } from './lifecycle.ts'

const nowhere = () => {
  const db = connect('postgres://daywright@127.0.0.1:1/daywright')
  onTestFinished(() => db.end())
  return db
}

const appIn = (db: Database, now: Date, phase: Lifecycle['phase']) =>
  buildApp({
    db,
    now: () => now,
    config: readConfig({ LOG_LEVEL: 'silent' }),
    lifecycle: { phase },
  })

describe('GET /health/live', () => {
  it.for(['starting', 'serving', 'draining'] as const)(
    '200: while it is %s, with or without a database',
    async (phase, { now }) => {
      const app = await appIn(nowhere(), now, phase)

      const answer = await app.inject({ url: '/health/live' })

      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toEqual({ status: 'ok' })
    },
  )
})

describe('GET /health/ready', () => {
  it('200: when it can serve, without credentials', async ({ app }) => {
    const answer = await app.inject({ url: '/health/ready' })

    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ status: 'ok' })
  })

  it('200: reports whether a worker is alive, and logs one warning if none is', async ({
    db,
    now,
  }) => {
    const lines: string[] = []
    const queue = queueOn(db.pool)
    const app = await buildApp({
      db,
      queue,
      now: () => now,
      config: readConfig({}),
      lifecycle: { phase: 'serving' },
      options: { logger: { level: 'warn', stream: { write: (line) => void lines.push(line) } } },
    })
    const worker = async () => (await app.inject({ url: '/health/ready' })).json().worker

    expect(await worker()).toBe('unknown') // there is no queue yet
    await queue.migrate()
    expect([await worker(), await worker()]).toEqual(['missing', 'missing'])
    expect(lines.filter((line) => line.includes('No worker is running'))).toHaveLength(1)
    await queue.heartbeat(['a worker'])
    expect(await worker()).toBe('alive')
  })

  it.for(['starting', 'draining'] as const)('503: while it is %s', async (phase, { db, now }) => {
    const app = await appIn(db, now, phase)

    const answer = await app.inject({ url: '/health/ready' })

    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toEqual({ error: phase })
    expect(answer.headers['retry-after']).toBe('1')
  })

  it('503: while the database is read-only', async ({ url, now, onTestFinished }) => {
    const db = connect(url)
    onTestFinished(() => db.end())
    onTestFinished(() => setReadOnly(url, false))
    const app = await testApp(db, () => now)
    const ask = async () => {
      const { statusCode, body } = await app.inject({ url: '/health/ready' })
      return { statusCode, body: JSON.parse(body) }
    }

    await setReadOnly(url, true)
    expect(await ask()).toEqual({
      statusCode: 503,
      body: { error: 'Writes are not possible: the database is read-only' },
    })

    await setReadOnly(url, false, false)
    expect(await ask()).toMatchObject({ statusCode: 200 })
  })

  it('503: while the database is out of reach', async ({ now }) => {
    const app = await testApp(nowhere(), () => now)

    const answer = await app.inject({ url: '/health/ready' })

    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toEqual({ error: 'Service unavailable' })
  })

  it('503: while the database does not answer within a second; 200 when it does', async ({
    url,
    now,
  }) => {
    const db = connect(url, { poolSize: 1 })
    onTestFinished(() => db.end())
    const app = await testApp(db, () => now)
    const client = await db.pool.connect()

    const answer = await app.inject({ url: '/health/ready' })
    client.release()

    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toEqual({ error: 'The database does not answer' })
    expect((await app.inject({ url: '/health/ready' })).statusCode).toBe(200)
  })
})
