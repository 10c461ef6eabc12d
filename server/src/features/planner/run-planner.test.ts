// What happens to a connection, and to concurrent changes, while a plan is computed.
import { randomUUID } from 'node:crypto'
import { caller, describe, expect, it, type Person, testApp } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { runUserJobs } from '../../jobs/run-user-jobs.ts'
import solveNow from './plan-worker.ts'
import type { Solve } from './solve.ts'

const now = () => new Date('2026-03-02T08:00:00Z')
const noDeliveries = async () => {}

const newTask = async (person: Pick<Person, 'post'>, title = 'Write') =>
  (await person.post('/api/tasks', { title, estimateMinutes: 60 })).body.id as string

const calendar = async ({ get }: Pick<Person, 'get'>) =>
  (await get('/api/time-blocks?from=2026-03-02&to=2026-04-01')).body as {
    id: string
    taskId: string
    startAt: string
  }[]

const isStale = async (db: Database, { id }: Person) =>
  (await db.pool.query('select stale_since from user_state where user_id = $1', [id])).rows[0]
    .stale_since !== null

const connectionsInUse = (db: Database) => {
  const { total, idle } = db.load()
  return total - idle
}

/** A client of a service whose plans are computed by `solve`. */
async function planningWith(db: Database, { key }: Person, solve: Solve) {
  const app = await testApp(db, now, {}, solve)
  return caller(app, { authorization: `Bearer ${key}` })
}

/** Solves, and calls `during` with the number of the plan while it is computed. */
function solveAnd(during: (count: number) => unknown) {
  let count = 0
  const solve: Solve = async (problem) => {
    count += 1
    await during(count)
    return solveNow(problem)
  }
  return { solve, plans: () => count }
}

describe('while a plan is computed', () => {
  it('no connection is in use by a run or a preview, with or without an Idempotency-Key', async ({
    ada,
    db,
  }) => {
    const used: number[] = []
    const { solve } = solveAnd(() => used.push(connectionsInUse(db)))
    const me = await planningWith(db, ada, solve)
    await newTask(me)

    for (const path of ['/api/planner', '/api/planner/preview']) {
      const key = { 'idempotency-key': randomUUID() }
      expect((await me.post(path)).status).toBe(200)
      expect((await me.post(path, undefined, key)).status).toBe(200)
    }

    expect(used).toEqual([0, 0, 0, 0])
  })

  it('no connection is in use by an automatic run', async ({ ada, db }) => {
    await ada.patch('/api/settings', { automatic: true })
    await newTask(ada)
    const used: number[] = []
    const { solve } = solveAnd(() => used.push(connectionsInUse(db)))

    const noJobs = {
      enqueueDeliveries: noDeliveries,
      enqueueRefreshes: noDeliveries,
      enqueuePlans: noDeliveries,
    }
    await runUserJobs({ db, now, solve, ...noJobs }, ada.id)

    expect(used).toEqual([0])
    expect(await calendar(ada)).toHaveLength(1)
  })
})

describe('a change while a plan is computed', () => {
  it('leads to a plan that includes it', async ({ ada, db }) => {
    const first = await newTask(ada)
    let second = ''
    const { solve, plans } = solveAnd(async (count) => {
      if (count === 1) second = await newTask(ada)
    })
    const me = await planningWith(db, ada, solve)

    const { body } = await me.post('/api/planner')

    expect(plans()).toBe(2)
    expect(body.tasksScheduled).toBe(2)
    expect((await calendar(ada)).map(({ taskId }) => taskId).toSorted()).toEqual(
      [first, second].toSorted(),
    )
    expect(await isStale(db, ada)).toBe(false)
  })

  it('leads to a preview that includes it and can be applied', async ({ ada, db }) => {
    await newTask(ada)
    const { solve } = solveAnd((count) => count === 1 && newTask(ada))
    const me = await planningWith(db, ada, solve)

    const { body: preview } = await me.post('/api/planner/preview')

    expect(preview.blocks.added).toHaveLength(2)
    expect((await me.post(`/api/planner/runs/${preview.id}/apply`)).status).toBe(200)
  })

  it('does not lead to another plan if it is not an input', async ({ ada, db }) => {
    await newTask(ada)
    const { solve, plans } = solveAnd((count) => ada.post('/api/labels', { name: `${count}` }))
    const me = await planningWith(db, ada, solve)

    expect((await me.post('/api/planner')).status).toBe(200)

    expect(plans()).toBe(1)
    expect(await isStale(db, ada)).toBe(false)
  })

  it('leads to at most two more plans, the last of them under the user’s lock', async ({
    ada,
    db,
  }) => {
    await newTask(ada)
    const used: number[] = []
    const { solve } = solveAnd(async () => {
      used.push(connectionsInUse(db))
      await newTask(ada)
    })
    const me = await planningWith(db, ada, solve)

    const { status, body } = await me.post('/api/planner')

    expect({ status, scheduled: body.tasksScheduled }).toEqual({ status: 200, scheduled: 3 })
    expect(used).toEqual([0, 0, 1])
    expect(await isStale(db, ada)).toBe(true)
  })
})

