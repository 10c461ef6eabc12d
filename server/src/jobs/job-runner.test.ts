import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import { administer, setReadOnly, urlOf } from '../../test/databases.ts'
import { describe, expect, it as base } from '../../test/it.ts'
import type { Database } from '../platform/db/database.ts'
import { isOutage } from '../platform/db/database-errors.ts'
import { unavailable } from '../platform/errors.ts'
import { startJobRunner } from './job-runner.ts'
import { connectQueue, type Queue } from './queue.ts'

const it = base.extend('queue', { scope: 'file' }, async ({ url }, { onCleanup }) => {
  const queue = connectQueue(url, 5)
  onCleanup(() => queue.end())
  await queue.migrate()
  return queue
})

type Tasks = Parameters<typeof startJobRunner>[0]['tasks']

const start = (
  db: Database,
  queue: Queue,
  tasks: Tasks,
  logError: (error: unknown) => void = () => {},
) =>
  startJobRunner({
    db,
    queue,
    now: () => new Date(),
    concurrency: () => 3,
    tasks,
    log: { info() {}, error: logError },
  })

/** Make locks and heartbeats so old that their worker counts as dead. */
const ageLocks = `update graphile_worker._private_jobs set locked_at = now() - interval '1 minute'`
const ageHeartbeats = `update daywright_queue.heartbeats set seen_at = now() - interval '1 minute'`

describe('a long job', () => {
  it('stays with its worker while heartbeats are fresh, and goes to another worker after they stop', async ({
    db,
    queue,
    onTestFinished,
  }) => {
    const started: string[] = []
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const engine = await start(db, queue, {
      async 'run-user-jobs'(key) {
        started.push(key)
        await finished
      },
    })
    onTestFinished(async () => {
      finish()
      await engine.stop()
    })
    await queue.add('run-user-jobs', ['long'])
    await vi.waitFor(() => expect(started).toEqual(['long']), { timeout: 10_000 })

    await queue.pool.query(ageLocks)
    await queue.unlockDead()
    await queue.unlockUnknown()
    const { rows } = await queue.pool.query(
      'select from graphile_worker.jobs where locked_at is not null',
    )
    expect(rows).toHaveLength(1)
    expect(started).toEqual(['long'])

    await vi.waitFor(
      async () => {
        // Age the heartbeats repeatedly, because the worker writes one every two seconds.
        await queue.pool.query(ageHeartbeats)
        await queue.unlockDead()
        expect(started).toEqual(['long', 'long'])
      },
      { timeout: 10_000 },
    )
  })

  it('goes to another worker if its own died before its first heartbeat', async ({
    db,
    queue,
    onTestFinished,
  }) => {
    const started: string[] = []
    await queue.add('run-user-jobs', ['orphan'])
    await queue.pool.query(
      `update graphile_worker._private_jobs set locked_by = 'unknown', locked_at = now() - interval '1 minute'`,
    )
    const engine = await start(db, queue, {
      'run-user-jobs': async (key) => void started.push(key),
    })
    onTestFinished(() => engine.stop())

    await vi.waitFor(() => expect(started).toEqual(['orphan']), { timeout: 10_000 })
  })
})

describe('a database outage', () => {
  it('does not end the process, and the results of jobs are recorded once it is over', async ({
    db,
    url,
    queue,
    onTestFinished,
  }) => {
    const name = new URL(url).pathname.slice(1)
    const server = urlOf(url, 'postgres')
    const comeBack = () => administer(server, `alter database ${name} allow_connections true`)
    onTestFinished(comeBack)
    const started: string[] = []
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const engine = await start(db, queue, {
      async 'run-user-jobs'(key) {
        started.push(key)
        if (key === 'done') await finished
        if (key === 'failed') await finished.then(() => Promise.reject(new Error('No')))
      },
    })
    onTestFinished(() => engine.stop())
    await queue.add('run-user-jobs', ['done', 'failed'])
    await vi.waitFor(() => expect(started).toHaveLength(2), { timeout: 10_000 })

    await administer(server, `alter database ${name} allow_connections false`)
    await administer(
      server,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    )
    finish()
    await sleep(1500)
    await comeBack()

    await queue.add('run-user-jobs', ['next'])
    await vi.waitFor(
      async () => {
        expect(started).toContain('next')
        const { rows } = await queue.pool.query(
          `select key, locked_at, last_error from graphile_worker.jobs
            where task_identifier = 'run-user-jobs' order by key`,
        )
        expect(rows).toEqual([{ key: 'run-user-jobs:failed', locked_at: null, last_error: 'No' }])
      },
      { timeout: 15_000 },
    )
    await queue.pool.query('delete from graphile_worker._private_jobs')
  })
})

