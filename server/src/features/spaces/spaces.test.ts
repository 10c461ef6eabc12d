import type { Database } from '../../platform/db/database.ts'
import { changesOf, eventsOf, placeRecord } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const newSpace = async (person: Person, name: string) =>
  (await person.post('/api/spaces', { name })).body

const newProject = async (person: Person, project: object) =>
  (await person.post('/api/projects', { name: 'Website', ...project })).body

/** The default space of every account. */
const home = async (person: Person) => (await person.get('/api/spaces')).body[0]

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

const createdAt = (day: string, db: Database, { id }: { id: string }) =>
  db.pool.query('update spaces set created_at = $1 where id = $2', [day, id])

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)

const namesOf = (records: { name: string }[]) => records.map(({ name }) => name)

const json = (person: Person) => ({
  authorization: `Bearer ${person.key}`,
  'content-type': 'application/json',
})

describe('GET /api/spaces', () => {
  it('200: my spaces in full, with their projects and the counts of their contents', async ({
    ada,
    grace,
  }) => {
    const space = await newSpace(ada, 'Work')
    const project = await newProject(ada, { spaceId: space.id, color: '#0EA5E9' })
    await ada.post('/api/tasks', { title: 'Open', spaceId: space.id })
    await ada.post('/api/tasks', { title: 'Done', spaceId: space.id, status: 'completed' })
    await ada.post('/api/tasks', { title: 'Put away', projectId: project.id, status: 'archived' })
    await ada.post('/api/documents', { title: 'Brief', spaceId: space.id })
    await newSpace(grace, 'Garden')

    const { status, body } = await ada.get('/api/spaces')

    expect(status).toBe(200)
    expect(body).toHaveLength(2)
    expect(body).toContainEqual({
      id: expect.any(String),
      userId: ada.id,
      name: 'Personal',
      color: '#6B7280',
      icon: 'folder',
      isDefault: true,
      sortOrder: 0,
      createdAt: isoUtcMilliseconds,
      updatedAt: isoUtcMilliseconds,
      projects: [],
      _count: { tasks: 0, documents: 0 },
    })
    expect(body).toContainEqual({
      ...space,
      projects: [{ id: project.id, name: 'Website', color: '#0EA5E9', _count: { tasks: 1 } }],
      _count: { tasks: 2, documents: 1 },
    })
  })

  it('200: ordered by sortOrder, then by creation', async ({ ada, db }) => {
    const { id: first } = await home(ada)
    const third = await newSpace(ada, 'third')
    const second = await newSpace(ada, 'second')
    const last = await newSpace(ada, 'last')
    await ada.patch(`/api/spaces/${first}`, { sortOrder: -0.5 })
    await ada.patch(`/api/spaces/${last.id}`, { sortOrder: 0.5 })
    await createdAt('2026-01-02', db, third)
    await createdAt('2026-01-01', db, second)
    await createdAt('2026-01-01', db, last)

    const { body } = await ada.get('/api/spaces')

    expect(idsOf(body)).toEqual([first, second.id, third.id, last.id])
  })

  it('200: ordered by id if created at the same instant', async ({ ada, db }) => {
    const spaces = await thirtyOf('/api/spaces', ada, { name: 'Work' })
    for (const space of spaces) await createdAt('2026-01-01', db, space)

    const { body } = await ada.get('/api/spaces')

    const all = body.filter(({ isDefault }: { isDefault: boolean }) => !isDefault)
    expect(idsOf(all)).toEqual(idsOf(spaces.toSorted(byOrder)))
  })

  it('200: projects of a space ordered by sortOrder, then by id', async ({ ada }) => {
    const { id: spaceId } = await home(ada)
    const projects = await thirtyOf('/api/projects', ada, { name: 'Website', spaceId })

    expect(idsOf((await home(ada)).projects)).toEqual(idsOf(projects.toSorted(byOrder)))
  })

  it('200: without archived projects', async ({ ada }) => {
    const { id: spaceId } = await home(ada)
    const archived = await newProject(ada, { spaceId })
    const kept = await newProject(ada, { spaceId })
    await ada.delete(`/api/projects/${archived.id}`)

    expect(idsOf((await home(ada)).projects)).toEqual([kept.id])
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.get('/api/spaces')).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })
})

