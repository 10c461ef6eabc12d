import { newId } from '../../platform/db/new-id.ts'
import type { Database } from '../../platform/db/database.ts'
import { blockRecord, changesOf, lastEvent } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const notFound = { status: 404, body: { error: expect.any(String) } }
const success = { status: 200, body: { success: true } }
const ten = '2026-03-03T10:00:00.000Z'
const eleven = '2026-03-03T11:00:00.000Z'

const newTask = async (person: Person, more: object = {}) =>
  (await person.post('/api/tasks', { title: 'Water the plants', ...more })).body

const newBlock = async (person: Person, startAt = ten, endAt = eleven, taskId?: string) =>
  (
    await person.post('/api/time-blocks', {
      taskId: taskId ?? (await newTask(person)).id,
      startAt,
      endAt,
    })
  ).body

const newBlocks = async (person: Person, count: number): Promise<string[]> => {
  const { id } = await newTask(person)
  const ids = []
  for (let n = 0; n < count; n += 1) ids.push((await newBlock(person, ten, eleven, id)).id)
  return ids
}

const getBlock = async (person: Person, id: string) =>
  (await person.get(`/api/time-blocks/${id}`)).body

/** A block as the planner creates it, from ten to eleven. */
async function plannedBlock(db: Database, person: Person, taskId: string | null) {
  const id = newId()
  await db.pool.query(
    `insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, explanation)
     values ($1, $2, $3, 'Water the plants', 'auto', $4, $5, 'The first free hour.')`,
    [person.id, id, taskId, ten, eleven],
  )
  return id
}

const sortOrders = (person: Person, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await getBlock(person, id)).sortOrder))

const list = (person: Person, from: string, to: string) =>
  person.get(`/api/time-blocks?${new URLSearchParams({ from, to }).toString()}`)

const hourAfter = (time: string) => new Date(Date.parse(time) + 3_600_000).toISOString()

const starts = ({ body }: { body: { startAt: string }[] }) => body.map(({ startAt }) => startAt)

