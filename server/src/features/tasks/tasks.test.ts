import type { Database } from '../../platform/db/database.ts'
import { blockRecord, changesOf, eventsOf, lastEvent, taskRecord } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'
import { overtake } from '../../../test/overtake.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const notFound = { status: 404, body: { error: 'Task not found' } }
const success = { status: 200, body: { success: true } }

const newTask = async (person: Person, more: object = {}) =>
  (await person.post('/api/tasks', { title: 'Water the plants', ...more })).body

const getTask = async (person: Person, id: string) => (await person.get(`/api/tasks/${id}`)).body

const newLabel = async (person: Person, name: string) =>
  (await person.post('/api/labels', { name })).body

const weekdays = [{ day: [1, 2, 3, 4, 5], start: '08:00', end: '12:00' }]

/** Creates the records that a field of a task may refer to. */
const referred = {
  spaceId: (person: Person) => person.post('/api/spaces', { name: 'Garden' }),
  projectId: (person: Person) => person.post('/api/projects', { name: 'Spring' }),
  parentTaskId: (person: Person) => person.post('/api/tasks', { title: 'Tend the garden' }),
  schedulePreferenceId: (person: Person) =>
    person.post('/api/schedule-preferences', { name: 'Mornings', windows: weekdays }),
  labelIds: (person: Person) => person.post('/api/labels', { name: 'green' }),
}

const archivedAt = async (db: Database, id: string): Promise<Date | null> =>
  (await db.pool.query('select archived_at from tasks where id = $1', [id])).rows[0].archived_at

/** The task that results from a title alone. */
const plainTask = (person: Person) => ({
  id: expect.any(String),
  userId: person.id,
  spaceId: null,
  projectId: null,
  parentTaskId: null,
  title: 'Water the plants',
  description: '',
  status: 'todo',
  priority: 'none',
  dueAt: null,
  startAfter: null,
  completedAt: null,
  estimateMinutes: null,
  actualMinutes: null,
  minSessionMinutes: 5,
  maxSessionMinutes: 60,
  cooldownMinutes: 5,
  autoSchedule: true,
  autoSplit: true,
  schedulePreferenceId: null,
  locked: false,
  sortOrder: 0,
  createdAt: isoUtcMilliseconds,
  updatedAt: isoUtcMilliseconds,
  space: null,
  project: null,
  labels: [],
  checklistItems: [],
})

// Refused by create and update alike: the field in `details`, the reason, the values sent.
const refused: [named: string, why: string, sent: Record<string, unknown>][] = [
  ['title', 'empty', { title: '' }],
  ['title', 'over 500 characters', { title: 'x'.repeat(501) }],
  ['title', 'over 500 UTF-16 units, though fewer characters', { title: '🌱'.repeat(251) }],
  ['title', 'null', { title: null }],
  ['title', 'not text', { title: 5 }],
  ['title', 'with U+0000', { title: 'a\0b' }],
  ['title', 'holding half a surrogate pair', { title: 'a\uD83Cb' }],
  ['description', 'over 100,000 characters', { description: 'x'.repeat(100_001) }],
  ['description', 'null', { description: null }],
  ['description', 'not text', { description: 5 }],
  ['description', 'with U+0000', { description: '\0' }],
  ['status', 'not a status', { status: 'done' }],
  ['status', 'null', { status: null }],
  ['priority', 'not a priority', { priority: 'asap' }],
  ['priority', 'null', { priority: null }],
  ['dueAt', 'not a timestamp', { dueAt: 'later' }],
  ['dueAt', 'not a calendar day', { dueAt: '2024-02-30' }],
  ['dueAt', 'not a time of day', { dueAt: '2026-03-05T24:00:00Z' }],
  ['dueAt', 'before the year 1', { dueAt: '0000-12-31' }],
  ['dueAt', 'after the year 9999', { dueAt: '9999-12-31T23:00:00-02:00' }],
  ['dueAt', 'a number', { dueAt: 0 }],
  ['startAfter', 'not a timestamp', { startAfter: 'tomorrow' }],
  ['startAfter', 'not a calendar day', { startAfter: '2026-13-01' }],
  ['estimateMinutes', 'negative', { estimateMinutes: -1 }],
  ['estimateMinutes', 'over 960', { estimateMinutes: 961 }],
  ['estimateMinutes', 'not whole', { estimateMinutes: 1.5 }],
  ['estimateMinutes', 'text', { estimateMinutes: '30' }],
  ['minSessionMinutes', '0', { minSessionMinutes: 0 }],
  ['minSessionMinutes', 'over 60', { minSessionMinutes: 61 }],
  ['minSessionMinutes', 'not whole', { minSessionMinutes: 1.5 }],
  ['minSessionMinutes', 'null', { minSessionMinutes: null }],
  ['maxSessionMinutes', '0', { maxSessionMinutes: 0 }],
  ['maxSessionMinutes', 'over 480', { maxSessionMinutes: 481 }],
  ['maxSessionMinutes', 'null', { maxSessionMinutes: null }],
  ['cooldownMinutes', 'negative', { cooldownMinutes: -1 }],
  ['cooldownMinutes', 'not whole', { cooldownMinutes: 0.5 }],
  ['cooldownMinutes', 'over 32 bits', { cooldownMinutes: 2 ** 31 }],
  ['cooldownMinutes', 'null', { cooldownMinutes: null }],
  ['autoSchedule', 'not a boolean', { autoSchedule: 'yes' }],
  ['autoSchedule', 'null', { autoSchedule: null }],
  ['autoSplit', 'not a boolean', { autoSplit: 1 }],
  ['spaceId', 'not text', { spaceId: 5 }],
  ['projectId', 'not text', { projectId: {} }],
  ['schedulePreferenceId', 'not text', { schedulePreferenceId: true }],
  ['labelIds', 'not a list', { labelIds: unknownId }],
  ['labelIds', 'over 100', { labelIds: Array(101).fill(unknownId) }],
  ['labelIds.1', 'not text', { labelIds: [unknownId, 5] }],
]

