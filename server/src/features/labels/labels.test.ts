import { describe, expect, it, type Person } from '../../../test/it.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const newLabel = async (person: Person, name: string) =>
  (await person.post('/api/labels', { name })).body

const newTaskWith = async (person: Person, label: { id: string }) =>
  (await person.post('/api/tasks', { title: 'Water the plants', labelIds: [label.id] })).body.id

describe('GET /api/labels', () => {
  it('200: my labels in order of name, each with its number of tasks', async ({ ada, grace }) => {
    await newLabel(ada, 'work')
    await newTaskWith(ada, await newLabel(ada, 'home'))
    await newLabel(grace, 'garden')

    const { status, body } = await ada.get('/api/labels')

    expect(status).toBe(200)
    expect(body).toMatchObject([
      { name: 'home', _count: { tasks: 1 } },
      { name: 'work', _count: { tasks: 0 } },
    ])
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.get('/api/labels')).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })
})

describe('POST /api/labels', () => {
  it('201: the whole label', async ({ ada }) => {
    expect(await ada.post('/api/labels', { name: 'home', color: '#1A2b3C' })).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        userId: ada.id,
        name: 'home',
        color: '#1A2b3C',
        createdAt: isoUtcMilliseconds,
        updatedAt: isoUtcMilliseconds,
      },
    })
  })

  it.for([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(101) }],
    ['color', { name: 'sky', color: 'blue' }],
  ] as const)('400: names the field that failed: %s of %o', async ([field, label], { ada }) => {
    expect(await ada.post('/api/labels', label)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('409: the name is in use by the same user, not by another', async ({ ada, grace }) => {
    await newLabel(ada, 'home')

    expect(await ada.post('/api/labels', { name: 'home' })).toEqual({
      status: 409,
      body: { error: 'Label name already in use' },
    })
    expect((await grace.post('/api/labels', { name: 'home' })).status).toBe(201)
  })
})

describe('PATCH /api/labels/{id}', () => {
  it('200: changes what was sent, keeps the rest, and moves updatedAt', async ({ ada }) => {
    const label = await newLabel(ada, 'home')

    const { status, body } = await ada.patch(`/api/labels/${label.id}`, { color: '#00ff00' })

    expect(status).toBe(200)
    expect(body).toEqual({ ...label, color: '#00ff00', updatedAt: isoUtcMilliseconds })
    expect(body.updatedAt > label.updatedAt).toBe(true)
  })

  it('409: renamed to a name in use', async ({ ada }) => {
    await newLabel(ada, 'home')
    const { id } = await newLabel(ada, 'work')

    expect((await ada.patch(`/api/labels/${id}`, { name: 'home' })).status).toBe(409)
  })
})

describe('DELETE /api/labels/{id}', () => {
  it('200: deleted, and the tasks that had it remain', async ({ ada }) => {
    const label = await newLabel(ada, 'home')
    const task = await newTaskWith(ada, label)

    expect(await ada.delete(`/api/labels/${label.id}`)).toEqual({
      status: 200,
      body: { success: true },
    })
    expect((await ada.get('/api/labels')).body).toEqual([])
    expect((await ada.get(`/api/tasks/${task}`)).body).toMatchObject({ labels: [] })
  })
})

describe('PATCH and DELETE of a label that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const adas = await newLabel(ada, 'home')

    for (const id of ['11111111-1111-1111-1111-111111111111', 'not-an-id', adas.id]) {
      const notFound = { status: 404, body: { error: 'Label not found' } }
      expect(await grace.patch(`/api/labels/${id}`, { name: 'mine' })).toEqual(notFound)
      expect(await grace.delete(`/api/labels/${id}`)).toEqual(notFound)
    }
  })
})
