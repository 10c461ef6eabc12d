// Generates the load in a separate process, so that it takes no time from the measurement. It receives orders as
// messages, and answers with the results.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, openConnection, request } from '../kit/connection.ts'
import { countStolenMs } from '../kit/stolen.ts'

export type Load = {
  port: number
  /** Requests as text; one is drawn at random each time. */
  requests: string[]
  ms: number
  /** Counting starts after this time, once all clients are connected. */
  settleMs: number
  /** How long the load continues after the count, for other measurements. */
  tailMs?: number
  /** Whether the clients disconnect at the end. Otherwise they wait for their answers, which are delayed if refused. */
  endsAtOnce?: boolean
} & ({ kind: 'closed'; clients: number } | { kind: 'open'; perSecond: number; atMost: number })

export type Outcome = {
  served: number
  refused: number
  /** Refusals without Retry-After, and other unexpected answers. */
  wrong: Record<string, number>
  broken: number
  /** Per second of the time in which the host let the service run. */
  servedPerSecond: number
  /** The time that the host took from the processor that lost the most, during the load and the recovery. */
  stolenMs: number
  p50Ms: number
  p99Ms: number
  /** The time from the end of the load until a new client was served. */
  recoveredMs: number
}

/** The core to which `pinToCores` pins the service. */
const servicesCore = 0

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
  const stolenSoFar = countStolenMs()
  const offering = load.kind === 'closed' ? runClosedLoop() : open(load.perSecond)
  await sleep(load.settleMs)
  countFrom = performance.now()
  const stolenSinceCount = countStolenMs()
  await sleep(load.ms - load.settleMs)
  countUntil = performance.now()
  const countedMs = countUntil - countFrom - (stolenSinceCount()[servicesCore] ?? 0)
  process.send?.({ counted: true })
  await sleep(load.tailMs ?? 0)
  over.abort()
  for (const leave of waiting) leave()
  const recoveredMs = await firstSuccess(load)
  const stolenMs = Math.max(0, ...stolenSoFar())
  if (!load.endsAtOnce) await offering
  for (const connection of connections) connection.close()
  await offering

  waits.sort((a, b) => a - b)
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]
  return {
    served: waits.length,
    refused,
    wrong,
    broken,
    servedPerSecond: (counted / countedMs) * 1000,
    stolenMs,
    p50Ms: at(0.5) ?? Infinity,
    p99Ms: at(0.99) ?? Infinity,
    recoveredMs,
  }

  /** Closed loop: every client sends again as soon as it is answered. */
  async function runClosedLoop() {
    await Promise.all(
      connections.map(async (_, index) => {
        while (!over.signal.aborted) await askOnce(index)
      }),
    )
  }

  /**
   * Open loop: clients arrive on schedule, however slow the service is; refused ones retry when told to. The
   * number in flight is limited: further arrivals are never sent.
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

  /** Waits for this time, or until the load ends. */
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

  /** Returns the delay before a retry, if refused. */
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
      if (load.endsAtOnce && over.signal.aborted) return undefined
      broken += 1
      connection.close()
      if (!over.signal.aborted) connections[index] = await openConnection(load.port)
    }
    return undefined
  }
}

/**
 * Opens the connections, and sends one request on each. Node accepts one connection in each turn of its event loop,
 * so the last of many would otherwise wait in the kernel for seconds once the load has begun.
 */
async function connectAll(port: number, count: number) {
  const connections: Connection[] = []
  while (connections.length < count) {
    const some = Array.from({ length: Math.min(100, count - connections.length) }, async () => {
      const connection = await openConnection(port)
      await connection.ask(request('GET', '/health/live', {}))
      return connection
    })
    connections.push(...(await Promise.all(some)))
  }
  return connections
}

/** New clients arrive one after another; returns the time until one of them is served. */
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