// Accepted by create and update alike: the limits of each field.
const accepted: [why: string, sent: Record<string, unknown>][] = [
  ['a title of 1 character', { title: 'x' }],
  ['a title of 500 characters', { title: 'x'.repeat(500) }],
  ['a title of 500 UTF-16 units', { title: '🌱'.repeat(250) }],
  ['a title that is not trimmed', { title: '  water\n' }],
  ['a description of 100,000 characters', { description: 'x'.repeat(100_000) }],
  ['an estimate of nothing', { estimateMinutes: 0 }],
  ['an estimate of 960 minutes', { estimateMinutes: 960 }],
  ['sessions of at least 1 minute', { minSessionMinutes: 1 }],
  ['sessions of at least 60 minutes', { minSessionMinutes: 60 }],
  ['sessions of at most 1 minute', { maxSessionMinutes: 1 }],
  ['sessions of at most 480 minutes', { maxSessionMinutes: 480 }],
  ['a minimum over the maximum', { minSessionMinutes: 40, maxSessionMinutes: 20 }],
  ['no cooldown', { cooldownMinutes: 0 }],
  ['a cooldown of 32 bits', { cooldownMinutes: 2 ** 31 - 1 }],
]

const timestamps: [sent: string, kept: string][] = [
  ['2026-03-05T10:30:15.123Z', '2026-03-05T10:30:15.123Z'],
  ['2026-03-05T10:30:00Z', '2026-03-05T10:30:00.000Z'],
  ['2026-03-05T10:30:00+02:00', '2026-03-05T08:30:00.000Z'],
  ['2026-03-05T10:30:00', '2026-03-05T10:30:00.000Z'],
  ['2026-03-05', '2026-03-05T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
]

describe('POST /api/tasks', () => {
  it('201: from a title alone, with every default', async ({ ada }) => {
    expect(await ada.post('/api/tasks', { title: 'Water the plants' })).toEqual({
      status: 201,
      body: plainTask(ada),
    })
  })

  it('201: the whole task, as sent', async ({ ada }) => {
    const space = (await referred.spaceId(ada)).body
    const project = (await referred.projectId(ada)).body
    const parent = (await referred.parentTaskId(ada)).body
    const preference = (await referred.schedulePreferenceId(ada)).body
    const sent = {
      title: 'Water the plants',
      description: 'All *of* them',
      status: 'in_progress',
      priority: 'urgent',
      dueAt: '2026-03-06T16:00:00.000Z',
      startAfter: '2026-03-04T09:00:00.000Z',
      estimateMinutes: 120,
      minSessionMinutes: 15,
      maxSessionMinutes: 90,
      cooldownMinutes: 10,
      autoSchedule: false,
      autoSplit: false,
      spaceId: space.id,
      projectId: project.id,
      parentTaskId: parent.id,
      schedulePreferenceId: preference.id,
    }
    const green = (await ada.post('/api/labels', { name: 'green', color: '#00ff00' })).body
    const blue = await newLabel(ada, 'blue')

    const { status, body } = await ada.post('/api/tasks', {
      ...sent,
      labelIds: [green.id, blue.id],
    })

    expect(status).toBe(201)
    expect(body).toEqual({
      ...plainTask(ada),
      ...sent,
      space: { id: space.id, name: 'Garden', color: '#6B7280', icon: 'folder' },
      project: { id: project.id, name: 'Spring', color: '#6B7280' },
      labels: [
        { id: blue.id, name: 'blue', color: null },
        { id: green.id, name: 'green', color: '#00ff00' },
      ],
    })
    expect(await getTask(ada, body.id)).toMatchObject(body)
  })

  it('201: has completedAt if created as completed, and in no other status', async ({
    ada,
    now,
  }) => {
    const { id } = await newLabel(ada, 'done')
    for (const status of ['backlog', 'todo', 'in_progress', 'completed', 'cancelled', 'archived']) {
      for (const labelIds of [[], [id]]) {
        const { body } = await ada.post('/api/tasks', { title: 'Sow', status, labelIds })

        const completedAt = status === 'completed' ? now.toISOString() : null
        expect(body).toMatchObject({ status, completedAt })
        expect(await getTask(ada, body.id)).toMatchObject({ completedAt })
      }
    }
  })

  it('201: null means the same as absent', async ({ ada }) => {
    const nulls = {
      dueAt: null,
      startAfter: null,
      estimateMinutes: null,
      spaceId: null,
      projectId: null,
      parentTaskId: null,
      schedulePreferenceId: null,
    }

    expect(await ada.post('/api/tasks', { title: 'Water the plants', ...nulls })).toEqual({
      status: 201,
      body: plainTask(ada),
    })
  })

  it('201: ignores read-only and unknown fields', async ({ ada }) => {
    const ignored = {
      id: unknownId,
      userId: unknownId,
      completedAt: '2026-01-01T00:00:00Z',
      actualMinutes: 5,
      locked: true,
      sortOrder: 7,
      createdAt: '2020-01-01T00:00:00Z',
      updatedAt: 'never',
      archivedAt: '2020-01-01T00:00:00Z',
      colour: 'blue',
    }

    const { status, body } = await ada.post('/api/tasks', {
      title: 'Water the plants',
      ...ignored,
    })

    expect(status).toBe(201)
    expect(body).toEqual(plainTask(ada))
    expect(body.id).not.toBe(unknownId)
    expect(body.createdAt > '2020-01-01T00:00:00.000Z').toBe(true)
  })

  it('201: a label named twice is added once', async ({ ada }) => {
    const { id } = await newLabel(ada, 'green')

    const task = await newTask(ada, { labelIds: [id, id, id.toUpperCase()] })

    expect(task.labels).toEqual([{ id, name: 'green', color: null }])
    expect((await getTask(ada, task.id)).labels).toEqual(task.labels)
  })

  it.for(accepted)('201: %s', async ([, sent], { ada }) => {
    expect(await ada.post('/api/tasks', { title: 'Water the plants', ...sent })).toEqual({
      status: 201,
      body: { ...plainTask(ada), ...sent },
    })
  })

  it.for(timestamps)('201: dueAt and startAfter %s are %s', async ([sent, kept], { ada }) => {
    expect(await newTask(ada, { dueAt: sent, startAfter: sent })).toMatchObject({
      dueAt: kept,
      startAfter: kept,
    })
  })

  it.for([
    ...refused,
    ['parentTaskId', 'not text', { parentTaskId: 5 }],
    ['dueAt', 'empty', { dueAt: '' }],
    ['startAfter', 'empty', { startAfter: '' }],
  ] satisfies typeof refused)('400: %s %s', async ([field, , sent], { ada }) => {
    const task = { title: 'Water the plants', ...sent }

    expect(await ada.post('/api/tasks', task)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('400: without a title', async ({ ada }) => {
    expect(await ada.post('/api/tasks', {})).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { title: [expect.any(String)] } },
    })
  })

  it('400: names every field that failed', async ({ ada }) => {
    const { body } = await ada.post('/api/tasks', { status: 'done', estimateMinutes: -1 })

    expect(Object.keys(body.details).toSorted()).toEqual(['estimateMinutes', 'status', 'title'])
  })

  it.for([['nothing', undefined] as const, ['a list', [{ title: 'Water the plants' }]] as const])(
    '400: %s is not a task',
    async ([, sent], { ada }) => {
      expect(await ada.post('/api/tasks', sent as object | undefined)).toEqual({
        status: 400,
        body: { error: 'Validation failed', details: { body: [expect.any(String)] } },
      })
    },
  )

  it.for(['spaceId', 'projectId', 'parentTaskId', 'schedulePreferenceId'] as const)(
    '400: %s that is not mine, and nothing is written',
    async (field, { ada, grace }) => {
      const graces = (await referred[field](grace)).body

      for (const id of [graces.id, unknownId, 'not-an-id', '']) {
        expect(await ada.post('/api/tasks', { title: 'Water the plants', [field]: id })).toEqual({
          status: 400,
          body: { error: `${field} not found`, field },
        })
      }
      expect((await ada.get('/api/tasks?includeCompleted=true')).body.data).toEqual([])
    },
  )

  it('400: labelIds that are not all mine; nothing is written', async ({ ada, grace }) => {
    const mine = await newLabel(ada, 'green')
    const graces = await newLabel(grace, 'green')

    for (const id of [graces.id, unknownId, 'not-an-id', '']) {
      const task = { title: 'Water the plants', labelIds: [mine.id, id] }
      expect(await ada.post('/api/tasks', task)).toEqual({
        status: 400,
        body: { error: 'labelIds not found', field: 'labelIds' },
      })
    }
    expect((await ada.get('/api/tasks?includeCompleted=true')).body.data).toEqual([])
    expect((await ada.get('/api/labels')).body).toMatchObject([{ _count: { tasks: 0 } }])
  })
})

describe('GET /api/tasks/{id}', () => {
  it('200: a task without related records', async ({ ada }) => {
    const task = await newTask(ada)

    expect(await ada.get(`/api/tasks/${task.id}`)).toEqual({
      status: 200,
      body: { ...task, timeBlocks: [], subtasks: [], parentTask: null, documents: [] },
    })
  })

  it('200: with its related records, including cancelled blocks', async ({ ada }) => {
    const parent = await newTask(ada, { title: 'Tend the garden' })
    const label = await newLabel(ada, 'green')
    const task = await newTask(ada, { parentTaskId: parent.id, labelIds: [label.id] })
    const { space, project, labels, checklistItems, ...subtask } = await newTask(ada, {
      title: 'Fill the can',
      parentTaskId: task.id,
    })
    const item = (await ada.post('/api/checklist-items', { taskId: task.id, title: 'Roses' })).body
    const document = (
      await ada.post('/api/documents', {
        title: 'How to water',
        docType: 'link',
        url: 'https://example.com/water',
      })
    ).body
    await ada.post(`/api/tasks/${task.id}/documents`, { documentId: document.id })
    const newBlock = async (startAt: string, endAt: string) =>
      (await ada.post('/api/time-blocks', { taskId: task.id, startAt, endAt })).body
    const later = await newBlock('2026-03-04T09:00:00Z', '2026-03-04T10:00:00Z')
    const sooner = await newBlock('2026-03-03T09:00:00Z', '2026-03-03T10:00:00Z')
    const cancelled = (await ada.patch(`/api/time-blocks/${sooner.id}`, { status: 'cancelled' }))
      .body
    const withoutTask = (block: object) => ({ ...block, task: undefined })

    expect(await ada.get(`/api/tasks/${task.id}`)).toEqual({
      status: 200,
      body: {
        ...task,
        checklistItems: [item],
        timeBlocks: [withoutTask(cancelled), withoutTask(later)],
        subtasks: [subtask],
        parentTask: { id: parent.id, title: 'Tend the garden' },
        documents: [
          {
            id: document.id,
            title: 'How to water',
            docType: 'link',
            url: 'https://example.com/water',
          },
        ],
      },
    })
    expect({ space, project, labels, checklistItems }).toEqual({
      space: null,
      project: null,
      labels: [],
      checklistItems: [],
    })
  })

  it('200: checklist items and subtasks in their sortOrder', async ({ ada }) => {
    const { id } = await newTask(ada)
    for (const [title, sortOrder] of [
      ['second', 2],
      ['first', -1.5],
      ['third', 3],
    ] as const) {
      const item = (await ada.post('/api/checklist-items', { taskId: id, title })).body
      await ada.patch(`/api/checklist-items/${item.id}`, { sortOrder })
      const subtask = await newTask(ada, { title, parentTaskId: id })
      await ada.patch(`/api/tasks/${subtask.id}`, { sortOrder })
    }

    const inOrder = [{ title: 'first' }, { title: 'second' }, { title: 'third' }]
    expect(await getTask(ada, id)).toMatchObject({ checklistItems: inOrder, subtasks: inOrder })
  })
})

describe('PATCH /api/tasks/{id}', () => {
  it('200: changes what was sent, keeps the rest, and moves updatedAt', async ({ ada }) => {
    const task = await newTask(ada, { priority: 'high', description: 'All of them' })

    const { status, body } = await ada.patch(`/api/tasks/${task.id}`, { title: 'Water the roses' })

    expect(status).toBe(200)
    expect(body).toEqual({ ...task, title: 'Water the roses', updatedAt: isoUtcMilliseconds })
    expect(body.updatedAt > task.updatedAt).toBe(true)
  })

  it('200: every field that can change', async ({ ada }) => {
    const task = await newTask(ada)
    const space = (await referred.spaceId(ada)).body
    const project = (await referred.projectId(ada)).body
    const preference = (await referred.schedulePreferenceId(ada)).body
    const label = await newLabel(ada, 'green')
    const item = (await ada.post('/api/checklist-items', { taskId: task.id, title: 'Roses' })).body
    const sent = {
      title: 'Water the roses',
      description: 'All *of* them',
      status: 'in_progress',
      priority: 'low',
      dueAt: '2026-03-06T16:00:00.000Z',
      startAfter: '2026-03-04T09:00:00.000Z',
      completedAt: '2026-03-05T12:00:00.000Z',
      estimateMinutes: 45,
      minSessionMinutes: 15,
      maxSessionMinutes: 90,
      cooldownMinutes: 0,
      autoSchedule: false,
      autoSplit: false,
      spaceId: space.id,
      projectId: project.id,
      schedulePreferenceId: preference.id,
      locked: true,
      sortOrder: -2.5,
    }

    const { status, body } = await ada.patch(`/api/tasks/${task.id}`, {
      ...sent,
      labelIds: [label.id],
    })

    expect(status).toBe(200)
    expect(body).toEqual({
      ...task,
      ...sent,
      updatedAt: isoUtcMilliseconds,
      space: { id: space.id, name: 'Garden', color: '#6B7280', icon: 'folder' },
      project: { id: project.id, name: 'Spring', color: '#6B7280' },
      labels: [{ id: label.id, name: 'green', color: null }],
      checklistItems: [item],
    })
    expect(await getTask(ada, task.id)).toMatchObject(body)
  })

  it('200: null clears what can be absent', async ({ ada }) => {
    const { id } = await newTask(ada, {
      dueAt: '2026-03-06',
      startAfter: '2026-03-04',
      estimateMinutes: 30,
      spaceId: (await referred.spaceId(ada)).body.id,
      projectId: (await referred.projectId(ada)).body.id,
      schedulePreferenceId: (await referred.schedulePreferenceId(ada)).body.id,
    })
    await ada.patch(`/api/tasks/${id}`, { completedAt: '2026-03-05' })

    const { status, body } = await ada.patch(`/api/tasks/${id}`, {
      dueAt: null,
      startAfter: null,
      completedAt: null,
      estimateMinutes: null,
      spaceId: null,
      projectId: null,
      schedulePreferenceId: null,
    })

    expect(status).toBe(200)
    expect(body).toEqual(plainTask(ada))
  })

  it('200: empty text clears the dates and empties the description', async ({ ada }) => {
    const sent = { description: 'All', dueAt: '2026-03-06', startAfter: '2026-03-04' }
    const { id } = await newTask(ada, sent)
    await ada.patch(`/api/tasks/${id}`, { completedAt: '2026-03-05' })

    const { status, body } = await ada.patch(`/api/tasks/${id}`, {
      description: '',
      dueAt: '',
      startAfter: '',
      completedAt: '',
    })

    expect(status).toBe(200)
    expect(body).toEqual(plainTask(ada))
  })

  it('200: ignores read-only and unknown fields', async ({ ada }) => {
    const other = await newTask(ada)
    const task = await newTask(ada)
    const ignored = {
      id: unknownId,
      userId: unknownId,
      parentTaskId: other.id,
      actualMinutes: 5,
      createdAt: '2020-01-01T00:00:00Z',
      updatedAt: '2020-01-01T00:00:00Z',
      archivedAt: '2020-01-01T00:00:00Z',
      colour: 'blue',
    }

    const { status, body } = await ada.patch(`/api/tasks/${task.id}`, {
      title: 'Water the roses',
      ...ignored,
    })

    expect(status).toBe(200)
    expect(body).toEqual({ ...task, title: 'Water the roses', updatedAt: isoUtcMilliseconds })
    expect(body.updatedAt > task.updatedAt).toBe(true)
  })

  it.for([
    { title: 'Water the roses' },
    { status: 'todo' },
    { dueAt: '' },
    { locked: true },
    { labelIds: [] },
  ])('200: %o changes updatedAt each time, even concurrently', async (sent, { ada }) => {
    const { id, updatedAt } = await newTask(ada)

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ada.patch(`/api/tasks/${id}`, sent)),
    )

    const moments: string[] = [updatedAt, ...answers.map(({ body }) => body.updatedAt)]
    expect(new Set(moments).size).toBe(21)
    expect(moments.toSorted()[0]).toBe(updatedAt)
  })

  it('200: from any status to any other', async ({ ada }) => {
    const statuses = ['backlog', 'todo', 'in_progress', 'completed', 'cancelled', 'archived']
    const { id } = await newTask(ada)

    for (const from of statuses) {
      for (const to of statuses) {
        await ada.patch(`/api/tasks/${id}`, { status: from })
        expect(await ada.patch(`/api/tasks/${id}`, { status: to })).toMatchObject({
          status: 200,
          body: { status: to },
        })
      }
    }
  })

  it('200: completing copies the estimate and does not set completedAt', async ({ ada }) => {
    const task = await newTask(ada, { estimateMinutes: 30 })

    const { body } = await ada.patch(`/api/tasks/${task.id}`, { status: 'completed' })

    expect(body).toEqual({
      ...task,
      status: 'completed',
      actualMinutes: 30,
      updatedAt: isoUtcMilliseconds,
    })
  })

  it.for([
    ['a new estimate', 45, 45],
    ['no estimate', null, null],
  ] as const)('200: completing with %s copies it', async ([, sent, copied], { ada }) => {
    const { id } = await newTask(ada, { estimateMinutes: 30 })
    const changes = { status: 'completed', estimateMinutes: sent }

    expect((await ada.patch(`/api/tasks/${id}`, changes)).body).toMatchObject({
      estimateMinutes: sent,
      actualMinutes: copied,
    })
  })

  it('200: completing again keeps existing actual minutes', async ({ ada }) => {
    const { id } = await newTask(ada, { estimateMinutes: 30 })
    await ada.patch(`/api/tasks/${id}`, { status: 'completed' })
    await ada.patch(`/api/tasks/${id}`, { status: 'todo', estimateMinutes: 90 })

    const { body } = await ada.patch(`/api/tasks/${id}`, { status: 'completed' })

    expect(body).toMatchObject({ estimateMinutes: 90, actualMinutes: 30 })
  })

  it('200: an estimate that is set after completion is not copied', async ({ ada }) => {
    const { id } = await newTask(ada, { status: 'completed' })

    const { body } = await ada.patch(`/api/tasks/${id}`, { estimateMinutes: 30 })

    expect(body).toMatchObject({ estimateMinutes: 30, actualMinutes: null })
  })

  it.for([
    ['another field', { priority: 'high' }, ['green']],
    ['other labels', { labelIds: [] }, []],
  ] as const)(
    '200: %s, sent during a change of title and labels, returns both',
    async ([, changes, names], { ada, db }) => {
      const { body: green } = await ada.post('/api/labels', { name: 'green' })
      const { id } = await newTask(ada)
      const other = {
        text: `with labelled as (
               insert into task_labels (user_id, task_id, label_id) values ($1, $2, $3)
             )
             update tasks set title = 'Labelled', updated_at = updated_at + interval '1 ms'
              where user_id = $1 and id = $2`,
        values: [ada.id, id, green.id],
      }

      const { body } = await overtake(db, other, () => ada.patch(`/api/tasks/${id}`, changes))

      expect(body).toMatchObject({ title: 'Labelled', ...('priority' in changes && changes) })
      expect(body.labels.map(({ name }: { name: string }) => name)).toEqual(names)
      expect((await ada.get(`/api/tasks/${id}`)).body.labels).toEqual(body.labels)
    },
  )

  it('200: labelIds replaces the whole set, and repeats are dropped', async ({ ada }) => {
    const [red, green, blue] = [
      await newLabel(ada, 'red'),
      await newLabel(ada, 'green'),
      await newLabel(ada, 'blue'),
    ]
    const { id } = await newTask(ada, { labelIds: [red.id, green.id] })
    const labelIds = [green.id, blue.id, green.id, blue.id.toUpperCase()]

    const { status, body } = await ada.patch(`/api/tasks/${id}`, { labelIds })

    expect(status).toBe(200)
    expect(body.labels).toEqual([
      { id: blue.id, name: 'blue', color: null },
      { id: green.id, name: 'green', color: null },
    ])
    expect((await getTask(ada, id)).labels).toEqual(body.labels)
  })

  it('200: labels stay unless labelIds is sent; an empty list removes them', async ({ ada }) => {
    const { id } = await newTask(ada, { labelIds: [(await newLabel(ada, 'red')).id] })

    const renamed = await ada.patch(`/api/tasks/${id}`, { title: 'Water the roses' })
    const bared = await ada.patch(`/api/tasks/${id}`, { labelIds: [] })

    expect(renamed.body.labels).toMatchObject([{ name: 'red' }])
    expect(bared.body.labels).toEqual([])
    expect((await getTask(ada, id)).labels).toEqual([])
  })

  it('200: one of two concurrent label sets remains, complete', async ({ ada }) => {
    const ids = []
    for (const name of ['a', 'b', 'c', 'd']) ids.push((await newLabel(ada, name)).id)
    const sets = [ids.slice(0, 2), ids.slice(2)]
    const { id } = await newTask(ada)

    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(
        sets.map((labelIds) => ada.patch(`/api/tasks/${id}`, { labelIds })),
      )

      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const { labels } = await getTask(ada, id)
      expect(sets).toContainEqual(labels.map((label: { id: string }) => label.id))
      await ada.patch(`/api/tasks/${id}`, { labelIds: [] })
    }
  })

  it('200: concurrent edits of different fields are all kept', async ({ ada }) => {
    const { id } = await newTask(ada)
    const edits = [{ title: 'Roses' }, { priority: 'high' }, { sortOrder: 3 }, { locked: true }]

    await Promise.all(edits.map((edit) => ada.patch(`/api/tasks/${id}`, edit)))

    expect(await getTask(ada, id)).toMatchObject(Object.assign({}, ...edits))
  })

  it.for([
    ...accepted,
    ['a fraction as sortOrder', { sortOrder: 0.1 }],
    ['a tiny sortOrder', { sortOrder: 5e-324 }],
    ['a huge sortOrder', { sortOrder: -1.7976931348623157e308 }],
  ] satisfies typeof accepted)('200: %s', async ([, sent], { ada }) => {
    const task = await newTask(ada)

    expect(await ada.patch(`/api/tasks/${task.id}`, sent)).toEqual({
      status: 200,
      body: { ...task, ...sent, updatedAt: isoUtcMilliseconds },
    })
  })

  it.for(timestamps)('200: timestamps %s are %s', async ([sent, kept], { ada }) => {
    const { id } = await newTask(ada)
    const changes = { dueAt: sent, startAfter: sent, completedAt: sent }

    expect((await ada.patch(`/api/tasks/${id}`, changes)).body).toMatchObject({
      dueAt: kept,
      startAfter: kept,
      completedAt: kept,
    })
  })

  it.for([
    ...refused,
    ['completedAt', 'not a timestamp', { completedAt: 'now' }],
    ['completedAt', 'not a calendar day', { completedAt: '2024-02-30' }],
    ['locked', 'not a boolean', { locked: 'yes' }],
    ['locked', 'null', { locked: null }],
    ['sortOrder', 'not a number', { sortOrder: '1' }],
    ['sortOrder', 'null', { sortOrder: null }],
  ] satisfies typeof refused)(
    '400: %s %s, and nothing changes',
    async ([field, , sent], { ada }) => {
      const { id } = await newTask(ada)
      const before = await getTask(ada, id)

      const answer = await ada.patch(`/api/tasks/${id}`, { priority: 'high', ...sent })

      expect(answer).toEqual({
        status: 400,
        body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
      })
      expect(await getTask(ada, id)).toEqual(before)
    },
  )

  it('400: a sortOrder beyond the largest double', async ({ ada, app }) => {
    const { id } = await newTask(ada)

    const response = await app.inject({
      method: 'PATCH',
      url: `/api/tasks/${id}`,
      headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json' },
      payload: '{"sortOrder":1e999}',
    })

    expect(response.statusCode).toBe(400)
    expect(response.json()).toEqual({
      error: 'Validation failed',
      details: { sortOrder: [expect.any(String)] },
    })
  })

  it.for(['spaceId', 'projectId', 'schedulePreferenceId', 'labelIds'] as const)(
    '400: %s that is not mine, and nothing changes',
    async (field, { ada, grace }) => {
      const graces = (await referred[field](grace)).body
      const mine = (await referred[field](ada)).body
      const ids = (id: string) => (field === 'labelIds' ? [mine.id, id] : id)
      const { id } = await newTask(ada)
      const before = await getTask(ada, id)

      for (const other of [graces.id, unknownId, 'not-an-id', '']) {
        const changes = { title: 'Water the roses', [field]: ids(other) }
        expect(await ada.patch(`/api/tasks/${id}`, changes)).toEqual({
          status: 400,
          body: { error: `${field} not found`, field },
        })
      }
      expect(await getTask(ada, id)).toEqual(before)
    },
  )
})

