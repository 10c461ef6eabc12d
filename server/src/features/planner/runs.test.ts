import { gunzipSync, gzipSync } from 'node:zlib'
import { plan, type Problem } from '@daywright/scheduler'
import { describe, expect, it as base, type Person, unknownId } from '../../../test/it.ts'
import { overtake } from '../../../test/overtake.ts'

// Monday 08:00 UTC: the default windows open at 09:00.
const it = base

const task = async (person: Person, body: object = {}) =>
  (await person.post('/api/tasks', { title: 'Write', estimateMinutes: 60, ...body })).body

const calendar = async (person: Person) =>
  (await person.get('/api/time-blocks?from=2026-03-02&to=2026-04-01')).body.map(
    (block: { taskId: string; startAt: string; endAt: string }) => [
      block.taskId,
      block.startAt,
      block.endAt,
    ],
  )

const runId = async (person: Person) =>
  (await person.get('/api/planner/runs')).body.runs[0].id as string

describe('POST /api/planner', () => {
  it('200: the contract’s answer, the blocks, and a record of the run', async ({ ada, app }) => {
    const { id } = await task(ada, { priority: 'high', dueAt: '2026-03-03T17:00:00Z' })

    const answer = await app.inject({
      method: 'POST',
      url: '/api/planner',
      headers: { authorization: `Bearer ${ada.key}` },
    })

    expect(answer.json()).toEqual({
      ok: true,
      timezone: 'UTC',
      tasksScheduled: 1,
      tasksAtRisk: 0,
      tasksUnscheduled: 0,
      tasksOversized: 0,
      atRiskTaskIds: [],
      unscheduledTaskIds: [],
      oversizedTaskIds: [],
    })
    expect(await calendar(ada)).toEqual([
      [id, '2026-03-02T09:00:00.000Z', '2026-03-02T10:00:00.000Z'],
    ])
    const run = (await ada.get(`/api/planner/runs/${String(answer.headers['planner-run-id'])}`))
      .body
    expect(run).toMatchObject({ state: 'applied', gap: 0, result: { tasksScheduled: 1 } })
    expect(run.blocks.added).toMatchObject([{ taskId: id, title: 'Write' }])
  })

  it('200: replaces its blocks at the same times; the old are cancelled', async ({ ada }) => {
    const { id } = await task(ada)
    await ada.post('/api/planner')
    const before = await calendar(ada)

    await ada.post('/api/planner')

    expect(await calendar(ada)).toEqual(before)
    const { timeBlocks } = (await ada.get(`/api/tasks/${id}`)).body
    expect(timeBlocks.map((block: { status: string }) => block.status).toSorted()).toEqual([
      'cancelled',
      'scheduled',
    ])
    expect((await ada.get(`/api/planner/runs/${await runId(ada)}`)).body.blocks).toMatchObject({
      unchanged: [{ taskId: id }],
      moved: [],
      added: [],
      removed: [],
    })
  })

  it('shows runs of earlier versions under the current names', async ({ ada, db }) => {
    const { id } = await task(ada)
    await ada.post('/api/planner')
    const run = (await ada.get(`/api/planner/runs/${await runId(ada)}`)).body
    const blocks = { stay: [], move: [], appear: run.blocks.added, go: [] }
    const stored = gzipSync(JSON.stringify({ blocks, atRisk: [], unscheduled: [] }))
    await db.pool.query('update planner_runs set detail = $2 where user_id = $1', [ada.id, stored])

    expect((await ada.get(`/api/planner/runs/${run.id}`)).body.blocks).toMatchObject({
      unchanged: [],
      moved: [],
      added: [{ taskId: id }],
      removed: [],
    })
  })

  it('200: of two blocks at the same time, one stays and the other is reported as removed', async ({
    ada,
  }) => {
    const { id } = await task(ada)
    await ada.post('/api/planner')
    const [first] = (await ada.get('/api/time-blocks?from=2026-03-02&to=2026-04-01')).body
    await ada.post('/api/planner')
    await ada.patch(`/api/time-blocks/${first.id}`, { status: 'scheduled' })
    expect(await calendar(ada)).toHaveLength(2)

    await ada.post('/api/planner')

    expect(await calendar(ada)).toHaveLength(1)
    expect((await ada.get(`/api/planner/runs/${await runId(ada)}`)).body.blocks).toMatchObject({
      unchanged: [{ taskId: id }],
      moved: [],
      added: [],
      removed: [{ taskId: id }],
    })
  })

  it('removes tasks archived for more than 30 days, and its own blocks cancelled 30 days ago', async ({
    ada,
    db,
  }) => {
    const old = await task(ada, { status: 'archived' })
    const recent = await task(ada, { status: 'archived' })
    const planned = await task(ada)
    await ada.post('/api/planner')
    await ada.post('/api/planner')
    await db.pool.query(`update tasks set archived_at = '2026-01-30T07:00:00Z' where id = $1`, [
      old.id,
    ])
    const cancelAt = (time: string) =>
      db.pool.query(
        `update time_blocks set cancelled_at = $2 where status = 'cancelled' and user_id = $1`,
        [ada.id, time],
      )
    const blocksOf = async () => (await ada.get(`/api/tasks/${planned.id}`)).body.timeBlocks
    await cancelAt('2026-01-31T08:00:00Z') // 30 days ago
    await ada.post('/api/planner')
    expect(await blocksOf()).toHaveLength(3)
    await cancelAt('2026-01-31T07:59:59Z')

    await ada.post('/api/planner')

    expect((await ada.get(`/api/tasks/${old.id}`)).status).toBe(404)
    expect((await ada.get(`/api/tasks/${recent.id}`)).status).toBe(200)
    expect(await blocksOf()).toHaveLength(2) // the plan, and the one it has just replaced
  })

  it('removes the future blocks of a task that it deletes, and reports them', async ({
    ada,
    db,
  }) => {
    const { id } = await task(ada)
    await ada.post('/api/planner')
    await ada.delete(`/api/tasks/${id}`)
    await db.pool.query(`update tasks set archived_at = '2026-01-30T07:00:00Z' where id = $1`, [id])

    await ada.post('/api/planner')

    expect((await ada.get(`/api/tasks/${id}`)).status).toBe(404)
    expect(await calendar(ada)).toEqual([])
    const { body } = await ada.get(`/api/planner/runs/${await runId(ada)}`)
    expect(body.blocks.removed).toMatchObject([{ taskId: id, title: 'Write' }])
  })

  it('keeps a task that is restored from the archive meanwhile', async ({ ada, db }) => {
    const { id } = await task(ada, { status: 'archived' })
    await db.pool.query(`update tasks set archived_at = '2026-01-30T07:00:00Z' where id = $1`, [id])
    const reopen = {
      text: `update tasks set status = 'todo', archived_at = null where id = $1`,
      values: [id],
    }

    const { status } = await overtake(db, reopen, () => ada.post('/api/planner'))

    expect(status).toBe(200)
    expect((await ada.get(`/api/tasks/${id}`)).body).toMatchObject({ status: 'todo' })
  })

  it('plans a consistent snapshot of a task, whose blocks have its current title', async ({
    ada,
    db,
  }) => {
    const { id } = await task(ada)
    await ada.post('/api/planner')
    // The run waits for the block after it has read the task.
    const edit = {
      text: `with block as (update time_blocks set updated_at = updated_at where task_id = $1)
             update tasks set title = 'Read', estimate_minutes = 120 where id = $1`,
      values: [id],
    }

    await overtake(db, edit, () => ada.post('/api/planner'))

    const { timeBlocks } = (await ada.get(`/api/tasks/${id}`)).body
    expect(
      timeBlocks.find(({ status }: { status: string }) => status === 'scheduled'),
    ).toMatchObject({ title: 'Read', endAt: '2026-03-02T10:00:00.000Z' })
  })

  it('200: runs 40 concurrent requests one at a time, and leaves one plan', async ({ ada }) => {
    const tasks = []
    for (let count = 0; count < 5; count += 1) tasks.push(await task(ada))

    const answers = await Promise.all(Array.from({ length: 40 }, () => ada.post('/api/planner')))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await calendar(ada)).toHaveLength(5)
  })

  it('200: makes one run for 20 concurrent requests with one Idempotency-Key', async ({ ada }) => {
    await task(ada)
    const key = { 'idempotency-key': 'monday' }

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ada.post('/api/planner', undefined, key)),
    )

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await ada.get('/api/planner/runs')).body.runs).toHaveLength(1)
  })

  it('403: the key does not have the scope', async ({ ada, db }) => {
    await db.pool.query(`update api_keys set scopes = '{read,write}' where user_id = $1`, [ada.id])

    expect((await ada.post('/api/planner')).status).toBe(403)
  })
})

