import { describe, expect, it, type Person } from '../../../test/it.ts'
import { eventsOf } from '../../../test/events.ts'

// It is Monday, 2 March 2026, 08:00 UTC, which is the time zone of the users.
const url = '/api/quick-add'
const line = 'Send the contract fri 5pm ~45m !high #job @legal'

const create = async (person: Person, path: string, body: object) =>
  (await person.post(path, body)).body.id as string
const tasksOf = async (person: Person) => (await person.get('/api/tasks')).body.data

describe('POST /api/quick-add', () => {
  it('201: the task, as from POST /api/tasks, and what was recognised', async ({ ada }) => {
    const spaceId = await create(ada, '/api/spaces', { name: 'Job' })
    const labelId = await create(ada, '/api/labels', { name: 'Legal' })

    const { status, body } = await ada.post(url, { text: line })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      recognised: [
        { kind: 'due', text: 'fri 5pm', start: 18, end: 25 },
        { kind: 'estimate', text: '~45m' },
        { kind: 'priority', text: '!high' },
        { kind: 'space', text: '#job' },
        { kind: 'label', text: '@legal' },
      ],
      newLabels: [],
      task: {
        title: 'Send the contract',
        dueAt: '2026-03-06T17:00:00.000Z',
        estimateMinutes: 45,
        priority: 'high',
        spaceId,
        labels: [{ id: labelId }],
        checklistItems: [],
      },
    })
    expect(await tasksOf(ada)).toMatchObject([{ id: body.task.id, title: 'Send the contract' }])
  })

  it('201: with the session lengths of the app, also if it repeats', async ({ ada }) => {
    const sessions = { minSessionMinutes: 30, maxSessionMinutes: 120, cooldownMinutes: 10 }

    const { body } = await ada.post(url, { text: 'Write the report 3h' })
    const repeating = await ada.post(url, { text: 'Write the report 3h every friday' })

    expect(body.task).toMatchObject(sessions)
    expect(repeating.body.task).toMatchObject(sessions)
    expect(repeating.body.recurrence.task).toMatchObject(sessions)
  })

  it('201: in the time zone of the user', async ({ ada }) => {
    await ada.patch('/api/user', { timezone: 'America/New_York' })

    const { body } = await ada.post(url, { text: 'Send fri 5pm' })

    expect(body.task.dueAt).toBe('2026-03-06T22:00:00.000Z')
  })

  it('201: in a project and its space; archived ones are not recognised', async ({ ada }) => {
    const spaceId = await create(ada, '/api/spaces', { name: 'Job' })
    const projectId = await create(ada, '/api/projects', { name: 'Web site', spaceId })
    const archived = await create(ada, '/api/projects', { name: 'Old' })
    await ada.delete(`/api/projects/${archived}`)

    const inProject = await ada.post(url, { text: 'Write #job/web-site' })
    const inNone = await ada.post(url, { text: 'Write #old' })

    expect(inProject.body.task).toMatchObject({ title: 'Write', projectId, spaceId })
    expect(inNone.body.task).toMatchObject({ title: 'Write #old', projectId: null })
  })

  it('201: creates labels that do not exist, once each', async ({ ada, db }) => {
    const { body } = await ada.post(url, { text: 'Call Mei @errand @Errand' })

    expect(body).toMatchObject({
      newLabels: ['errand'],
      task: { title: 'Call Mei', labels: [{ name: 'errand' }] },
    })
    expect((await eventsOf(db, ada)).map(({ type }) => type)).toEqual([
      'label.created',
      'task.created',
    ])
    const again = await ada.post(url, { text: 'Call Kim @errand' })
    expect(again.body).toMatchObject({ newLabels: [], task: { labels: body.task.labels } })
  })

  it('201: concurrent requests create the same new label once', async ({ ada }) => {
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((title) => ada.post(url, { text: `${title} @shared` })),
    )

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect((await ada.get('/api/labels')).body).toMatchObject([{ _count: { tasks: 3 } }])
  })

  it('201: recognises only my own names', async ({ ada, grace }) => {
    await grace.post('/api/spaces', { name: 'Secret' })
    await grace.post('/api/labels', { name: 'hidden' })

    const { body } = await ada.post(url, { text: 'Write #secret @hidden' })

    expect(body).toMatchObject({ newLabels: ['hidden'], task: { title: 'Write #secret' } })
  })

  it('201: a task that recurs, and its first occurrence', async ({ ada }) => {
    const text = 'Report every friday 4pm ~45m !high @weekly'
    const { status, body } = await ada.post(url, { text })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      recognised: [
        { kind: 'repeat', text: 'every friday' },
        { kind: 'repeat', text: '4pm' },
        { kind: 'estimate' },
        { kind: 'priority' },
        { kind: 'new label' },
      ],
      newLabels: ['weekly'],
      task: { title: 'Report', dueAt: '2026-03-06T16:00:00.000Z', estimateMinutes: 45 },
      recurrence: {
        kind: 'calendar',
        rule: 'FREQ=WEEKLY;BYDAY=FR',
        startsOn: '2026-03-02',
        dueTime: '16:00',
        task: { title: 'Report', priority: 'high', estimateMinutes: 45 },
      },
    })
    expect(body.recurrence.task.labelIds).toEqual([body.task.labels[0].id])
    const tasks = await tasksOf(ada)
    expect(tasks.map(({ dueAt }: { dueAt: string }) => dueAt.slice(5, 16)).toSorted()).toEqual([
      '03-06T16:00',
      '03-13T16:00',
    ])
    const ofTask = await ada.get(`/api/tasks/${body.task.id}/recurrence`)
    expect(ofTask.body).toMatchObject({
      recurrence: { id: body.recurrence.id },
      occurrence: { day: '2026-03-06' },
    })
  })

  it('200: a dry run returns the recurrence, and creates nothing', async ({ ada }) => {
    const { body } = await ada.post(url, { text: 'Gym 3x a week', dryRun: true })

    expect(body).toMatchObject({
      task: { title: 'Gym', dueAt: null },
      recurrence: { kind: 'times', times: 3, startsOn: '2026-03-02', dueTime: null },
    })
    expect(await tasksOf(ada)).toEqual([])
  })

  it.for(['Report every friday until tomorrow @weekly', 'Report every day from jun 5 until jun 1'])(
    '400, and nothing is created: %s',
    async (text, { ada }) => {
      for (const dryRun of [true, false]) {
        const { status, body } = await ada.post(url, { text, dryRun })
        expect(status).toBe(400)
        expect(body.details).toEqual({ text: ['The task cannot repeat like this'] })
      }
      expect(await tasksOf(ada)).toEqual([])
      expect((await ada.get('/api/labels')).body).toEqual([])
    },
  )

  it.for([
    'Blink 99x a day',
    'Check every 50th log line',
    'Report every month on the 45th',
    'Water every 0 days',
  ])('201: an impossible repetition stays in the title: %s', async (text, { ada }) => {
    const { body } = await ada.post(url, { text })
    expect(body).toMatchObject({ task: { title: text } })
    expect(body).not.toHaveProperty('recurrence')
  })

  it.for([
    ['en-US', '2026-12-05T17:00:00.000Z'],
    ['en-GB', '2026-05-12T17:00:00.000Z'],
  ] as const)('201: reads 12/5 as in %s', async ([locale, dueAt], { ada }) => {
    expect((await ada.post(url, { text: 'Send 12/5', locale })).body.task.dueAt).toBe(dueAt)
  })

  it('200: with dryRun returns what the line means, and creates nothing', async ({ ada, db }) => {
    const { status, body } = await ada.post(url, { text: line, dryRun: true })

    expect(status).toBe(200)
    expect(body).toEqual({
      recognised: [
        { kind: 'due', text: 'fri 5pm', start: 18, end: 25 },
        { kind: 'estimate', text: '~45m', start: 26, end: 30 },
        { kind: 'priority', text: '!high', start: 31, end: 36 },
        { kind: 'new label', text: '@legal', start: 42, end: 48 },
      ],
      newLabels: ['legal'],
      task: {
        title: 'Send the contract #job',
        dueAt: '2026-03-06T17:00:00.000Z',
        startAfter: null,
        estimateMinutes: 45,
        priority: 'high',
        spaceId: null,
        projectId: null,
        labelIds: [],
      },
    })
    expect(await eventsOf(db, ada)).toEqual([])
  })

  it.for([{}, { dryRun: true }])(
    'repeats the answer for a repeated Idempotency-Key: %o',
    async (more, { ada }) => {
      const key = { 'idempotency-key': 'once' }
      const first = await ada.post(url, { text: 'Write @new', ...more }, key)

      expect(await ada.post(url, { text: 'Write @new', ...more }, key)).toEqual(first)
      expect(await ada.post(url, { text: 'Another', ...more }, key)).toMatchObject({ status: 422 })
      expect(await tasksOf(ada)).toHaveLength('dryRun' in more ? 0 : 1)
    },
  )

  it.for([
    ['text', {}],
    ['text', { text: '' }],
    ['text', { text: ' ' }],
    ['text', { text: 'tomorrow 5pm' }],
    ['text', { text: 'One\nTwo' }],
    ['text', { text: 'x'.repeat(501) }],
    ['text', { text: 'x '.repeat(501) }],
    ['text', { text: 'a\0b' }],
    ['dryRun', { text: 'Write', dryRun: 'yes' }],
    ['locale', { text: 'Write', locale: 'x'.repeat(36) }],
    ['locale', { text: 'Write', locale: '😀' }],
  ] as const)('400: names the field that failed: %s of %o', async ([field, body], { ada }) => {
    expect(await ada.post(url, body)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
    expect(await tasksOf(ada)).toEqual([])
  })

  it('400: refuses an unknown field on request', async ({ ada }) => {
    const strict = { prefer: 'handling=strict' }

    expect(await ada.post(url, { text: 'Write', title: 'Write' }, strict)).toMatchObject({
      status: 400,
      body: { details: { title: ['Unknown field'] } },
    })
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.post(url, { text: 'Write' })).toMatchObject({ status: 401 })
  })

  it('403: with a key that may only read', async ({ ada, db }) => {
    await db.pool.query(`update api_keys set scopes = '{read}' where user_id = $1`, [ada.id])

    expect(await ada.post(url, { text: 'Write', dryRun: true })).toMatchObject({ status: 403 })
  })
})
