// npm run bench -- delays: measures the delay from a change to its event, its webhook and the new plan, with two
// APIs and two workers. Exits with 1 if a median exceeds its limit.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../src/platform/db/migrate.ts'
import { startReceiver } from '../test/receiver.ts'
import { newUsers } from './new-users.ts'
import { startApi } from './start-api.ts'
import { startWorkerProcess } from './start-worker.ts'
import { withDatabase } from './with-database.ts'

const changes = 5
const limitsMs = { event: 1000, webhook: 3000, plan: 6000 }
const giveUpMs = 60_000

type Arrivals = Map<string, number>

process.env.WEBHOOK_PRIVATE_ADDRESSES = 'allow'
process.env.WORKER_PORT = '0'

await withDatabase(async (url) => {
  await migrate(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const [key = ''] = await newUsers(client, 1)
  await client.end()
  const receiver = await startReceiver()
  const apis = [await startApi(url), await startApi(url)]
  const workers = [await startWorkerProcess(url), await startWorkerProcess(url)]
  const [here = '', there = ''] = apis.map(({ origin }) => origin)
  const events: Arrivals = new Map()
  const leave = await readEvents(there, key, events)
  try {
    await call(here, key, 'POST', '/api/webhooks', { url: receiver.url })
    await call(here, key, 'PATCH', '/api/settings', { automatic: true })
    await sleep(5000) // wait for the plan that this causes
    const delays = []
    for (let count = 1; count <= changes; count += 1) {
      delays.push(await measureChange(`Change ${count}`))
      process.stdout.write(`${JSON.stringify(delays.at(-1))}\n`)
    }
    for (const [name, limit] of Object.entries(limitsMs)) {
      const sorted = delays
        .map((each) => each[name as keyof typeof limitsMs])
        .toSorted((a, b) => a - b)
      const median = sorted[Math.floor(sorted.length / 2)] ?? Infinity
      process.stdout.write(`${name}: median ${median.toFixed(0)} ms, limit ${limit} ms\n`)
      if (median > limit) process.exitCode = 1
    }
  } finally {
    leave()
    receiver.close()
    await Promise.all([...apis, ...workers].map((each) => each.stop()))
  }

  async function measureChange(title: string) {
    const earlier = [...events.keys()].filter((name) => name.startsWith('plannerRun')).length
    const { id } = await call(here, key, 'POST', '/api/tasks', { title, estimateMinutes: 30 })
    const at = Date.now()
    const webhook = () =>
      receiver.received.find(({ body }) => body.includes(id) && body.includes('task.created'))?.at
    const plan = () => [...events].filter(([name]) => name.startsWith('plannerRun'))[earlier]?.[1]
    return {
      event: (await appear(() => events.get(`task.created ${id}`))) - at,
      webhook: (await appear(webhook)) - at,
      plan: (await appear(plan)) - at,
    }
  }
})

async function appear(find: () => number | undefined) {
  for (const began = Date.now(); Date.now() - began < giveUpMs; await sleep(5)) {
    const found = find()
    if (found !== undefined) return found
  }
  return Infinity
}

/** Records when each event arrives, by its name and the id of its record. */
async function readEvents(origin: string, key: string, arrivals: Arrivals) {
  const ending = new AbortController()
  const { body } = await fetch(`${origin}/api/events`, {
    headers: { authorization: `Bearer ${key}` },
    signal: ending.signal,
  })
  const read = async () => {
    let rest = ''
    for await (const chunk of body ?? []) {
      const messages = (rest + Buffer.from(chunk).toString()).split('\n\n')
      rest = messages.pop() ?? ''
      for (const message of messages) {
        const [, event, data] = /event: (.+)\ndata: (.+)/.exec(message) ?? []
        if (event && data) arrivals.set(`${event} ${recordId(data)}`, Date.now())
      }
    }
  }
  void read().catch(() => {})
  return () => ending.abort()
}

const recordId = (data: string) => (JSON.parse(data) as { recordId: string }).recordId

async function call(origin: string, key: string, method: string, path: string, body: object) {
  const answer = await fetch(origin + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`)
  return (await answer.json()) as { id: string }
}
