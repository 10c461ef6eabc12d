import { changesOf, eventsOf, placeRecord } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const newProject = async (person: Person, project: object = {}) =>
  (await person.post('/api/projects', { name: 'Website', ...project })).body

const newSpace = async (person: Person, space: object = {}) =>
  (await person.post('/api/spaces', { name: 'Work', ...space })).body

const newTask = async (person: Person, task: object) =>
  (await person.post('/api/tasks', { title: 'Write', ...task })).body

const newDocument = async (person: Person, document: object) =>
  (await person.post('/api/documents', { title: 'Brief', ...document })).body

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

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)

describe('GET /api/projects', () => {
  it('200: my projects in full, with their space and their counts', async ({ ada, grace }) => {
    const space = await newSpace(ada, { color: '#0EA5E9', icon: 'briefcase' })
    const placed = await newProject(ada, { spaceId: space.id })
    const loose = await newProject(ada, { name: 'Garden' })
    await newTask(ada, { projectId: placed.id })
    await newTask(ada, { projectId: placed.id, status: 'archived' })
    await newDocument(ada, { projectId: placed.id })
    await newProject(grace)

    const { status, body } = await ada.get('/api/projects')

    expect(status).toBe(200)
    expect(body.toSorted(byId)).toEqual(
      [
        {
          ...placed,
          space: { id: space.id, name: 'Work', color: '#0EA5E9', icon: 'briefcase' },
          _count: { tasks: 2, documents: 1 },
        },
        { ...loose, space: null, _count: { tasks: 0, documents: 0 } },
      ].toSorted(byId),
    )
  })

  it('200: ordered by sortOrder, then by id', async ({ ada }) => {
    const projects = await thirtyOf('/api/projects', ada, { name: 'Website' })

    const { body } = await ada.get('/api/projects')

    expect(idsOf(body)).toEqual(idsOf(projects.toSorted(byOrder)))
  })

  it('200: without archived projects', async ({ ada }) => {
    const { id } = await newProject(ada)
    const archived = await newProject(ada)
    await ada.delete(`/api/projects/${archived.id}`)

    expect(idsOf((await ada.get('/api/projects')).body)).toEqual([id])
  })

  it('200: the projects of one space', async ({ ada }) => {
    const { id: spaceId } = await newSpace(ada)
    const { id } = await newProject(ada, { spaceId })
    const archived = await newProject(ada, { spaceId })
    await ada.delete(`/api/projects/${archived.id}`)
    await newProject(ada)

    expect(idsOf((await ada.get(`/api/projects?spaceId=${spaceId}`)).body)).toEqual([id])
  })

  it('200: none if the space is unknown, malformed or another user’s', async ({ ada, grace }) => {
    await newProject(ada)
    const { id: graces } = await newSpace(grace)
    await newProject(grace, { spaceId: graces })

    for (const spaceId of [unknownId, 'not-an-id', '', graces]) {
      expect(await ada.get(`/api/projects?spaceId=${spaceId}`)).toEqual({ status: 200, body: [] })
    }
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.get('/api/projects')).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })
})

