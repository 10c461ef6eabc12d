// The tables of the queue, in the same database or in another (QUEUE_DATABASE_URL).
import { runMigrations } from 'graphile-worker'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { rememberHost } from '../platform/db/database-host.ts'

/**
 * A worker without a heartbeat for this long counts as dead, and its jobs are unlocked. Longer than a delivery job
 * (5 s, and 10 s for its last message) and the heartbeat interval together: a live worker that cannot reach the
 * queue has stopped sending before another one takes over.
 */
const silentFor = `interval '17 seconds'`
// In our own schema, because upgrades of Graphile Worker may change anything in its schema.
const heartbeats = 'daywright_queue.heartbeats'
// Workers of 0.1.0 find the table under its old name, as a view, while processes are replaced one at a time.
const createHeartbeats = `
  create schema if not exists daywright_queue;
  do $$ begin
    if exists (select from pg_tables
                where schemaname = 'graphile_worker' and tablename = 'daywright_heartbeats') then
      alter table graphile_worker.daywright_heartbeats rename to heartbeats;
      alter table graphile_worker.heartbeats set schema daywright_queue;
      create view graphile_worker.daywright_heartbeats as select * from ${heartbeats};
    end if;
  end $$;
  create table if not exists ${heartbeats} (
    worker text primary key, seen_at timestamptz not null)`
const attempts = 5
/**
 * With more waiting jobs, leases could end before the jobs run. A runner of another kind of job also reads past all of
 * them to find its own.
 */
const fullAt = 250

export type ParkedJob = {
  id: string
  task: string
  key: string
  attempts: number
  error: string | null
  parkedAt: Date
}

export type Queue = ReturnType<typeof queueOn>

/** Opens the queue with its own connections, on which workers listen for jobs and lock them. */
export function connectQueue(url: string, size: number) {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'daywright queue',
    max: size,
    connectionTimeoutMillis: 2000,
    keepAlive: true,
    stream: rememberHost().stream,
    query_timeout: 10_000, // an unresponsive server must not block callers for ever
  })
  const ignoreError = () => {}
  pool.on('error', ignoreError)
  pool.on('connect', (client) => client.on('error', ignoreError))
  return queueOn(pool)
}

