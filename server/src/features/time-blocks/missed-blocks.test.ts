import type { Database } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { eventsOf, lastEvent } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

// The tests' clock is 2026-03-02T08:00Z.
const newTask = async (person: Person, task: object = {}) =>
  (await person.post('/api/tasks', { title: 'Sow', ...task })).body

type Made = { taskId: string | null; day?: string; reason?: string }

/** Inserts a block of the planner that has ended; with a reason, it is cancelled. */
async function addEndedBlock(db: Database, { id: userId }: Person, made: Made) {
  const { taskId, day = '2026-03-01', reason = null } = made
  const id = newId()
  await db.pool.query(
    `insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, status,
                              cancelled_at, cancel_reason)
     values ($1, $2, $3, 'Sow', 'auto', $4, $5, $6, $7, $8)`,
    [
      userId,
      id,
      taskId,
      `${day}T09:00Z`,
      `${day}T10:00Z`,
      reason ? 'cancelled' : 'scheduled',
      reason ? `${day}T10:05Z` : null,
      reason,
    ],
  )
  return id
}

const listMissed = async (person: Person) =>
  (await person.get('/api/time-blocks/missed')).body.map(({ id }: { id: string }) => id)

const decide = (person: Person, action: string, blockIds: string[]) =>
  person.post('/api/time-blocks/missed', { action, blockIds })

const read = async (person: Person, id: string) =>
  (await person.get(`/api/time-blocks/${id}?progress=true`)).body

describe('GET /api/time-blocks/missed', () => {
  it('200: scheduled blocks that ended and those set aside as missed, the latest first', async ({
    ada,
    db,
  }) => {
    const { id: taskId } = await newTask(ada, { priority: 'high' })
    const older = await addEndedBlock(db, ada, { taskId, day: '2026-02-17', reason: 'missed' })
    const newer = await addEndedBlock(db, ada, { taskId, day: '2026-02-28' })

    const { status, body } = await ada.get('/api/time-blocks/missed')

    expect(status).toBe(200)
    expect(body).toMatchObject([
      { id: newer, status: 'scheduled', task: { title: 'Sow', priority: 'high' } },
      { id: older, status: 'cancelled', cancelReason: 'missed' },
    ])
  })

  it('200: no blocks that are replaced, completed, old, future or of a closed task', async ({
    ada,
    grace,
    db,
  }) => {
    const { id: taskId } = await newTask(ada)
    const closed = await newTask(ada, { status: 'completed' })
    await addEndedBlock(db, ada, { taskId: closed.id })
    await addEndedBlock(db, ada, { taskId: null })
    await addEndedBlock(db, ada, { taskId, reason: 'skipped' })
    await addEndedBlock(db, ada, { taskId, day: '2026-02-15' })
    await addEndedBlock(db, ada, { taskId, day: '2026-02-15', reason: 'missed' })
    await addEndedBlock(db, ada, { taskId, day: '2026-03-02' })
    const done = await addEndedBlock(db, ada, { taskId })
    await ada.patch(`/api/time-blocks/${done}`, { status: 'completed' })
    await addEndedBlock(db, grace, { taskId: (await newTask(grace)).id })

    expect(await listMissed(ada)).toEqual([])
  })

  it('200: an empty list if missed blocks count as done', async ({ ada, db }) => {
    await addEndedBlock(db, ada, { taskId: (await newTask(ada)).id })
    await ada.patch('/api/settings', { missedBlocks: 'assume-done' })

    expect(await listMissed(ada)).toEqual([])
  })
})

