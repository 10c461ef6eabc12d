import { changesOf, eventsOf, lastEvent, taskRecord } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'
import { overtake } from '../../../test/overtake.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const morning = { day: [1, 2, 3, 4, 5], start: '08:00', end: '12:00' }

const times = (length: number, window: object) => Array.from({ length }, () => window)

const newPreference = async (person: Person, preference: object = {}) =>
  (
    await person.post('/api/schedule-preferences', {
      name: 'Mornings',
      windows: [morning],
      ...preference,
    })
  ).body

type Prioritized = { id: string; priority: number }

const byPriority = (one: Prioritized, other: Prioritized) =>
  other.priority - one.priority || (one.id < other.id ? -1 : 1)

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)

/** Invalid windows and lists of windows, and the field that the error is reported under. */
const badWindows = [
  ['windows', 'null', null],
  ['windows', 'a text', 'mornings'],
  ['windows', 'an empty list', []],
  ['windows', '51 of them', times(51, morning)],
  ['windows.0', 'a text', ['mornings']],
  ['windows.0.day', 'missing', [{ start: '08:00', end: '12:00' }]],
  ['windows.0.day', 'a number', [{ ...morning, day: 1 }]],
  ['windows.0.day', 'an empty list', [{ ...morning, day: [] }]],
  ['windows.0.day', 'of more days than a week has', [{ ...morning, day: Array(8).fill(1) }]],
  ['windows.0.day', 'of 300,000 wrong days', [{ ...morning, day: Array(300_000).fill(9) }]],
  ['windows.0.day.0', '7', [{ ...morning, day: [7] }]],
  ['windows.0.day.1', '-1', [{ ...morning, day: [1, -1] }]],
  ['windows.0.day.0', 'a fraction', [{ ...morning, day: [1.5] }]],
  ['windows.0.day.0', 'a text', [{ ...morning, day: ['1'] }]],
  ['windows.0.start', 'missing', [{ day: [1], end: '12:00' }]],
  ['windows.0.start', 'without its zero', [{ ...morning, start: '8:00' }]],
  ['windows.0.start', 'with seconds', [{ ...morning, start: '08:00:00' }]],
  ['windows.0.start', '25:00', [{ ...morning, start: '25:00' }]],
  ['windows.0.start', '08:60', [{ ...morning, start: '08:60' }]],
  ['windows.0.start', 'a number', [{ ...morning, start: 8 }]],
  ['windows.0.end', 'missing', [{ day: [1], start: '08:00' }]],
  ['windows.0.end', '24:00', [{ ...morning, end: '24:00' }]],
  ['windows.0.end', 'with a line break', [{ ...morning, end: '12:00\n' }]],
  ['windows.0.end', 'the start', [{ ...morning, end: '08:00' }]],
  ['windows.1.end', 'before the start', [morning, { ...morning, end: '07:59' }]],
] as const

describe('GET /api/schedule-preferences', () => {
  it('200: my preferences in full, the highest priority first', async ({ ada, grace }) => {
    const second = await newPreference(ada)
    const last = await newPreference(ada, { priority: -1 })
    const first = await newPreference(ada, { priority: 1 })
    await newPreference(grace)

    expect(await ada.get('/api/schedule-preferences')).toEqual({
      status: 200,
      body: [first, second, last],
    })
  })

  it('200: ordered by id if the priority is the same', async ({ ada }) => {
    const preferences = await Promise.all(
      Array.from({ length: 30 }, (_, index) => newPreference(ada, { priority: index % 2 })),
    )

    const { body } = await ada.get('/api/schedule-preferences')

    expect(idsOf(body)).toEqual(idsOf(preferences.toSorted(byPriority)))
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.get('/api/schedule-preferences')).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })
})