describe('a connection that is lost while a job is looked for', () => {
  it('is logged as an outage, and jobs run on', async ({ db, queue, onTestFinished }) => {
    const started: string[] = []
    const logged: unknown[] = []
    const tasks = { 'run-user-jobs': async (key: string) => void started.push(key) }
    const engine = await start(db, queue, tasks, (error) => logged.push(error))
    onTestFinished(() => engine.stop())
    const blocker = await db.pool.connect()
    await blocker.query('begin; lock table graphile_worker._private_jobs')

    // Others than those that look for a job may wait as well: what they do is repeated, and not logged.
    await vi.waitFor(
      async () => {
        await queue.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(logged).not.toEqual([])
      },
      { timeout: 10_000 },
    )
    await blocker.query('rollback')
    blocker.release()
    await queue.add('run-user-jobs', ['next'])

    await vi.waitFor(() => expect(started).toEqual(['next']), { timeout: 10_000 })
    expect(logged.filter((error) => !isOutage(error))).toEqual([])
  })
})

describe('a database that becomes read-only', () => {
  it('parks no job, and jobs run and end once it is writable again', async ({
    db,
    url,
    queue,
    onTestFinished,
  }) => {
    onTestFinished(() => setReadOnly(url, false))
    const started: string[] = []
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const engine = await start(db, queue, {
      async 'run-user-jobs'(key) {
        started.push(key)
        if (key === 'running') await finished
        await db.query('update users set display_name = display_name')
      },
    })
    onTestFinished(() => engine.stop())
    await queue.pool.query(
      `select graphile_worker.add_job('run-user-jobs', '{"key":"running"}', max_attempts => 1)`,
    )
    await vi.waitFor(() => expect(started).toEqual(['running']), { timeout: 10_000 })

    await setReadOnly(url, true)
    finish()
    await sleep(1500)
    await setReadOnly(url, false, false)

    await vi.waitFor(() => queue.add('run-user-jobs', ['next']), { timeout: 10_000 })
    await vi.waitFor(
      async () => {
        expect(started).toContain('next')
        expect(await queue.depth()).toEqual({ waiting: 0, oldest: 0, parked: 0 })
      },
      { timeout: 15_000 },
    )
  })
})

const refuseFailures = `
  create function refuse() returns trigger language plpgsql as $$
  begin
    if new.last_error is not null then raise exception 'The disk is full'; end if;
    return new;
  end $$;
  create trigger refuse before update on graphile_worker._private_jobs
    for each row execute function refuse()`
const allowFailures = 'drop function refuse cascade'

describe('a queue that cannot record the failure of a job', () => {
  it('ends the runner, which is replaced, and neither the process nor the jobs of other kinds', async ({
    db,
    queue,
    onTestFinished,
  }) => {
    await queue.pool.query(refuseFailures)
    const started: string[] = []
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const logged: unknown[] = []
    const tasks: Tasks = {
      async 'run-user-jobs'(key) {
        started.push(key)
        if (key === 'poisoned') throw new Error('No')
        if (key === 'running') await finished
      },
      deliver: async (key) => void started.push(key),
    }
    const engine = await start(db, queue, tasks, (error) => logged.push(error))
    onTestFinished(() => engine.stop())
    await queue.add('run-user-jobs', ['running', 'poisoned'])
    await vi.waitFor(() => expect(started).toContain('poisoned'), { timeout: 10_000 })
    await queue.add('deliver', ['ada/1'])
    await queue.add('run-user-jobs', ['next'])

    await vi.waitFor(() => expect(started).toEqual(expect.arrayContaining(['ada/1', 'next'])), {
      timeout: 10_000,
    })
    expect(started.filter((key) => key === 'running')).toHaveLength(1)
    finish()

    // Each attempt ends one runner, and after the fifth the job is parked.
    await vi.waitFor(
      async () => expect(await queue.depth()).toMatchObject({ waiting: 0, parked: 1 }),
      { timeout: 30_000 },
    )
    expect(started.filter((key) => key === 'poisoned')).toHaveLength(5)
    expect(logged.map(String).join()).toContain('The disk is full')
    await queue.pool.query(allowFailures)
    await queue.pool.query('delete from graphile_worker._private_jobs')
  }, 60_000)

  it('unlocks all of its jobs, also if several failures could not be recorded', async ({
    db,
    queue,
    onTestFinished,
  }) => {
    await queue.pool.query(refuseFailures)
    const started: string[] = []
    let isMended = false
    const engine = await start(db, queue, {
      async 'run-user-jobs'(key) {
        started.push(key)
        if (isMended) return
        // The first failure ends the runner, which stops after the last job.
        await sleep(200 + 300 * Number(key))
        if (key !== '2') throw new Error('No')
      },
    })
    onTestFinished(() => engine.stop())
    await queue.add('run-user-jobs', ['0', '1', '2'])
    await vi.waitFor(() => expect(started.toSorted()).toEqual(['0', '1', '2']), { timeout: 10_000 })
    await sleep(1000)
    await queue.pool.query(allowFailures)
    isMended = true

    await vi.waitFor(
      async () => {
        const { rows } = await queue.pool.query('select key from graphile_worker.jobs')
        expect(rows).toEqual([])
      },
      { timeout: 20_000 },
    )
  }, 40_000)
})