describe('POST /api/time-blocks/missed', () => {
  it('200: plan-again cancels them, and they are no longer listed', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const blocks = [
      await addEndedBlock(db, ada, { taskId }),
      await addEndedBlock(db, ada, { taskId, reason: 'missed' }),
    ]
    const before = await lastEvent(db, ada)

    expect(await decide(ada, 'plan-again', blocks)).toEqual({ status: 200, body: { updated: 2 } })

    for (const id of blocks) {
      expect(await read(ada, id)).toMatchObject({ status: 'cancelled', cancelReason: 'missed' })
    }
    expect(await listMissed(ada)).toEqual([])
    expect(await eventsOf(db, ada, before)).toMatchObject([
      { type: 'timeBlock.updated', recordId: blocks[0] },
    ])
  })

  it('200: done completes them, and a revert lists them again', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const blocks = [
      await addEndedBlock(db, ada, { taskId, day: '2026-03-01' }),
      await addEndedBlock(db, ada, { taskId, day: '2026-02-28', reason: 'missed' }),
    ]

    expect(await decide(ada, 'done', blocks)).toEqual({ status: 200, body: { updated: 2 } })

    const completedAt = '2026-03-02T08:00:00.000Z'
    for (const id of blocks) {
      expect(await read(ada, id)).toMatchObject({ status: 'completed', completedAt })
    }
    expect(await listMissed(ada)).toEqual([])
    const seq = await lastEvent(db, ada)
    for (const part of [1, 2]) {
      expect((await ada.post(`/api/history/${seq}-${part}/revert`)).status).toBe(200)
    }
    expect(await listMissed(ada)).toEqual(blocks)
  })

  it('200: drop subtracts the minutes from the estimate', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada, { estimateMinutes: 150 })
    const short = await newTask(ada, { estimateMinutes: 30 })
    const blocks = [
      await addEndedBlock(db, ada, { taskId }),
      await addEndedBlock(db, ada, { taskId, day: '2026-02-28', reason: 'missed' }),
      await addEndedBlock(db, ada, { taskId: short.id }),
    ]

    expect(await decide(ada, 'drop', blocks)).toEqual({ status: 200, body: { updated: 3 } })

    for (const id of blocks) {
      expect(await read(ada, id)).toMatchObject({ status: 'cancelled', cancelReason: 'skipped' })
    }
    expect((await ada.get(`/api/tasks/${taskId}`)).body.estimateMinutes).toBe(30)
    expect((await ada.get(`/api/tasks/${short.id}`)).body.estimateMinutes).toBe(0)
    expect(await listMissed(ada)).toEqual([])
  })

  it('200: drop subtracts from the assumed estimate if there is none', async ({ ada, db }) => {
    const [one, other] = [await newTask(ada), await newTask(ada)]
    await decide(ada, 'drop', [await addEndedBlock(db, ada, { taskId: one.id })])
    await ada.patch('/api/settings', { assumedMinutes: 90 })
    await decide(ada, 'drop', [await addEndedBlock(db, ada, { taskId: other.id })])

    expect((await ada.get(`/api/tasks/${one.id}`)).body.estimateMinutes).toBe(null)
    expect((await ada.get(`/api/tasks/${other.id}`)).body.estimateMinutes).toBe(30)
  })

  it.for(['plan-again', 'done', 'drop'])(
    '200: %s skips blocks that were not missed, or are not mine',
    async (action, { ada, grace, db }) => {
      const { id: taskId } = await newTask(ada)
      const graces = await addEndedBlock(db, grace, { taskId: (await newTask(grace)).id })
      const ahead = await addEndedBlock(db, ada, { taskId, day: '2026-03-03' })
      const skipped = await addEndedBlock(db, ada, { taskId, reason: 'skipped' })

      expect(await decide(ada, action, [unknownId, graces, ahead, skipped])).toEqual({
        status: 200,
        body: { updated: 0 },
      })
      expect((await read(grace, graces)).status).toBe('scheduled')
      expect((await read(ada, ahead)).status).toBe('scheduled')
      expect((await read(ada, skipped)).cancelReason).toBe('skipped')
    },
  )

  it.for([
    ['action', { action: 'forget', blockIds: [unknownId] }],
    ['blockIds', { action: 'done', blockIds: [] }],
    ['blockIds', { action: 'done', blockIds: Array.from({ length: 501 }, newId) }],
    ['blockIds.0', { action: 'done', blockIds: ['no-id'] }],
  ] as const)('400: %s of %o', async ([field, body], { ada }) => {
    expect(await ada.post('/api/time-blocks/missed', body)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })
})