describe('GET /api/time-blocks', () => {
  it('200: my blocks with their tasks, in start order', async ({ ada, grace }) => {
    const later = await newBlock(ada, '2026-03-03T14:00:00Z', '2026-03-03T15:00:00Z')
    const sooner = await newBlock(ada, '2026-03-03T08:00:00Z', '2026-03-03T15:00:00Z')
    await newBlock(grace)

    expect(await list(ada, '2026-03-03', '2026-03-04')).toEqual({
      status: 200,
      body: [sooner, later],
    })
  })

  it('200: blocks that start together, in order of id', async ({ ada }) => {
    const ids = await newBlocks(ada, 5)

    const { body } = await list(ada, '2026-03-03', '2026-03-04')

    expect(body.map(({ id }: { id: string }) => id)).toEqual(ids.toSorted())
  })

  it('200: a block without a task', async ({ ada, db }) => {
    const id = await plannedBlock(db, ada, null)

    expect((await list(ada, '2026-03-03', '2026-03-04')).body).toEqual([
      {
        id,
        userId: ada.id,
        taskId: null,
        title: 'Water the plants',
        type: 'task',
        startAt: ten,
        endAt: eleven,
        locked: false,
        defended: false,
        source: 'auto',
        sortOrder: 0,
        status: 'scheduled',
        explanation: 'The first free hour.',
        createdAt: isoUtcMilliseconds,
        updatedAt: isoUtcMilliseconds,
        task: null,
      },
    ])
  })

  it('200: blocks that start at or after `from` and before `to`', async ({ ada }) => {
    const { id } = await newTask(ada)
    for (const startAt of ['2026-03-03T09:59:59.999Z', ten, '2026-03-03T10:59:59.999Z', eleven]) {
      await newBlock(ada, startAt, '2026-03-03T12:00:00Z', id)
    }

    expect(starts(await list(ada, ten, eleven))).toEqual([ten, '2026-03-03T10:59:59.999Z'])
    expect(starts(await list(ada, '2026-03-03T12:00:00+02:00', '2026-03-03T11:00'))).toEqual([
      ten,
      '2026-03-03T10:59:59.999Z',
    ])
  })

  it('200: all blocks except cancelled ones', async ({ ada }) => {
    const { id: taskId } = await newTask(ada)
    for (const status of ['scheduled', 'in_progress', 'completed', 'cancelled']) {
      const { id } = await newBlock(ada, ten, eleven, taskId)
      await ada.patch(`/api/time-blocks/${id}`, { status })
    }

    const { body } = await list(ada, ten, eleven)

    expect(body.map(({ status }: { status: string }) => status).toSorted()).toEqual([
      'completed',
      'in_progress',
      'scheduled',
    ])
  })

  it('200: a day from now, or from `from`, or up to `to`', async ({ ada }) => {
    const { id } = await newTask(ada)
    const moments = [
      '2026-03-02T07:59:59.999Z',
      '2026-03-02T08:00:00.000Z',
      '2026-03-02T20:00:00.000Z',
      '2026-03-03T07:59:59.999Z',
      '2026-03-03T08:00:00.000Z',
      '2026-03-04T07:59:59.999Z',
    ]
    for (const startAt of moments) await newBlock(ada, startAt, hourAfter(startAt), id)

    expect(starts(await ada.get('/api/time-blocks'))).toEqual(moments.slice(1, 4))
    expect(starts(await ada.get('/api/time-blocks?from=2026-03-03'))).toEqual(moments.slice(3, 5))
    expect(starts(await ada.get('/api/time-blocks?to=2026-03-02T20:00:00Z'))).toEqual(
      moments.slice(1, 2),
    )
  })

  it('200: 62 days, and not a millisecond more', async ({ ada }) => {
    const startAt = '2026-05-02T23:00:00.000Z'
    await newBlock(ada, startAt, '2026-05-03T01:00:00Z')

    expect(starts(await list(ada, '2026-03-02', '2026-05-03'))).toEqual([startAt])
    expect(await list(ada, '2026-03-02', '2026-05-03T00:00:00.001Z')).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { to: [expect.any(String)] } },
    })
  })

  it('200: up to the first and the last allowed year', async ({ ada }) => {
    const startAt = '9999-12-31T12:00:00.000Z'
    await newBlock(ada, startAt, '9999-12-31T13:00:00Z')

    expect(await ada.get('/api/time-blocks?from=0001-01-01')).toEqual({ status: 200, body: [] })
    expect(await ada.get('/api/time-blocks?from=9999-12-31')).toMatchObject({
      status: 200,
      body: [{ startAt }],
    })
  })

  it.for(['2026-03-03', '2026-03-02', '2026-03-02T23:59:59.999Z'])(
    '400: to %s is not after from',
    async (to, { ada }) => {
      expect(await list(ada, '2026-03-03', to)).toEqual({
        status: 400,
        body: { error: 'Validation failed', details: { to: [expect.any(String)] } },
      })
    },
  )

  it('400: to is not after now, and from is not given', async ({ ada }) => {
    expect((await ada.get('/api/time-blocks?to=2026-03-02T08:00:00Z')).status).toBe(400)
  })

  it.for([
    'from=later',
    'to=later',
    'from=2024-02-30',
    'from=',
    'to=',
    'from=2026-03-02&to=never',
    'from=2026-03-02&from=2026-03-03',
    'from=1772438400000',
  ])('400: %s', async (query, { ada }) => {
    expect(await ada.get(`/api/time-blocks?${query}`)).toEqual({
      status: 400,
      body: { error: 'from and to must be ISO dates' },
    })
  })
})