describe('POST /api/spaces', () => {
  it('201: the whole space, with its defaults', async ({ ada }) => {
    expect(await ada.post('/api/spaces', { name: 'Work' })).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        userId: ada.id,
        name: 'Work',
        color: '#6B7280',
        icon: 'folder',
        isDefault: false,
        sortOrder: 0,
        createdAt: isoUtcMilliseconds,
        updatedAt: isoUtcMilliseconds,
      },
    })
  })

  it('201: in my color, with my icon', async ({ ada }) => {
    const space = { name: ' Work ', color: 'hsl(200 50% 50%)', icon: 'briefcase' }

    expect((await ada.post('/api/spaces', space)).body).toMatchObject(space)
  })

  it('201: ignores read-only fields', async ({ ada, grace }) => {
    const { status, body } = await ada.post('/api/spaces', {
      name: 'Work',
      id: unknownId,
      userId: grace.id,
      isDefault: true,
      sortOrder: 7,
      createdAt: '2000-01-01T00:00:00Z',
      mood: 'sunny',
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({ userId: ada.id, isDefault: false, sortOrder: 0 })
    expect(body.id).not.toBe(unknownId)
    expect(body.createdAt).not.toMatch(/^2000/)
    expect(body).not.toHaveProperty('mood')
  })

  it('201: at the limits of its texts', async ({ ada }) => {
    const space = { name: '🌱'.repeat(50), color: 'c'.repeat(50), icon: 'i'.repeat(100) }

    expect(await ada.post('/api/spaces', space)).toMatchObject({ status: 201, body: space })
  })

  it.for([
    ['name', 'missing', {}],
    ['name', 'null', { name: null }],
    ['name', 'a number', { name: 5 }],
    ['name', 'empty', { name: '' }],
    ['name', 'of 101 characters', { name: 'x'.repeat(101) }],
    ['name', 'of 51 characters that count twice', { name: '🌱'.repeat(51) }],
    ['name', 'with U+0000', { name: 'nul\0' }],
    ['name', 'with half of a surrogate pair', { name: '\ud83c' }],
    ['color', 'null', { name: 'Work', color: null }],
    ['color', 'of 51 characters', { name: 'Work', color: 'c'.repeat(51) }],
    ['color', 'with U+0000', { name: 'Work', color: '\0' }],
    ['icon', 'null', { name: 'Work', icon: null }],
    ['icon', 'of 101 characters', { name: 'Work', icon: 'i'.repeat(101) }],
    ['icon', 'with half of a surrogate pair', { name: 'Work', icon: '\udf31' }],
  ] as const)('400: %s %s', async ([field, , space], { ada }) => {
    expect(await ada.post('/api/spaces', space)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('400: names every field that failed', async ({ ada }) => {
    expect(await ada.post('/api/spaces', { color: 5, icon: 5 })).toEqual({
      status: 400,
      body: {
        error: 'Validation failed',
        details: {
          name: [expect.any(String)],
          color: [expect.any(String)],
          icon: [expect.any(String)],
        },
      },
    })
  })

  it.for(['', '[]', 'null', '"Work"', '5'])(
    '400: a body that is not an object: %o',
    async (payload, { ada, app }) => {
      const response = await app.inject({
        method: 'POST',
        url: '/api/spaces',
        headers: json(ada),
        payload,
      })

      expect(response.statusCode).toBe(400)
      expect(response.json()).toEqual({
        error: 'Validation failed',
        details: { body: [expect.any(String)] },
      })
    },
  )

  it('400: a body that is not JSON', async ({ ada, app }) => {
    const response = await app.inject({
      method: 'POST',
      url: '/api/spaces',
      headers: json(ada),
      payload: '{"name": ',
    })

    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({ error: 'Invalid JSON' })
  })

  it('413: a body over 1 MiB', async ({ ada }) => {
    const withoutPadding = JSON.stringify({ name: 'Work', padding: '' }).length
    const padding = 'x'.repeat(1024 * 1024 - withoutPadding)

    expect((await ada.post('/api/spaces', { name: 'Work', padding })).status).toBe(201)
    expect(await ada.post('/api/spaces', { name: 'Work', padding: `${padding}x` })).toEqual({
      status: 413,
      body: { error: expect.any(String) },
    })
  })
})

describe('PATCH /api/spaces/{id}', () => {
  it('200: changes what was sent, keeps the rest, and moves updatedAt', async ({ ada }) => {
    const space = await newSpace(ada, 'Work')

    const { status, body } = await ada.patch(`/api/spaces/${space.id}`, { icon: 'briefcase' })

    expect(status).toBe(200)
    expect(body).toEqual({ ...space, icon: 'briefcase', updatedAt: isoUtcMilliseconds })
    expect(body.updatedAt > space.updatedAt).toBe(true)
  })

  it('200: changes the default space, which stays the default', async ({ ada }) => {
    const { id } = await home(ada)
    const changes = { name: 'Home', color: '', icon: '', sortOrder: -1.5 }

    expect(await ada.patch(`/api/spaces/${id}`, { ...changes, isDefault: false })).toMatchObject({
      status: 200,
      body: { ...changes, isDefault: true },
    })
  })

  it('200: ignores read-only fields', async ({ ada, grace }) => {
    const space = await newSpace(ada, 'Work')
    const { id, userId, isDefault, createdAt } = space

    const { body } = await ada.patch(`/api/spaces/${id}`, {
      id: unknownId,
      userId: grace.id,
      isDefault: true,
      createdAt: '2000-01-01T00:00:00Z',
      updatedAt: '2000-01-01T00:00:00Z',
      mood: 'sunny',
    })

    expect(body).toEqual({ ...space, id, userId, isDefault, createdAt, updatedAt: body.updatedAt })
    expect(body.updatedAt).toBe(space.updatedAt)
  })

  it.for([0.1, -1e308, 5e-324, 9_007_199_254_740_992])(
    '200: sortOrder is any double: %d',
    async (sortOrder, { ada }) => {
      const { id } = await newSpace(ada, 'Work')

      expect((await ada.patch(`/api/spaces/${id}`, { sortOrder })).body).toMatchObject({
        sortOrder,
      })
    },
  )

  it.for([
    ['name', 'null', { name: null }],
    ['name', 'empty', { name: '' }],
    ['name', 'of 101 characters', { name: 'x'.repeat(101) }],
    ['name', 'with U+0000', { name: '\0' }],
    ['color', 'null', { color: null }],
    ['color', 'of 51 characters', { color: 'c'.repeat(51) }],
    ['icon', 'null', { icon: null }],
    ['icon', 'of 101 characters', { icon: 'i'.repeat(101) }],
    ['sortOrder', 'null', { sortOrder: null }],
    ['sortOrder', 'a text', { sortOrder: '1' }],
  ] as const)('400: %s %s', async ([field, , changes], { ada }) => {
    const { id } = await newSpace(ada, 'Work')

    expect(await ada.patch(`/api/spaces/${id}`, changes)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('400: sortOrder beyond the largest double', async ({ ada, app }) => {
    const { id } = await newSpace(ada, 'Work')

    const response = await app.inject({
      method: 'PATCH',
      url: `/api/spaces/${id}`,
      headers: json(ada),
      payload: '{"sortOrder": 1e400}',
    })

    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ details: { sortOrder: [expect.any(String)] } })
  })
})

describe('DELETE /api/spaces/{id}', () => {
  it('200: deleted; its tasks, projects and documents remain without a space', async ({ ada }) => {
    const { id: spaceId } = await newSpace(ada, 'Work')
    const project = await newProject(ada, { spaceId })
    const task = (await ada.post('/api/tasks', { title: 'Write', spaceId })).body
    const document = (await ada.post('/api/documents', { title: 'Brief', spaceId })).body

    expect(await ada.delete(`/api/spaces/${spaceId}`)).toEqual({
      status: 200,
      body: { success: true },
    })
    expect(namesOf((await ada.get('/api/spaces')).body)).toEqual(['Personal'])
    for (const url of [
      `/api/projects/${project.id}`,
      `/api/tasks/${task.id}`,
      `/api/documents/${document.id}`,
    ]) {
      expect(await ada.get(url)).toMatchObject({
        status: 200,
        body: { spaceId: null, space: null },
      })
    }
  })

  it('200: with a JSON content type and no body', async ({ ada, app }) => {
    const { id } = await newSpace(ada, 'Work')

    const response = await app.inject({
      method: 'DELETE',
      url: `/api/spaces/${id}`,
      headers: json(ada),
    })

    expect(response.statusCode).toBe(200)
  })

  it('400: the default space, which keeps what is in it', async ({ ada }) => {
    const { id: spaceId } = await home(ada)
    const { id } = (await ada.post('/api/tasks', { title: 'Water the plants', spaceId })).body

    expect(await ada.delete(`/api/spaces/${spaceId}`)).toEqual({
      status: 400,
      body: { error: 'Cannot delete default space' },
    })
    expect((await ada.get(`/api/tasks/${id}`)).body).toMatchObject({ spaceId })
  })
})

describe('PATCH and DELETE of a space that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const adas = await newSpace(ada, 'Work')
    const adasHome = await home(ada)

    for (const id of [unknownId, 'not-an-id', '%00', adas.id, adasHome.id]) {
      const notFound = { status: 404, body: { error: 'Space not found' } }
      expect(await grace.patch(`/api/spaces/${id}`, { name: 'mine' })).toEqual(notFound)
      expect(await grace.delete(`/api/spaces/${id}`)).toEqual(notFound)
    }
    expect(namesOf((await ada.get('/api/spaces')).body).toSorted()).toEqual(['Personal', 'Work'])
  })
})

describe('the default schedule of a space', () => {
  it('is not shown, and ignored in a body', async ({ ada }) => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    const preference = await ada.post('/api/schedule-preferences', { name: 'Early', windows })
    const given = { schedulePreferenceId: preference.body.id }
    const made = await ada.post('/api/spaces', { name: 'Home', ...given })
    const path = `/api/spaces/${made.body.id}`
    const ignored = await ada.patch(path, given)
    expect((await ada.get('/api/default-schedules')).body.spaces).toEqual([])

    await ada.put(`${path}/default-schedule`, given)

    const shown = [
      made.body,
      ignored.body,
      (await ada.patch(path, { name: 'House' })).body,
      ...(await ada.get('/api/spaces')).body,
    ]
    for (const record of shown) expect(record).not.toHaveProperty('schedulePreferenceId')
  })
})

