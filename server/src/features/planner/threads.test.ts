// The identity of blocks, which survives the runs that replace them.
import type { Database } from '../../platform/db/database.ts'
import { describe, expect, it, type Person } from '../../../test/it.ts'
import { overtake } from '../../../test/overtake.ts'

// Monday 08:00 UTC: the default windows open at 09:00.
const newTask = async (person: Person, body: object = {}) =>
  (await person.post('/api/tasks', { title: 'Write', estimateMinutes: 60, ...body })).body
    .id as string

type Block = { id: string; thread: string; taskId: string; startAt: string }

/** The blocks that are not cancelled, in the order of time, with their threads. */
const blocksOf = async (db: Database, { id }: Person) =>
  (
    await db.pool.query<Block>(
      `select id, coalesce(thread, id) as thread, task_id as "taskId", iso(start_at) as "startAt"
         from time_blocks
        where user_id = $1 and status <> 'cancelled'
        order by start_at, id`,
      [id],
    )
  ).rows

const threadsOf = async (db: Database, person: Person) =>
  (await blocksOf(db, person)).map(({ thread }) => thread)

const plan = async (person: Person) => {
  const { status } = await person.post('/api/planner')
  expect(status).toBe(200)
  return (await person.get('/api/planner/runs')).body.runs[0].id as string
}

const nine = { startAt: '2026-03-02T09:00:00Z', endAt: '2026-03-02T10:00:00Z' }
const later = { startAt: '2026-03-05T15:00:00Z', endAt: '2026-03-05T16:00:00Z' }

describe('the thread of a block', () => {
  it('is its own id at first', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    await ada.post('/api/time-blocks', { type: 'event', title: 'Dentist', ...later })

    const blocks = await blocksOf(db, ada)

    expect(blocks).toHaveLength(2)
    for (const { id, thread } of blocks) expect(thread).toBe(id)
  })

  it('continues in the block that a run puts in its place', async ({ ada, db }) => {
    await newTask(ada)
    await newTask(ada)
    await plan(ada)
    const before = await blocksOf(db, ada)

    await plan(ada)
    await plan(ada)

    const after = await blocksOf(db, ada)
    expect(after.map(({ id }) => id)).not.toEqual(before.map(({ id }) => id))
    expect(after.map(({ id: _id, ...rest }) => rest)).toEqual(
      before.map(({ id: _id, ...rest }) => rest),
    )
  })

  it('continues where a run moves the block', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const [before] = await blocksOf(db, ada)
    await ada.post('/api/time-blocks', { type: 'event', title: 'Dentist', ...nine })

    await plan(ada)

    const after = (await blocksOf(db, ada)).find(({ taskId }) => taskId === before?.taskId)
    expect(after?.startAt).not.toBe(before?.startAt)
    expect(after?.thread).toBe(before?.thread)
  })

  it('continues in the order of time for a task with several blocks, and ends for surplus blocks', async ({
    ada,
    db,
  }) => {
    const split = { autoSplit: true, minSessionMinutes: 60, maxSessionMinutes: 60 }
    const id = await newTask(ada, { estimateMinutes: 180, ...split })
    await plan(ada)
    const before = await threadsOf(db, ada)
    expect(before).toHaveLength(3)
    await ada.patch(`/api/tasks/${id}`, {
      estimateMinutes: 120,
      startAfter: '2026-03-04T00:00:00Z',
    })

    await plan(ada)

    expect(await threadsOf(db, ada)).toEqual(before.slice(0, 2))
  })

  it('continues when a preview is applied', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const before = await threadsOf(db, ada)

    const { body: preview } = await ada.post('/api/planner/preview')
    expect((await ada.post(`/api/planner/runs/${preview.id}/apply`)).status).toBe(200)

    expect(await threadsOf(db, ada)).toEqual(before)
  })

  it('stays when the block is moved by hand, and no other gets it', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const [mine] = await blocksOf(db, ada)
    await ada.patch(`/api/time-blocks/${mine?.id}`, later)
    await newTask(ada)

    await plan(ada)

    const after = await blocksOf(db, ada)
    expect(after.find(({ id }) => id === mine?.id)?.thread).toBe(mine?.thread)
    expect(new Set(after.map(({ thread }) => thread)).size).toBe(2)
  })
})

describe('a block that is moved while a run replaces it', () => {
  it('keeps its thread, and the run is tried again', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const [before] = await blocksOf(db, ada)
    const drag = {
      text: `update time_blocks set source = 'manual', start_at = $2, end_at = $3 where id = $1`,
      values: [before?.id, later.startAt, later.endAt],
    }

    const { status } = await overtake(db, drag, () => ada.post('/api/planner'))

    expect(status).toBe(200)
    expect(await blocksOf(db, ada)).toEqual([
      { ...before, startAt: new Date(later.startAt).toISOString() },
    ])
  })
})

describe('an undone run', () => {
  it('restores the threads', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const before = await blocksOf(db, ada)
    const run = await plan(ada)

    expect((await ada.post(`/api/planner/runs/${run}/undo`)).body).toMatchObject({ restored: 1 })

    expect(await blocksOf(db, ada)).toEqual(before)
  })

  it('leaves the thread to a block that was moved since', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const [before] = await blocksOf(db, ada)
    const run = await plan(ada)
    const [mine] = await blocksOf(db, ada)
    await ada.patch(`/api/time-blocks/${mine?.id}`, later)

    expect((await ada.post(`/api/planner/runs/${run}/undo`)).body).toMatchObject({ restored: 1 })

    const after = await blocksOf(db, ada)
    expect(after.map(({ id }) => id)).toEqual([before?.id, mine?.id])
    expect(after[1]?.thread).toBe(before?.thread)
    expect(after[0]?.thread).not.toBe(before?.thread)
  })
})

describe('a block that is no longer cancelled or deleted', () => {
  it('gets a new thread, since another may have continued its own', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const [before] = await blocksOf(db, ada)
    await plan(ada)

    expect(
      (await ada.patch(`/api/time-blocks/${before?.id}`, { status: 'scheduled' })).status,
    ).toBe(200)

    const after = await blocksOf(db, ada)
    expect(after).toHaveLength(2)
    expect(new Set(after.map(({ thread }) => thread)).size).toBe(2)
  })

  it('gets a new thread when it was missed and turns out to be done', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const [before] = await blocksOf(db, ada)
    await plan(ada)
    await db.pool.query(`update time_blocks set cancel_reason = 'missed' where id = $1`, [
      before?.id,
    ])

    const decision = { action: 'done', blockIds: [before?.id] }
    expect((await ada.post('/api/time-blocks/missed', decision)).body).toEqual({ updated: 1 })

    expect(new Set(await threadsOf(db, ada)).size).toBe(2)
  })

  it('gets a new thread when its deletion is reverted', async ({ ada, db }) => {
    await newTask(ada)
    await plan(ada)
    const [before] = await blocksOf(db, ada)
    await ada.delete(`/api/time-blocks/${before?.id}`)
    const [deleted] = (await ada.get('/api/history?limit=1')).body.events

    expect((await ada.post(`/api/history/${deleted.id}/revert`)).status).toBe(200)

    const [after] = await blocksOf(db, ada)
    expect(after?.id).toBe(before?.id)
    expect(after?.thread).not.toBe(before?.thread)
  })
})
