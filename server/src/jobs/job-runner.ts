// The job queue and the relay that feeds it. Graphile Worker runs the jobs, retries failures and parks jobs
// that keep failing. Due work is recorded in the users' own rows, in the transaction that caused it; the
// relay leases due users and enqueues a job for each, possibly in another database. A lost job is
// enqueued again when the lease ends.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../platform/db/database.ts'
import type { Queue } from './queue.ts'
import { type JobRunner, type Kind, type Log, startRunner } from './runner.ts'
import { leaseDueUsers } from './user-jobs.queries.ts'

const pollMs = 500
const fullMs = 500
const heartbeatMs = 2000
const checkMs = 60_000
/** A transaction that has begun earlier makes a user due in the past: this far, and the user is found at once. */
const usualLateMs = 60_000
/** The pause before a runner that has failed is replaced. */
const replaceMs = 1000
/** A leased user whose job has not run within this time is due again. */
const leaseMs = 20_000
const batchSize = 250

export type { Log } from './runner.ts'

export async function startJobRunner(options: {
  db: Database
  queue: Queue
  now: () => Date
  /** How many jobs of one kind run at the same time. */
  concurrency: (task: string) => number
  /** Each kind has its own runner, so one kind cannot take the concurrency of another. */
  tasks: Record<string, (key: string) => Promise<void>>
  /** More than usual if PostgreSQL, whose clock makes users due, is that far behind. */
  lateMs?: number | undefined
  log: Log
}) {
  const { db, queue, now, concurrency, tasks, lateMs = usualLateMs, log } = options
  const workers = new Set<string>()
  const kinds = Object.entries(tasks).map(([name, work]): Kind => ({
    name,
    concurrency: concurrency(name),
    work,
  }))
  const runners: JobRunner[] = []
  try {
    for (const kind of kinds) runners.push(await start(kind))
    await queue.heartbeat([...workers])
  } catch (error) {
    await Promise.all(runners.map((runner) => runner.stop())) // open listeners would keep the process alive
    throw error
  }
  const stopping = new AbortController()
  const stopped = once(stopping.signal, 'abort')
  /** More users were due than are taken at once, so jobs may pile up. */
  let isBehind = false
  /** The users who were due until then have been leased; undefined if all due users must be looked for. */
  let relayedUntil: Date | undefined
  const loops = [every(pollMs, relay), every(heartbeatMs, heartbeat), every(checkMs, check)]
  const kept = kinds.map((kind, i) => keepRunning(kind, runners[i]!))
  return {
    /** Finishes running jobs. */
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      const over = new AbortController()
      // Heartbeats are deleted only after the runners have stopped: otherwise they must expire to unlock the jobs.
      const finished = Promise.all(kept).then(() => queue.forget([...workers]).catch(() => {}))
      await Promise.race([finished, waitUntilUnreachable(over.signal)])
      over.abort()
    },
  }

  // Jobs are locked by the runner, not by the workers in it. Its first heartbeat is written at once, because jobs of a
  // runner that died without one are looked for only once a minute.
  function start(kind: Kind) {
    return startRunner(queue, kind, log, (worker) => {
      workers.add(worker)
      queue.heartbeat([worker]).catch((error: unknown) => log.error(error))
    })
  }

  /** Replaces the runner as often as it fails. */
  async function keepRunning(kind: Kind, first: JobRunner) {
    const retiring: Promise<void>[] = []
    for (let runner: JobRunner | undefined = first; runner;) {
      const fault = await Promise.race([runner.fault, stopped.then(() => undefined)])
      if (fault === undefined) {
        await runner.stop()
        break
      }
      log.error(fault.error, `Replacing the runner of jobs "${kind.name}"`)
      retiring.push(retire(runner, fault.isOfJobs))
      runner = await replace(kind)
    }
    await Promise.all(retiring)
  }

  async function replace(kind: Kind) {
    await pause(replaceMs)
    while (!stopping.signal.aborted) {
      try {
        return await start(kind)
      } catch (error) {
        log.error(error)
        await pause(replaceMs)
      }
    }
    return undefined
  }

  /** Lets a runner finish its jobs, and then unlocks those that it has left locked. */
  async function retire(runner: JobRunner, haveFailed: boolean) {
    await runner.stop()
    workers.delete(runner.worker)
    while (!stopping.signal.aborted) {
      try {
        return await queue.unlockOf(runner.worker, haveFailed)
      } catch (error) {
        log.error(error)
        await pause(replaceMs)
      }
    }
  }

  /** Leases due users and enqueues their jobs. Full batches follow without a pause until the queue is full. */
  async function relay() {
    do {
      if (isBehind && (await queue.isFull())) return pause(fullMs)
      const time = now()
      // All due users again if the clock was set back.
      const after = relayedUntil && relayedUntil < time ? relayedUntil.getTime() - lateMs : 0
      const span = { after: new Date(after), now: time }
      const until = new Date(time.getTime() + leaseMs)
      const { users, hasMore } = await leaseDueUsers(db, span, until, batchSize)
      if (users.length > 0) await queue.add('run-user-jobs', users)
      isBehind = hasMore
      if (!hasMore) relayedUntil = time
    } while (isBehind && !stopping.signal.aborted)
  }

  /** Writes a heartbeat, and unlocks the jobs of dead workers. */
  async function heartbeat() {
    await queue.heartbeat([...workers])
    await queue.unlockDead()
  }

  /** Looks for what is not expected: users who have been due for long, and jobs of workers without a heartbeat. */
  async function check() {
    relayedUntil = undefined
    await queue.unlockUnknown()
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