describe('runs of one user in several processes', () => {
  it('200: all succeed, and leave one plan', async ({ ada, db }) => {
    for (let count = 0; count < 3; count += 1) await newTask(ada)
    const { solve } = solveAnd(() => {})
    const processes = await Promise.all([1, 2, 3, 4].map(() => planningWith(db, ada, solve)))

    const answers = await Promise.all(
      processes.flatMap((me) => [me.post('/api/planner'), me.post('/api/planner')]),
    )

    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(await calendar(ada)).toHaveLength(3)
  })
})

describe('a repeated Idempotency-Key', () => {
  it('200: is answered without another plan', async ({ ada, db }) => {
    await newTask(ada)
    const { solve, plans } = solveAnd(() => {})
    const me = await planningWith(db, ada, solve)
    const key = { 'idempotency-key': randomUUID() }

    const [first, again] = [
      await me.post('/api/planner', undefined, key),
      await me.post('/api/planner', undefined, key),
    ]

    expect(again).toEqual(first)
    expect(plans()).toBe(1)
  })

  it('200: runs once, even if it is sent to two processes at the same time', async ({
    ada,
    db,
  }) => {
    await newTask(ada)
    const both = Promise.withResolvers<void>()
    const { solve } = solveAnd((count) => (count === 2 ? both.resolve() : both.promise))
    const processes = await Promise.all([1, 2].map(() => planningWith(db, ada, solve)))
    const key = { 'idempotency-key': randomUUID() }

    const [first, second] = await Promise.all(
      processes.map((me) => me.post('/api/planner', undefined, key)),
    )

    expect(first).toEqual(second)
    expect((await ada.get('/api/planner/runs')).body.runs).toHaveLength(1)
  })

  it('422: if it was used for another request', async ({ ada }) => {
    const key = { 'idempotency-key': randomUUID() }
    await ada.post('/api/planner', undefined, key)

    expect((await ada.post('/api/planner/preview', undefined, key)).status).toBe(422)
  })
})

describe('a run from scratch', () => {
  it('200: moves what a usual run leaves in place; a preview of it can be applied', async ({
    ada,
    db,
  }) => {
    await newTask(ada)
    await ada.post('/api/planner')
    // Moves the block without an event: a usual run sees no change, and leaves it in place.
    await db.pool.query(
      `update time_blocks set start_at = start_at + interval '2 days', end_at = end_at + interval '2 days'
        where user_id = $1`,
      [ada.id],
    )
    const start = async () => (await calendar(ada))[0]?.startAt.slice(0, 10)
    await ada.post('/api/planner')
    expect(await start()).toBe('2026-03-04')

    const { body: preview } = await ada.post('/api/planner/preview?fromScratch=true')
    expect(preview.blocks.moved).toMatchObject([{ startAt: '2026-03-02T09:00:00.000Z' }])
    expect((await ada.post(`/api/planner/runs/${preview.id}/apply`)).status).toBe(200)
    expect(await start()).toBe('2026-03-02')
  })
})
