// A day of many users, repeated: every kind of request, valid and invalid.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKey } from '../../../server/src/platform/auth/api-key-format.ts'
import { newId } from '../../../server/src/platform/db/new-id.ts'
import { openConnection, request } from '../kit/connection.ts'
import { plantedPassword } from '../kit/secrets.ts'
import type { Worker } from '../kit/tasks.ts'

/** Lets each user send requests on a connection of their own, until stopped. */
export function startLoad(origin: string, people: Worker[]) {
  const port = Number(new URL(origin).port)
  let done = 0
  const inFlight = new Set<Promise<unknown>>()
  let gate = Promise.resolve()
  const over = new AbortController()
  const wrong = new Map<string, number>()
  const days = people.map((person) => endless(person))
  const ended = Promise.all([...days, keepSigningIn()])
  ended.catch(() => {}) // handled by the caller
  return {
    done: () => done,
    /** Rejects if a request got no answer at all. */
    ended,
    wrong: () => [...wrong].map(([what, count]) => `${count} × ${what}`),
    async stop() {
      over.abort()
      await ended
    },
    /** Does the work while no request is in flight: what a request holds is not a leak. */
    async whileQuiet<Result>(work: () => Promise<Result>) {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      try {
        while (inFlight.size > 0) await Promise.allSettled(inFlight)
        return await work()
      } finally {
        resolve()
      }
    },
  }

  /** Sends when the gate is open. */
  async function pass<Answer>(send: () => Promise<Answer>) {
    await gate
    const sent = send()
    inFlight.add(sent)
    try {
      return await sent
    } finally {
      inFlight.delete(sent)
      done += 1
    }
  }

  async function endless({ key, taskIds }: Worker) {
    let connection = await openConnection(port)
    const ask = async (expected: number, method: string, path: string, more = {}) => {
      const { status, body } = await pass(() =>
        connection.ask(request(method, path, { key, ...more })),
      )
      if (status !== expected && status !== 503) {
        const what = `${method} ${path.replaceAll(/[\w-]{36}/g, '…')} was answered ${status}`
        wrong.set(what, (wrong.get(what) ?? 0) + 1)
      }
      return body && (JSON.parse(body) as { id?: string })
    }
    for (let day = 0; !over.signal.aborted; day += 1) {
      const taskId = taskIds[day % taskIds.length]
      const once = { headers: { 'idempotency-key': randomUUID() }, body: { title: 'Once' } }
      const made = await ask(201, 'POST', '/api/tasks', once)
      await ask(201, 'POST', '/api/tasks', once)
      await ask(422, 'POST', '/api/tasks', { ...once, body: { title: 'Another' } })
      if (!made || !made.id) continue // refused under load
      const { id } = made
      await ask(200, 'GET', `/api/tasks/${id}`)
      await ask(200, 'PATCH', `/api/tasks/${id}`, { body: { priority: 'high' } })
      await ask(201, 'POST', '/api/checklist-items', { body: { taskId: id, title: 'Step' } })
      await ask(200, 'DELETE', `/api/tasks/${id}?permanent=true`)
      await ask(200, 'GET', '/api/tasks?limit=20')
      await ask(200, 'PATCH', `/api/tasks/${taskId}`, { body: { title: `Day ${day}` } })
      const label = await ask(201, 'POST', '/api/labels', { body: { name: `label ${day}` } })
      if (!label || !label.id) continue
      await ask(409, 'POST', '/api/labels', { body: { name: `label ${day}` } })
      await ask(200, 'GET', '/api/labels')
      await ask(200, 'DELETE', `/api/labels/${label.id}`)
      await ask(200, 'GET', '/api/spaces')
      await ask(200, 'GET', '/api/projects')
      await ask(200, 'GET', '/api/planner')
      await ask(200, 'GET', '/api/user')
      await ask(400, 'POST', '/api/tasks', { body: { title: '' } })
      await ask(404, 'GET', `/api/tasks/${randomUUID()}`)
      for (let tries = 0; tries < 16; tries += 1) {
        await ask(401, 'GET', '/api/tasks', { key: newKey(newId()).key })
      }
      for (let tries = 0; tries < 4; tries += 1) {
        const replayed = { headers: { 'idempotency-key': randomUUID() }, body: { title: 'Same' } }
        await ask(200, 'PATCH', `/api/tasks/${taskId}`, replayed)
      }
      await ask(404, 'GET', `/api/${randomUUID()}`)
      if (day % 20 === 0) await ask(200, 'POST', '/api/planner')
      if (day % 20 === 10) await ask(200, 'GET', '/api/planner/runs')
      if (day % 100 === 90) {
        // A new visit takes a new connection.
        connection.close()
        connection = await openConnection(port)
      }
    }
    connection.close()
  }

  /** Signs up, signs in, and sends a wrong password. */
  async function keepSigningIn() {
    const headers = { 'content-type': 'application/json', origin }
    const send = (path: string, body: object) =>
      pass(async () => {
        const url = `${origin}/api/auth/${path}`
        const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
        await answer.text()
      })
    const account = { email: 'soak@example.com', password: plantedPassword, name: 'Soak' }
    await send('sign-up/email', account)
    while (!over.signal.aborted) {
      await send('sign-in/email', account)
      await send('sign-in/email', { ...account, password: `${plantedPassword} not` })
      await sleep(1000)
    }
  }
}
