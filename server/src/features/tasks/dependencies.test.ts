import { changesOf } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const taskNotFound = { status: 404, body: { error: 'Task not found' } }
const cycle = { status: 409, body: { error: 'Dependency would create a cycle' } }
const none = { blockedBy: [], blocks: [] }

const newTask = async (person: Person, title = 'Water the plants'): Promise<string> =>
  (await person.post('/api/tasks', { title })).body.id

const newTasks = (person: Person, count: number) =>
  Promise.all(Array.from({ length: count }, () => newTask(person)))

/** Makes one task depend on the other. */
const depend = (person: Person, id: string, dependsOnTaskId: unknown) =>
  person.post(`/api/tasks/${id}/dependencies`, { dependsOnTaskId })

const dependenciesOf = async (person: Person, id: string) =>
  (await person.get(`/api/tasks/${id}/dependencies`)).body

const statusesOf = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

describe('GET /api/tasks/{id}/dependencies', () => {
  it('200: what the task waits for, and what waits for it', async ({ ada }) => {
    const [buy, plant, water] = [
      await newTask(ada, 'Buy seeds'),
      await newTask(ada, 'Plant'),
      await newTask(ada, 'Water'),
    ]
    await ada.patch(`/api/tasks/${buy}`, { status: 'in_progress' })
    const first = (await depend(ada, plant, buy)).body
    const second = (await depend(ada, water, plant)).body

    expect(await ada.get(`/api/tasks/${plant}/dependencies`)).toEqual({
      status: 200,
      body: {
        blockedBy: [{ ...first, task: { id: buy, title: 'Buy seeds', status: 'in_progress' } }],
        blocks: [{ ...second, task: { id: water, title: 'Water', status: 'todo' } }],
      },
    })
  })

  it('200: direct dependencies only', async ({ ada }) => {
    const [a, b, c] = await newTasks(ada, 3)
    await depend(ada, a!, b!)
    await depend(ada, b!, c!)

    expect(await dependenciesOf(ada, a!)).toMatchObject({
      blockedBy: [{ dependsOnTaskId: b }],
      blocks: [],
    })
    expect(await dependenciesOf(ada, c!)).toMatchObject({ blockedBy: [], blocks: [{ taskId: b }] })
  })

  it('200: empty lists without dependencies', async ({ ada }) => {
    const id = await newTask(ada)

    expect(await ada.get(`/api/tasks/${id}/dependencies`)).toEqual({ status: 200, body: none })
  })
})

describe('POST /api/tasks/{id}/dependencies', () => {
  it('201: the whole dependency', async ({ ada }) => {
    const [plant, buy] = [await newTask(ada), await newTask(ada)]

    expect(await depend(ada, plant, buy)).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        userId: ada.id,
        taskId: plant,
        dependsOnTaskId: buy,
        createdAt: isoUtcMilliseconds,
      },
    })
  })

  it('200: the same pair again is the same dependency', async ({ ada }) => {
    const [plant, buy] = [await newTask(ada), await newTask(ada)]
    const { body } = await depend(ada, plant, buy)

    expect(await depend(ada, plant, buy)).toEqual({ status: 200, body })
    expect(await depend(ada, plant, buy.toUpperCase())).toEqual({ status: 200, body })
    expect((await dependenciesOf(ada, plant)).blockedBy).toHaveLength(1)
  })

  it('201 once, then 200: the same pair ten times concurrently', async ({ ada }) => {
    const [plant, buy] = [await newTask(ada), await newTask(ada)]

    const answers = await Promise.all(Array.from({ length: 10 }, () => depend(ada, plant, buy)))

    expect(statusesOf(answers)).toEqual([...Array(9).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  it('201: two paths to the same task are no cycle', async ({ ada }) => {
    const [top, left, right, bottom] = await newTasks(ada, 4)

    for (const [task, other] of [
      [top, left],
      [top, right],
      [left, bottom],
      [right, bottom],
      [top, bottom],
    ] as const) {
      expect((await depend(ada, task!, other!)).status).toBe(201)
    }
  })

  it('201: in the other direction, once the first is removed', async ({ ada }) => {
    const [a, b] = [await newTask(ada), await newTask(ada)]
    await depend(ada, a, b)
    await ada.delete(`/api/tasks/${a}/dependencies/${b}`)

    expect((await depend(ada, b, a)).status).toBe(201)
  })

  it.for([1, 2, 5])('409: would create a cycle of length %i', async (length, { ada }) => {
    const tasks = await newTasks(ada, length)
    for (const [n, next] of tasks.slice(1).entries()) await depend(ada, tasks[n]!, next)
    const [first, last] = [tasks[0]!, tasks.at(-1)!]
    const before = await dependenciesOf(ada, last)

    expect(await depend(ada, last, first)).toEqual(cycle)
    expect(await dependenciesOf(ada, last)).toEqual(before)
  })

  it('409: one of two concurrent requests that would create a cycle', async ({ ada }) => {
    const pairs = []
    for (let n = 0; n < 20; n += 1) pairs.push([await newTask(ada), await newTask(ada)] as const)

    const outcomes = await Promise.all(
      pairs.map(([a, b]) => Promise.all([depend(ada, a, b), depend(ada, b, a)])),
    )

    expect(outcomes.map(statusesOf)).toEqual(pairs.map(() => [201, 409]))
    for (const [a] of pairs) {
      const { blockedBy, blocks } = await dependenciesOf(ada, a)
      expect([...blockedBy, ...blocks]).toHaveLength(1)
    }
  })

  it('409: one of five concurrent requests that would create a cycle', async ({ ada }) => {
    const tasks = await newTasks(ada, 5)

    const answers = await Promise.all(tasks.map((id, n) => depend(ada, id, tasks[(n + 1) % 5]!)))

    expect(statusesOf(answers)).toEqual([201, 201, 201, 201, 409])
  })

  it('400: on a task that is not mine, and nothing is written', async ({ ada, grace }) => {
    const [mine, graces] = [await newTask(ada), await newTask(grace)]

    for (const id of [graces, unknownId, 'not-an-id', '']) {
      expect(await depend(ada, mine, id)).toEqual({
        status: 400,
        body: { error: 'dependsOnTaskId not found', field: 'dependsOnTaskId' },
      })
    }
    expect(await dependenciesOf(ada, mine)).toEqual(none)
    expect(await dependenciesOf(grace, graces)).toEqual(none)
  })

  it.for([undefined, null, 5, ['x']])('400: dependsOnTaskId %o', async (sent, { ada }) => {
    expect(await depend(ada, await newTask(ada), sent)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { dependsOnTaskId: [expect.any(String)] } },
    })
  })

  it('400: without a body', async ({ ada }) => {
    expect(await ada.post(`/api/tasks/${await newTask(ada)}/dependencies`)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { body: [expect.any(String)] } },
    })
  })

  it('201: ignores read-only fields', async ({ ada }) => {
    const [plant, buy] = [await newTask(ada), await newTask(ada)]
    const ignored = { id: unknownId, userId: unknownId, taskId: buy, createdAt: '2020-01-01' }

    const { body } = await ada.post(`/api/tasks/${plant}/dependencies`, {
      ...ignored,
      dependsOnTaskId: buy,
    })

    expect(body).toMatchObject({ userId: ada.id, taskId: plant, dependsOnTaskId: buy })
    expect(body.id).not.toBe(unknownId)
  })

  it('201 or 400: while the other task is deleted permanently', async ({ ada }) => {
    for (let round = 0; round < 30; round += 1) {
      const [plant, buy] = [await newTask(ada), await newTask(ada)]

      const [added, removal] = await Promise.all([
        depend(ada, plant, buy),
        ada.delete(`/api/tasks/${buy}?permanent=true`),
      ])

      expect([201, 400]).toContain(added.status)
      expect(removal.status).toBe(200)
      expect(await dependenciesOf(ada, plant)).toEqual(none)
    }
  })
})