describe('PUT /api/tasks/{id}/actual-minutes', () => {
  it('200: sets and clears them, records it, and can be reverted', async ({ ada }) => {
    const { id } = (await ada.post('/api/tasks', { title: 'Write' })).body
    const path = `/api/tasks/${id}/actual-minutes`
    const stored = async () => (await ada.get(`/api/tasks/${id}`)).body.actualMinutes

    for (const actualMinutes of [90, null, 0, 2_147_483_647]) {
      expect(await ada.put(path, { actualMinutes })).toEqual({
        status: 200,
        body: { actualMinutes },
      })
      expect(await stored()).toBe(actualMinutes)
    }

    const { events } = (await ada.get(`/api/history?recordId=${id}`)).body
    expect(events[0]).toMatchObject({ type: 'task.updated', before: { actualMinutes: 0 } })
    expect((await ada.post(`/api/history/${events[0].id}/revert`)).status).toBe(200)
    expect(await stored()).toBe(0)
  })

  it.for([
    {},
    { actualMinutes: -1 },
    { actualMinutes: 1.5 },
    { actualMinutes: '5' },
    { actualMinutes: 2_147_483_648 },
  ])('400: %o', async (body, { ada }) => {
    const { id } = (await ada.post('/api/tasks', { title: 'Write' })).body

    expect(await ada.put(`/api/tasks/${id}/actual-minutes`, body)).toMatchObject({
      status: 400,
      body: { error: 'Validation failed', details: { actualMinutes: [expect.any(String)] } },
    })
  })

  it('404: a task that does not exist or belongs to another user', async ({ ada, grace }) => {
    const { id } = (await grace.post('/api/tasks', { title: 'Write' })).body

    for (const other of [id, unknownId, 'no-id']) {
      expect(await ada.put(`/api/tasks/${other}/actual-minutes`, { actualMinutes: 5 })).toEqual({
        status: 404,
        body: { error: 'Task not found' },
      })
    }
  })

  it('PATCH of the task ignores them', async ({ ada }) => {
    const { id } = (await ada.post('/api/tasks', { title: 'Write' })).body

    expect((await ada.patch(`/api/tasks/${id}`, { actualMinutes: 5 })).body).toMatchObject({
      actualMinutes: null,
    })
  })
})

