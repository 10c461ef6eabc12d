import type { Database } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { eventsOf, lastEvent } from '../../../test/events.ts'
import { describe, expect, it, type Person } from '../../../test/it.ts'

/**
 * A task with three blocks of the planner, one in the future, one begun and one locked, and one block placed by hand.
 */
async function taskWithBlocks(db: Database, person: Person) {
  const { body: task } = await person.post('/api/tasks', { title: 'Sow', estimateMinutes: 60 })
  const addBlock = async (start: string, end: string, locked = false) => {
    const id = newId()
    await db.pool.query(
      `insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, locked)
       values ($1, $2, $3, 'Sow', 'auto', $4, $5, $6)`,
      [person.id, id, task.id, `2026-03-02T${start}Z`, `2026-03-02T${end}Z`, locked],
    )
    return id
  }
  const placed = { taskId: task.id, startAt: '2026-03-02T15:00Z', endAt: '2026-03-02T16:00Z' }
  return {
    id: task.id as string,
    own: await addBlock('09:00', '10:00'),
    kept: [
      await addBlock('07:30', '08:30'),
      await addBlock('11:00', '12:00', true),
      (await person.post('/api/time-blocks', placed)).body.id as string,
    ],
  }
}

const statusOf = async (person: Person, id: string) =>
  (await person.get(`/api/time-blocks/${id}`)).body.status

const ways: [
  string,
  (person: Person, id: string, blocks: string) => Promise<{ status: number }>,
][] = [
  ['completed', (p, id, b) => p.patch(`/api/tasks/${id}?${b}`, { status: 'completed' })],
  [
    'completed with labels',
    (p, id, b) => p.patch(`/api/tasks/${id}?${b}`, { status: 'completed', labelIds: [] }),
  ],
  ['archived', (p, id, b) => p.delete(`/api/tasks/${id}?${b}`)],
  ['deleted', (p, id, b) => p.delete(`/api/tasks/${id}?permanent=true&${b}`)],
  [
    'completed in a batch',
    (p, id, b) =>
      p.post('/api/tasks/batch', {
        action: 'complete',
        taskIds: [id],
        ...(b && { blocks: 'cancel' }),
      }),
  ],
  [
    'archived in a batch',
    (p, id, b) =>
      p.post('/api/tasks/batch', {
        action: 'archive',
        taskIds: [id],
        ...(b && { blocks: 'cancel' }),
      }),
  ],
]

describe('blocks=cancel', () => {
  it.for(ways)(
    '200: a task that is %s loses the planner’s own future blocks',
    async ([, close], { ada, db }) => {
      const { id, own, kept } = await taskWithBlocks(db, ada)
      const before = await lastEvent(db, ada)

      expect(await close(ada, id, 'blocks=cancel')).toMatchObject({ status: 200 })

      expect(await statusOf(ada, own)).toBe('cancelled')
      for (const block of kept) expect(await statusOf(ada, block)).toBe('scheduled')
      const events = await eventsOf(db, ada, before)
      expect(new Set(events.map(({ seq }) => seq)).size).toBe(1)
      expect(events).toContainEqual(
        expect.objectContaining({
          recordId: own,
          type: 'timeBlock.updated',
          before: expect.objectContaining({ status: 'scheduled' }),
          after: expect.objectContaining({ status: 'cancelled', cancelReason: null }),
        }),
      )
    },
  )

  it.for(ways)(
    '200: without it, a task that is %s keeps its blocks',
    async ([, close], { ada, db }) => {
      const { id, own } = await taskWithBlocks(db, ada)

      expect(await close(ada, id, '')).toMatchObject({ status: 200 })

      expect(await statusOf(ada, own)).toBe('scheduled')
    },
  )

  it('200: an edit of an open task does not affect its blocks', async ({ ada, db }) => {
    const { id, own } = await taskWithBlocks(db, ada)

    await ada.patch(`/api/tasks/${id}?blocks=cancel`, { title: 'Reap' })

    expect(await statusOf(ada, own)).toBe('scheduled')
  })

  it('200: the events of cancelled blocks have the title that the same request gives', async ({
    ada,
    db,
  }) => {
    const { id, own } = await taskWithBlocks(db, ada)
    const before = await lastEvent(db, ada)

    await ada.patch(`/api/tasks/${id}?blocks=cancel`, { title: 'Reap', status: 'completed' })

    expect(await eventsOf(db, ada, before)).toContainEqual(
      expect.objectContaining({ recordId: own, after: expect.objectContaining({ title: 'Reap' }) }),
    )
  })

  it('400: another value, and nothing changes', async ({ ada, db }) => {
    const { id, own } = await taskWithBlocks(db, ada)
    const refused = {
      status: 400,
      body: { error: 'Validation failed', details: { blocks: [expect.any(String)] } },
    }

    expect(await ada.delete(`/api/tasks/${id}?blocks=keep`)).toEqual(refused)
    expect(await ada.patch(`/api/tasks/${id}?blocks=keep`, { title: 'x' })).toEqual(refused)
    const batch = { action: 'complete', taskIds: [id], blocks: 'keep' }
    expect(await ada.post('/api/tasks/batch', batch)).toEqual(refused)
    expect((await ada.get(`/api/tasks/${id}`)).body).toMatchObject({ status: 'todo', title: 'Sow' })
    expect(await statusOf(ada, own)).toBe('scheduled')
  })

  it('404: another user’s task, whose blocks stay', async ({ ada, grace, db }) => {
    const { id, own } = await taskWithBlocks(db, ada)

    expect((await grace.delete(`/api/tasks/${id}?blocks=cancel`)).status).toBe(404)
    expect((await grace.delete(`/api/tasks/${id}?permanent=true&blocks=cancel`)).status).toBe(404)
    expect(await statusOf(ada, own)).toBe('scheduled')
  })
})
