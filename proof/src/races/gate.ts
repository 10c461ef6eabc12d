// The gate that holds every SQL statement of a request until the schedule lets it through.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** A request, as the schedule sees it. */
export type Actor = {
  number: number
  /**
   * `away`: in the service's own code. `waiting`: at the gate. `asked`: its statement runs in PostgreSQL.
   * `blocked`: its statement waits for a lock.
   */
  state: 'away' | 'waiting' | 'asked' | 'blocked' | 'done'
  /** The statement it wants to send. */
  next: string
  backend: number
  letThrough: () => void
  /** Called whenever the state changes. */
  changed: () => void
}

const acting = new AsyncLocalStorage<Actor>()

/** Attributes all statements of `work` to this actor. */
export const actAs = <Result>(actor: Actor, work: () => Promise<Result>) => acting.run(actor, work)

// Credentials are cached, and the update of lastUsedAt is not awaited.
const free = new Set(['auth.key-owner', 'auth.key-used', 'auth.secret'])

/** Installs the gate on every connection of the pool. */
export function gate(pool: pg.Pool) {
  pool.on('connect', gateConnection)
}

function gateConnection(client: pg.PoolClient) {
  const send = client.query.bind(client) as (statement: unknown) => Promise<unknown>
  let isOpen = false

  const passed = async (statement: Statement) => {
    const actor = acting.getStore()
    const name = typeof statement === 'string' ? statement : statement.name
    if (!actor || free.has(name)) return send(statement)
    if (name.startsWith('begin')) {
      isOpen = true
      return send(statement)
    }
    const isEnd = name === 'commit' || name === 'rollback'
    if (isEnd) isOpen = false
    if (isOpen || isEnd || isOnlyRead(statement)) return sendAndWait(actor, name, statement)
    // A single statement is a transaction as well, whose commit takes time: other statements may come in
    // between.
    await send('begin')
    try {
      const result = await sendAndWait(actor, name, statement)
      await sendAndWait(actor, 'commit', 'commit')
      return result
    } catch (error) {
      await send('rollback')
      throw error
    }
  }
  Object.assign(client, { query: passed })

  async function sendAndWait(actor: Actor, name: string, statement: Statement) {
    // Not declared in pg's types.
    const { processID } = client as unknown as { processID: number }
    await new Promise<void>((resolve) => {
      Object.assign(actor, { state: 'waiting', next: name, backend: processID })
      actor.letThrough = () => {
        actor.state = 'asked'
        resolve()
      }
      actor.changed()
    })
    try {
      return await send(statement)
    } finally {
      actor.state = 'away'
      actor.changed()
    }
  }
}

type Statement = string | { name: string; text: string }

const isOnlyRead = (statement: Statement) =>
  typeof statement !== 'string' &&
  /^\s*(?:select|with)\b/.test(statement.text) &&
  !/\b(?:insert into|update|delete from|share)\b/.test(statement.text)