describe('webhook receivers that do not answer', () => {
  it('delay neither planning nor the deliveries of other users', async ({
    db,
    queue,
    onTestFinished,
  }) => {
    const started: string[] = []
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const engine = await start(db, queue, {
      'run-user-jobs': async (key) => void started.push(key),
      async deliver(key) {
        started.push(key)
        await finished
      },
    })
    onTestFinished(async () => {
      finish()
      await engine.stop()
    })
    await queue.add('deliver', ['ada/1', 'ada/2', 'ada/3'], 'ada')
    await vi.waitFor(() => expect(started).toHaveLength(1), { timeout: 10_000 })
    await queue.add('deliver', ['grace/1'], 'grace')
    await queue.add('run-user-jobs', ['alan'])

    await vi.waitFor(() => expect(started.slice(1).toSorted()).toEqual(['alan', 'grace/1']), {
      timeout: 10_000,
    })
    finish()
    await vi.waitFor(() => expect(started).toHaveLength(5), { timeout: 10_000 })
  })
})

describe('a job that fails for the last time', () => {
  it('is parked and logged with its stack, but not in a database outage', async ({
    db,
    queue,
    onTestFinished,
  }) => {
    const lost = unavailable()
    const logged: unknown[] = []
    const tasks = {
      outage: () => Promise.reject(lost),
      poisoned: () => Promise.reject(new Error('No')),
    }
    const engine = await start(db, queue, tasks, (error) => logged.push(error))
    onTestFinished(() => engine.stop())
    // Two attempts for the outage, because the last attempt of a job does not fail in an outage.
    await queue.pool.query(
      `select graphile_worker.add_job('outage', '{"key":"ada"}', max_attempts => 2),
              graphile_worker.add_job('poisoned', '{"key":"ada"}', max_attempts => 1)`,
    )

    await vi.waitFor(
      async () => expect(await queue.depth()).toMatchObject({ waiting: 0, parked: 1 }),
      { timeout: 10_000 },
    )
    expect(await queue.parked()).toMatchObject([{ task: 'poisoned', error: 'No' }])
    expect(logged).toHaveLength(2)
    expect(logged).toContain(lost)
    expect(logged).toContainEqual(
      expect.stringMatching(/^Failed task .* with error 'No':\n.* at /s),
    )
  })
})

describe('many due users', () => {
  it('get jobs until 250 are waiting, and the rest after those have run', async ({
    db,
    queue,
    onTestFinished,
  }) => {
    await db.pool.query(`
      insert into users (id, email, display_name)
      select gen_random_uuid(), n || '@due.example.com', 'Due' from generate_series(1, 800) n;
      insert into user_state (user_id, due_at)
      select id, now() from users where email like '%@due.example.com'`)
    const started = new Set<string>()
    let finish = () => {}
    const finished = new Promise<void>((resolve) => (finish = resolve))
    const engine = await start(db, queue, {
      async 'run-user-jobs'(key) {
        started.add(key)
        await finished
      },
    })
    onTestFinished(async () => {
      finish()
      await engine.stop()
    })
    await vi.waitFor(async () => expect(await queue.isFull()).toBe(true), { timeout: 10_000 })
    await sleep(1500)

    expect((await queue.depth()).waiting).toBe(500) // batches of 250, until there are enough
    finish()
    await vi.waitFor(() => expect(started.size).toBe(800), { timeout: 60_000 })
  })
})

describe('a job added by the previous version', () => {
  it('runs under its former name', async ({ db, queue, onTestFinished }) => {
    const started: string[] = []
    await queue.add('attend', ['ada'])
    const engine = await start(db, queue, {
      'run-user-jobs': async (key) => void started.push(key),
    })
    onTestFinished(() => engine.stop())

    await vi.waitFor(() => expect(started).toEqual(['ada']), { timeout: 10_000 })
  })
})

describe('a job runner that cannot start', () => {
  it('leaves no listener behind', async ({ db, queue }) => {
    await queue.pool.query('drop table daywright_queue.heartbeats')

    const starting = start(db, queue, { 'run-user-jobs': async () => {}, deliver: async () => {} })

    await expect(starting).rejects.toThrow('heartbeats')
    await expect.poll(() => queue.pool.totalCount - queue.pool.idleCount).toBe(0)
    await queue.migrate()
  })
})

describe('the queue', () => {
  it('is full with 250 waiting jobs; jobs waiting for a retry do not count', async ({ queue }) => {
    const keys = Array.from({ length: 250 }, (_, i) => String(i))
    await queue.add('deliver', keys)
    expect(await queue.isFull()).toBe(false)
    await queue.add('run-user-jobs', keys)
    expect(await queue.isFull()).toBe(true)
    await queue.pool.query(
      `update graphile_worker._private_jobs set run_at = now() + interval '1 minute' where key = 'run-user-jobs:7'`,
    )
    expect(await queue.isFull()).toBe(false)
  })
})