describe('POST /api/time-blocks', () => {
  it('201: the whole block, placed by hand', async ({ ada }) => {
    const task = await newTask(ada, { priority: 'high', status: 'in_progress' })

    expect(
      await ada.post('/api/time-blocks', { taskId: task.id, startAt: ten, endAt: eleven }),
    ).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        userId: ada.id,
        taskId: task.id,
        title: 'Water the plants',
        type: 'task',
        startAt: ten,
        endAt: eleven,
        locked: false,
        defended: false,
        source: 'manual',
        sortOrder: 0,
        status: 'scheduled',
        explanation: null,
        createdAt: isoUtcMilliseconds,
        updatedAt: isoUtcMilliseconds,
        task: {
          id: task.id,
          title: 'Water the plants',
          priority: 'high',
          status: 'in_progress',
        },
      },
    })
  })

  it('201: ignores read-only fields', async ({ ada }) => {
    const task = await newTask(ada)
    const ignored = {
      id: unknownId,
      userId: unknownId,
      title: 'Mine',
      type: 'break',
      source: 'auto',
      locked: true,
      defended: true,
      sortOrder: 4,
      status: 'completed',
      explanation: 'Because',
    }

    const { status, body } = await ada.post('/api/time-blocks', {
      taskId: task.id,
      startAt: ten,
      endAt: eleven,
      ...ignored,
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      userId: ada.id,
      title: 'Water the plants',
      type: 'task',
      source: 'manual',
      locked: false,
      defended: false,
      sortOrder: 0,
      status: 'scheduled',
      explanation: null,
    })
    expect(body.id).not.toBe(unknownId)
  })

  it('201: lasting a millisecond or 24 hours, overlapping, with offsets', async ({ ada }) => {
    const { id: taskId } = await newTask(ada)

    for (const [startAt, endAt] of [
      [ten, '2026-03-03T10:00:00.001Z'],
      [ten, '2026-03-04T10:00:00.000Z'],
      ['2026-03-03T12:00:00+02:00', '2026-03-03T11:00'],
      ['2026-03-03', '2026-03-04'],
    ] as const) {
      expect((await ada.post('/api/time-blocks', { taskId, startAt, endAt })).status).toBe(201)
    }
  })

  it.for([
    ['taskId', 'missing', { taskId: undefined }],
    ['taskId', 'null', { taskId: null }],
    ['taskId', 'not text', { taskId: 5 }],
    ['startAt', 'missing', { startAt: undefined }],
    ['startAt', 'null', { startAt: null }],
    ['startAt', 'not a timestamp', { startAt: 'soon' }],
    ['startAt', 'not a calendar day', { startAt: '2026-02-29' }],
    ['startAt', 'empty', { startAt: '' }],
    ['endAt', 'missing', { endAt: undefined }],
    ['endAt', 'a number', { endAt: 1 }],
    ['endAt', 'not a timestamp', { endAt: 'later' }],
    ['endAt', 'at startAt', { endAt: ten }],
    ['endAt', 'before startAt', { endAt: '2026-03-03T09:59:59.999Z' }],
    ['endAt', 'over 24 hours after startAt', { endAt: '2026-03-04T10:00:00.001Z' }],
  ] as const)('400: %s %s, and nothing is written', async ([field, , sent], { ada }) => {
    const { id: taskId } = await newTask(ada)

    expect(
      await ada.post('/api/time-blocks', { taskId, startAt: ten, endAt: eleven, ...sent }),
    ).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
    expect((await list(ada, '2026-03-03', '2026-03-04')).body).toEqual([])
  })

  it('400: names every missing field', async ({ ada }) => {
    const { status, body } = await ada.post('/api/time-blocks', {})

    expect(status).toBe(400)
    expect(Object.keys(body.details).toSorted()).toEqual(['endAt', 'startAt', 'taskId'])
  })

  it('400: without a body', async ({ ada }) => {
    expect(await ada.post('/api/time-blocks')).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { body: [expect.any(String)] } },
    })
  })

  it('404: for a task that is not mine', async ({ ada, grace }) => {
    const graces = await newTask(grace)

    for (const taskId of [graces.id, unknownId, 'not-an-id', '']) {
      expect(await ada.post('/api/time-blocks', { taskId, startAt: ten, endAt: eleven })).toEqual({
        status: 404,
        body: { error: 'Task not found' },
      })
    }
    expect((await grace.get(`/api/tasks/${graces.id}`)).body.timeBlocks).toEqual([])
  })
})

