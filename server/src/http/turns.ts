// What takes long, such as a run of the planner, waits here before it has a connection: one user's
// one behind the other, all users' together at most so many at once. Nobody else waits for them.
import { unavailable } from '../errors.ts'

export type Turns = ReturnType<typeof takeTurns>

export function takeTurns(atOnce: number, waitingPerUser = 80) {
  const queues = new Map<string, (() => void)[]>()
  const waiting: (() => void)[] = []
  let running = 0

  /** Runs `work` when it is the user's turn and there is room. */
  async function inTurn<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    await userTurn(userId)
    try {
      await room()
      try {
        return await work()
      } finally {
        running -= 1
        waiting.shift()?.()
      }
    } finally {
      next(userId)
    }
  }

  function userTurn(userId: string) {
    const queue = queues.get(userId)
    if (!queue) {
      queues.set(userId, [])
      return Promise.resolve()
    }
    if (queue.length >= waitingPerUser) throw unavailable('Too many of these are waiting')
    return new Promise<void>((resolve) => queue.push(resolve))
  }

  function next(userId: string) {
    const following = queues.get(userId)?.shift()
    if (following) following()
    else queues.delete(userId)
  }

  async function room() {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
  }

  return { inTurn, load: () => ({ running, waiting: waiting.length, users: queues.size }) }
}