describe('DELETE /api/tasks/{id}', () => {
  it.for(['', '?permanent=false'])(
    '200: archives the task, which can still be read by id; query: %j',
    async (query, { ada }) => {
      const task = await newTask(ada, { estimateMinutes: 30 })

      expect(await ada.delete(`/api/tasks/${task.id}${query}`)).toEqual(success)
      const archived = await getTask(ada, task.id)
      expect(archived).toMatchObject({
        ...task,
        status: 'archived',
        updatedAt: isoUtcMilliseconds,
      })
      expect(archived.updatedAt > task.updatedAt).toBe(true)
      expect((await ada.get('/api/tasks')).body.data).toEqual([])
    },
  )

  it('200: permanently, with everything that only it owns', async ({ ada }) => {
    const label = await newLabel(ada, 'green')
    const { id } = await newTask(ada, { labelIds: [label.id] })
    const [before, after] = [await newTask(ada), await newTask(ada)]
    const item = (await ada.post('/api/checklist-items', { taskId: id, title: 'Roses' })).body
    const document = (await ada.post('/api/documents', { title: 'How to water' })).body
    await ada.post(`/api/tasks/${id}/documents`, { documentId: document.id })
    await ada.post(`/api/tasks/${id}/dependencies`, { dependsOnTaskId: before.id })
    await ada.post(`/api/tasks/${after.id}/dependencies`, { dependsOnTaskId: id })

    expect(await ada.delete(`/api/tasks/${id}?permanent=true`)).toEqual(success)
    expect(await ada.get(`/api/tasks/${id}`)).toEqual(notFound)
    expect((await ada.get('/api/tasks?includeCompleted=true')).body.pagination.total).toBe(2)
    expect((await ada.patch(`/api/checklist-items/${item.id}`, {})).status).toBe(404)
    expect((await ada.get('/api/labels')).body).toMatchObject([{ _count: { tasks: 0 } }])
    expect((await ada.get(`/api/documents/${document.id}`)).body.tasks).toEqual([])
    for (const other of [before, after]) {
      expect((await ada.get(`/api/tasks/${other.id}/dependencies`)).body).toEqual({
        blockedBy: [],
        blocks: [],
      })
    }
  })

  it('200: permanently; its blocks and subtasks stay, detached', async ({ ada }) => {
    const { id } = await newTask(ada)
    const subtask = await newTask(ada, { parentTaskId: id })
    const [startAt, endAt] = ['2026-03-03T09:00:00.000Z', '2026-03-03T10:00:00.000Z']
    const block = (await ada.post('/api/time-blocks', { taskId: id, startAt, endAt })).body

    await ada.delete(`/api/tasks/${id}?permanent=true`)

    expect(await ada.get(`/api/time-blocks/${block.id}`)).toEqual({
      status: 200,
      body: { ...block, taskId: null, task: null, updatedAt: isoUtcMilliseconds },
    })
    expect(await ada.get(`/api/tasks/${subtask.id}`)).toMatchObject({
      status: 200,
      body: { ...subtask, parentTaskId: null, parentTask: null, updatedAt: isoUtcMilliseconds },
    })
  })

  it('200: permanently, even an archived task', async ({ ada }) => {
    const { id } = await newTask(ada, { status: 'archived' })

    expect(await ada.delete(`/api/tasks/${id}?permanent=true`)).toEqual(success)
    expect(await ada.delete(`/api/tasks/${id}?permanent=true`)).toEqual(notFound)
  })

  it('400: permanent is neither true nor false', async ({ ada }) => {
    const { id } = await newTask(ada)

    expect(await ada.delete(`/api/tasks/${id}?permanent=yes`)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { permanent: [expect.any(String)] } },
    })
    expect((await getTask(ada, id)).status).toBe('todo')
  })

  it('200: during concurrent changes of the task', async ({ ada }) => {
    const [startAt, endAt] = ['2026-03-03T09:00:00Z', '2026-03-03T10:00:00Z']
    let placed = 0

    for (let round = 0; round < 30; round += 1) {
      const label = await newLabel(ada, `label ${round}`)
      const { id } = await newTask(ada, { labelIds: [label.id] })

      const [item, block, removal, unlabelled, subtask] = await Promise.all([
        ada.post('/api/checklist-items', { taskId: id, title: 'Roses' }),
        ada.post('/api/time-blocks', { taskId: id, startAt, endAt }),
        ada.delete(`/api/tasks/${id}?permanent=true`),
        ada.delete(`/api/labels/${label.id}`),
        ada.post('/api/tasks', { title: 'Fill the can', parentTaskId: id }),
      ])

      expect(removal).toEqual(success)
      expect(unlabelled).toEqual(success)
      expect([201, 404]).toContain(item.status)
      expect([201, 404]).toContain(block.status)
      expect([201, 400]).toContain(subtask.status)
      expect(await ada.get(`/api/tasks/${id}`)).toEqual(notFound)
      placed += block.status === 201 ? 1 : 0
    }
    const kept = (await ada.get('/api/time-blocks?from=2026-03-03')).body
    expect(kept).toHaveLength(placed)
    expect(kept.filter(({ taskId }: { taskId: string | null }) => taskId !== null)).toEqual([])
    const subtasks = (await ada.get('/api/tasks?limit=100')).body.data
    expect(subtasks.filter((task: { parentTaskId: string | null }) => task.parentTaskId)).toEqual(
      [],
    )
  })
})

