// The load, in a process of its own so that offering it takes nothing from measuring it. Told by
// messages what to offer; answers with what came back.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection } from '../kit/connection.ts'

export type Load = {
  port: number
  /** As they go over the wire; one is drawn at random each time. */
  requests: string[]
  ms: number
  /** Counted from then on, once everybody is there. */
  settleMs: number
  /** How long it goes on after the count, for something else to be looked at. */
  tailMs?: number
} & ({ kind: 'closed'; clients: number } | { kind: 'open'; perSecond: number; atMost: number })

export type Outcome = {
  served: number
  refused: number
  /** Refusals that did not say when to come again, and answers that are neither. */
  wrong: Record<string, number>
  broken: number
  servedPerSecond: number
  p50Ms: number
  p99Ms: number
  /** From the end of the load until someone new was served. */
  recoveredMs: number
}

process.on('message', (load: Load) => {
  void offer(load).then(
    (outcome) => process.send?.({ outcome }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  )
})

async function offer(load: Load): Promise<Outcome> {
  const waits: number[] = []
  const wrong: Record<string, number> = {}
  let counted = 0
  let refused = 0
  let broken = 0
  const over = new AbortController()
  const waiting = new Set<() => void>()
  let countFrom = Infinity
  let countUntil = Infinity

  const connections = await connectAll(
    load.port,
    load.kind === 'closed' ? load.clients : load.atMost,
  )
  const began = performance.now()
  countFrom = began + load.settleMs
  const offering = load.kind === 'closed' ? closed() : open(load.perSecond)
  await sleep(load.ms)
  const countedMs = performance.now() - countFrom
  countUntil = performance.now()
  process.send?.({ counted: true })
  await sleep(load.tailMs ?? 0)
  over.abort()
  for (const leave of waiting) leave()
  const recoveredMs = await firstSuccess(load)
  await offering
  for (const connection of connections) connection.close()

  waits.sort((a, b) => a - b)
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]
  return {
    served: waits.length,
    refused,
    wrong,
    broken,
    servedPerSecond: (counted / countedMs) * 1000,
    p50Ms: at(0.5) ?? Infinity,
    p99Ms: at(0.99) ?? Infinity,
    recoveredMs,
  }

  /** Everybody asks again as soon as they are answered, whatever the answer said. */
  async function closed() {
    await Promise.all(
      connections.map(async (_, index) => {
        while (!over.signal.aborted) await askOnce(index)
      }),
    )
  }

  /**
   * People come by the clock, however slow the service is; who is refused comes again when told
   * to. Only so many are under way at once: the rest of the arrivals is never sent.
   */
  async function open(perSecond: number) {
    const free = connections.map((_, index) => index)
    const underWay = new Set<Promise<void>>()
    let arrived = 0
    while (!over.signal.aborted) {
      const due = ((performance.now() - began) / 1000) * perSecond
      while (arrived < due && free.length > 0) {
        const index = free.pop() ?? 0
        arrived += 1
        const visit: Promise<void> = insist(index).finally(() => {
          free.push(index)
          underWay.delete(visit)
        })
        underWay.add(visit)
      }
      arrived = Math.max(arrived, Math.floor(due))
      await sleep(5)
    }
    await Promise.all(underWay)
  }

  async function insist(index: number) {
    while (!over.signal.aborted) {
      const retryAfterMs = await askOnce(index)
      if (retryAfterMs === undefined || over.signal.aborted) return
      await later(retryAfterMs * (1 + Math.random() * 0.5))
    }
  }

  /** One timer each, however many wait, and none once it is over. */
  function later(ms: number) {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(leave, ms)
      waiting.add(leave)
      function leave() {
        clearTimeout(timer)
        waiting.delete(leave)
        resolve()
      }
    })
  }

  /** Gives after how long to come again, if refused. */
  async function askOnce(index: number): Promise<number | undefined> {
    const connection = connections[index] as Connection
    const text = load.requests[Math.floor(Math.random() * load.requests.length)] ?? ''
    try {
      const { status, head, tookMs } = await connection.ask(text)
      if (status < 300) {
        const now = performance.now()
        if (now <= countUntil) waits.push(tookMs)
        if (now >= countFrom && now <= countUntil) counted += 1
        return undefined
      }
      const [, seconds] = /\r\nretry-after: (\d+)/i.exec(head) ?? []
      if (status === 503 && seconds) {
        refused += 1
        return Number(seconds) * 1000
      }
      const what = status === 503 ? '503 without Retry-After' : String(status)
      wrong[what] = (wrong[what] ?? 0) + 1
    } catch {
      broken += 1
      connection.close()
      if (!over.signal.aborted) connections[index] = await openConnection(load.port)
    }
    return undefined
  }
}

async function connectAll(port: number, count: number) {
  const connections: Connection[] = []
  while (connections.length < count) {
    const some = Array.from({ length: Math.min(100, count - connections.length) }, () =>
      openConnection(port),
    )
    connections.push(...(await Promise.all(some)))
  }
  return connections
}

/** People come one after another, each new; how long until one of them is served. */
async function firstSuccess({ port, requests }: Load) {
  const from = performance.now()
  const { promise, resolve } = Promise.withResolvers<number>()
  const served = new AbortController()
  const visit = async () => {
    const connection = await openConnection(port)
    const { status } = await connection.ask(requests[0] ?? '')
    connection.close()
    if (status >= 300) return
    served.abort()
    resolve(performance.now() - from)
  }
  while (!served.signal.aborted && performance.now() - from < 3000) {
    visit().catch(() => {})
    await sleep(50)
  }
  return served.signal.aborted ? promise : Infinity
}
