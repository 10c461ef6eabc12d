// An open-loop load: requests are sent on schedule, however long earlier ones take, so that every wait is
// counted (no coordinated omission).
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'

export type Seen = { at: number; status: number; tookMs: number }

/** Sends this many requests per second to the port until stopped, and returns the measurements. */
export function sendAtRate(port: number, perSecond: number, next: () => string) {
  const seen: Seen[] = []
  const broken: string[] = []
  const free: Connection[] = []
  const underWay = new Set<Promise<void>>()
  const over = new AbortController()

  const visit = async () => {
    const at = performance.now()
    try {
      const connection = free.pop() ?? (await openConnection(port))
      const { status } = await connection.ask(next())
      seen.push({ at, status, tookMs: performance.now() - at })
      if (connection.isOpen()) free.push(connection)
    } catch (error) {
      broken.push(String(error))
    }
  }
  const running = (async () => {
    const began = performance.now()
    for (let sent = 0; !over.signal.aborted; sent += 1) {
      const visiting: Promise<void> = visit().finally(() => underWay.delete(visiting))
      underWay.add(visiting)
      await sleep(Math.max(0, began + ((sent + 1) * 1000) / perSecond - performance.now()))
    }
    await Promise.all(underWay)
    for (const connection of free) connection.close()
  })()
  return {
    seen,
    async stop() {
      over.abort()
      await running
      return { seen, broken }
    },
  }
}

/** The quantile of the waits, for example 0.99. */
export function quantile(waits: number[], share: number) {
  const sorted = waits.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Infinity
}
