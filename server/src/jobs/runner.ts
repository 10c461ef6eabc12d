// A runner of Graphile Worker for one kind of job. Graphile Worker ends a runner when it cannot write down the result
// of a job, and then another one takes its place.
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type JobHelpers, Logger, run, type WorkerEvents } from 'graphile-worker'
import { isOutage } from '../platform/db/database-errors.ts'
import { unavailable } from '../platform/errors.ts'
import { reconnectingPool } from './reconnecting-pool.ts'
import type { Queue } from './queue.ts'

export type Log = { info(text: string): void; error(error: unknown, text?: string): void }

export type Kind = {
  name: string
  concurrency: number
  work: (key: string) => Promise<void>
}

/** The names that workers of 0.1.0 give to jobs; jobs that they have added are run as well. */
const formerName = new Map([['run-user-jobs', 'attend']])

export type JobRunner = Awaited<ReturnType<typeof startRunner>>

/** How long after its last job a runner may need to write down results. */
const recordMs = 5000

/** Why a runner has to be replaced. */
type Fault = {
  error: unknown
  /** Whether the jobs that it leaves locked have failed. */
  isOfJobs: boolean
}

/** `onWorker` gets the id under which it locks jobs, before it locks one. */
export async function startRunner(
  queue: Queue,
  { name, concurrency, work }: Kind,
  log: Log,
  onWorker: (id: string) => void,
) {
  const faulty = Promise.withResolvers<Fault>()
  const events: WorkerEvents = new EventEmitter()
  const running = new Set<Promise<void>>()
  let worker = ''
  events.on('pool:create', ({ workerPool }) => {
    worker = workerPool.id
    onWorker(worker)
  })
  events.on('pool:fatalError', ({ error }) => faulty.resolve({ error, isOfJobs: !isOutage(error) }))
  // A job may be locked twice if the answer to the first request was lost, and then nobody would run the first one.
  const onRepeat = (statement: string, cause: unknown) => {
    if (!statement.startsWith('get_job')) return
    faulty.resolve({ error: Object.assign(unavailable(), { cause }), isOfJobs: false })
  }
  const runner = await run({
    pgPool: reconnectingPool(queue.pool, onRepeat),
    concurrency,
    taskList: { [name]: runJob, [formerName.get(name) ?? name]: runJob },
    // In batches, because only then does Graphile Worker handle an error in writing down a result.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    events,
    noHandleSignals: true,
    // The message of a failed job has its stack. An outage fails many jobs, so then only the error is logged.
    logger: new Logger(() => (level, message, meta) => {
      if (level === 'error') log.error(isOutage(meta?.['error']) ? meta?.['error'] : message)
    }),
  })
  const ended = runner.promise.then(
    () => ({ error: new Error('It has ended'), isOfJobs: false }),
    (error: unknown) => ({ error, isOfJobs: !isOutage(error) }),
  )

  return {
    worker,
    /** Resolves when it can no longer run jobs. */
    fault: Promise.race([faulty.promise, ended]),
    /**
     * Finishes the running jobs. Graphile Worker 0.18 never stops if it could not write down several results, because
     * it counts what is pending wrongly.
     */
    async stop() {
      const stopped = runner.stop().catch(() => {}) // rejects if it has stopped already
      await Promise.race([stopped.then(() => ended), untilIdle()])
    },
  }

  async function untilIdle() {
    do {
      await Promise.allSettled(running)
      await sleep(recordMs, undefined, { ref: false })
    } while (running.size > 0)
  }

  /** A database outage parks no job: due users stay due and get another job. */
  async function runJob(payload: unknown, { job }: JobHelpers) {
    const done = work((payload as { key: string }).key)
    running.add(done)
    try {
      await done
    } catch (error) {
      if (!isOutage(error) || job.attempts < job.max_attempts) throw error
    } finally {
      running.delete(done)
    }
  }
}