describe('events', () => {
  it('record a space from creation to deletion', async ({ ada, db }) => {
    const { body: made } = await ada.post('/api/spaces', { name: 'Home' })
    const { body: renamed } = await ada.patch(`/api/spaces/${made.id}`, { name: 'House' })
    await ada.delete(`/api/spaces/${made.id}`)

    expect(await changesOf(db, ada)).toEqual([
      ['space.created', null, placeRecord(made)],
      ['space.updated', placeRecord(made), placeRecord(renamed)],
      ['space.deleted', placeRecord(renamed), null],
    ])
  })

  it('record the detached contents in the same change', async ({ ada, db }) => {
    const { body: space } = await ada.post('/api/spaces', { name: 'Home' })
    const inIt = { spaceId: space.id }
    const { body: task } = await ada.post('/api/tasks', { title: 'Sow', ...inIt })
    const { body: project } = await ada.post('/api/projects', { name: 'Garden', ...inIt })
    const { body: document } = await ada.post('/api/documents', { title: 'Seeds', ...inIt })
    await ada.delete(`/api/spaces/${space.id}`)

    const events = await eventsOf(db, ada, 4)
    expect(events).toMatchObject([
      { seq: 5, part: 1, type: 'space.deleted', recordId: space.id },
      { seq: 5, part: 2, type: 'project.updated', recordId: project.id },
      { seq: 5, part: 3, type: 'document.updated', recordId: document.id },
      { seq: 5, part: 4, type: 'task.updated', recordId: task.id },
    ])
    expect(events.slice(1).map(({ before, after }) => [before.spaceId, after.spaceId])).toEqual(
      Array.from({ length: 3 }, () => [space.id, null]),
    )
  })

  it('record nothing for a refused deletion of the default space', async ({ ada, db }) => {
    const { body: spaces } = await ada.get('/api/spaces')
    await ada.delete(`/api/spaces/${spaces[0].id}`)

    expect(await eventsOf(db, ada)).toEqual([])
  })
})