describe('An event', () => {
  const dentist = { type: 'event', title: 'Dentist', startAt: ten, endAt: eleven }
  const newEvent = async (person: Person) => (await person.post('/api/time-blocks', dentist)).body

  it('400: without a type, it is a block whose task is missing', async ({ ada }) => {
    for (const type of [undefined, 'task', 'Event', 5, null]) {
      expect(await ada.post('/api/time-blocks', { ...dentist, type })).toEqual({
        status: 400,
        body: { error: 'Validation failed', details: { taskId: [expect.any(String)] } },
      })
    }
  })

  it('400: without a title', async ({ ada }) => {
    expect(await ada.post('/api/time-blocks', { ...dentist, title: undefined })).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { title: [expect.any(String)] } },
    })
  })

  it('201: with a task, it is a block of the task', async ({ ada }) => {
    const { id: taskId } = await newTask(ada)

    expect(await ada.post('/api/time-blocks', { ...dentist, taskId })).toMatchObject({
      status: 201,
      body: { type: 'task', taskId, title: 'Water the plants' },
    })
  })

  it('201: a block with a type and a title instead of a task', async ({ ada }) => {
    const { status, body } = await ada.post('/api/time-blocks', dentist)

    expect(status).toBe(201)
    expect(body).toMatchObject({
      ...dentist,
      taskId: null,
      task: null,
      type: 'event',
      source: 'manual',
      status: 'scheduled',
    })
    expect((await list(ada, ten, eleven)).body).toEqual([body])
  })

  it.for([
    ['empty', ''],
    ['over 500 characters', 'x'.repeat(501)],
    ['not text', 5],
    ['null', null],
    ['not storable', 'a\0b'],
  ])('400: the title is %s', async ([, title], { ada }) => {
    const { id } = await newEvent(ada)
    const refused = {
      status: 400,
      body: { error: 'Validation failed', details: { title: [expect.any(String)] } },
    }

    expect(await ada.post('/api/time-blocks', { ...dentist, title })).toEqual(refused)
    const withoutTask = { ...dentist, type: 'task', title }
    expect((await ada.post('/api/time-blocks', withoutTask)).body.details).toEqual({
      taskId: [expect.any(String)],
    })
    const { id: taskId } = await newTask(ada)
    expect(await ada.post('/api/time-blocks', { ...dentist, taskId, title })).toMatchObject({
      status: 201,
    })
    expect(await ada.patch(`/api/time-blocks/${id}`, { title })).toEqual(refused)
  })

  it('200: is renamed and moved, and the change is recorded', async ({ ada, db }) => {
    const event = await newEvent(ada)
    const changes = { title: 'Dentist, second visit', endAt: '2026-03-03T12:00:00.000Z' }

    const { status, body } = await ada.patch(`/api/time-blocks/${event.id}`, changes)

    expect(status).toBe(200)
    expect(body).toMatchObject({ ...changes, type: 'event', startAt: ten })
    expect(await changesOf(db, ada)).toEqual([
      ['timeBlock.created', null, blockRecord(event)],
      ['timeBlock.updated', blockRecord(event), blockRecord(body)],
    ])
  })

  it('200: the title of a task’s block is ignored, and nothing is recorded', async ({
    ada,
    db,
  }) => {
    const { id } = await newBlock(ada)
    const block = await getBlock(ada, id)
    const before = await lastEvent(db, ada)

    expect(await ada.patch(`/api/time-blocks/${id}`, { title: 'Mine' })).toEqual({
      status: 200,
      body: block,
    })
    expect(await changesOf(db, ada, before)).toEqual([])
  })
})

describe('GET /api/time-blocks/{id}', () => {
  it('200: the block, with its task’s id, title and priority', async ({ ada }) => {
    const task = await newTask(ada, { priority: 'low' })
    const block = await newBlock(ada, ten, eleven, task.id)

    expect(await ada.get(`/api/time-blocks/${block.id}`)).toEqual({
      status: 200,
      body: { ...block, task: { id: task.id, title: 'Water the plants', priority: 'low' } },
    })
  })

  it('200: a cancelled block without a task', async ({ ada, db }) => {
    const id = await plannedBlock(db, ada, null)
    await ada.patch(`/api/time-blocks/${id}`, { status: 'cancelled' })

    expect(await ada.get(`/api/time-blocks/${id}`)).toMatchObject({
      status: 200,
      body: { taskId: null, task: null, status: 'cancelled' },
    })
  })
})

