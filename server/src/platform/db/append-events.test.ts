// Tests what all recorded changes have in common, on labels, the simplest record.
import { describe, expect, it, type Person } from '../../../test/it.ts'
import type { Database } from './database.ts'

const eventsOf = async (db: Database, { id }: Person) =>
  (
    await db.pool.query(
      'select seq, part, type, record_id, before, after, actor from events where user_id = $1 order by seq, part',
      [id],
    )
  ).rows

describe('a change', () => {
  it('appends one event with the record before and after, and the actor', async ({ ada, db }) => {
    const { body: made } = await ada.post('/api/labels', { name: 'home' })
    const { body: renamed } = await ada.patch(`/api/labels/${made.id}`, { name: 'house' })
    await ada.delete(`/api/labels/${made.id}`)

    const actor = { kind: 'key', id: expect.any(String) }
    expect(await eventsOf(db, ada)).toEqual([
      {
        seq: 1,
        part: 1,
        type: 'label.created',
        record_id: made.id,
        before: null,
        after: made,
        actor,
      },
      {
        seq: 2,
        part: 1,
        type: 'label.updated',
        record_id: made.id,
        before: made,
        after: renamed,
        actor,
      },
      {
        seq: 3,
        part: 1,
        type: 'label.deleted',
        record_id: made.id,
        before: { ...renamed, taskIds: [] },
        after: null,
        actor,
      },
    ])
  })

  it('of several records appends one part for each, ordered by id within a type', async ({
    ada,
    db,
  }) => {
    const { body: space } = await ada.post('/api/spaces', { name: 'Work' })
    const ids: string[] = []
    for (const title of ['a', 'b', 'c', 'd']) {
      ids.push((await ada.post('/api/tasks', { title, spaceId: space.id })).body.id)
    }
    for (const id of [ids[2], ids[0]]) await ada.patch(`/api/tasks/${id}`, { title: 'moved' })
    await ada.delete(`/api/spaces/${space.id}`)

    const last = (await eventsOf(db, ada)).filter(({ seq }, _, all) => seq === all.at(-1)?.seq)
    expect(last.map(({ part }) => part)).toEqual([1, 2, 3, 4, 5])
    const tasks = last.filter(({ type }) => type === 'task.updated')
    expect(tasks.map(({ record_id }) => record_id)).toEqual(ids.toSorted())
  })

  it('that is refused appends no event', async ({ ada, db }) => {
    await ada.post('/api/labels', { name: 'home' })
    await ada.post('/api/labels', { name: 'home' })
    await ada.patch('/api/labels/11111111-1111-4111-8111-111111111111', { name: 'x' })

    expect(await eventsOf(db, ada)).toHaveLength(1)
  })

  it('is numbered without a gap, also under concurrency', async ({ ada, db }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'home' })
    const changes = Array.from({ length: 20 }, (_, i) => ({ name: `home ${i}` }))
    await Promise.all(changes.map((change) => ada.patch(`/api/labels/${label.id}`, change)))

    const events = await eventsOf(db, ada)
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1))
    expect(events.slice(1).map(({ before }) => before)).toEqual(
      events.slice(0, -1).map(({ after }) => after),
    )
  })
})
