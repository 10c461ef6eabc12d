// Queues long operations, such as planner runs, before they take a connection: one at a time per user, a
// bounded number in total, and round robin between users.
import { unavailable } from '../errors.ts'
import { hasRoom, reserveOf } from '../fair-share.ts'

export type RunQueue = ReturnType<typeof createRunQueue>

export type RunQueueLimits = {
  /** The number of operations that may run at the same time. */
  atOnce: number
  /** The number that may wait per user, and about the number that may wait in total. */
  waitingPerUser: number
  waitingInAll: number
}

type Work = () => Promise<unknown>

export function createRunQueue({ atOnce, waitingPerUser, waitingInAll }: RunQueueLimits) {
  /** Waiting work of each user that has running or waiting work. */
  const queues = new Map<string, Work[]>()
  /** Users with work that may start, in the order in which they became ready. */
  const ready: string[] = []
  let running = 0
  let waiting = 0

  /** Runs `work` once it is the user's turn and a slot is free. */
  async function enqueue<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const queue = queues.get(userId)
    const held = queue?.length ?? 0
    const reserve = reserveOf(waitingInAll)
    const isFull =
      held >= waitingPerUser || !hasRoom({ held, taken: waiting, places: waitingInAll, reserve })
    if (isFull) throw unavailable('Too many requests of this kind are waiting')
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const start = () => work().then(resolve, reject)
    waiting += 1
    if (queue) queue.push(start)
    else {
      queues.set(userId, [start])
      ready.push(userId)
    }
    startReady()
    return promise
  }

  // `running` changes only here and in `finish`, synchronously, so the limit cannot be exceeded.
  function startReady() {
    while (running < atOnce) {
      const userId = ready.shift()
      const start = userId === undefined ? undefined : queues.get(userId)?.shift()
      if (userId === undefined || !start) return
      waiting -= 1
      running += 1
      void start().finally(() => finish(userId))
    }
  }

  function finish(userId: string) {
    running -= 1
    if (queues.get(userId)?.length) ready.push(userId)
    else queues.delete(userId)
    startReady()
  }

  return { enqueue, load: () => ({ running, waiting, users: queues.size }) }
}