describe('PATCH /api/time-blocks/{id}', () => {
  it('200: every field that can change', async ({ ada }) => {
    const { id } = await newBlock(ada)
    const block = await getBlock(ada, id)
    const changes = {
      startAt: '2026-03-05T09:00:00.000Z',
      endAt: '2026-03-05T09:30:00.000Z',
      locked: true,
      sortOrder: 2 ** 31 - 1,
      status: 'in_progress',
    }

    const { status, body } = await ada.patch(`/api/time-blocks/${id}`, changes)

    expect(status).toBe(200)
    expect(body).toEqual({ ...block, ...changes, updatedAt: isoUtcMilliseconds })
    expect(await getBlock(ada, id)).toMatchObject(body)
  })

  it.for([
    { startAt: '2026-03-03T10:30:00.000Z' },
    { endAt: '2026-03-03T11:30:00.000Z' },
    { locked: true },
    { sortOrder: 1 },
    { status: 'in_progress' },
  ])('200: %o alone keeps the rest, and moves updatedAt', async (changes, { ada }) => {
    const { id } = await newBlock(ada)
    const block = await getBlock(ada, id)

    const { status, body } = await ada.patch(`/api/time-blocks/${id}`, changes)

    expect(status).toBe(200)
    expect(body).toEqual({ ...block, ...changes, updatedAt: isoUtcMilliseconds })
    expect(body.updatedAt > block.updatedAt).toBe(true)
  })

  it('200: ignores read-only fields', async ({ ada }) => {
    const { id } = await newBlock(ada)
    const block = await getBlock(ada, id)
    const other = await newTask(ada)

    const { body } = await ada.patch(`/api/time-blocks/${id}`, {
      id: unknownId,
      userId: unknownId,
      taskId: other.id,
      title: 'Mine',
      type: 'break',
      source: 'auto',
      defended: true,
      explanation: 'Because',
      createdAt: '2020-01-01',
    })

    expect(body).toEqual({ ...block, updatedAt: isoUtcMilliseconds })
  })

  it('200: from any status to any other', async ({ ada }) => {
    const statuses = ['scheduled', 'in_progress', 'completed', 'cancelled']
    const { id } = await newBlock(ada)

    for (const from of statuses) {
      for (const to of statuses) {
        await ada.patch(`/api/time-blocks/${id}`, { status: from })
        expect(await ada.patch(`/api/time-blocks/${id}`, { status: to })).toMatchObject({
          status: 200,
          body: { status: to },
        })
      }
    }
  })

  it('200: stores the time of cancelling while it is cancelled', async ({ ada, db }) => {
    const { id } = await newBlock(ada)
    const cancelledAt = async () =>
      (await db.pool.query('select cancelled_at from time_blocks where id = $1', [id])).rows[0]
        .cancelled_at

    await ada.patch(`/api/time-blocks/${id}`, { status: 'cancelled' })
    const moment = await cancelledAt()
    await ada.patch(`/api/time-blocks/${id}`, { locked: true })
    await ada.patch(`/api/time-blocks/${id}`, { status: 'cancelled' })

    expect(moment).toEqual(expect.any(Date))
    expect(await cancelledAt()).toEqual(moment)
    await ada.patch(`/api/time-blocks/${id}`, { status: 'scheduled' })
    expect(await cancelledAt()).toBeNull()
  })

  it('200: moved by hand, a block loses the planner’s explanation, until that is reverted', async ({
    ada,
    db,
  }) => {
    const id = await plannedBlock(db, ada, (await newTask(ada)).id)
    const explanation = 'The first free hour.'
    expect(await getBlock(ada, id)).toMatchObject({ explanation })

    const moved = await ada.patch(`/api/time-blocks/${id}`, { endAt: '2026-03-03T12:00:00Z' })

    expect(moved.body).toMatchObject({ source: 'manual', explanation: null })
    const { events } = (await ada.get(`/api/history?recordId=${id}`)).body
    expect(events[0]).toMatchObject({ before: { explanation }, after: { explanation: null } })
    expect((await ada.post(`/api/history/${events[0].id}/revert`)).status).toBe(200)
    expect(await getBlock(ada, id)).toMatchObject({ source: 'auto', explanation })
  })

  it('200: a block has the title of its task, also after the task is renamed or deleted', async ({
    ada,
  }) => {
    const task = await newTask(ada)
    const { id } = await newBlock(ada, ten, eleven, task.id)
    const renamed = { title: 'Water the cacti' }

    await ada.patch(`/api/tasks/${task.id}`, renamed)

    expect(await getBlock(ada, id)).toMatchObject({ ...renamed, task: renamed })
    expect((await list(ada, ten, eleven)).body).toMatchObject([renamed])
    expect((await ada.get(`/api/tasks/${task.id}`)).body.timeBlocks).toMatchObject([renamed])
    await ada.delete(`/api/tasks/${task.id}?permanent=true`)
    expect(await getBlock(ada, id)).toMatchObject({ ...renamed, task: null })
  })

  it.for([
    { startAt: '2026-03-03T10:30:00.000Z' },
    { endAt: '2026-03-03T10:30:00.000Z' },
    { startAt: '2026-03-05T10:00:00.000Z', endAt: '2026-03-05T11:00:00.000Z', locked: true },
  ])('200: a planner block moved by %o becomes manual', async (changes, { ada, db }) => {
    const id = await plannedBlock(db, ada, (await newTask(ada)).id)

    expect(await ada.patch(`/api/time-blocks/${id}`, changes)).toMatchObject({
      status: 200,
      body: { ...changes, source: 'manual' },
    })
    expect((await getBlock(ada, id)).source).toBe('manual')
  })

  it.for([
    { locked: true },
    { status: 'in_progress' },
    { status: 'cancelled' },
    { sortOrder: 3 },
    { locked: false, status: 'completed', sortOrder: 1 },
  ])('200: a planner block stays with the planner after %o', async (changes, { ada, db }) => {
    const id = await plannedBlock(db, ada, (await newTask(ada)).id)

    expect(await ada.patch(`/api/time-blocks/${id}`, changes)).toMatchObject({
      status: 200,
      body: { ...changes, source: 'auto' },
    })
    expect((await getBlock(ada, id)).source).toBe('auto')
  })

  it('200: reordering leaves a planner block to the planner', async ({ ada, db }) => {
    const id = await plannedBlock(db, ada, null)

    await ada.patch('/api/time-blocks/reorder', { orderedIds: [id] })

    expect((await getBlock(ada, id)).source).toBe('auto')
  })

  it.for([
    ['the start, up to the stored end', { startAt: '2026-03-03T10:59:59.999Z' }],
    ['the start, 24 hours before the stored end', { startAt: '2026-03-02T11:00:00.000Z' }],
    ['the end, down to the stored start', { endAt: '2026-03-03T10:00:00.001Z' }],
    ['the end, 24 hours after the stored start', { endAt: '2026-03-04T10:00:00.000Z' }],
    [
      'both, past the stored ones',
      { startAt: '2026-03-09T10:00:00.000Z', endAt: '2026-03-10T10:00:00.000Z' },
    ],
  ] as const)('200: moves %s', async ([, changes], { ada }) => {
    const { id } = await newBlock(ada)

    expect(await ada.patch(`/api/time-blocks/${id}`, changes)).toMatchObject({
      status: 200,
      body: changes,
    })
  })

  it.for([
    ['startAt', 'at the stored end', { startAt: eleven }],
    ['startAt', 'after the stored end', { startAt: '2026-03-03T12:00:00Z' }],
    ['startAt', 'over 24 hours before the stored end', { startAt: '2026-03-02T10:59:59.999Z' }],
    ['endAt', 'at the stored start', { endAt: ten }],
    ['endAt', 'before the stored start', { endAt: '2026-03-03T09:00:00Z' }],
    ['endAt', 'over 24 hours after the stored start', { endAt: '2026-03-04T10:00:00.001Z' }],
    ['endAt', 'at the new start', { startAt: '2026-03-09', endAt: '2026-03-09' }],
    ['endAt', 'over 24 hours after the new start', { startAt: '2026-03-09', endAt: '2026-03-11' }],
    ['startAt', 'not a timestamp', { startAt: 'soon' }],
    ['startAt', 'empty', { startAt: '' }],
    ['startAt', 'null', { startAt: null }],
    ['endAt', 'not a calendar day', { endAt: '2026-02-29' }],
    ['endAt', 'null', { endAt: null }],
    ['locked', 'not a boolean', { locked: 'yes' }],
    ['locked', 'null', { locked: null }],
    ['sortOrder', 'negative', { sortOrder: -1 }],
    ['sortOrder', 'not whole', { sortOrder: 0.5 }],
    ['sortOrder', 'over 32 bits', { sortOrder: 2 ** 31 }],
    ['sortOrder', 'null', { sortOrder: null }],
    ['status', 'not a status', { status: 'archived' }],
    ['status', 'null', { status: null }],
  ] as const)('400: %s %s, and nothing changes', async ([field, , changes], { ada, db }) => {
    const id = await plannedBlock(db, ada, (await newTask(ada)).id)
    const before = await getBlock(ada, id)

    expect(await ada.patch(`/api/time-blocks/${id}`, { locked: true, ...changes })).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
    expect(await getBlock(ada, id)).toEqual(before)
  })

  it('400: one of two concurrent moves that exclude each other', async ({ ada }) => {
    const { id } = await newBlock(ada)

    for (let round = 0; round < 20; round += 1) {
      await ada.patch(`/api/time-blocks/${id}`, { startAt: ten, endAt: eleven })

      const answers = await Promise.all([
        ada.patch(`/api/time-blocks/${id}`, { startAt: '2026-03-03T10:40:00Z' }),
        ada.patch(`/api/time-blocks/${id}`, { endAt: '2026-03-03T10:20:00Z' }),
      ])

      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
    }
  })
})

