import Fastify from 'fastify'
import { createUseMeter } from './use-meter.ts'
import { publishMetrics } from './metrics.ts'
import { queueOn } from '../../jobs/queue.ts'
import { type App, describe, expect, it, newPerson, testApp, unknownId } from '../../../test/it.ts'

const token = 'a token of sixteen letters or more'

const metrics = async (app: App, headers = {}) => app.inject({ url: '/metrics', headers })

const count = (text: string, labels: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`http_request_duration_seconds_count{${labels}}`))
      ?.split(' ')[1] ?? 0,
  )

describe('GET /metrics', () => {
  it('200: counts requests by route pattern and status', async ({ db, now }) => {
    const app = await testApp(db, () => now)
    const ada = await newPerson(app, db)
    await ada.get('/api/labels')
    await ada.get('/api/labels')
    await ada.get(`/api/tasks/${unknownId}`)
    await ada.post('/api/labels', {})
    await ada.get(`/api/nothing/${unknownId}`)

    const { statusCode, headers, body } = await metrics(app)

    expect(statusCode).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(count(body, 'method="GET",route="/api/labels",status="200"')).toBe(2)
    expect(count(body, 'method="GET",route="/api/tasks/:id",status="404"')).toBe(1)
    expect(count(body, 'method="POST",route="/api/labels",status="400"')).toBe(1)
    expect(count(body, 'method="GET",route="unknown",status="404"')).toBe(1)
  })

  it('200: contains no personal data: no id, key or address', async ({ db, now }) => {
    const app = await testApp(db, () => now)
    const ada = await newPerson(app, db)
    await ada.get(`/api/tasks/${unknownId}?secret=${ada.key}`)

    const { body } = await metrics(app)

    for (const secret of [unknownId, ada.id, ada.key, ada.email]) expect(body).not.toContain(secret)
  })

  it('200: the users and calendars that took the readers the most time', async ({ db }) => {
    const app = Fastify()
    const meter = createUseMeter()
    const waiting = { waiting: 0, oldest: 0, parked: 0, workers: 0, due: 0, unsent: 0 }
    publishMetrics(app, {
      db,
      inFlight: () => 0,
      backlog: async () => waiting,
      token: undefined,
      listReaderUse: meter.list,
    })
    meter.add({ userId: unknownId, name: 'preview' }, { cpuMs: 1500, bytes: 700 })

    const { body } = await app.inject('/metrics')

    const labels = `{user="${unknownId}",calendar="preview"}`
    expect(body).toContain(`reader_cpu_seconds${labels} 1.5\n`)
    expect(body).toContain(`reader_bytes${labels} 700\n`)
  })

  it('200: the pool, the requests in flight, the event loop and the process', async ({ app }) => {
    const { body } = await metrics(app)

    for (const line of [
      /^db_pool_connections [1-9]\d*$/m,
      /^db_pool_idle_connections \d+$/m,
      /^db_pool_waiting 0$/m,
      /^http_requests_in_flight 1$/m,
      /^nodejs_eventloop_lag_p99_seconds \S+$/m,
      /^process_resident_memory_bytes \d+$/m,
    ]) {
      expect(body).toMatch(line)
    }
  })

  it('200: has the waiting and parked jobs at the time of the scrape', async ({ app, db }) => {
    const queue = queueOn(db.pool)
    await queue.migrate()
    await queue.add('run-user-jobs', ['one', 'another'])
    await db.pool.query(
      `select graphile_worker.permanently_fail_jobs(array_agg(id), 'It broke')
         from graphile_worker.jobs where key = 'run-user-jobs:one'`,
    )

    const { body } = await metrics(app)

    expect(body).toMatch(/^queue_waiting_jobs 1$/m)
    expect(body).toMatch(/^queue_parked_jobs 1$/m)
    expect(body).toMatch(/^queue_oldest_job_seconds 0\.\d+$/m)
  })

  it('200: reports that no worker is alive, and how long users and webhooks have waited', async ({
    app,
    ada,
    db,
  }) => {
    const queue = queueOn(db.pool)
    await queue.migrate()
    await db.pool.query('update user_state set due_at = null')
    await ada.post('/api/webhooks', { url: 'https://example.com' })
    await db.pool.query(
      `update user_state set due_at = now() - interval '100 s' where user_id = $1`,
      [ada.id],
    )
    await db.pool.query(`update events set at = now() - interval '50 s' where user_id = $1`, [
      ada.id,
    ])

    const { body } = await metrics(app)

    expect(body).toMatch(/^workers_alive 0$/m)
    expect(body).toMatch(/^oldest_due_user_seconds 1\d\d(\.\d+)?$/m)
    expect(body).toMatch(/^webhook_oldest_event_seconds [5-9]\d(\.\d+)?$/m)
    await queue.heartbeat(['a worker'])
    expect((await metrics(app)).body).toMatch(/^workers_alive 1$/m)
  })

  it.for([
    ['from another address', { remoteAddress: '192.0.2.7' }],
    ['forwarded by a local proxy', { headers: { 'x-forwarded-for': '192.0.2.7' } }],
    ['forwarded with the public host name', { headers: { host: 'daywright.example.com' } }],
    ['by a page with DNS rebinding', { headers: { host: 'rebound.test:3000' } }],
  ] as const)('403: without METRICS_TOKEN, %s', async ([, more], { app }) => {
    const { statusCode, body } = await app.inject({ url: '/metrics', ...more })

    expect(statusCode).toBe(403)
    expect(body).not.toContain('process_')
  })

  it.for(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
    '200: without METRICS_TOKEN, from %s',
    async (remoteAddress, { app }) => {
      const headers = { host: '127.0.0.1:3000' }
      expect((await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode).toBe(200)
    },
  )

  it.for(['Bearer', 'bearer', 'BEARER'])(
    '200: with METRICS_TOKEN, sent as %s',
    async (scheme, { db, now }) => {
      const app = await testApp(db, () => now, { METRICS_TOKEN: token })

      const { statusCode } = await metrics(app, { authorization: `${scheme} ${token}` })

      expect(statusCode).toBe(200)
    },
  )

  it.for(['', 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token])(
    '401: with METRICS_TOKEN, for %o',
    async (authorization, { db, now }) => {
      const app = await testApp(db, () => now, { METRICS_TOKEN: token })

      const { statusCode, body } = await metrics(app, { authorization })

      expect(statusCode).toBe(401)
      expect(JSON.parse(body)).toEqual({ error: 'Unauthorized' })
    },
  )
})