export function queueOn(pool: pg.Pool) {
  /** Unlocks the jobs of workers that no longer run them. The attempt does not count, because the job did not fail. */
  async function unlock(workers: string[]) {
    const { rows: jobs } = await pool.query<{ id: string; attempts: number }>(
      'select id, attempts from graphile_worker.jobs where locked_by = any($1::text[])',
      [workers],
    )
    await forceUnlock(workers)
    await pool.query(
      `select graphile_worker.reschedule_jobs(array[id], run_at => now(), attempts => attempts)
         from unnest($1::bigint[], $2::int[]) job (id, attempts)`,
      [jobs.map(({ id }) => id), jobs.map((job) => Math.max(0, job.attempts - 1))],
    )
  }

  async function unlockSilent(workers: string[]) {
    await unlock(workers)
    // Heartbeats are deleted last, so that another process repeats the work if this one dies before.
    await pool.query(
      `delete from ${heartbeats} where worker = any($1::text[]) and seen_at < now() - ${silentFor}`,
      [workers],
    )
  }

  const forceUnlock = (workers: string[]) =>
    pool.query('select graphile_worker.force_unlock_workers($1::text[])', [workers])

  /** Deletes the heartbeats of workers that have stopped and hold no job. */
  const forget = (workers: string[]) =>
    pool.query(`delete from ${heartbeats} where worker = any($1::text[])`, [workers])

  return {
    pool,

    /** Migrates in one process at a time: concurrent processes would create the same tables. */
    async migrate() {
      const client = await pool.connect()
      try {
        while (!(await isMine(client))) await sleep(100)
        await runMigrations({ pgPool: pool })
        await client.query(createHeartbeats)
      } finally {
        client.release(true) // closing the connection releases the lock
      }
    },

    /**
     * Adds one job per key: a key with a waiting, running or parked job gets no second one. Jobs with the
     * same `line` run one after the other.
     */
    async add(task: string, keys: string[], line?: string) {
      await pool.query({
        name: 'queue.add',
        text: `select from unnest($2::text[]) key, graphile_worker.add_job(
                 $1, json_build_object('key', key), queue_name => $3, job_key => $1 || ':' || key,
                 max_attempts => ${attempts}, job_key_mode => 'unsafe_dedupe')`,
        values: [task, keys, line],
      })
    },

    async ping() {
      await pool.query('select')
    },

    /** Whether `fullAt` jobs wait; future retries and deliveries do not count. Reads the jobs, so call it rarely. */
    async isFull() {
      const { rows } = await pool.query<{ waiting: number }>({
        name: 'queue.waiting',
        text: `select count(*)::int as waiting
                 from (select from graphile_worker.jobs
                        where task_identifier = 'run-user-jobs'
                          and locked_at is null and attempts < max_attempts and run_at <= now()
                        limit ${fullAt}) job`,
      })
      return rows[0]?.waiting === fullAt
    },

    async heartbeat(workers: string[]) {
      await pool.query(
        `insert into ${heartbeats}
         select worker, now() from unnest($1::text[]) worker
             on conflict (worker) do update set seen_at = now()`,
        [workers],
      )
    },

    /** The number of workers with a fresh heartbeat; a process counts once for each kind of job it runs. */
    async countAlive() {
      const { rows } = await pool.query<{ alive: number }>(
        `select count(*)::int as alive from ${heartbeats} where seen_at > now() - ${silentFor}`,
      )
      return rows[0]?.alive ?? 0
    },

    forget,

    /** Unlocks the jobs that a stopped worker has left locked. The attempt counts if the jobs have failed. */
    async unlockOf(worker: string, haveFailed: boolean) {
      await (haveFailed ? forceUnlock([worker]) : unlock([worker]))
      await forget([worker])
    },

    /** Unlocks the jobs of workers without a recent heartbeat. Reads jobs only if there is such a worker. */
    async unlockDead() {
      const { rows } = await pool.query<{ worker: string }>(
        `select worker from ${heartbeats} where seen_at < now() - ${silentFor}`,
      )
      if (rows.length > 0) await unlockSilent(rows.map(({ worker }) => worker))
    },

    /** Unlocks the jobs of workers that died before their first heartbeat. Reads the jobs, so call it rarely. */
    async unlockUnknown() {
      const { rows } = await pool.query<{ worker: string }>(
        `select distinct locked_by as worker
           from graphile_worker.jobs
          where locked_at < now() - ${silentFor}
            and not exists (select from ${heartbeats} where worker = locked_by)`,
      )
      if (rows.length > 0) await unlock(rows.map(({ worker }) => worker))
    },

    /** The number of waiting jobs, how long the oldest has been due in seconds, and the number of parked jobs. */
    async depth() {
      const { rows } = await pool.query<{ waiting: number; oldest: number; parked: number }>(
        `select (count(*) filter (where attempts < max_attempts))::int as waiting,
                coalesce(extract(epoch from now() - min(run_at)
                         filter (where attempts < max_attempts and run_at <= now())), 0)::float
                  as oldest,
                (count(*) filter (where attempts >= max_attempts and locked_at is null))::int
                  as parked
           from graphile_worker.jobs`,
      )
      return rows[0] ?? { waiting: 0, oldest: 0, parked: 0 }
    },

    async parked() {
      const { rows } = await pool.query<ParkedJob>(
        `select id::text, task_identifier as task, split_part(key, ':', 2) as key, attempts,
                last_error as error, updated_at as "parkedAt"
           from graphile_worker.jobs
          where attempts >= max_attempts and locked_at is null
          order by updated_at desc, id desc
          limit 100`,
      )
      return rows
    },

    /** Retries a parked job; false if no such job is parked. */
    async retry(id: string) {
      const { rowCount } = await pool.query(
        `select graphile_worker.reschedule_jobs(array[id], run_at => now(), attempts => 0)
           from graphile_worker.jobs
          where id = $1 and attempts >= max_attempts and locked_at is null`,
        [id],
      )
      return rowCount === 1
    },

    async discard(id: string) {
      const { rowCount } = await pool.query(
        `select graphile_worker.complete_jobs(array[id])
           from graphile_worker.jobs
          where id = $1 and attempts >= max_attempts and locked_at is null`,
        [id],
      )
      return rowCount === 1
    },

    end: () => pool.end(),
  }
}

async function isMine(client: pg.PoolClient) {
  const { rows } = await client.query<{ mine: boolean }>(
    `select pg_try_advisory_lock(hashtext('daywright queue')) as mine`,
  )
  return rows[0]?.mine === true
}
