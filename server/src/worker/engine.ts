// The job queue and the relay that feeds it. Graphile Worker runs the jobs, retries failures and parks jobs
// that keep failing. Due work is recorded in the users' own rows, in the transaction that caused it; the
// relay leases due users and enqueues a job for each, possibly in another database. A lost job is
// enqueued again when the lease ends.
import { setTimeout as sleep } from 'node:timers/promises'
import { EventEmitter } from 'node:events'
import { Logger, run, type Runner, type Task, type WorkerEvents } from 'graphile-worker'
import type { Database } from '../db/database.ts'
import { isUnreachable } from '../db/violations.ts'
import { leaseDueUsers } from './agenda.queries.ts'
import { patientPool } from './patient-pool.ts'
import type { Queue } from './queue.ts'

const pollMs = 500
const heartbeatMs = 2000
/** A leased user whose job has not run within this time is due again. */
const leaseMs = 20_000
const takenAtOnce = 500

export type Log = { info(text: string): void; error(error: unknown, text?: string): void }

export async function startEngine(options: {
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
  // Jobs are locked by the pool, not by the workers in it.
  events.on('pool:create', ({ workerPool }) => workers.push(workerPool.id))
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
  const loops = [every(pollMs, relay), every(heartbeatMs, heartbeat)]
  return {
    /** Finishes running jobs. */
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      const over = new AbortController()
      await Promise.race([stopRunners(), waitUntilUnreachable(over.signal)])
      over.abort()
      await queue.forget(workers).catch(() => {}) // without a heartbeat they count as dead soon anyway
    },
  }

  function startRunner(name: string, work: (key: string) => Promise<void>) {
    return run({
      pgPool: patientPool(queue.pool),
      concurrency: concurrency(name),
      taskList: { [name]: ignoreOutages(work) },
      events,
      noHandleSignals: true,
      logger: new Logger(() => (level, message) => {
        if (level === 'error') log.error(message)
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

  /** Full batches follow each other without a pause until the queue is full. */
  async function relay() {
    for (;;) {
      if (await queue.isFull()) return
      const time = now()
      const users = await leaseDueUsers(db, time, new Date(time.getTime() + leaseMs), takenAtOnce)
      if (users.length > 0) await queue.add('attend', users)
      if (users.length < takenAtOnce || stopping.signal.aborted) return
    }
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
      isThere = await queue.isFull().then(
        () => true,
        () => false,
      )
    }
  }

  async function every(ms: number, work: () => Promise<void>) {
    while (!stopping.signal.aborted) {
      await work().catch((error: unknown) => log.error(error))
      await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
}
