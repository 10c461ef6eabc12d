import { describe, expect, it, type Person } from '../../../test/it.ts'
import { lastEvent } from '../../../test/events.ts'

const task = async (person: Person, body: object) =>
  (await person.post('/api/tasks', { title: 'Write', estimateMinutes: 60, ...body })).body

/** Completes a task that was estimated at an hour and took this many minutes. */
async function complete(person: Person, actualMinutes: number, db: { pool: { query: Query } }) {
  const { id } = await task(person, {})
  await person.patch(`/api/tasks/${id}`, { status: 'completed' })
  await db.pool.query('update tasks set actual_minutes = $3 where user_id = $1 and id = $2', [
    person.id,
    id,
    actualMinutes,
  ])
}
type Query = (text: string, values: unknown[]) => Promise<unknown>

type Place = { startAt: string; endAt: string }
type Moved = { taskId: string; from: Place | null; to: Place | null }

/** The moves of a preview, in the form in which an effect lists them. */
const movesOf = ({ moved, added, removed }: Record<string, (Place & Moved)[]>) =>
  [
    ...moved!.map(({ taskId, from, startAt, endAt }) => ({ taskId, from, to: { startAt, endAt } })),
    ...added!.map(({ taskId, startAt, endAt }) => ({
      taskId,
      from: null,
      to: { startAt, endAt },
    })),
    ...removed!.map(({ taskId, startAt, endAt }) => ({
      taskId,
      from: { startAt, endAt },
      to: null,
    })),
  ].toSorted(byPlace)
const byPlace = (a: Moved, b: Moved) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** Overfills Monday, when the default windows open at 09:00: the work of the lowest priority is late. */
async function fillMonday(person: Person) {
  const today = {
    dueAt: '2026-03-02T17:00:00Z',
    cooldownMinutes: 0,
    minSessionMinutes: 60,
    maxSessionMinutes: 240,
  }
  const large = await task(person, { ...today, estimateMinutes: 480, priority: 'medium' })
  const small = await task(person, { ...today, estimateMinutes: 240, priority: 'low' })
  const other = await task(person, { ...today, estimateMinutes: 240, priority: 'low' })
  await person.post('/api/planner')
  const late: string[] = [small.id, other.id]
  return { large, late: late.toSorted() }
}

describe('GET /api/planner/forecast', () => {
  it('200: chances depend only on my own errors', async ({ ada, grace, db }) => {
    // By its estimate the task is done on Monday at 10:00, so it is in time up to a ratio of 1.5.
    const body = { dueAt: '2026-03-02T10:30:00Z', autoSplit: false }
    const { id } = await task(ada, body)
    await task(grace, body)
    for (let i = 0; i < 20; i++) {
      await complete(ada, 55, db)
      await complete(grace, 110, db)
    }

    const mine = (await ada.get('/api/planner/forecast')).body
    const graces = (await grace.get('/api/planner/forecast')).body

    expect(mine).toMatchObject({
      timezone: 'UTC',
      completedTasks: 20,
      bookedOutUntil: null,
      leftOverMinutes: 0,
      waysOut: [],
    })
    expect(mine.chances).toEqual([
      {
        taskId: id,
        dueAt: '2026-03-02T10:30:00.000Z',
        chance: expect.any(Number),
        likelihood: 'very likely',
      },
    ])
    expect(mine.weeks[0]).toMatchObject({ windowMinutes: 2400, plannedMinutes: 60, dueMinutes: 60 })
    expect(graces.chances[0].chance).toBeLessThan(0.3)
  })

  it('200: tasks completed without measured time do not count', async ({ ada }) => {
    const { id } = await task(ada, {})
    await ada.patch(`/api/tasks/${id}`, { status: 'completed' })

    expect((await ada.get('/api/planner/forecast')).body).toMatchObject({ completedTasks: 0 })
  })

  it('200: a way out has the stated effect when it is taken', async ({ ada }) => {
    const { large, late } = await fillMonday(ada)

    const { waysOut } = (await ada.get('/api/planner/forecast')).body
    const way = waysOut.find(
      ({ change }: { change: { kind: string } }) => change.kind === 'postpone',
    )

    expect(way).toMatchObject({
      change: { taskId: large.id, startAfter: '2026-03-16T08:00:00.000Z', missesDueDate: true },
      effect: { becomeLate: [], becomeOnTime: late },
      solvesAll: true,
    })
    const { startAfter } = way.change
    await ada.patch(`/api/tasks/${large.id}`, { startAfter })
    const preview = (await ada.post('/api/planner/preview')).body
    expect(preview.result.atRiskTaskIds).toEqual([large.id])
    expect(way.effect.moves.toSorted(byPlace)).toEqual(movesOf(preview.blocks))
  })

  it('200: changes nothing', async ({ ada, db }) => {
    await fillMonday(ada)
    const before = await lastEvent(db, ada)
    const runs = (await ada.get('/api/planner/runs')).body

    await ada.get('/api/planner/forecast')
    await ada.post('/api/planner/slots', { minutes: 30 })

    expect(await lastEvent(db, ada)).toBe(before)
    expect((await ada.get('/api/planner/runs')).body).toEqual(runs)
  })

  it('403: the key does not have the scope', async ({ ada, db }) => {
    await db.pool.query(`update api_keys set scopes = '{read,write}' where user_id = $1`, [ada.id])

    expect(await ada.get('/api/planner/forecast')).toMatchObject({ status: 403 })
    expect(await ada.post('/api/planner/slots', { minutes: 30 })).toMatchObject({ status: 403 })
  })

  it('401: without a key', async ({ stranger }) => {
    expect(await stranger.get('/api/planner/forecast')).toMatchObject({ status: 401 })
  })
})

