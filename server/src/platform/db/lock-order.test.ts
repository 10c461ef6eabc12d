// A write locks `user_state` last, so concurrent writes of one user cannot deadlock. PostgreSQL would resolve
// a deadlock after a second and the retry would hide it, so deadlocks are counted here.
import type { Database } from './database.ts'
import { eventsOf } from '../../../test/events.ts'
import { describe, expect, it } from '../../../test/it.ts'

describe('concurrent writes of one user', () => {
  it('number events without a gap, and cause no deadlock', async ({ ada, db }) => {
    const create = async (url: string, body: object) =>
      (await ada.post(url, body)).body.id as string
    const at = '2026-03-02T09:00:00Z'
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]

    for (let round = 0; round < 4; round += 1) {
      const spaceId = await create('/api/spaces', { name: 'Space' })
      const projectId = await create('/api/projects', { name: 'Project', spaceId })
      const labelId = await create('/api/labels', { name: `label ${round}` })
      const documentId = await create('/api/documents', { title: 'Document', spaceId, projectId })
      const preference = await create('/api/schedule-preferences', { name: 'Windows', windows })
      const inAll = { spaceId, projectId, schedulePreferenceId: preference, labelIds: [labelId] }
      const parent = await create('/api/tasks', { title: 'Parent', ...inAll })
      const child = await create('/api/tasks', { title: 'Child', parentTaskId: parent, ...inAll })
      const other = await create('/api/tasks', { title: 'Other', ...inAll })
      const item = await create('/api/checklist-items', { taskId: parent, title: 'Item' })
      const block = await create('/api/time-blocks', {
        taskId: parent,
        startAt: at,
        endAt: '2026-03-02T10:00:00Z',
      })

      const writes = [
        () => ada.patch(`/api/checklist-items/${item}`, { completed: true }),
        () => ada.post('/api/checklist-items', { taskId: parent, title: 'More' }),
        () => ada.patch(`/api/time-blocks/${block}`, { locked: true }),
        () => ada.post('/api/tasks', { title: 'New', ...inAll, parentTaskId: parent }),
        () => ada.post('/api/quick-add', { text: `Quick #space/project @fresh${round}` }),
        () => ada.patch(`/api/tasks/${other}`, { ...inAll }),
        () => ada.patch(`/api/tasks/${child}`, { labelIds: [] }),
        () => ada.post(`/api/tasks/${parent}/documents`, { documentId }),
        () => ada.post(`/api/tasks/${other}/dependencies`, { dependsOnTaskId: parent }),
        () => ada.post('/api/tasks/batch', { action: 'complete', taskIds: [parent, child, other] }),
        () => ada.post('/api/planner'),
        () => ada.delete(`/api/tasks/${parent}?permanent=true`),
        () => ada.delete(`/api/labels/${labelId}`),
        () => ada.delete(`/api/documents/${documentId}`),
        () => ada.delete(`/api/projects/${projectId}?permanent=true`),
        () => ada.delete(`/api/spaces/${spaceId}`),
        () => ada.patch('/api/settings', { schedulePreferenceId: preference, automatic: true }),
        () => ada.patch('/api/settings', { schedulePreferenceId: null, automatic: false }),
        () => ada.delete(`/api/schedule-preferences/${preference}`),
      ]
      const answers = await Promise.all([...writes, ...writes].map((write) => write()))
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }

    await flushStatistics(db)
    const { rows } = await db.pool.query<{ deadlocks: number }>(
      'select deadlocks from pg_stat_database where datname = current_database()',
    )
    expect(rows).toEqual([{ deadlocks: 0 }])
    const numbers = new Set((await eventsOf(db, ada)).map(({ seq }) => seq))
    expect([...numbers]).toEqual(Array.from(numbers, (_, i) => i + 1))
  })
})

/** Each backend counts its own deadlocks and reports them at its next flush. */
async function flushStatistics({ pool }: Database) {
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
  for (const client of clients) {
    await client.query('select pg_stat_force_next_flush()')
    client.release()
  }
}