describe('DELETE /api/time-blocks/{id}', () => {
  it('200: deleted, and its task unchanged', async ({ ada }) => {
    const task = await newTask(ada)
    const block = await newBlock(ada, ten, eleven, task.id)

    expect(await ada.delete(`/api/time-blocks/${block.id}`)).toEqual(success)
    expect(await ada.get(`/api/time-blocks/${block.id}`)).toEqual(notFound)
    expect((await ada.get(`/api/tasks/${task.id}`)).body).toMatchObject({
      ...task,
      timeBlocks: [],
    })
  })
})

describe('A time block that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const { id: adas } = await newBlock(ada)
    const before = await getBlock(ada, adas)

    for (const id of [unknownId, 'not-an-id', adas]) {
      expect(await grace.get(`/api/time-blocks/${id}`)).toEqual(notFound)
      expect(await grace.patch(`/api/time-blocks/${id}`, { locked: true })).toEqual(notFound)
      expect(await grace.patch(`/api/time-blocks/${id}`, { endAt: ten })).toEqual(notFound)
      expect(await grace.delete(`/api/time-blocks/${id}`)).toEqual(notFound)
    }
    expect(await getBlock(ada, adas)).toEqual(before)
  })
})

describe('PATCH /api/time-blocks/reorder', () => {
  it('200: each block’s sortOrder is its position; others keep theirs', async ({ ada }) => {
    const [a, b, c, other] = await newBlocks(ada, 4)
    await ada.patch(`/api/time-blocks/${other}`, { sortOrder: 7 })
    const before = await getBlock(ada, c!)

    expect(await ada.patch('/api/time-blocks/reorder', { orderedIds: [c, a, b] })).toEqual(success)
    expect(await sortOrders(ada, [c!, a!, b!, other!])).toEqual([0, 1, 2, 7])
    expect(await getBlock(ada, c!)).toEqual({ ...before, updatedAt: isoUtcMilliseconds })
  })

  it('404: not all are mine, and the old order remains', async ({ ada, grace }) => {
    const [a, b] = await newBlocks(ada, 2)
    const [graces] = await newBlocks(grace, 1)
    await ada.patch('/api/time-blocks/reorder', { orderedIds: [a, b] })
    await grace.patch(`/api/time-blocks/${graces}`, { sortOrder: 9 })
    const before = [await getBlock(ada, a!), await getBlock(ada, b!)]

    for (const id of [unknownId, graces]) {
      expect(await ada.patch('/api/time-blocks/reorder', { orderedIds: [b, id, a] })).toEqual({
        status: 404,
        body: { error: 'One or more time blocks not found or access denied' },
      })
    }
    expect([await getBlock(ada, a!), await getBlock(ada, b!)]).toEqual(before)
    expect(await sortOrders(grace, [graces!])).toEqual([9])
  })

  it.for([
    ['orderedIds', 'missing', {}],
    ['orderedIds', 'empty', { orderedIds: [] }],
    ['orderedIds', 'not a list', { orderedIds: unknownId }],
    ['orderedIds', 'null', { orderedIds: null }],
    ['orderedIds', 'naming one twice', { orderedIds: [unknownId, unknownId] }],
    [
      'orderedIds',
      'naming one twice, in another case',
      {
        orderedIds: [
          'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
          'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA',
        ],
      },
    ],
    ['orderedIds', 'over a thousand', { orderedIds: Array.from({ length: 1001 }, newId) }],
    ['orderedIds.0', 'not a UUID', { orderedIds: ['not-an-id'] }],
    ['orderedIds.1', 'not text', { orderedIds: [unknownId, 5] }],
    ['body', 'missing', undefined],
  ] as const)('400: %s %s', async ([field, , sent], { ada }) => {
    expect(await ada.patch('/api/time-blocks/reorder', sent)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('200: appends an event for each block whose position has changed', async ({ ada }) => {
    const [a, b, c] = await newBlocks(ada, 3)
    await ada.patch('/api/time-blocks/reorder', { orderedIds: [a, b, c] })
    const { body: before } = await ada.get('/api/changes')
    await ada.patch('/api/time-blocks/reorder', { orderedIds: [a, c, b] })
    const { body } = await ada.get(`/api/changes?since=${before.next}`)
    const told = body.events.map(({ recordId }: { recordId: string }) => recordId)
    expect(told.toSorted()).toEqual([b, c])
  })

  it('400: an id is sent twice, and the old order remains', async ({ ada }) => {
    const [a, b] = await newBlocks(ada, 2)
    await ada.patch('/api/time-blocks/reorder', { orderedIds: [a, b] })

    const { status } = await ada.patch('/api/time-blocks/reorder', { orderedIds: [b, a, b] })

    expect(status).toBe(400)
    expect(await sortOrders(ada, [a!, b!])).toEqual([0, 1])
  })

  it('200: one of thirty concurrent orders remains in full', async ({ ada }) => {
    const ids = await newBlocks(ada, 6)
    const orders = Array.from({ length: 30 }, (_, n) => {
      const rotated = [...ids.slice(n % 6), ...ids.slice(0, n % 6)]
      return n % 2 ? rotated : rotated.toReversed()
    })

    const answers = await Promise.all(
      orders.map((orderedIds) => ada.patch('/api/time-blocks/reorder', { orderedIds })),
    )

    expect(answers).toEqual(orders.map(() => success))
    const places = await sortOrders(ada, ids)
    expect(orders).toContainEqual(places.map((_, n) => ids[places.indexOf(n)]))
  })

  it('200 or 404: while one of the blocks is deleted', async ({ ada }) => {
    for (let round = 0; round < 20; round += 1) {
      const [a, b, c] = await newBlocks(ada, 3)
      await ada.patch('/api/time-blocks/reorder', { orderedIds: [a, b, c] })

      const [reordered, removal] = await Promise.all([
        ada.patch('/api/time-blocks/reorder', { orderedIds: [c, b, a] }),
        ada.delete(`/api/time-blocks/${b}`),
      ])

      expect([200, 404]).toContain(reordered.status)
      expect(removal).toEqual(success)
      expect(await sortOrders(ada, [a!, c!])).toEqual(reordered.status === 200 ? [2, 0] : [0, 2])
    }
  })
})

describe('Time blocks without a valid key', () => {
  it('401: before the record, the body or the query is checked', async ({ stranger }) => {
    const unauthorized = { status: 401, body: { error: 'Unauthorized' } }
    const url = `/api/time-blocks/${unknownId}`

    expect(await stranger.get('/api/time-blocks?from=later')).toEqual(unauthorized)
    expect(await stranger.post('/api/time-blocks', {})).toEqual(unauthorized)
    expect(await stranger.get(url)).toEqual(unauthorized)
    expect(await stranger.patch(url, { locked: 'yes' })).toEqual(unauthorized)
    expect(await stranger.delete(url)).toEqual(unauthorized)
    expect(await stranger.patch('/api/time-blocks/reorder', {})).toEqual(unauthorized)
  })
})

describe('events', () => {
  it('record a block from creation to deletion', async ({ ada, db }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Sow' })
    const span = { startAt: '2026-03-02T09:00:00Z', endAt: '2026-03-02T10:00:00Z' }
    const { body: made } = await ada.post('/api/time-blocks', { taskId: task.id, ...span })
    const { body: locked } = await ada.patch(`/api/time-blocks/${made.id}`, { locked: true })
    await ada.delete(`/api/time-blocks/${made.id}`)

    expect(await changesOf(db, ada, 1)).toEqual([
      ['timeBlock.created', null, blockRecord(made)],
      ['timeBlock.updated', blockRecord(made), blockRecord(locked)],
      ['timeBlock.deleted', blockRecord(locked), null],
    ])
  })
})