describe('POST /api/planner/preview', () => {
  it('200: returns what a run would do and why, without a change to the calendar', async ({
    ada,
  }) => {
    const first = await task(ada)
    await ada.post('/api/planner')
    const before = await calendar(ada)
    const urgent = await task(ada, { priority: 'urgent', dueAt: '2026-03-02T10:00:00Z' })

    const { status, body } = await ada.post('/api/planner/preview')

    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'preview', result: { tasksScheduled: 2 } })
    expect(body.blocks.added).toMatchObject([
      { taskId: urgent.id, startAt: '2026-03-02T09:00:00.000Z', explanation: expect.any(String) },
    ])
    expect(body.blocks.moved).toMatchObject([
      { taskId: first.id, from: { startAt: '2026-03-02T09:00:00.000Z' } },
    ])
    expect(await calendar(ada)).toEqual(before)
  })
})

describe('POST /api/planner/runs/{id}/apply', () => {
  it('200: the calendar is as previewed', async ({ ada }) => {
    const { id } = await task(ada)
    const { body: preview } = await ada.post('/api/planner/preview')

    const { status, body } = await ada.post(`/api/planner/runs/${preview.id}/apply`)

    expect({ status, body }).toEqual({ status: 200, body: preview.result })
    expect(await calendar(ada)).toEqual(
      preview.blocks.added.map((block: { startAt: string; endAt: string }) => [
        id,
        block.startAt,
        block.endAt,
      ]),
    )
    expect((await ada.post(`/api/planner/runs/${preview.id}/apply`)).status).toBe(409)
  })

  it('200: after a change that does not affect the plan', async ({ ada }) => {
    const { body: preview } = await ada.post('/api/planner/preview')
    await ada.post('/api/labels', { name: 'red' })

    expect((await ada.post(`/api/planner/runs/${preview.id}/apply`)).status).toBe(200)
  })

  it.for([
    ['a task', (ada: Person) => task(ada)],
    ['the timezone', (ada: Person) => ada.patch('/api/user', { timezone: 'Asia/Tokyo' })],
  ] as const)('409: %s has changed since', async ([, change], { ada }) => {
    await task(ada)
    const { body: preview } = await ada.post('/api/planner/preview')
    await change(ada)

    const { status, body } = await ada.post(`/api/planner/runs/${preview.id}/apply`)

    expect(status).toBe(409)
    expect(body).toEqual({ error: 'The data has changed since this preview: preview again' })
    expect(await calendar(ada)).toEqual([])
  })
})

