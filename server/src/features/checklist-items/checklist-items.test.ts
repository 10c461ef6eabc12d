import { changesOf } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const newTask = async (person: Person) =>
  (await person.post('/api/tasks', { title: 'Write the report' })).body

const newItem = async (person: Person, taskId: string, title = 'Ask for the figures') =>
  (await person.post('/api/checklist-items', { taskId, title })).body

const itemsOf = async (person: Person, taskId: string) =>
  (await person.get(`/api/tasks/${taskId}`)).body.checklistItems

type Ordered = { id: string; sortOrder: number }

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)

const byOrder = (one: Ordered, other: Ordered) =>
  one.sortOrder - other.sortOrder || byId(one, other)

/** Creates thirty records with two sort orders: a few would be in the order of their ids even without sorting. */
const thirtyOf = (url: string, person: Person, record: object): Promise<Ordered[]> =>
  Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const { id } = (await person.post(url, record)).body
      return (await person.patch(`${url}/${id}`, { sortOrder: index % 2 })).body
    }),
  )

describe('POST /api/checklist-items', () => {
  it('201: the whole item, which then comes with its task', async ({ ada }) => {
    const { id: taskId } = await newTask(ada)

    const { status, body } = await ada.post('/api/checklist-items', { taskId, title: ' Ask ' })

    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      taskId,
      title: ' Ask ',
      completed: false,
      sortOrder: 0,
    })
    expect(await itemsOf(ada, taskId)).toEqual([body])
  })

  it('201: ignores read-only fields', async ({ ada, grace }) => {
    const { id: taskId } = await newTask(ada)

    const { status, body } = await ada.post('/api/checklist-items', {
      taskId,
      title: 'Ask',
      id: unknownId,
      userId: grace.id,
      completed: true,
      sortOrder: 7,
    })

    expect(status).toBe(201)
    expect(body).toEqual({ id: body.id, taskId, title: 'Ask', completed: false, sortOrder: 0 })
    expect(body.id).not.toBe(unknownId)
  })

  it('201: a title of 500 characters', async ({ ada }) => {
    const title = 'x'.repeat(500)

    expect(await newItem(ada, (await newTask(ada)).id, title)).toMatchObject({ title })
  })

  it.for([
    ['taskId', 'missing', { title: 'Ask' }],
    ['taskId', 'null', { taskId: null, title: 'Ask' }],
    ['taskId', 'a number', { taskId: 5, title: 'Ask' }],
    ['title', 'missing', { taskId: unknownId }],
    ['title', 'null', { taskId: unknownId, title: null }],
    ['title', 'empty', { taskId: unknownId, title: '' }],
    ['title', 'of 501 characters', { taskId: unknownId, title: 'x'.repeat(501) }],
    ['title', 'with U+0000', { taskId: unknownId, title: 'nul\0' }],
    ['title', 'with half of a surrogate pair', { taskId: unknownId, title: '\ud83c' }],
  ] as const)('400: %s %s', async ([field, , item], { ada }) => {
    expect(await ada.post('/api/checklist-items', item)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.post('/api/checklist-items', {})).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })

  it('404: on a task that is unknown, malformed or another user’s', async ({ ada, grace }) => {
    const { id: adas } = await newTask(ada)

    for (const taskId of [unknownId, 'not-an-id', '', adas]) {
      expect(await grace.post('/api/checklist-items', { taskId, title: 'mine' })).toEqual({
        status: 404,
        body: { error: 'Task not found' },
      })
    }
    expect(await itemsOf(ada, adas)).toEqual([])
  })
})