describe('DELETE /api/tasks/{id}/dependencies/{dependsOnTaskId}', () => {
  it('200: deleted, and both tasks remain', async ({ ada }) => {
    const [plant, buy, dig] = [await newTask(ada), await newTask(ada), await newTask(ada)]
    await depend(ada, plant, buy)
    await depend(ada, plant, dig)

    expect(await ada.delete(`/api/tasks/${plant}/dependencies/${buy}`)).toEqual({
      status: 200,
      body: { success: true },
    })
    expect((await dependenciesOf(ada, plant)).blockedBy).toMatchObject([{ dependsOnTaskId: dig }])
    expect((await ada.get(`/api/tasks/${buy}`)).status).toBe(200)
  })

  it('404: unknown, or in the other direction', async ({ ada, grace }) => {
    const [plant, buy] = [await newTask(ada), await newTask(ada)]
    await depend(ada, plant, buy)
    const notFound = { status: 404, body: { error: 'Dependency not found' } }

    expect(await ada.delete(`/api/tasks/${buy}/dependencies/${plant}`)).toEqual(notFound)
    expect(await ada.delete(`/api/tasks/${plant}/dependencies/${unknownId}`)).toEqual(notFound)
    expect(await ada.delete(`/api/tasks/${plant}/dependencies/not-an-id`)).toEqual(notFound)
    expect(await ada.delete(`/api/tasks/not-an-id/dependencies/${buy}`)).toEqual(notFound)
    expect(await grace.delete(`/api/tasks/${plant}/dependencies/${buy}`)).toEqual(notFound)
    expect((await dependenciesOf(ada, plant)).blockedBy).toHaveLength(1)
  })
})

describe('Dependencies of a task that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const [adas, graces] = [await newTask(ada), await newTask(grace)]

    for (const id of [unknownId, 'not-an-id', adas]) {
      expect(await grace.get(`/api/tasks/${id}/dependencies`)).toEqual(taskNotFound)
      expect(await depend(grace, id, graces)).toEqual(taskNotFound)
    }
    expect(await dependenciesOf(ada, adas)).toEqual(none)
  })
})

describe('Dependencies without a valid key', () => {
  it('401: before the record or the body is checked', async ({ stranger }) => {
    const unauthorized = { status: 401, body: { error: 'Unauthorized' } }
    const url = `/api/tasks/${unknownId}/dependencies`

    expect(await stranger.get(url)).toEqual(unauthorized)
    expect(await stranger.post(url, {})).toEqual(unauthorized)
    expect(await stranger.delete(`${url}/${unknownId}`)).toEqual(unauthorized)
  })
})

describe('events', () => {
  it('record the creation and deletion of a dependency once', async ({ ada, db }) => {
    const newTask = async () => (await ada.post('/api/tasks', { title: 'Sow' })).body.id
    const [task, other] = [await newTask(), await newTask()]
    const at = `/api/tasks/${task}/dependencies`
    const { body: made } = await ada.post(at, { dependsOnTaskId: other })
    await ada.post(at, { dependsOnTaskId: other })
    await ada.delete(`${at}/${other}`)

    expect(await changesOf(db, ada, 2)).toEqual([
      ['dependency.created', null, made],
      ['dependency.deleted', made, null],
    ])
  })
})