describe('POST /api/schedule-preferences', () => {
  it('201: the whole preference, with priority 0', async ({ ada }) => {
    const preference = { name: 'Mornings', windows: [morning] }

    expect(await ada.post('/api/schedule-preferences', preference)).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        userId: ada.id,
        name: 'Mornings',
        windows: [morning],
        priority: 0,
        createdAt: isoUtcMilliseconds,
        updatedAt: isoUtcMilliseconds,
      },
    })
  })

  it('201: windows as they were sent, even where they overlap', async ({ ada }) => {
    const windows = [
      { day: [6, 0], start: '00:00', end: '23:59' },
      { day: [6, 6], start: '10:00', end: '10:01' },
    ]

    expect(await newPreference(ada, { windows })).toMatchObject({ windows })
  })

  it('201: at the limits of its fields', async ({ ada }) => {
    const preference = {
      name: 'x'.repeat(100),
      windows: times(50, morning),
      priority: -2_147_483_648,
    }

    expect(await ada.post('/api/schedule-preferences', preference)).toMatchObject({
      status: 201,
      body: preference,
    })
  })

  it('201: ignores read-only fields', async ({ ada, grace }) => {
    const { status, body } = await ada.post('/api/schedule-preferences', {
      name: 'Mornings',
      windows: [{ ...morning, mood: 'sunny' }],
      id: unknownId,
      userId: grace.id,
      createdAt: '2000-01-01T00:00:00Z',
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({ userId: ada.id, windows: [morning] })
    expect(body.windows[0]).not.toHaveProperty('mood')
    expect(body.id).not.toBe(unknownId)
    expect(body.createdAt).not.toMatch(/^2000/)
  })

  it.for([
    ['name', 'missing', { windows: [morning] }],
    ['name', 'null', { name: null, windows: [morning] }],
    ['name', 'empty', { name: '', windows: [morning] }],
    ['name', 'of 101 characters', { name: 'x'.repeat(101), windows: [morning] }],
    ['name', 'with U+0000', { name: '\0', windows: [morning] }],
    ['windows', 'missing', { name: 'Mornings' }],
    ['priority', 'null', { name: 'Mornings', windows: [morning], priority: null }],
    ['priority', 'a fraction', { name: 'Mornings', windows: [morning], priority: 0.5 }],
    ['priority', 'a text', { name: 'Mornings', windows: [morning], priority: '1' }],
    ['priority', 'beyond 32 bits', { name: 'Mornings', windows: [morning], priority: 2 ** 31 }],
  ] as const)('400: %s %s', async ([field, , preference], { ada }) => {
    expect(await ada.post('/api/schedule-preferences', preference)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it.for(badWindows)('400: %s %s', async ([field, , windows], { ada }) => {
    expect(await ada.post('/api/schedule-preferences', { name: 'Mornings', windows })).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })
})

describe('PATCH /api/schedule-preferences/{id}', () => {
  const evening = { day: [0], start: '19:00', end: '21:30' }

  it.for([{ name: 'Evenings' }, { windows: [evening, morning] }, { priority: 5 }])(
    '200: changes what was sent, keeps the rest, and moves updatedAt: %o',
    async (changes, { ada }) => {
      const preference = await newPreference(ada, { priority: 2 })

      const { status, body } = await ada.patch(
        `/api/schedule-preferences/${preference.id}`,
        changes,
      )

      expect(status).toBe(200)
      expect(body).toEqual({ ...preference, ...changes, updatedAt: isoUtcMilliseconds })
      expect(body.updatedAt > preference.updatedAt).toBe(true)
    },
  )

  it('200: ignores read-only fields', async ({ ada, grace }) => {
    const preference = await newPreference(ada)

    const { body } = await ada.patch(`/api/schedule-preferences/${preference.id}`, {
      priority: 1,
      id: unknownId,
      userId: grace.id,
      createdAt: '2000-01-01T00:00:00Z',
      mood: 'sunny',
    })

    expect(body).toEqual({ ...preference, priority: 1, updatedAt: isoUtcMilliseconds })
  })

  it.for([{}, { mood: 'sunny' }, { id: unknownId }])(
    '400: a body that changes nothing: %o',
    async (changes, { ada }) => {
      const { id } = await newPreference(ada)

      expect(await ada.patch(`/api/schedule-preferences/${id}`, changes)).toEqual({
        status: 400,
        body: { error: 'Validation failed', details: { body: [expect.any(String)] } },
      })
    },
  )

  it.for([
    ['name', 'null', { name: null }],
    ['name', 'empty', { name: '' }],
    ['name', 'of 101 characters', { name: 'x'.repeat(101) }],
    ['priority', 'null', { priority: null }],
    ['priority', 'a fraction', { priority: 0.5 }],
  ] as const)('400: %s %s', async ([field, , changes], { ada }) => {
    const { id } = await newPreference(ada)

    expect(await ada.patch(`/api/schedule-preferences/${id}`, changes)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it.for(badWindows)('400: %s %s', async ([field, , windows], { ada }) => {
    const { id } = await newPreference(ada)

    expect(await ada.patch(`/api/schedule-preferences/${id}`, { windows })).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })
})

describe('DELETE /api/schedule-preferences/{id}', () => {
  it('200: deleted; its tasks remain, without a preference', async ({ ada }) => {
    const { id } = await newPreference(ada)
    const task = (await ada.post('/api/tasks', { title: 'Write', schedulePreferenceId: id })).body

    expect(await ada.delete(`/api/schedule-preferences/${id}`)).toEqual({
      status: 200,
      body: { success: true },
    })
    expect((await ada.get('/api/schedule-preferences')).body).toEqual([])
    expect(await ada.get(`/api/tasks/${task.id}`)).toMatchObject({
      status: 200,
      body: { schedulePreferenceId: null },
    })
  })
})

describe('a schedule preference that a space, a project and the account use', () => {
  it('200: deleted; they remain without it, and each change is an event', async ({ ada, db }) => {
    const { id } = await newPreference(ada)
    const inUse = { schedulePreferenceId: id }
    const { body: space } = await ada.post('/api/spaces', { name: 'Home' })
    const { body: project } = await ada.post('/api/projects', { name: 'Garden' })
    await ada.put(`/api/spaces/${space.id}/default-schedule`, inUse)
    await ada.put(`/api/projects/${project.id}/default-schedule`, inUse)
    await ada.patch('/api/settings', inUse)
    const before = await lastEvent(db, ada)

    expect(await ada.delete(`/api/schedule-preferences/${id}`)).toMatchObject({ status: 200 })

    expect((await ada.get('/api/settings')).body).toMatchObject({ schedulePreferenceId: null })
    expect((await ada.get('/api/default-schedules')).body).toEqual({ spaces: [], projects: [] })
    const gone = { before: inUse, after: { schedulePreferenceId: null } }
    expect(await eventsOf(db, ada, before)).toMatchObject([
      { type: 'schedulePreference.deleted', recordId: id },
      { type: 'space.updated', recordId: space.id, ...gone },
      { type: 'project.updated', recordId: project.id, ...gone },
      { type: 'settings.updated', recordId: ada.id, ...gone },
    ])
  })

  it('200: the event shows settings that were changed at the same time', async ({ ada, db }) => {
    const { id } = await newPreference(ada)
    await ada.patch('/api/settings', { schedulePreferenceId: id })
    const before = await lastEvent(db, ada)
    const text = 'update user_state set automatic = true where user_id = $1'

    await overtake(db, { text, values: [ada.id] }, () =>
      ada.delete(`/api/schedule-preferences/${id}`),
    )

    expect(await eventsOf(db, ada, before)).toMatchObject([
      { type: 'schedulePreference.deleted' },
      { type: 'settings.updated', before: { automatic: true }, after: { automatic: true } },
    ])
  })

  it('200: the deletion of another one does not affect the account', async ({ ada, db }) => {
    const { id } = await newPreference(ada)
    const other = await newPreference(ada)
    await ada.patch('/api/settings', { schedulePreferenceId: id })
    const before = await lastEvent(db, ada)

    await ada.delete(`/api/schedule-preferences/${other.id}`)

    expect((await ada.get('/api/settings')).body).toMatchObject({ schedulePreferenceId: id })
    expect(await eventsOf(db, ada, before)).toHaveLength(1)
  })

  it('200 or 400: deleted while it is attached, no reference remains', async ({ ada }) => {
    for (let round = 0; round < 10; round += 1) {
      const { id: schedulePreferenceId } = await newPreference(ada)
      const space = (await ada.post('/api/spaces', { name: 'Home' })).body
      const project = (await ada.post('/api/projects', { name: 'Garden' })).body
      const [removal, ...rest] = await Promise.all([
        ada.delete(`/api/schedule-preferences/${schedulePreferenceId}`),
        ada.patch('/api/settings', { schedulePreferenceId }),
        ada.put(`/api/spaces/${space.id}/default-schedule`, { schedulePreferenceId }),
        ada.put(`/api/projects/${project.id}/default-schedule`, { schedulePreferenceId }),
      ])

      expect(removal.status).toBe(200)
      for (const { status } of rest) expect([200, 400]).toContain(status)
      expect((await ada.get('/api/default-schedules')).body).toEqual({ spaces: [], projects: [] })
      expect((await ada.get('/api/settings')).body).toMatchObject({ schedulePreferenceId: null })
    }
  })
})

describe('PATCH and DELETE of a schedule preference that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const adas = await newPreference(ada)

    for (const id of [unknownId, 'not-an-id', '%00', adas.id]) {
      const notFound = { status: 404, body: { error: 'Schedule preference not found' } }
      expect(await grace.patch(`/api/schedule-preferences/${id}`, { priority: 1 })).toEqual(
        notFound,
      )
      expect(await grace.delete(`/api/schedule-preferences/${id}`)).toEqual(notFound)
    }
    expect(idsOf((await ada.get('/api/schedule-preferences')).body)).toEqual([adas.id])
  })
})

describe('events', () => {
  it('record a preference from creation to deletion, and its tasks', async ({ ada, db }) => {
    const windows = [{ day: [1], start: '09:00', end: '10:00' }]
    const { body: made } = await ada.post('/api/schedule-preferences', { name: 'Early', windows })
    const { body: renamed } = await ada.patch(`/api/schedule-preferences/${made.id}`, {
      name: 'Mornings',
    })
    const schedulePreferenceId = made.id
    const { body: task } = await ada.post('/api/tasks', { title: 'Run', schedulePreferenceId })
    await ada.delete(`/api/schedule-preferences/${made.id}`)

    const detached = { ...taskRecord(task), schedulePreferenceId: null }
    expect(await changesOf(db, ada)).toEqual([
      ['schedulePreference.created', null, made],
      ['schedulePreference.updated', made, renamed],
      ['task.created', null, taskRecord(task)],
      ['schedulePreference.deleted', renamed, null],
      ['task.updated', taskRecord(task), { ...detached, updatedAt: expect.any(String) }],
    ])
  })
})
