// Decides whose work a reader does next: that of the user who has used the least time lately, and at most one
// piece of work of each user at the same time. A user who has used too much has to wait.
const minute = 60_000
/** A user may use this much time at once, and then one second a minute. */
const mostMs = 30_000
const refillMsPerMinute = 1000
/** Beyond this many users, those who have used nothing lately are forgotten. */
const mostUsers = 10_000

type Use = { ms: number; at: number }

export type Turns = ReturnType<typeof takeTurns>

export function takeTurns({ places, mostWaiting }: { places: number; mostWaiting: number }) {
  const waiting = new Map<string, (() => void)[]>()
  const running = new Set<string>()
  const uses = new Map<string, Use>()

  function usedMs(userId: string, now: Date) {
    const use = uses.get(userId)
    if (!use) return 0
    const minutes = Math.max(0, now.getTime() - use.at) / minute
    return Math.max(0, use.ms - minutes * refillMsPerMinute)
  }

  function startNext(now: Date) {
    while (running.size < places) {
      const candidates = [...waiting.keys()].filter((userId) => !running.has(userId))
      if (candidates.length === 0) return
      const userId = candidates.reduce((least, each) =>
        usedMs(each, now) < usedMs(least, now) ? each : least,
      )
      const queue = waiting.get(userId)!
      const next = queue.shift()!
      if (queue.length === 0) waiting.delete(userId)
      running.add(userId)
      next()
    }
  }

  /** How long the user has to wait until more of their work is accepted; 0 if it is accepted now. */
  function waitMs(userId: string, now: Date) {
    const over = usedMs(userId, now) - mostMs
    return over <= 0 ? 0 : (over / refillMsPerMinute) * minute
  }

  /** Calls `start` when it is the user's turn; false if too much of the user's work waits already. */
  function enter(userId: string, now: Date, start: () => void) {
    const queue = waiting.get(userId) ?? []
    if (queue.length >= mostWaiting) return false
    queue.push(start)
    waiting.set(userId, queue)
    startNext(now)
    return true
  }

  /** Ends the user's turn, which took this much time. */
  function leave(userId: string, ms: number, now: Date) {
    if (uses.size > mostUsers) {
      for (const other of uses.keys()) if (usedMs(other, now) === 0) uses.delete(other)
    }
    uses.set(userId, { ms: usedMs(userId, now) + ms, at: now.getTime() })
    running.delete(userId)
    startNext(now)
  }

  return { waitMs, enter, leave }
}
