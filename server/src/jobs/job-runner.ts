// The job queue and the relay that feeds it. Graphile Worker runs the jobs, retries failures and parks jobs
// that keep failing. Due work is recorded in the users' own rows, in the transaction that caused it; the
// relay leases due users and enqueues a job for each, possibly in another database. A lost job is
// enqueued again when the lease ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { EventEmitter } from 'node:events'
import { Logger, run, type Runner, type Task, type WorkerEvents } from 'graphile-worker'
import type { Database } from '../platform/db/database.ts'
import { isUnreachable } from '../platform/db/database-errors.ts'
import { leaseDueUsers } from './user-jobs.queries.ts'
import { reconnectingPool } from './reconnecting-pool.ts'
import type { Queue } from './queue.ts'

const pollMs = 500
const fullMs = 500
const heartbeatMs = 2000
const unknownMs = 60_000
/** A leased user whose job has not run within this time is due again. */
const leaseMs = 20_000
const batchSize = 250
/** The names that workers of 0.1.0 give to jobs; jobs that they have added are run as well. */
const formerName = new Map([['run-user-jobs', 'attend']])

export type Log = { info(text: string): void; error(error: unknown, text?: string): void }

export async function startJobRunner(options: {
  db: Database
  queue: Queue
  now: () => Date
  /** How many jobs of one kind run at the same time. */
  concurrency: (task: string) => number
  /** Each kind has its own runner, so one kind cannot take the concurrency of another. */
  tasks: Record<string, (key: string) => Promise<void>>
  log: Log
}) {
  const { db, queue, now, concurrency, tasks, log } = options
  const events: WorkerEvents = new EventEmitter()
  const workers: string[] = []
  // Jobs are locked by the pool, not by the workers in it. Its first heartbeat is written at once, because jobs of a
  // worker that died without one are looked for only once a minute.
  events.on('pool:create', ({ workerPool }) => {
    workers.push(workerPool.id)
    queue.heartbeat([workerPool.id]).catch((error: unknown) => log.error(error))
  })
  const runners: Runner[] = []
  const stopRunners = () => Promise.all(runners.map((runner) => runner.stop()))
  try {
    for (const [name, work] of Object.entries(tasks)) runners.push(await startRunner(name, work))
    await queue.heartbeat(workers)
  } catch (error) {
    await stopRunners() // open listeners would keep the process alive
    throw error
  }
  const stopping = new AbortController()
  /** More users were due than are taken at once, so jobs may pile up. */
  let isBehind = false
  const loops = [
    every(pollMs, relay),
    every(heartbeatMs, heartbeat),
    every(unknownMs, () => queue.unlockUnknown()),
  ]
  return {
    /** Finishes running jobs. */
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      const over = new AbortController()
      // Heartbeats are deleted only after the runners have stopped: otherwise they must expire to unlock the jobs.
      const stopped = stopRunners().then(() => queue.forget(workers).catch(() => {}))
      await Promise.race([stopped, waitUntilUnreachable(over.signal)])
      over.abort()
    },
  }

  function startRunner(name: string, work: (key: string) => Promise<void>) {
    const task = ignoreOutages(work)
    return run({
      pgPool: reconnectingPool(queue.pool),
      concurrency: concurrency(name),
      taskList: { [name]: task, [formerName.get(name) ?? name]: task },
      events,
      noHandleSignals: true,
      // The message of a failed job has its stack. An outage fails many jobs, so then only the error is logged.
      logger: new Logger(() => (level, message, meta) => {
        if (level === 'error') log.error(isUnreachable(meta?.['error']) ? meta?.['error'] : message)
      }),
    })
  }

  /** A database outage parks no job: due users stay due and get another job. */
  function ignoreOutages(work: (key: string) => Promise<void>): Task {
    return (payload, { job }) =>
      work((payload as { key: string }).key).catch((error: unknown) => {
        if (!isUnreachable(error) || job.attempts < job.max_attempts) throw error
      })
  }

  /** Leases due users and enqueues their jobs. Full batches follow without a pause until the queue is full. */
  async function relay() {
    do {
      if (isBehind && (await queue.isFull())) return pause(fullMs)
      const time = now()
      const until = new Date(time.getTime() + leaseMs)
      const { users, hasMore } = await leaseDueUsers(db, time, until, batchSize)
      if (users.length > 0) await queue.add('run-user-jobs', users)
      isBehind = hasMore
    } while (isBehind && !stopping.signal.aborted)
  }

  /** Writes a heartbeat, and unlocks the jobs of dead workers. */
  async function heartbeat() {
    await queue.heartbeat(workers)
    await queue.unlockDead()
  }

  /** Resolves when the queue is unreachable: a stop that waits for it would not end before it is back. */
  async function waitUntilUnreachable(over: AbortSignal) {
    for (let isThere = true; isThere && !over.aborted;) {
      await sleep(pollMs, undefined, { signal: over }).catch(() => {})
      isThere = await queue.ping().then(
        () => true,
        () => false,
      )
    }
  }

  async function every(ms: number, work: () => Promise<void>) {
    while (!stopping.signal.aborted) {
      await work().catch((error: unknown) => log.error(error))
      await pause(ms)
    }
  }

  /** Waits for this time, or until the job runner stops. */
  function pause(ms: number) {
    return sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})
  }
}