describe('POST /api/planner/slots', () => {
  it('200: a slot has the stated effect when it is taken', async ({ ada }) => {
    await fillMonday(ada)
    const before = (await ada.post('/api/planner/preview')).body.result.atRiskTaskIds
    const search = { minutes: 60, from: '2026-03-02T09:00:00Z', until: '2026-03-02T13:00:00Z' }

    const { slots } = (await ada.post('/api/planner/slots', search)).body

    expect(slots.length).toBeGreaterThan(0)
    for (const { startAt, endAt, effect } of slots) {
      // A block of a completed task is busy time and nothing else.
      const { id: taskId } = await task(ada, { title: 'Call', status: 'completed' })
      const { id } = (await ada.post('/api/time-blocks', { taskId, startAt, endAt })).body
      const { result, blocks } = (await ada.post('/api/planner/preview')).body
      const late = (ids: string[], others: string[]) =>
        ids.filter((each) => !others.includes(each)).toSorted()
      expect(effect.becomeLate).toEqual(late(result.atRiskTaskIds, before))
      expect(effect.becomeOnTime).toEqual(late(before, result.atRiskTaskIds))
      expect(effect.moves.toSorted(byPlace)).toEqual(movesOf(blocks))
      await ada.delete(`/api/time-blocks/${id}`)
    }
  })

  it('200: within the given windows, at most as many as requested', async ({ ada }) => {
    const windows = [{ day: [3], start: '18:00', end: '19:00' }]

    const { body } = await ada.post('/api/planner/slots', { minutes: 60, windows, count: 1 })

    expect(body).toMatchObject({
      timezone: 'UTC',
      slots: [{ startAt: '2026-03-04T18:00:00.000Z', endAt: '2026-03-04T19:00:00.000Z' }],
    })
  })

  it('200: an empty list if nothing is free', async ({ ada }) => {
    const search = { minutes: 60, until: '2026-03-02T09:30:00Z' }

    expect((await ada.post('/api/planner/slots', search)).body.slots).toEqual([])
  })

  it('200: repeats the answer for a repeated Idempotency-Key; 422 for another search', async ({
    ada,
  }) => {
    const key = { 'idempotency-key': 'slots' }
    const first = await ada.post('/api/planner/slots', { minutes: 60 }, key)
    await fillMonday(ada)

    expect(await ada.post('/api/planner/slots', { minutes: 60 }, key)).toEqual(first)
    expect(await ada.post('/api/planner/slots', { minutes: 30 }, key)).toMatchObject({
      status: 422,
    })
  })

  it.for([
    ['minutes', {}],
    ['minutes', { minutes: 4 }],
    ['minutes', { minutes: 481 }],
    ['count', { minutes: 60, count: 9 }],
    ['until', { minutes: 60, from: '2026-03-03', until: '2026-03-02' }],
    ['windows', { minutes: 60, windows: [] }],
  ] as const)('400: names the field that failed: %s of %o', async ([field, body], { ada }) => {
    expect(await ada.post('/api/planner/slots', body)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })
})