describe('The time of archiving, after which the planner purges the task', () => {
  const archive = {
    'POST with status archived': async (ada: Person) =>
      (await newTask(ada, { status: 'archived' })).id,
    'PATCH to archived': async (ada: Person) => {
      const { id } = await newTask(ada)
      await ada.patch(`/api/tasks/${id}`, { status: 'archived' })
      return id
    },
    DELETE: async (ada: Person) => {
      const { id } = await newTask(ada)
      await ada.delete(`/api/tasks/${id}`)
      return id
    },
    'batch archive': async (ada: Person) => {
      const { id } = await newTask(ada)
      await ada.post('/api/tasks/batch', { action: 'archive', taskIds: [id] })
      return id
    },
    'batch delete': async (ada: Person) => {
      const { id } = await newTask(ada)
      await ada.post('/api/tasks/batch', { action: 'delete', taskIds: [id] })
      return id
    },
  }
  const routes = Object.entries(archive)

  it.for(routes)('is set by %s and kept by every later edit', async ([, archived], { ada, db }) => {
    const id = await archived(ada)
    const moment = await archivedAt(db, id)

    await ada.patch(`/api/tasks/${id}`, { title: 'Water the roses' })
    await ada.patch(`/api/tasks/${id}`, { status: 'archived', labelIds: [] })
    await ada.delete(`/api/tasks/${id}`)
    await ada.post('/api/tasks/batch', { action: 'archive', taskIds: [id] })
    await ada.post('/api/tasks/batch', { action: 'delete', taskIds: [id] })

    expect(moment).toEqual(expect.any(Date))
    expect(await archivedAt(db, id)).toEqual(moment)
  })

  it.for(routes)('comes from the service’s clock: %s', async ([, archived], { ada, db, now }) => {
    expect(await archivedAt(db, await archived(ada))).toEqual(now)
  })

  it('is cleared when the task is restored from the archive', async ({ ada, db }) => {
    const [patched, completed] = [await archive.DELETE(ada), await archive.DELETE(ada)]

    await ada.patch(`/api/tasks/${patched}`, { status: 'todo' })
    await ada.post('/api/tasks/batch', { action: 'complete', taskIds: [completed] })

    expect(await archivedAt(db, patched)).toBeNull()
    expect(await archivedAt(db, completed)).toBeNull()
  })
})

