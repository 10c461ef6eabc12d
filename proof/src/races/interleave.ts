// Runs requests concurrently, one statement at a time, in an order that a seed decides.
import type pg from 'pg'
import { type Actor, actAs } from './gate.ts'
import type { Random } from '../kit/random.ts'

const patienceMs = 60_000

/** Returns each answer, and the order of the steps. */
export async function interleave<Result>(
  works: (() => Promise<Result>)[],
  random: Random,
  observer: pg.Client,
) {
  const trace: string[] = []
  const held = new Set<Actor>()
  let wake = () => {}
  const actors = works.map((_, number): Actor => ({
    number,
    state: 'away',
    next: '',
    backend: 0,
    letThrough: () => {},
    changed: () => wake(),
  }))
  const results = Promise.all(
    actors.map(async (actor) => {
      try {
        return await actAs(actor, works[actor.number] as () => Promise<Result>)
      } finally {
        actor.state = 'done'
        actor.changed()
      }
    }),
  )
  // A rejection is handled at the end.
  results.catch(() => {})
  const began = performance.now()
  await settle(actors)
  while (actors.some(({ state }) => state !== 'done')) {
    const waiting = actors.filter(({ state }) => state === 'waiting')
    if (waiting.length > 0) await letThrough(random.pick(waiting))
    else await change(5) // all wait for locks: PostgreSQL resolves the deadlock
    // The step may have released locks that others wait for.
    for (const actor of actors) if (actor.state === 'blocked') actor.state = 'asked'
    await settle(actors)
    if (performance.now() - began > patienceMs) {
      throw new Error(`stuck after ${trace.join(', ')}: ${JSON.stringify(actors)}`)
    }
  }
  return { answers: await results, trace }

  async function letThrough(actor: Actor) {
    trace.push(`${actor.number}:${actor.next}`)
    held.delete(actor)
    actor.letThrough()
    await settle([actor])
  }

  /** Waits until all have stopped: at the gate, at a lock or at the end. */
  async function settle(some: Actor[]) {
    while (some.some(({ state }) => state === 'away' || state === 'asked')) {
      await change(1)
      const asked = some.filter(({ state }) => state === 'asked')
      if (asked.length === 0) continue
      const { rows } = await observer.query<{ pid: number }>({
        name: 'waiting-for-locks',
        text: 'select distinct pid from pg_locks where not granted and pid = any($1)',
        values: [asked.map(({ backend }) => backend)],
      })
      const pids = new Set(rows.map(({ pid }) => pid))
      for (const actor of asked.filter(({ state }) => state === 'asked')) {
        if (!pids.has(actor.backend)) continue
        actor.state = 'blocked'
        if (!held.has(actor)) trace.push(`${actor.number} waits`)
        held.add(actor)
      }
    }
  }

  function change(atMostMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, atMostMs)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
    return promise
  }
}
