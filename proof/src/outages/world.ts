// One process with the API and the worker, a PostgreSQL of its own, a webhook receiver, and eight users who make
// changes all the time.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { setReadOnly } from '../../../server/test/databases.ts'
import { whatIsLeft } from '../engine/judge.ts'
import { type Receiver, startReceiver, wrongDeliveries } from '../engine/receiver.ts'
import { openPool } from '../kit/database.ts'
import type { Mutant } from '../kit/harness.ts'
import { brokenInvariants } from '../kit/invariants.ts'
import { ownPostgres } from '../kit/own-postgres.ts'
import { newPerson } from '../kit/people.ts'
import { persistentClient } from '../kit/persistent.ts'
import type { Random } from '../kit/random.ts'
import { startServer } from '../kit/server.ts'

export type Outage = 'read-only' | 'kill' | 'unrecorded'

const people = 8
const outageMs = 2500
const recoveryMs = 1500
/** By then, a delivery fails whose record has no table: the delay after the second attempt of a job is 7 s. */
const failureMs = 15_000
/** The time limit for all work after the last outage: the lease of a user and the delays between attempts of a job. */
const settleMs = 45_000
const readOnlyText = 'Writes are not possible: the database is read-only'

// A job cannot record a delivery, and Graphile Worker cannot store that the job has failed.
const breakQueue = `
  create function refuse_failure() returns trigger language plpgsql as $$
  begin
    if new.last_error is not null then raise exception 'The disk is full'; end if;
    return new;
  end $$;
  create trigger refuse_failure before update on graphile_worker._private_jobs
    for each row execute function refuse_failure();
  alter table webhook_deliveries rename to webhook_deliveries_elsewhere`
const mendQueue = `
  alter table webhook_deliveries_elsewhere rename to webhook_deliveries;
  drop function refuse_failure cascade`

type Setup = { random: Random; signal: AbortSignal; mutant?: Mutant }

