// The gate that every SQL statement of a request passes: it stops there until it is let through.
import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** A request on its way, as the schedule sees it. */
export type Actor = {
  number: number
  /**
   * `away`: in the service's own code. `waiting`: at the gate. `asked`: its statement is with
   * PostgreSQL. `blocked`: and it waits there for a lock.
   */
  state: 'away' | 'waiting' | 'asked' | 'blocked' | 'done'
  /** The statement it waits to send. */
  next: string
  backend: number
  letThrough: () => void
  /** Told whenever the state changes. */
  changed: () => void
}

const acting = new AsyncLocalStorage<Actor>()

/** Whatever `work` asks of PostgreSQL, it asks as this actor. */
export const actAs = <Result>(actor: Actor, work: () => Promise<Result>) => acting.run(actor, work)

// Who is calling is found out once and remembered; and when a key was last used nobody waits for.
const free = new Set(['auth.key-owner', 'auth.key-used', 'auth.secret'])

/** Puts the gate in front of every connection of the pool. */
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
    if (isOpen || isEnd || isOnlyRead(statement)) return asked(actor, name, statement)
    // PostgreSQL, too, runs a lone statement in a transaction, whose commit takes its time: others
    // may come between the two.
    await send('begin')
    try {
      const result = await asked(actor, name, statement)
      await asked(actor, 'commit', 'commit')
      return result
    } catch (error) {
      await send('rollback')
      throw error
    }
  }
  Object.assign(client, { query: passed })

  async function asked(actor: Actor, name: string, statement: Statement) {
    // pg's types leave it out.
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
  typeof statement !== 'string' && /^\s*select(?!.*\bfor\b)/s.test(statement.text)