describe('PATCH /api/checklist-items/{id}', () => {
  it.for([{ title: 'Ask again' }, { completed: true }, { sortOrder: -1.5 }])(
    '200: changes what was sent and keeps the rest: %o',
    async (changes, { ada }) => {
      const { id: taskId } = await newTask(ada)
      const item = await newItem(ada, taskId)

      const changed = { ...item, ...changes }
      expect(await ada.patch(`/api/checklist-items/${item.id}`, changes)).toEqual({
        status: 200,
        body: changed,
      })
      expect(await itemsOf(ada, taskId)).toEqual([changed])
    },
  )

  it('200: the items of a task are ordered by sortOrder, then by id', async ({ ada }) => {
    const { id: taskId } = await newTask(ada)
    const items = await thirtyOf('/api/checklist-items', ada, { taskId, title: 'Ask' })

    expect(await itemsOf(ada, taskId)).toEqual(items.toSorted(byOrder))
  })

  it('200: ignores read-only fields', async ({ ada }) => {
    const item = await newItem(ada, (await newTask(ada)).id)
    const other = await newTask(ada)

    const changes = { id: unknownId, taskId: other.id, mood: 'sunny' }
    expect(await ada.patch(`/api/checklist-items/${item.id}`, changes)).toEqual({
      status: 200,
      body: item,
    })
  })

  it.for([
    ['title', 'null', { title: null }],
    ['title', 'empty', { title: '' }],
    ['title', 'of 501 characters', { title: 'x'.repeat(501) }],
    ['title', 'with U+0000', { title: '\0' }],
    ['completed', 'null', { completed: null }],
    ['completed', 'a text', { completed: 'yes' }],
    ['completed', 'a number', { completed: 1 }],
    ['sortOrder', 'null', { sortOrder: null }],
    ['sortOrder', 'a text', { sortOrder: '1' }],
  ] as const)('400: %s %s', async ([field, , changes], { ada }) => {
    const { id } = await newItem(ada, (await newTask(ada)).id)

    expect(await ada.patch(`/api/checklist-items/${id}`, changes)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })
})

describe('DELETE /api/checklist-items/{id}', () => {
  it('200: deleted; the task is unchanged', async ({ ada }) => {
    const { id: taskId } = await newTask(ada)
    const kept = await newItem(ada, taskId, 'Keep')
    const item = await newItem(ada, taskId, 'Drop')
    const { body: task } = await ada.get(`/api/tasks/${taskId}`)

    expect(await ada.delete(`/api/checklist-items/${item.id}`)).toEqual({
      status: 200,
      body: { success: true },
    })
    expect((await ada.get(`/api/tasks/${taskId}`)).body).toEqual({
      ...task,
      checklistItems: [kept],
    })
  })
})

describe('PATCH and DELETE of an item that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const { id: taskId } = await newTask(ada)
    const adas = await newItem(ada, taskId)

    for (const id of [unknownId, 'not-an-id', '%00', adas.id]) {
      const notFound = { status: 404, body: { error: 'Not found' } }
      expect(await grace.patch(`/api/checklist-items/${id}`, { completed: true })).toEqual(notFound)
      expect(await grace.delete(`/api/checklist-items/${id}`)).toEqual(notFound)
    }
    expect(await itemsOf(ada, taskId)).toEqual([adas])
  })

  it('404: deleted with its task', async ({ ada }) => {
    const { id: taskId } = await newTask(ada)
    const { id } = await newItem(ada, taskId)
    await ada.delete(`/api/tasks/${taskId}?permanent=true`)

    expect((await ada.patch(`/api/checklist-items/${id}`, { completed: true })).status).toBe(404)
    expect((await ada.delete(`/api/checklist-items/${id}`)).status).toBe(404)
  })
})

describe('events', () => {
  it('record an item from creation to deletion', async ({ ada, db }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Sow' })
    const { body: made } = await ada.post('/api/checklist-items', {
      taskId: task.id,
      title: 'Dig',
    })
    const { body: done } = await ada.patch(`/api/checklist-items/${made.id}`, { completed: true })
    await ada.delete(`/api/checklist-items/${made.id}`)

    expect(await changesOf(db, ada, 1)).toEqual([
      ['checklistItem.created', null, made],
      ['checklistItem.updated', made, done],
      ['checklistItem.deleted', done, null],
    ])
  })
})