describe('A task that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const { id: adas } = await newTask(ada)
    const before = await getTask(ada, adas)

    for (const id of [unknownId, 'not-an-id', '%00', adas]) {
      expect(await grace.get(`/api/tasks/${id}`)).toEqual(notFound)
      expect(await grace.patch(`/api/tasks/${id}`, { title: 'Mine' })).toEqual(notFound)
      expect(await grace.patch(`/api/tasks/${id}`, { labelIds: [] })).toEqual(notFound)
      expect(await grace.patch(`/api/tasks/${id}`, { spaceId: unknownId })).toEqual(notFound)
      expect(await grace.delete(`/api/tasks/${id}`)).toEqual(notFound)
      expect(await grace.delete(`/api/tasks/${id}?permanent=true`)).toEqual(notFound)
    }
    expect(await getTask(ada, adas)).toEqual(before)
  })
})

describe('Tasks without a valid key', () => {
  it('401: before the record or the body is checked', async ({ ada, stranger }) => {
    const { id } = await newTask(ada)
    const unauthorized = { status: 401, body: { error: 'Unauthorized' } }

    expect(await stranger.post('/api/tasks', { title: '' })).toEqual(unauthorized)
    expect(await stranger.get(`/api/tasks/${id}`)).toEqual(unauthorized)
    expect(await stranger.patch(`/api/tasks/${id}`, { title: '' })).toEqual(unauthorized)
    expect(await stranger.delete(`/api/tasks/${unknownId}`)).toEqual(unauthorized)
  })
})

