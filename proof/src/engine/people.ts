// Users with automatic planning and a webhook each, who make changes through one API or the other.
import type pg from 'pg'
import { newPerson } from '../kit/people.ts'
import type { Random } from '../kit/random.ts'
import { readChanges, readStream } from './readers.ts'

const mostTasks = 12
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

type Surroundings = {
  db: pg.Pool
  origins: [string, string]
  random: Random
  signal: AbortSignal
  /** The path of this user's webhook. */
  path: string
  url: string
}

export type Person = Awaited<ReturnType<typeof newAutomaticPerson>>

export async function newAutomaticPerson(surroundings: Surroundings) {
  const { db, origins, random, signal, path, url } = surroundings
  const { id, key } = await newPerson(db)
  const taskIds: string[] = []
  const findings: string[] = []
  let changes = 0

  async function call(method: string, way: string, body?: object) {
    const answer = await fetch(random.pick(origins) + way, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    })
    const text = await answer.text()
    if (!answer.ok) findings.push(`${method} ${way} is answered ${answer.status}: ${text}`)
    return answer.ok ? (JSON.parse(text) as { id: string }) : undefined
  }

  /** A change that requires a new plan. */
  async function change() {
    changes += 1
    const estimateMinutes = random.pick([30, 45, 60, 90])
    if (taskIds.length < mostTasks && random.chance(0.6)) {
      const title = `Task ${changes}`
      const task = { title, estimateMinutes, startAfter: tomorrow() } // no block begins in this run
      const made = await call('POST', '/api/tasks', task)
      if (made) taskIds.push(made.id)
    } else {
      const taskId = random.pickAny(taskIds)
      if (taskId) await call('PATCH', `/api/tasks/${taskId}`, { estimateMinutes })
    }
  }

  await call('POST', '/api/webhooks', { url })
  await call('PATCH', '/api/settings', { automatic: true })
  const [here, there] = origins
  return {
    id,
    path,
    taskIds,
    findings,
    stream: readStream({ origin: there, key, signal }),
    poll: readChanges({ origin: here, key, signal }),
    change,
    /** Plans by request instead of waiting for the worker. */
    planNow: async () => void (await call('POST', '/api/planner')),
    changes: () => changes,
  }
}
