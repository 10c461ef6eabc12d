// The queue and what feeds it. Graphile Worker hands out the jobs, repeats what fails and parks what
// keeps failing. What is to be done stands in the users' own rows, written with the change that
// caused it: a relay finds who is due and puts a job for them into the queue, which may be another
// database. A job lost with either is put there again.
import { setTimeout as sleep } from 'node:timers/promises'
import { EventEmitter } from 'node:events'
import { Logger, run, type Runner, type Task, type WorkerEvents } from 'graphile-worker'
import type { Database } from '../db/database.ts'
import { isAway } from '../db/violations.ts'
import { takeOn } from './agenda.queries.ts'
import { patientPool } from './patient-pool.ts'
import type { Queue } from './queue.ts'

const pollMs = 500
const beatMs = 2000
/** Whoever is taken on and not looked after within this time is due again. */
const leaseMs = 20_000
const takenAtOnce = 500

export type Log = { info(text: string): void; error(error: unknown, text?: string): void }

export async function startEngine(options: {
  db: Database
  queue: Queue
  now: () => Date
  /** How many of one kind are done at the same time. */
  concurrency: (task: string) => number
  /** Each in a lane of its own: as many at once of one kind, however many of the others there are. */
  tasks: Record<string, (key: string) => Promise<void>>
  log: Log
}) {
  const { db, queue, now, concurrency, tasks, log } = options
  const events: WorkerEvents = new EventEmitter()
  const workers: string[] = []
  // It is the pool that locks jobs, not the workers in it.
  events.on('pool:create', ({ workerPool }) => workers.push(workerPool.id))
  const lanes: Runner[] = []
  const stopLanes = () => Promise.all(lanes.map((lane) => lane.stop()))
  try {
    for (const [name, work] of Object.entries(tasks)) lanes.push(await startLane(name, work))
    await queue.beat(workers)
  } catch (error) {
    await stopLanes() // or they would listen for ever, and the process would not end
    throw error
  }
  const stopping = new AbortController()
  const loops = [every(pollMs, relay), every(beatMs, beat)]
  return {
    /** Finishes what is under way. */
    async stop() {
      stopping.abort()
      await Promise.all(loops)
      const over = new AbortController()
      await Promise.race([stopLanes(), untilAway(over.signal)])
      over.abort()
      await queue.forget(workers).catch(() => {}) // silent for a while, they are dead, too
    },
  }

  function startLane(name: string, work: (key: string) => Promise<void>) {
    return run({
      pgPool: patientPool(queue.pool),
      concurrency: concurrency(name),
      taskList: { [name]: unlessAway(work) },
      events,
      noHandleSignals: true,
      logger: new Logger(() => (level, message) => {
        if (level === 'error') log.error(message)
      }),
    })
  }

  /** A database out of reach parks nobody: who is due stays due, and gets another job. */
  function unlessAway(work: (key: string) => Promise<void>): Task {
    return (payload, { job }) =>
      work((payload as { key: string }).key).catch((error: unknown) => {
        if (!isAway(error) || job.attempts < job.max_attempts) throw error
      })
  }

  /** Full batches follow one another without a pause, until there is enough to do for a while. */
  async function relay() {
    for (;;) {
      if (await queue.isFull()) return
      const time = now()
      const users = await takeOn(db, time, new Date(time.getTime() + leaseMs), takenAtOnce)
      if (users.length > 0) await queue.add('attend', users)
      if (users.length < takenAtOnce || stopping.signal.aborted) return
    }
  }

  /** Says that we live, and takes back the jobs of those who do not. */
  async function beat() {
    await queue.beat(workers)
    await queue.unlockDead()
  }

  /** Whoever waits for a queue that cannot be reached would not stop before it is back. */
  async function untilAway(over: AbortSignal) {
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
