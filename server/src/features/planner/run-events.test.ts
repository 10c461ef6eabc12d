// The events of a run, and how a run updates a stale plan.
import { becameStale, eventsOf } from '../../../test/events.ts'
import { describe, expect, it, type Person, testApp } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'
import { runPlanner } from './run-planner.ts'
import { solveInThreads } from './solve.ts'

const task = async (person: Person, body: object = {}) =>
  (await person.post('/api/tasks', { title: 'Write', estimateMinutes: 60, ...body })).body

const run = async (person: Person) => {
  await person.post('/api/planner')
  return (await person.get('/api/planner/runs')).body.runs[0]
}

const blockIds = async (person: Person) =>
  (await person.get('/api/time-blocks?from=2026-03-02&to=2026-04-01')).body.map(
    ({ id }: { id: string }) => id,
  )

const staleSince = async (db: Database, { id }: Person) =>
  (await db.pool.query('select stale_since from user_state where user_id = $1', [id])).rows[0]
    .stale_since

describe('a run', () => {
  it('appends one event, whatever it changes in the calendar', async ({ ada, db }) => {
    await task(ada)
    await run(ada)
    const before = await blockIds(ada)
    const { id, state, plannedAt, result } = await run(ada)

    expect(await eventsOf(db, ada, 2)).toEqual([
      {
        seq: 3,
        part: 1,
        type: 'plannerRun.applied',
        recordId: id,
        before: null,
        after: {
          id,
          state,
          plannedAt,
          result,
          createdBlockIds: await blockIds(ada),
          cancelledBlockIds: before,
        },
        actor: { kind: 'key', id: expect.any(String) },
      },
    ])
  })

  it('appends none as a preview, one when applied, and one when undone', async ({ ada, db }) => {
    await task(ada)
    const { id } = (await ada.post('/api/planner/preview')).body
    expect(await eventsOf(db, ada, 1)).toEqual([])

    await ada.post(`/api/planner/runs/${id}/apply`)
    const createdBlockIds = await blockIds(ada)
    await ada.post(`/api/planner/runs/${id}/undo`)

    expect(await eventsOf(db, ada, 1)).toMatchObject([
      {
        seq: 2,
        type: 'plannerRun.applied',
        recordId: id,
        after: { state: 'applied', createdBlockIds, cancelledBlockIds: [] },
      },
      {
        seq: 3,
        type: 'plannerRun.undone',
        recordId: id,
        before: { state: 'applied' },
        after: { state: 'undone', restoredBlockIds: [], cancelledBlockIds: createdBlockIds },
      },
    ])
  })

  it('appends events for the archived tasks that it deletes', async ({ ada, db, now }) => {
    const { id } = await task(ada)
    await ada.delete(`/api/tasks/${id}`)
    const later = await testApp(db, () => new Date(now.getTime() + 31 * 86_400_000))
    await later.inject({
      method: 'POST',
      url: '/api/planner',
      headers: { authorization: `Bearer ${ada.key}` },
    })

    expect(await eventsOf(db, ada, 2)).toMatchObject([
      { seq: 3, type: 'task.deleted', recordId: id, before: { title: 'Write', labelIds: [] } },
      { seq: 4, type: 'plannerRun.applied' },
    ])
    expect(await staleSince(db, ada)).toBe(null)
  })
})

describe('a stale plan', () => {
  it('is up to date after a run, and after a preview that was applied', async ({ ada, db }) => {
    await task(ada)
    expect(await staleSince(db, ada)).toBeInstanceOf(Date)
    await run(ada)
    expect(await staleSince(db, ada)).toBe(null)

    await task(ada)
    const { id } = (await ada.post('/api/planner/preview')).body
    expect(await staleSince(db, ada)).toBeInstanceOf(Date)
    await ada.post(`/api/planner/runs/${id}/apply`)
    expect(await staleSince(db, ada)).toBe(null)
  })

  it('stays stale if something changes during every attempt', async ({ ada, db, now }) => {
    await task(ada)
    const { solve, stop } = solveInThreads(1)
    const solveAndChange = async (problem: string) => {
      await task(ada)
      return solve(problem)
    }
    const request = { userId: ada.id, now, solve: solveAndChange, kind: 'automatic' } as const
    try {
      await runPlanner(db.as({ kind: 'planner' }), request, async () => {})
    } finally {
      await stop()
    }

    expect(await staleSince(db, ada)).toBeInstanceOf(Date)
    expect(await eventsOf(db, ada, 4)).toMatchObject([
      { type: 'plannerRun.applied', actor: { kind: 'planner' } },
    ])
  })

  it('results from a change to tasks, blocks, windows, projects or the time zone', async ({
    ada,
    db,
  }) => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    const later = [{ day: [1], start: '10:00', end: '11:00' }]
    const span = { startAt: '2026-03-02T09:00:00Z', endAt: '2026-03-02T10:00:00Z' }
    const { id } = await task(ada)
    const { id: other } = await task(ada)
    const { body: preference } = await ada.post('/api/schedule-preferences', { name: 'x', windows })
    const { body: project } = await ada.post('/api/projects', { name: 'x' })
    const { body: label } = await ada.post('/api/labels', { name: 'y' })
    const { body: block } = await ada.post('/api/time-blocks', { taskId: id, ...span })
    const matters: [string, () => Promise<{ status: number }>][] = [
      ['a new task', () => ada.post('/api/tasks', { title: 'x' })],
      ['a task', () => ada.patch(`/api/tasks/${id}`, { priority: 'high' })],
      ['its labels', () => ada.patch(`/api/tasks/${id}`, { labelIds: [label.id] })],
      ['many', () => ada.post('/api/tasks/batch', { action: 'complete', taskIds: [id] })],
      ['a wait', () => ada.post(`/api/tasks/${id}/dependencies`, { dependsOnTaskId: other })],
      ['none', () => ada.delete(`/api/tasks/${id}/dependencies/${other}`)],
      ['a new block', () => ada.post('/api/time-blocks', { taskId: id, ...span })],
      ['a block', () => ada.patch(`/api/time-blocks/${block.id}`, { locked: true })],
      ['one less', () => ada.delete(`/api/time-blocks/${block.id}`)],
      [
        'windows',
        () => ada.patch(`/api/schedule-preferences/${preference.id}`, { windows: later }),
      ],
      ['no windows', () => ada.delete(`/api/schedule-preferences/${preference.id}`)],
      ['a project', () => ada.patch(`/api/projects/${project.id}`, { autoSchedule: false })],
      ['no project', () => ada.delete(`/api/projects/${project.id}?permanent=true`)],
      ['a zone', () => ada.patch('/api/user', { timezone: 'Europe/Berlin' })],
      ['no task', () => ada.delete(`/api/tasks/${id}?permanent=true`)],
    ]
    await becameStale(db, ada)

    for (const [what, change] of matters) {
      expect((await change()).status, what).toBeLessThan(300)
      expect(await becameStale(db, ada), what).toBe(true)
    }
    await ada.post('/api/labels', { name: 'x' })
    await ada.post('/api/checklist-items', { taskId: other, title: 'x' })
    await ada.post('/api/spaces', { name: 'x' })
    expect(await becameStale(db, ada)).toBe(false)
  })
})
