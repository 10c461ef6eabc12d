// What takes long, such as a run of the planner, waits here before it has a connection: one user's one
// behind the other, all users' together at most so many at once, and the users in turn.
import { unavailable } from '../errors.ts'
import { hasRoom, reserveOf } from '../fair-share.ts'

export type Turns = ReturnType<typeof takeTurns>

export type TurnLimits = {
  /** How many may run at the same time. */
  atOnce: number
  /** How many of one user may wait, and about how many of all. */
  waitingPerUser: number
  waitingInAll: number
}

type Work = () => Promise<unknown>

export function takeTurns({ atOnce, waitingPerUser, waitingInAll }: TurnLimits) {
  /** What waits, for each user who has something that runs or waits. */
  const queues = new Map<string, Work[]>()
  /** Users with work that may start, the longest waiting first. */
  const ready: string[] = []
  let running = 0
  let waiting = 0

  /** Runs `work` when it is the user's turn and there is room. */
  async function inTurn<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const queue = queues.get(userId)
    const held = queue?.length ?? 0
    const reserve = reserveOf(waitingInAll)
    const isFull =
      held >= waitingPerUser || !hasRoom({ held, taken: waiting, places: waitingInAll, reserve })
    if (isFull) throw unavailable('Too many of these are waiting')
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

  // Counted here and in `finish` only, without a pause in between: no one else can get in meanwhile.
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

  return { inTurn, load: () => ({ running, waiting, users: queues.size }) }
}
