// An API, a worker with few slots, users with honest calendars and users with hostile ones.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { newDatabase, openPool } from '../kit/database.ts'
import type { Mutant } from '../kit/harness.ts'
import { newPerson } from '../kit/people.ts'
import type { Random } from '../kit/random.ts'
import { startServer } from '../kit/server.ts'
import { allowedNetworks, fileWith, honestSite, type Meeting } from './sites.ts'

/** Slow servers may occupy at most half of them. */
export const slots = 4
const settings = {
  WORKER_PORT: '0',
  CALENDAR_CONCURRENCY: String(slots),
  WEBHOOK_PRIVATE_ADDRESSES: allowedNetworks,
}
const hour = 3_600_000
const running = `
  select from graphile_worker.jobs where split_part(split_part(key, ':', 2), '/', 1) = any($1)`

export type World = Awaited<ReturnType<typeof newWorld>>
export type Honest = Awaited<ReturnType<World['newHonest']>>

type Setup = { postgres: string; random: Random; signal: AbortSignal; mutant?: Mutant }

export async function newWorld({ postgres, random, signal, mutant }: Setup) {
  const database = await newDatabase(postgres, { isHasty: true })
  const db = openPool(database.url, 4)
  db.on('error', () => {}) // dropping a database ends its connections
  const options = { databaseUrl: database.url, settings, ...(mutant && { mutant }) }
  const api = await startServer(options)
  let worker = await startServer(options, 'server/bin/worker.ts')
  const closing: (() => void)[] = []

  async function call(key: string, method: string, path: string, body?: object) {
    const answer = await fetch(api.origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} is answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }

  /** Waits until `isDone` returns true; returns false if it does not within `ms`. */
  async function until(isDone: () => Promise<boolean> | boolean, ms: number) {
    const end = performance.now() + ms
    while (performance.now() < end && !signal.aborted) {
      if (await isDone()) return true
      await sleep(100)
    }
    return false
  }

  async function subscribe(url: string, account: object = {}) {
    const { id, key } = await newPerson(db)
    const calendar = { url, name: 'Work', ...account }
    const { id: calendarId } = await call(key, 'POST', '/api/calendars', calendar)
    return {
      id,
      key,
      calendarId: String(calendarId),
      state: (): Promise<State> => call(key, 'GET', `/api/calendars/${calendarId}`),
      call: (method: string, path: string, body?: object) => call(key, method, path, body),
    }
  }

  /** Two users who subscribe to the same address. Each calendar is fetched and stored separately. */
  async function newHonest(number: number) {
    const site = await honestSite(number)
    closing.push(site.close)
    // Half of the calendars have so few events that the service accepts an empty file, the others have more.
    const count = number % 2 === 0 ? 3 : random.between(8, 20)
    const meetings = Array.from({ length: count }, (_, index) => newMeeting(`meeting ${index}`))
    site.answer.body = fileWith(meetings)
    const users = [await subscribe(site.url), await subscribe(site.url)]
    return { number, site, users, meetings, versions: 1 }
  }

  /** A meeting in the next two weeks, at least a day from now. */
  function newMeeting(uid: string): Meeting {
    const first = Math.ceil(Date.now() / hour) * hour
    const startAt = new Date(first + random.between(24, 300) * hour)
    return { uid, startAt, endAt: new Date(startAt.getTime() + random.pick([0.5, 1, 2]) * hour) }
  }

  return {
    db,
    origin: api.origin,
    subscribe,
    newHonest,
    workerExit: () => worker.child.exitCode ?? worker.child.signalCode,
    /** The most memory that the worker has had, in MB. */
    workerPeakMb: () => {
      const [, kib] =
        /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8')) ?? []
      return Number(kib) / 1024
    },
    async replaceWorker() {
      await worker.kill()
      worker = await startServer(options, 'server/bin/worker.ts')
    },
    /**
     * Clears the errors of these users' calendars and makes them due, after their current jobs have ended: a second
     * job would not be added.
     */
    async fetchNow(users: { id: string }[]) {
      const ids = users.map(({ id }) => id)
      await until(async () => (await db.query(running, [ids])).rowCount === 0, 15_000)
      await db.query(
        `update calendars set next_fetch_at = now(), error = null, empty_since = null
          where user_id = any($1)`,
        [ids],
      )
      await db.query('update user_state set due_at = now() where user_id = any($1)', [ids])
    },
    until,
    async leave() {
      await Promise.all([api.kill(), worker.kill()])
      for (const close of closing) close()
      await db.end()
      await database.drop()
    },
  }
}

export type State = { error: string | null; fetchedAt: string | null; eventCount: number }