describe('POST /api/projects', () => {
  it('201: the whole project, with its defaults', async ({ ada }) => {
    expect(await ada.post('/api/projects', { name: 'Website' })).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        userId: ada.id,
        spaceId: null,
        name: 'Website',
        description: '',
        color: '#6B7280',
        icon: 'folder',
        status: 'backlog',
        priority: null,
        targetDate: null,
        archived: false,
        sortOrder: 0,
        createdAt: isoUtcMilliseconds,
        updatedAt: isoUtcMilliseconds,
      },
    })
  })

  it('201: with every field; autoSchedule is not part of the response', async ({ ada }) => {
    const project = {
      name: 'Website',
      description: ' New look ',
      color: '#0EA5E9',
      icon: 'globe',
      spaceId: (await newSpace(ada)).id,
      priority: -3,
    }

    const { status, body } = await ada.post('/api/projects', {
      ...project,
      targetDate: '2026-06-30T12:00:00+02:00',
      autoSchedule: false,
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({ ...project, targetDate: '2026-06-30T10:00:00.000Z' })
    expect(body).not.toHaveProperty('autoSchedule')
    expect(body).not.toHaveProperty('space')
  })

  it('201: with null fields', async ({ ada }) => {
    const nothing = { spaceId: null, priority: null, targetDate: null }

    expect(await ada.post('/api/projects', { name: 'Website', ...nothing })).toMatchObject({
      status: 201,
      body: nothing,
    })
  })

  it('201: ignores read-only fields', async ({ ada, grace }) => {
    const { status, body } = await ada.post('/api/projects', {
      name: 'Website',
      id: unknownId,
      userId: grace.id,
      status: 'completed',
      archived: true,
      sortOrder: 7,
      createdAt: '2000-01-01T00:00:00Z',
      mood: 'sunny',
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      userId: ada.id,
      status: 'backlog',
      archived: false,
      sortOrder: 0,
    })
    expect(body.id).not.toBe(unknownId)
    expect(body.createdAt).not.toMatch(/^2000/)
    expect(body).not.toHaveProperty('mood')
  })

  it('201: at the limits of its fields', async ({ ada }) => {
    const project = {
      name: 'x'.repeat(200),
      description: 'd'.repeat(100_000),
      color: 'c'.repeat(50),
      icon: 'i'.repeat(100),
      priority: 2_147_483_647,
    }

    expect(await ada.post('/api/projects', project)).toMatchObject({ status: 201, body: project })
  })

  it.for([
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-06-30T10:00:00', '2026-06-30T10:00:00.000Z'],
    ['2026-06-30T10:00:00.123456Z', '2026-06-30T10:00:00.123Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ] as const)('201: targetDate %s is %s', async ([sent, targetDate], { ada }) => {
    expect(await newProject(ada, { targetDate: sent })).toMatchObject({ targetDate })
  })

  it.for([
    ['name', 'missing', {}],
    ['name', 'null', { name: null }],
    ['name', 'empty', { name: '' }],
    ['name', 'of 201 characters', { name: 'x'.repeat(201) }],
    ['name', 'with U+0000', { name: 'nul\0' }],
    ['name', 'with half of a surrogate pair', { name: '\ud83c' }],
    ['description', 'null', { name: 'Website', description: null }],
    ['description', 'of 100,001 characters', { name: 'Website', description: 'd'.repeat(100_001) }],
    ['description', 'with U+0000', { name: 'Website', description: '\0' }],
    ['color', 'of 51 characters', { name: 'Website', color: 'c'.repeat(51) }],
    ['icon', 'of 101 characters', { name: 'Website', icon: 'i'.repeat(101) }],
    ['spaceId', 'a number', { name: 'Website', spaceId: 5 }],
    ['priority', 'a fraction', { name: 'Website', priority: 1.5 }],
    ['priority', 'a text', { name: 'Website', priority: '1' }],
    ['priority', 'beyond 32 bits', { name: 'Website', priority: 2_147_483_648 }],
    ['priority', 'below 32 bits', { name: 'Website', priority: -2_147_483_649 }],
    ['targetDate', 'not a timestamp', { name: 'Website', targetDate: 'soon' }],
    ['targetDate', 'not a calendar day', { name: 'Website', targetDate: '2026-02-30' }],
    ['targetDate', 'of the year 0', { name: 'Website', targetDate: '0000-12-31' }],
    ['targetDate', 'empty', { name: 'Website', targetDate: '' }],
    ['targetDate', 'a number', { name: 'Website', targetDate: 1_800_000_000 }],
    ['autoSchedule', 'null', { name: 'Website', autoSchedule: null }],
    ['autoSchedule', 'a text', { name: 'Website', autoSchedule: 'yes' }],
  ] as const)('400: %s %s', async ([field, , project], { ada }) => {
    expect(await ada.post('/api/projects', project)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('400: in a space that is unknown, malformed or another user’s', async ({ ada, grace }) => {
    const graces = await newSpace(grace)

    for (const spaceId of [unknownId, 'not-an-id', '', graces.id]) {
      expect(await ada.post('/api/projects', { name: 'Website', spaceId })).toMatchObject({
        status: 400,
        body: { error: 'spaceId not found' },
      })
    }
    expect((await ada.get('/api/projects')).body).toEqual([])
  })
})

describe('GET /api/projects/{id}', () => {
  it('200: the project with its space, its open tasks and its documents', async ({ ada }) => {
    const space = await newSpace(ada)
    const project = await newProject(ada, { spaceId: space.id })
    const projectId = project.id
    const urgent = (await ada.post('/api/labels', { name: 'urgent', color: '#FF0000' })).body
    const home = (await ada.post('/api/labels', { name: 'home' })).body
    const task = await newTask(ada, {
      projectId,
      status: 'in_progress',
      priority: 'high',
      dueAt: '2026-03-06T16:00:00Z',
      estimateMinutes: 90,
      labelIds: [urgent.id, home.id],
    })
    const url = 'https://example.com/brief'
    const document = await newDocument(ada, { projectId, docType: 'spec', url })

    expect(await ada.get(`/api/projects/${projectId}`)).toEqual({
      status: 200,
      body: {
        ...project,
        space: { id: space.id, name: 'Work', color: '#6B7280', icon: 'folder' },
        tasks: [
          {
            id: task.id,
            title: 'Write',
            status: 'in_progress',
            priority: 'high',
            dueAt: '2026-03-06T16:00:00.000Z',
            estimateMinutes: 90,
            labels: [
              { id: home.id, name: 'home', color: null },
              { id: urgent.id, name: 'urgent', color: '#FF0000' },
            ],
          },
        ],
        documents: [
          { id: document.id, title: 'Brief', docType: 'spec', url, createdAt: document.createdAt },
        ],
      },
    })
  })

  it('200: open tasks only, the most urgent first, then the earliest due', async ({ ada }) => {
    const { id: projectId } = await newProject(ada)
    for (const task of [
      { title: 'none', priority: 'none' },
      { title: 'medium', priority: 'medium', status: 'in_progress' },
      { title: 'low', priority: 'low', dueAt: '2026-03-03' },
      { title: 'high, undated', priority: 'high' },
      { title: 'high, later', priority: 'high', dueAt: '2026-03-05' },
      { title: 'high, sooner', priority: 'high', dueAt: '2026-03-04' },
      { title: 'urgent', priority: 'urgent', status: 'backlog' },
      { title: 'completed', priority: 'urgent', status: 'completed' },
      { title: 'cancelled', priority: 'urgent', status: 'cancelled' },
      { title: 'archived', priority: 'urgent', status: 'archived' },
    ]) {
      await newTask(ada, { ...task, projectId })
    }

    const { tasks } = (await ada.get(`/api/projects/${projectId}`)).body

    expect(tasks.map(({ title }: { title: string }) => title)).toEqual([
      'urgent',
      'high, sooner',
      'high, later',
      'high, undated',
      'medium',
      'low',
      'none',
    ])
  })

  it('200: the first 50 of its open tasks', async ({ ada }) => {
    const { id: projectId } = await newProject(ada)
    await Promise.all(Array.from({ length: 50 }, () => newTask(ada, { projectId })))
    const urgent = await newTask(ada, { projectId, priority: 'urgent' })

    const { tasks } = (await ada.get(`/api/projects/${projectId}`)).body

    expect(tasks).toHaveLength(50)
    expect(tasks[0].id).toBe(urgent.id)
    expect(idsOf(tasks.slice(1))).toEqual(idsOf(tasks.slice(1)).toSorted())
  })

  it('200: documents by sortOrder, then by id', async ({ ada }) => {
    const { id: projectId } = await newProject(ada)
    const made = await thirtyOf('/api/documents', ada, { title: 'Brief', projectId })

    const { documents } = (await ada.get(`/api/projects/${projectId}`)).body

    expect(idsOf(documents)).toEqual(idsOf(made.toSorted(byOrder)))
  })

  it('200: an archived project', async ({ ada }) => {
    const { id } = await newProject(ada)
    await ada.delete(`/api/projects/${id}`)

    expect(await ada.get(`/api/projects/${id}`)).toMatchObject({
      status: 200,
      body: { archived: true, space: null, tasks: [], documents: [] },
    })
  })
})

describe('PATCH /api/projects/{id}', () => {
  it('200: changes what was sent, keeps the rest, and moves updatedAt', async ({ ada }) => {
    const project = await newProject(ada, { description: 'New look', targetDate: '2026-06-30' })

    const { status, body } = await ada.patch(`/api/projects/${project.id}`, { priority: 2 })

    expect(status).toBe(200)
    expect(body).toEqual({ ...project, priority: 2, space: null, updatedAt: isoUtcMilliseconds })
    expect(body.updatedAt > project.updatedAt).toBe(true)
  })

  it('200: everything that can be changed, with the space', async ({ ada }) => {
    const { id, userId, createdAt } = await newProject(ada)
    const space = await newSpace(ada, { icon: 'briefcase' })
    const changes = {
      name: 'Shop',
      description: 'Sells',
      color: '#0EA5E9',
      icon: 'cart',
      spaceId: space.id,
      status: 'in_progress',
      priority: 1,
      targetDate: '2026-06-30T00:00:00.000Z',
      archived: true,
      sortOrder: -2.5,
    }

    expect(await ada.patch(`/api/projects/${id}`, { ...changes, autoSchedule: false })).toEqual({
      status: 200,
      body: {
        ...changes,
        id,
        userId,
        createdAt,
        updatedAt: isoUtcMilliseconds,
        space: { id: space.id, name: 'Work', color: '#6B7280', icon: 'briefcase' },
      },
    })
  })

  it('200: null clears the space, the priority and the target date', async ({ ada }) => {
    const { id: spaceId } = await newSpace(ada)
    const { id } = await newProject(ada, { spaceId, priority: 1, targetDate: '2026-06-30' })
    const nothing = { spaceId: null, priority: null, targetDate: null }

    expect(await ada.patch(`/api/projects/${id}`, nothing)).toMatchObject({
      status: 200,
      body: { ...nothing, space: null },
    })
  })

  it('200: an empty text clears the target date and the description', async ({ ada }) => {
    const { id } = await newProject(ada, { description: 'New look', targetDate: '2026-06-30' })

    expect(
      await ada.patch(`/api/projects/${id}`, { targetDate: '', description: '' }),
    ).toMatchObject({ status: 200, body: { targetDate: null, description: '' } })
  })

  it.for(['backlog', 'planned', 'in_progress', 'completed', 'cancelled', 'archived'])(
    '200: status %s does not set the archived flag',
    async (status, { ada }) => {
      const { id } = await newProject(ada)

      expect((await ada.patch(`/api/projects/${id}`, { status })).body).toMatchObject({
        status,
        archived: false,
      })
    },
  )

  it('200: archives and restores it', async ({ ada }) => {
    const { id } = await newProject(ada)

    await ada.patch(`/api/projects/${id}`, { archived: true })
    expect((await ada.get('/api/projects')).body).toEqual([])

    await ada.patch(`/api/projects/${id}`, { archived: false })
    expect(idsOf((await ada.get('/api/projects')).body)).toEqual([id])
  })

  it('200: ignores read-only fields', async ({ ada, grace }) => {
    const project = await newProject(ada)

    const { body } = await ada.patch(`/api/projects/${project.id}`, {
      id: unknownId,
      userId: grace.id,
      createdAt: '2000-01-01T00:00:00Z',
      updatedAt: '2000-01-01T00:00:00Z',
      mood: 'sunny',
    })

    expect(body).toEqual({ ...project, space: null, updatedAt: body.updatedAt })
    expect(body.updatedAt).toBe(project.updatedAt)
  })

  it.for([
    ['name', 'null', { name: null }],
    ['name', 'empty', { name: '' }],
    ['name', 'of 201 characters', { name: 'x'.repeat(201) }],
    ['description', 'null', { description: null }],
    ['description', 'of 100,001 characters', { description: 'd'.repeat(100_001) }],
    ['color', 'null', { color: null }],
    ['color', 'of 51 characters', { color: 'c'.repeat(51) }],
    ['icon', 'null', { icon: null }],
    ['icon', 'of 101 characters', { icon: 'i'.repeat(101) }],
    ['spaceId', 'a number', { spaceId: 5 }],
    ['status', 'of a task', { status: 'todo' }],
    ['status', 'null', { status: null }],
    ['priority', 'a fraction', { priority: 1.5 }],
    ['priority', 'beyond 32 bits', { priority: 2_147_483_648 }],
    ['targetDate', 'not a timestamp', { targetDate: 'soon' }],
    ['targetDate', 'not a calendar day', { targetDate: '2026-02-30' }],
    ['archived', 'null', { archived: null }],
    ['archived', 'a text', { archived: 'true' }],
    ['autoSchedule', 'a number', { autoSchedule: 1 }],
    ['sortOrder', 'a text', { sortOrder: '1' }],
    ['sortOrder', 'null', { sortOrder: null }],
  ] as const)('400: %s %s', async ([field, , changes], { ada }) => {
    const { id } = await newProject(ada)

    expect(await ada.patch(`/api/projects/${id}`, changes)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('400: into a space that is not mine; nothing is changed', async ({ ada, grace }) => {
    const project = await newProject(ada)
    const graces = await newSpace(grace)

    for (const spaceId of [unknownId, 'not-an-id', '', graces.id]) {
      expect(
        await ada.patch(`/api/projects/${project.id}`, { name: 'Shop', spaceId }),
      ).toMatchObject({ status: 400, body: { error: 'spaceId not found' } })
    }
    expect((await ada.get(`/api/projects/${project.id}`)).body).toMatchObject(project)
  })
})

describe('DELETE /api/projects/{id}', () => {
  it.for(['', '?permanent=false'])(
    '200: archived; its tasks and documents keep it; query: %j',
    async (query, { ada }) => {
      const project = await newProject(ada)
      const task = await newTask(ada, { projectId: project.id })
      const document = await newDocument(ada, { projectId: project.id })

      expect(await ada.delete(`/api/projects/${project.id}${query}`)).toEqual({
        status: 200,
        body: { success: true },
      })
      const { body } = await ada.get(`/api/projects/${project.id}`)
      expect(body).toMatchObject({ archived: true, status: 'backlog' })
      expect(body.updatedAt > project.updatedAt).toBe(true)
      for (const url of [`/api/tasks/${task.id}`, `/api/documents/${document.id}`]) {
        expect((await ada.get(url)).body).toMatchObject({ projectId: project.id })
      }
    },
  )

  it('200: permanent=true deletes it; its tasks and documents stay without a project', async ({
    ada,
  }) => {
    const { id: projectId } = await newProject(ada)
    const task = await newTask(ada, { projectId })
    const document = await newDocument(ada, { projectId })

    expect(await ada.delete(`/api/projects/${projectId}?permanent=true`)).toEqual({
      status: 200,
      body: { success: true },
    })
    expect((await ada.get(`/api/projects/${projectId}`)).status).toBe(404)
    for (const url of [`/api/tasks/${task.id}`, `/api/documents/${document.id}`]) {
      const unassigned = { status: 200, body: { projectId: null, project: null } }
      expect(await ada.get(url)).toMatchObject(unassigned)
    }
  })

  it('400: permanent is neither true nor false; the project stays', async ({ ada }) => {
    const { id } = await newProject(ada)

    expect(await ada.delete(`/api/projects/${id}?permanent=yes`)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { permanent: [expect.any(String)] } },
    })
    expect((await ada.get(`/api/projects/${id}`)).body).toMatchObject({ archived: false })
  })
})

describe('GET, PATCH and DELETE of a project that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const adas = await newProject(ada)

    for (const id of [unknownId, 'not-an-id', '%00', adas.id]) {
      const notFound = { status: 404, body: { error: 'Project not found' } }
      expect(await grace.get(`/api/projects/${id}`)).toEqual(notFound)
      expect(await grace.patch(`/api/projects/${id}`, { name: 'mine' })).toEqual(notFound)
      expect(await grace.delete(`/api/projects/${id}`)).toEqual(notFound)
      expect(await grace.delete(`/api/projects/${id}?permanent=true`)).toEqual(notFound)
    }
    expect((await ada.get(`/api/projects/${adas.id}`)).body).toMatchObject(adas)
  })
})

describe('the default schedule of a project', () => {
  it('is not shown, and ignored in a body', async ({ ada }) => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    const preference = await ada.post('/api/schedule-preferences', { name: 'Early', windows })
    const given = { schedulePreferenceId: preference.body.id }
    const made = await ada.post('/api/projects', { name: 'Home', ...given })
    const path = `/api/projects/${made.body.id}`
    const ignored = await ada.patch(path, given)
    expect((await ada.get('/api/default-schedules')).body.projects).toEqual([])

    await ada.put(`${path}/default-schedule`, given)

    const shown = [
      made.body,
      ignored.body,
      (await ada.patch(path, { name: 'House' })).body,
      ...(await ada.get('/api/projects')).body,
      (await ada.get(path)).body,
    ]
    for (const record of shown) expect(record).not.toHaveProperty('schedulePreferenceId')
  })
})

describe('events', () => {
  it('record a project from creation to deletion', async ({ ada, db }) => {
    const { body: answer } = await ada.post('/api/projects', {
      name: 'Garden',
      autoSchedule: false,
    })
    const made = placeRecord(answer)
    const { body } = await ada.patch(`/api/projects/${made.id}`, { name: 'Orchard' })
    await ada.delete(`/api/projects/${made.id}`)
    await ada.delete(`/api/projects/${made.id}?permanent=true`)

    const { space, ...renamed } = placeRecord(body)
    const events = await changesOf(db, ada)
    const archived = events[2]?.[2]
    const autoSchedule = false
    expect(space).toBe(null)
    expect(archived).toMatchObject({ name: 'Orchard', archived: true })
    expect(events).toEqual([
      ['project.created', null, { ...made, autoSchedule }],
      ['project.updated', { ...made, autoSchedule }, { ...renamed, autoSchedule }],
      ['project.updated', { ...renamed, autoSchedule }, archived],
      ['project.deleted', archived, null],
    ])
  })

  it('record the detached contents in the same change', async ({ ada, db }) => {
    const { body: project } = await ada.post('/api/projects', { name: 'Garden' })
    const inIt = { projectId: project.id }
    const { body: task } = await ada.post('/api/tasks', { title: 'Sow', ...inIt })
    const { body: document } = await ada.post('/api/documents', { title: 'Seeds', ...inIt })
    await ada.delete(`/api/projects/${project.id}?permanent=true`)

    const gone = { before: inIt, after: { projectId: null } }
    expect(await eventsOf(db, ada, 3)).toMatchObject([
      { seq: 4, part: 1, type: 'project.deleted', recordId: project.id },
      { seq: 4, part: 2, type: 'document.updated', recordId: document.id, ...gone },
      { seq: 4, part: 3, type: 'task.updated', recordId: task.id, ...gone },
    ])
  })
})
