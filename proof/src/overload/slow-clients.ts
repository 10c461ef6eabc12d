// Two thousand clients that send a byte now and then: half of them in the headers, half in the body. A forked process
// opens them, and reports how long they were kept open.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openConnection, request } from '../kit/connection.ts'

export const slowClients = 2000

type Order = { port: number; key: string; patienceMs: number }
type Report = { closed: number; longestMs: number }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('message', (order: Order) => {
    void dawdle(order).then((report) => process.send?.(report))
  })
}

/** The results of the slow clients, and how long others waited before and meanwhile. */
export async function runSlowClients(order: Order, ordinary: string[]) {
  const child = fork(fileURLToPath(import.meta.url), { execArgv: [], serialization: 'advanced' })
  const stop = () => void child.kill('SIGKILL')
  process.once('exit', stop)
  try {
    const before = await waits(order.port, ordinary, () => sleep(1000))
    let report: Report | undefined
    const meanwhile = await waits(order.port, ordinary, async () => {
      child.send(order)
      ;[report] = (await once(child, 'message')) as [Report]
    })
    return { before, meanwhile, report: report as Report }
  } finally {
    process.off('exit', stop)
    stop()
  }
}

async function dawdle({ port, key, patienceMs }: Order): Promise<Report> {
  const headers = request('GET', '/api/tasks', { key, headers: { 'x-more': 'x'.repeat(500) } })
  const body = request('POST', '/api/tasks', {
    key,
    headers: { 'content-length': '1000' },
  }).replace('\r\n\r\n', '\r\ncontent-type: application/json\r\n\r\n{')
  const lives: Promise<void>[] = []
  const ended: number[] = []
  for (let number = 0; number < slowClients; number += 1) {
    const [text, atOnce] = number % 2 ? [headers, 0] : [body, body.length]
    lives.push(dawdleOnce(port, text, atOnce, ended))
    if (number % 50 === 49) await sleep(5)
  }
  await Promise.race([Promise.all(lives), sleep(patienceMs)])
  return { closed: ended.length, longestMs: Math.max(...ended) }
}

/** Records how long the connection was kept open. */
async function dawdleOnce(port: number, text: string, sendAtOnce: number, ended: number[]) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume() // without reading, the end would not be noticed
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  const from = performance.now()
  socket.write(text.slice(0, sendAtOnce))
  let sent = sendAtOnce
  const timer = setInterval(() => socket.write(text[sent++] ?? ' '), 250)
  await closed
  clearInterval(timer)
  ended.push(performance.now() - from)
}

/** The waits of ordinary clients until `work` is done. */
async function waits(port: number, requests: string[], work: () => Promise<unknown>) {
  const found: number[] = []
  const wrong: Record<string, number> = {}
  const over = new AbortController()
  const people = Array.from({ length: 8 }, async (_, number) => {
    const connection = await openConnection(port)
    for (let turn = number; !over.signal.aborted; turn += 8) {
      const { status, tookMs } = await connection.ask(requests[turn % requests.length] ?? '')
      found.push(tookMs)
      if (status >= 300) wrong[status] = (wrong[status] ?? 0) + 1
      await sleep(10)
    }
    connection.close()
  })
  await work()
  over.abort()
  await Promise.all(people)
  found.sort((a, b) => a - b)
  const at = (share: number) => found[Math.floor(found.length * share)] ?? Infinity
  return { count: found.length, p50Ms: at(0.5), p99Ms: at(0.99), wrong }
}
