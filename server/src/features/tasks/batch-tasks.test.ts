import { eventsOf } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const newTask = async (person: Person, more: object = {}) =>
  (await person.post('/api/tasks', { title: 'Water the plants', ...more })).body

const getTask = async (person: Person, id: string) => (await person.get(`/api/tasks/${id}`)).body

const batch = (person: Person, action: unknown, taskIds: unknown) =>
  person.post('/api/tasks/batch', { action, taskIds })

describe('POST /api/tasks/batch', () => {
  it('200: complete stamps the time and copies the estimate', async ({ ada, now }) => {
    const task = await newTask(ada, { estimateMinutes: 30 })
    const unestimated = await newTask(ada)

    expect(await batch(ada, 'complete', [task.id, unestimated.id])).toEqual({
      status: 200,
      body: { affected: 2, requested: 2, invalid: 0 },
    })
    const completed = {
      status: 'completed',
      completedAt: now.toISOString(),
      updatedAt: isoUtcMilliseconds,
    }
    expect(await getTask(ada, task.id)).toMatchObject({ ...task, ...completed, actualMinutes: 30 })
    expect(await getTask(ada, unestimated.id)).toMatchObject({ ...unestimated, ...completed })
  })

  it('200: complete keeps existing actual minutes', async ({ ada }) => {
    const { id } = await newTask(ada, { estimateMinutes: 30 })
    await ada.patch(`/api/tasks/${id}`, { status: 'completed' })
    await ada.patch(`/api/tasks/${id}`, { status: 'todo', estimateMinutes: 90 })

    await batch(ada, 'complete', [id])

    expect(await getTask(ada, id)).toMatchObject({ estimateMinutes: 90, actualMinutes: 30 })
  })

  it.for(['archive', 'delete'])(
    '200: %s archives the tasks, and deletes nothing',
    async (action, { ada }) => {
      const task = await newTask(ada, { estimateMinutes: 30 })

      expect(await batch(ada, action, [task.id])).toEqual({
        status: 200,
        body: { affected: 1, requested: 1, invalid: 0 },
      })
      expect(await getTask(ada, task.id)).toMatchObject({
        ...task,
        status: 'archived',
        updatedAt: isoUtcMilliseconds,
      })
      expect((await ada.get('/api/tasks')).body.data).toEqual([])
    },
  )

  it.for(['complete', 'archive', 'delete'])(
    '200: %s from any status, and moves updatedAt',
    async (action, { ada }) => {
      const tasks = []
      for (const status of [
        'backlog',
        'todo',
        'in_progress',
        'completed',
        'cancelled',
        'archived',
      ]) {
        tasks.push(await newTask(ada, { status }))
      }
      const taskIds = tasks.map(({ id }) => id)

      expect((await batch(ada, action, taskIds)).body).toEqual({
        affected: 6,
        requested: 6,
        invalid: 0,
      })
      for (const task of tasks) {
        const { status, updatedAt } = await getTask(ada, task.id)
        expect(status).toBe(action === 'complete' ? 'completed' : 'archived')
        expect(updatedAt > task.updatedAt).toBe(true)
      }
    },
  )

  it.for(['complete', 'archive', 'delete'])(
    '200: %s skips and counts tasks that are not mine',
    async (action, { ada, grace }) => {
      const mine = await newTask(ada)
      const { id: graces } = await newTask(grace)
      const before = await getTask(grace, graces)

      expect(await batch(ada, action, [graces, mine.id, unknownId, 'not-an-id', ''])).toEqual({
        status: 200,
        body: { affected: 1, requested: 5, invalid: 4 },
      })
      expect((await getTask(ada, mine.id)).status).not.toBe('todo')
      expect(await getTask(grace, graces)).toEqual(before)
    },
  )

  it('200: none of the ids is mine', async ({ ada }) => {
    expect(await batch(ada, 'complete', [unknownId])).toEqual({
      status: 200,
      body: { affected: 0, requested: 1, invalid: 1 },
    })
  })

  it('200: a repeated id counts as requested, but affects one task', async ({ ada }) => {
    const { id } = await newTask(ada)

    expect((await batch(ada, 'archive', [id, id, id.toUpperCase(), unknownId])).body).toEqual({
      affected: 1,
      requested: 4,
      invalid: 1,
    })
  })

  it('200: a thousand ids', async ({ ada }) => {
    const { id } = await newTask(ada)

    expect(await batch(ada, 'archive', [id, ...Array(999).fill(unknownId)])).toEqual({
      status: 200,
      body: { affected: 1, requested: 1000, invalid: 999 },
    })
  })

  it('200: unknown fields are ignored', async ({ ada }) => {
    const { id } = await newTask(ada)
    const sent = { action: 'archive', taskIds: [id], status: 'completed', userId: unknownId }

    expect((await ada.post('/api/tasks/batch', sent)).status).toBe(200)
    expect(await getTask(ada, id)).toMatchObject({ userId: ada.id, status: 'archived' })
  })

  it('200: concurrent batches over the same tasks, in any order', async ({ ada }) => {
    const ids: string[] = []
    for (let n = 0; n < 10; n += 1) ids.push((await newTask(ada)).id)

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        batch(ada, n % 2 ? 'complete' : 'archive', n % 3 ? ids : ids.toReversed()),
      ),
    )

    const all = { status: 200, body: { affected: 10, requested: 10, invalid: 0 } }
    expect(answers).toEqual(answers.map(() => all))
    const { data } = (await ada.get('/api/tasks?includeCompleted=true')).body
    const statuses = new Set(data.map(({ status }: { status: string }) => status))
    expect(statuses.size).toBe(1)
  })

  it.for([
    {},
    { action: 'complete' },
    { taskIds: [unknownId] },
    { action: '', taskIds: [unknownId] },
    { action: null, taskIds: [unknownId] },
    { action: 'complete', taskIds: [] },
    { action: 'complete', taskIds: unknownId },
    { action: 'complete', taskIds: null },
    { action: 'explode', taskIds: [] },
  ])('400: action or taskIds is missing: %o', async (sent, { ada }) => {
    expect(await ada.post('/api/tasks/batch', sent)).toEqual({
      status: 400,
      body: { error: 'action and taskIds[] are required' },
    })
  })

  it.for(['explode', 'Complete', 'toString', 5])(
    '400: there is no action %o, and nothing changes',
    async (action, { ada }) => {
      const { id } = await newTask(ada)
      const before = await getTask(ada, id)

      expect(await batch(ada, action, [id])).toEqual({
        status: 400,
        body: { error: 'Invalid action. Use: complete, delete, archive' },
      })
      expect(await getTask(ada, id)).toEqual(before)
    },
  )

  it.for([
    ['taskIds', 'over a thousand', Array(1001).fill(unknownId)],
    ['taskIds.0', 'not text', [5]],
    ['taskIds.1', 'null', [unknownId, null]],
  ] as const)('400: %s %s', async ([field, , taskIds], { ada }) => {
    expect(await batch(ada, 'complete', taskIds)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('400: a body that is not an object', async ({ ada }) => {
    for (const sent of [undefined, [{ action: 'complete', taskIds: [unknownId] }]]) {
      expect(await ada.post('/api/tasks/batch', sent)).toEqual({
        status: 400,
        body: { error: 'Validation failed', details: { body: [expect.any(String)] } },
      })
    }
  })

  it('401: without a valid key, whatever the body', async ({ stranger }) => {
    for (const sent of [{}, { action: 'complete', taskIds: [unknownId] }]) {
      expect(await stranger.post('/api/tasks/batch', sent)).toEqual({
        status: 401,
        body: { error: 'Unauthorized' },
      })
    }
  })
})

describe('events', () => {
  it('record each task of a batch in one change', async ({ ada, db }) => {
    const newTask = async (): Promise<string> =>
      (await ada.post('/api/tasks', { title: 'Sow' })).body.id
    const taskIds = [await newTask(), await newTask()]
    await ada.post('/api/tasks/batch', { action: 'complete', taskIds })

    const events = await eventsOf(db, ada, 2)
    expect(events.map(({ recordId }) => recordId).toSorted()).toEqual(taskIds.toSorted())
    for (const event of events) {
      expect(event).toMatchObject({
        seq: 3,
        type: 'task.updated',
        before: { status: 'todo' },
        after: { status: 'completed' },
      })
    }
  })
})