export async function newWorld({ random, signal, mutant }: Setup) {
  const postgres = await ownPostgres()
  const receiver = await startReceiver({ random: random.fork(), failing: 0 })
  const settings = { WEBHOOK_PRIVATE_ADDRESSES: 'allow', WEBHOOK_RETRY_SECONDS: '0.1,0.1,0.1,1,1' }
  const server = await startServer(
    { databaseUrl: postgres.url, settings, ...(mutant && { mutant }) },
    'server/bin/start.ts',
  )
  let db = openPool(postgres.url, 4)
  const findings: string[] = []
  const leaving = new AbortController()
  const over = AbortSignal.any([signal, leaving.signal])
  const users = await Promise.all(
    Array.from({ length: people }, (_, at) => newUser(`/${at}`, random.fork())),
  )
  let isPaused = false
  let answersWhileReadOnly = 0
  let settledMs = 0
  const changing = users.map((user) => keepChanging(user))
  const ready = watchReadiness()

  async function newUser(path: string, own: Random) {
    const person = await newPerson(db)
    const options = { origin: () => server.origin, key: person.key, random: own, signal: over }
    const send = persistentClient({ ...options, name: person.id })
    await send('POST', '/api/webhooks', { url: receiver.urlOf(path) })
    await send('PATCH', '/api/settings', { automatic: true })
    return { ...person, path, send, random: own, tasks: new Map<string, string>() }
  }
  type User = (typeof users)[number]

  async function keepChanging(user: User) {
    for (let count = 1; !over.aborted; count += 1) {
      await sleep(user.random.between(50, 400))
      if (isPaused) continue
      const title = `Task ${count}`
      const { body } = await user
        .send('POST', '/api/tasks', { title, estimateMinutes: 10 })
        .catch(() => ({ body: undefined }))
      if (body) user.tasks.set((body as { id: string }).id, title)
    }
  }

  /** Asks for readiness all the time; the answers are `200`, `503 The database …` or `none`. */
  function watchReadiness() {
    const state = { answer: '' }
    void (async () => {
      while (!over.aborted) {
        state.answer = await fetch(`${server.origin}/health/ready`).then(
          async (response) =>
            `${response.status} ${((await response.json()) as { error?: string }).error ?? ''}`.trim(),
          () => 'none',
        )
        await sleep(50)
      }
    })()
    return state
  }

  async function suffer(outage: Outage) {
    await sleep(1000)
    if (outage === 'read-only') await sufferReadOnly()
    if (outage === 'kill') {
      await postgres.kill({ frozen: false })
      await db.end().catch(() => {})
      await sleep(1000)
      await postgres.start()
      db = openPool(postgres.url, 4)
    }
    if (outage === 'unrecorded') {
      await db.query(breakQueue)
      await untilJobFails()
      await sleep(outageMs)
      await db.query(mendQueue)
    }
    await sleep(recoveryMs)
    if (server.child.exitCode !== null || server.child.signalCode !== null) {
      findings.push(`${outage}: the process ended: ${server.tail().slice(-500)}`)
    } else if (ready.answer !== '200') {
      findings.push(`${outage}: ${recoveryMs} ms later readiness answers ${ready.answer}`)
    }
  }

  /** Jobs that failed in the outage before wait for their next attempt. */
  async function untilJobFails() {
    const latest = performance.now() + failureMs
    while (!server.tail().includes('does not exist') && performance.now() < latest) await sleep(100)
  }

  async function sufferReadOnly() {
    await setReadOnly(postgres.url, true)
    await sleep(outageMs)
    if (ready.answer === `503 ${readOnlyText}`) answersWhileReadOnly += 1
    else findings.push(`while the database is read-only, readiness answers ${ready.answer}`)
    // The connections that were opened meanwhile stay read-only.
    await setReadOnly(postgres.url, false, false)
    const [user] = users as [User]
    const { status } = await fetch(`${server.origin}/api/labels`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Label ${random.between(0, 1e9)}` }),
    })
    if (status !== 201) findings.push(`the first write after it is writable is answered ${status}`)
  }

  /** Ends the changes, and waits until all work is done. */
  async function settle() {
    isPaused = true
    const began = performance.now()
    for (let left = await whatIsLeft(db); left; left = await whatIsLeft(db)) {
      if (findings.length > 0) return
      if (performance.now() - began > settleMs || signal.aborted) {
        findings.push(`${settleMs / 1000} s after the last change there is left: ${left}`)
        return
      }
      await sleep(200)
    }
    settledMs = performance.now() - began
    findings.push(...(await wrongData(db, users, receiver)))
  }

  return {
    findings,
    suffer,
    settle,
    figures: () =>
      `${users.reduce((sum, { tasks }) => sum + tasks.size, 0)} acknowledged tasks, readiness told ` +
      `${answersWhileReadOnly} times, all done ${(settledMs / 1000).toFixed(1)} s after the last change`,
    async leave() {
      leaving.abort()
      await Promise.all(changing)
      await server.kill()
      receiver.close()
      await db.end()
      await postgres.leave()
    },
  }
}

type Told = { id: string; path: string; tasks: Map<string, string> }

/** What does not hold although all work is done. */
async function wrongData(db: pg.Pool, users: Told[], receiver: Receiver) {
  const lines = await brokenInvariants(db)
  const parked = await db.query<{ key: string; last_error: string | null }>(
    'select key, last_error from graphile_worker.jobs where attempts >= max_attempts',
  )
  lines.push(...parked.rows.map(({ key, last_error }) => `${key} is parked: ${last_error}`))
  for (const { id, path, tasks } of users) {
    const { rows } = await db.query<{ id: string; title: string; blocks: number }>(
      `select task.id, task.title, count(block.id)::int as blocks
         from tasks task
         left join time_blocks block
           on block.user_id = $1 and block.task_id = task.id and block.status <> 'cancelled'
        where task.user_id = $1
        group by task.user_id, task.id`,
      [id],
    )
    const stored = new Map(rows.map((row) => [row.id, row]))
    for (const [taskId, title] of tasks) {
      const row = stored.get(taskId)
      if (row?.title !== title) lines.push(`the acknowledged ${title} of ${id} is lost`)
      else if (row.blocks === 0) lines.push(`${title} of ${id} is not planned`)
    }
    const events = await db.query<{ name: string; type: string }>(
      `select seq || '-' || part as name, type from events where user_id = $1 order by seq, part`,
      [id],
    )
    const subscribed = events.rows.findIndex(({ type }) => type === 'webhook.created')
    const told = events.rows.slice(subscribed).map(({ name }) => name)
    lines.push(...wrongDeliveries(path, receiver.attemptsAt(path), told))
  }
  return lines
}