describe('POST /api/planner/runs/{id}/undo', () => {
  it('200: restores the previous plan', async ({ ada }) => {
    await task(ada)
    await ada.post('/api/planner')
    const before = await calendar(ada)
    await task(ada, { priority: 'urgent', dueAt: '2026-03-02T10:00:00Z' })
    await ada.post('/api/planner')
    expect(await calendar(ada)).not.toEqual(before)

    const { status, body } = await ada.post(`/api/planner/runs/${await runId(ada)}/undo`)

    expect({ status, body }).toEqual({
      status: 200,
      body: { ok: true, restored: 1, cancelled: 2, skipped: 0 },
    })
    expect(await calendar(ada)).toEqual(before)
  })

  it('200: restores no block over one that was created since', async ({ ada }) => {
    const { id } = await task(ada)
    await ada.post('/api/planner')
    await ada.patch(`/api/tasks/${id}`, { startAfter: '2026-03-04T09:00:00Z' })
    await ada.post('/api/planner')
    const mine = { taskId: id, startAt: '2026-03-02T09:30:00Z', endAt: '2026-03-02T09:45:00Z' }
    await ada.post('/api/time-blocks', mine)

    const { body } = await ada.post(`/api/planner/runs/${await runId(ada)}/undo`)

    expect(body).toEqual({ ok: true, restored: 0, cancelled: 1, skipped: 1 })
  })

  it('409: the run is not the last one, or was already undone', async ({ ada }) => {
    await task(ada)
    await ada.post('/api/planner')
    const first = await runId(ada)
    await ada.post('/api/planner')
    const second = await runId(ada)

    expect((await ada.post(`/api/planner/runs/${first}/undo`)).status).toBe(409)
    expect((await ada.post(`/api/planner/runs/${second}/undo`)).status).toBe(200)
    expect((await ada.post(`/api/planner/runs/${second}/undo`)).status).toBe(409)
    expect((await ada.post(`/api/planner/runs/${first}/undo`)).status).toBe(200)
  })
})

describe('a run', () => {
  it('can be replayed: the same problem gives the same bytes', async ({ ada, db }) => {
    for (const priority of ['low', 'urgent', 'none']) await task(ada, { priority })
    await ada.post('/api/planner')

    const { rows } = await db.pool.query<{ input: Buffer; plan: Buffer }>(
      'select input, plan from planner_runs where user_id = $1',
      [ada.id],
    )

    const problem = JSON.parse(gunzipSync(rows[0]?.input ?? '').toString()) as Problem
    expect(JSON.stringify(plan(problem))).toBe(gunzipSync(rows[0]?.plan ?? '').toString())
  })

  it('404: if it is unknown, malformed or another user’s', async ({ ada, grace }) => {
    await ada.post('/api/planner')
    const notFound = { status: 404, body: { error: 'Planner run not found' } }

    for (const id of [await runId(ada), unknownId, 'nonsense']) {
      expect(await grace.get(`/api/planner/runs/${id}`)).toEqual(notFound)
      expect(await grace.post(`/api/planner/runs/${id}/apply`)).toEqual(notFound)
      expect(await grace.post(`/api/planner/runs/${id}/undo`)).toEqual(notFound)
    }
  })

  it('keeps its input for five runs, and itself for a hundred', async ({ ada, db }) => {
    for (let count = 0; count < 7; count += 1) await ada.post('/api/planner')

    const { rows } = await db.pool.query<{ input: Buffer | null }>(
      'select input from planner_runs where user_id = $1',
      [ada.id],
    )

    expect(rows).toHaveLength(7)
    expect(rows.filter(({ input }) => input !== null)).toHaveLength(5)
  })
})
