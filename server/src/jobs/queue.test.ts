import { inject } from 'vitest'
import { describe, expect, it } from '../../test/it.ts'
import { createDatabase } from '../../test/databases.ts'
import { connectQueue } from './queue.ts'

describe('the queue', () => {
  it('is set up once by concurrently starting processes', async ({ db, url, onTestFinished }) => {
    const queues = Array.from({ length: 6 }, () => connectQueue(url, 3))
    onTestFinished(async () => void (await Promise.all(queues.map((queue) => queue.end()))))

    for (let round = 0; round < 5; round += 1) {
      await db.pool.query('drop schema if exists graphile_worker cascade')
      await Promise.all(queues.map((queue) => queue.migrate()))
    }

    expect(await queues[0]?.depth()).toEqual({ waiting: 0, oldest: 0, parked: 0 })
  })

  it('may be in a separate database without our tables', async ({ onTestFinished }) => {
    const { url, drop } = await createDatabase(inject('server'))
    const queue = connectQueue(url, 3)
    onTestFinished(async () => {
      await queue.end()
      await drop()
    })
    await queue.migrate()
    await queue.add('run-user-jobs', ['one', 'another'])
    await queue.pool.query(
      `update graphile_worker._private_jobs set attempts = max_attempts where key = 'run-user-jobs:one'`,
    )

    expect(await queue.depth()).toMatchObject({ waiting: 1, parked: 1 })
    const [job] = await queue.parked()
    expect(job).toMatchObject({ task: 'run-user-jobs', key: 'one', parkedAt: expect.any(Date) })
    expect(await queue.retry(job?.id ?? '')).toBe(true)
    expect(await queue.parked()).toEqual([])
  })

  it('shares heartbeats with workers of the previous version, which use the former table name', async ({
    db,
    url,
    onTestFinished,
  }) => {
    const queue = connectQueue(url, 3)
    onTestFinished(() => queue.end())
    await queue.migrate()
    await db.pool.query(`
      drop schema daywright_queue cascade;
      create table graphile_worker.daywright_heartbeats (
        worker text primary key, seen_at timestamptz not null);
      insert into graphile_worker.daywright_heartbeats values ('old', now() - interval '1 minute')`)
    const writeOld = `insert into graphile_worker.daywright_heartbeats
                      select worker, now() from unnest($1::text[]) worker
                          on conflict (worker) do update set seen_at = now()`
    await queue.migrate()
    await queue.migrate()
    expect(await queue.countAlive()).toBe(0)

    await db.pool.query(writeOld, [['old', 'older']])
    await queue.heartbeat(['new'])

    expect(await queue.countAlive()).toBe(3)
    const { rows } = await db.pool.query('select from graphile_worker.daywright_heartbeats')
    expect(rows).toHaveLength(3)
    await db.pool.query('drop view graphile_worker.daywright_heartbeats')
  })
})