describe('events', () => {
  it('record a task and its labels, from creation to archiving', async ({ ada, db }) => {
    const newLabel = async (name: string): Promise<string> =>
      (await ada.post('/api/labels', { name })).body.id
    const labelIds = [await newLabel('home'), await newLabel('outside')]
    const { body: create } = await ada.post('/api/tasks', { title: 'Sow', labelIds })
    const at = `/api/tasks/${create.id}`
    const { body: renamed } = await ada.patch(at, { title: 'Reap' })
    const { body: one } = await ada.patch(at, { labelIds: [labelIds[1]] })
    await ada.delete(at)
    const { body: archived } = await ada.get(at)

    expect(taskRecord(create).labelIds).toEqual(labelIds.toSorted())
    expect(taskRecord(one).labelIds).toEqual([labelIds[1]])
    const events = await changesOf(db, ada, 2)
    expect(events).toEqual([
      ['task.created', null, taskRecord(create)],
      ['task.updated', taskRecord(create), taskRecord(renamed)],
      ['task.updated', taskRecord(renamed), taskRecord(one)],
      [
        'task.updated',
        taskRecord(one),
        { ...taskRecord(one), status: 'archived', updatedAt: archived.updatedAt },
      ],
    ])
  })

  it('record what a permanent deletion deletes and detaches', async ({ ada, db }) => {
    const create = async (url: string, body: object) => (await ada.post(url, body)).body
    const label = await create('/api/labels', { name: 'home' })
    const document = await create('/api/documents', { title: 'Seeds' })
    const parent = await create('/api/tasks', { title: 'Sow', labelIds: [label.id] })
    const child = await create('/api/tasks', { title: 'Dig', parentTaskId: parent.id })
    const other = await create('/api/tasks', { title: 'Buy' })
    const item = await create('/api/checklist-items', { taskId: parent.id, title: 'Peas' })
    const block = await create('/api/time-blocks', {
      taskId: parent.id,
      startAt: '2026-03-02T09:00:00Z',
      endAt: '2026-03-02T10:00:00Z',
    })
    const dependencies = [
      await create(`/api/tasks/${parent.id}/dependencies`, { dependsOnTaskId: other.id }),
      await create(`/api/tasks/${child.id}/dependencies`, { dependsOnTaskId: parent.id }),
    ]
    await ada.post(`/api/tasks/${parent.id}/documents`, { documentId: document.id })
    const since = await lastEvent(db, ada)
    await ada.delete(`/api/tasks/${parent.id}?permanent=true`)

    const updatedAt = expect.any(String)
    const tied = { checklistItems: [item], dependencies, documentIds: [document.id] }
    expect(await changesOf(db, ada, since)).toEqual([
      ['task.deleted', { ...taskRecord(parent), ...tied }, null],
      ['timeBlock.updated', blockRecord(block), { ...blockRecord(block), taskId: null, updatedAt }],
      ['task.updated', taskRecord(child), { ...taskRecord(child), parentTaskId: null, updatedAt }],
    ])
    expect(new Set((await eventsOf(db, ada, since)).map(({ seq }) => seq)).size).toBe(1)
  })

  it('form a chain, even for concurrent changes of labels and fields', async ({ ada, db }) => {
    const newLabel = async (name: string) => (await ada.post('/api/labels', { name })).body.id
    const [one, two] = [await newLabel('one'), await newLabel('two')]
    const { body: task } = await ada.post('/api/tasks', { title: 'Sow' })
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        ada.patch(
          `/api/tasks/${task.id}`,
          i % 2 ? { title: `Sow ${i}` } : { labelIds: i % 4 ? [one] : [one, two] },
        ),
      ),
    )

    // Setting the labels to what they are appends no event, and changes updatedAt.
    const events = await eventsOf(db, ada, 3)
    expect(events.length).toBeGreaterThan(6)
    expect(events.slice(1).map(({ before }) => ({ ...before, updatedAt: '' }))).toEqual(
      events.slice(0, -1).map(({ after }) => ({ ...after, updatedAt: '' })),
    )
  })
})
