import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Person } from '../kit/people.ts'
import type { Call, World } from './world.ts'

/** Concurrent requests of one user, and the state before them. */
export type Scenario = {
  name: string
  prepare(stage: Stage): Promise<Call[]>
}

// Responses are read as plain JSON here.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

export type Stage = {
  me: Person
  sql: pg.Client
  get(url: string): Promise<Json>
  post(url: string, body?: object): Promise<Json>
  patch(url: string, body: object): Promise<Json>
}

export function stageFor(world: World, me: Person): Stage {
  const callOk = async (call: Call) => {
    const { status, body } = await world.call(0, me.key, call)
    // Ids follow the order of creation, except within a millisecond.
    await sleep(2)
    if (status >= 300)
      throw new Error(`${call.method} ${call.url}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  return {
    me,
    sql: world.observer,
    get: (url) => callOk({ method: 'GET', url }),
    post: (url, body) => callOk({ method: 'POST', url, ...(body && { body }) }),
    patch: (url, body) => callOk({ method: 'PATCH', url, body }),
  }
}

export const post = (url: string, body?: object, key?: string): Call => ({
  method: 'POST',
  url: `/api/${url}`,
  ...(body && { body }),
  ...(key && { key }),
})
export const patch = (url: string, body: object): Call => ({
  method: 'PATCH',
  url: `/api/${url}`,
  body,
})
export const remove = (url: string): Call => ({ method: 'DELETE', url: `/api/${url}` })

type Made = { id: string }

export const newTask = (stage: Stage, body: object = {}): Promise<Made> =>
  stage.post('/api/tasks', { title: 'Write', estimateMinutes: 60, ...body })

/** The blocks in the calendar, in order. */
export async function blocksOf(stage: Stage): Promise<Made[]> {
  const { rows } = await stage.sql.query<Made>(
    `select id from time_blocks where user_id = $1 and status <> 'cancelled' order by start_at, id`,
    [stage.me.id],
  )
  return rows
}
