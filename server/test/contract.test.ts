// Holds docs/api/contract.md, the marks in the OpenAPI document and the answers of the service together.
import { existsSync, readFileSync } from 'node:fs'
import { stableOperations } from '@daywright/contract'
import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it, type Person, unknownId } from './it.ts'

const page = readFileSync(new URL('../../docs/api/contract.md', import.meta.url), 'utf8')

/** The rows of the page: an operation, and the file with its tests. */
const rows = [...page.matchAll(/^\| `([A-Z]+ \/[^`]+)` \|.*\]\((\S+)\) \|$/gm)].map(
  ([, operation = '', file = '']) => ({ operation, file }),
)

/** The fields of a record, as the page lists them. */
function fieldsOf(record: string) {
  const [, fields = ''] = new RegExp(`^\\| ${record} \\| (.*) \\|$`, 'm').exec(page) ?? []
  return fields.split(' ').map((field) => field.replaceAll('`', ''))
}

const hour = 3_600_000
const always = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '00:00', end: '23:59' }]

async function made(answer: Promise<{ status: number; body: { id: string } }>) {
  const { status, body } = await answer
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

/** A user who has used everything that adds to the records of the contract. */
async function useAdditions(me: Person, now: Date) {
  const at = (hours: number) => new Date(now.getTime() + hours * hour).toISOString()
  const { id: schedulePreferenceId } = await made(
    me.post('/api/schedule-preferences', { name: 'Always', windows: always }),
  )
  const schedule = { schedulePreferenceId }
  const { id: spaceId } = await made(me.post('/api/spaces', { name: 'Work', ...schedule }))
  const { id: projectId } = await made(
    me.post('/api/projects', { name: 'House', spaceId, ...schedule }),
  )
  await me.put(`/api/spaces/${spaceId}/default-schedule`, schedule)
  await me.put(`/api/projects/${projectId}/default-schedule`, schedule)
  await me.patch('/api/settings', { ...schedule, assumedMinutes: 30 })
  const { id: labelId } = await made(me.post('/api/labels', { name: 'errand' }))
  const { id: documentId } = await made(
    me.post('/api/documents', { title: 'Plan', spaceId, projectId }),
  )
  const task = { spaceId, projectId, labelIds: [labelId], estimateMinutes: 60, dueAt: at(-30) }
  const { id: taskId } = await made(me.post('/api/tasks', { title: 'Write', ...task }))
  await made(me.post('/api/tasks', { title: 'Read', ...task, parentTaskId: taskId }))
  const { id: itemId } = await made(me.post('/api/checklist-items', { taskId, title: 'First' }))
  await made(me.post(`/api/tasks/${taskId}/documents`, { documentId }))
  await made(
    me.post('/api/recurrences', {
      kind: 'calendar',
      rule: 'FREQ=DAILY',
      startsOn: '2026-03-02',
      task: { title: 'Water' },
    }),
  )
  await made(
    me.post('/api/time-blocks', {
      type: 'event',
      title: 'Dentist',
      startAt: at(2),
      endAt: at(3),
    }),
  )
  const { id: blockId } = await made(
    me.post('/api/time-blocks', { taskId, startAt: at(4), endAt: at(5) }),
  )
  await me.post('/api/planner')
  await me.patch(`/api/time-blocks/${blockId}`, { status: 'in_progress' })
  await me.put(`/api/tasks/${taskId}/actual-minutes`, { actualMinutes: 5 })
  await me.post('/api/notifications', { type: 'morning_summary' })
  return { spaceId, projectId, labelId, documentId, taskId, itemId, blockId, schedulePreferenceId }
}

const space = ['id', 'name', 'color', 'icon']
const project = ['id', 'name', 'color']
const ofTask = ['space', 'project', 'labels', 'checklistItems']

type Case = [
  operation: string,
  record: string,
  more?: string[],
  options?: { in?: string; send?: object },
]

/** The record in each answer, and its fields beside those that the page lists for it. */
const answers: Case[] = [
  ['GET /api/tasks', 'Task', [...ofTask, 'timeBlocks'], { in: 'data' }],
  ['POST /api/tasks', 'Task', ofTask, { send: { title: 'New' } }],
  ['GET /api/tasks/{taskId}', 'Task', [...ofTask, 'timeBlocks', 'subtasks', 'parentTask', 'documents']],
  ['GET /api/tasks/{taskId}', 'Task', [], { in: 'subtasks' }],
  ['GET /api/tasks/{taskId}', 'Time block', [], { in: 'timeBlocks' }],
  ['GET /api/tasks/{taskId}', 'Checklist item', [], { in: 'checklistItems' }],
  ['PATCH /api/tasks/{taskId}', 'Task', ofTask, { send: { title: 'New' } }],
  ['PATCH /api/checklist-items/{itemId}', 'Checklist item', [], { send: { completed: true } }],
  ['GET /api/projects', 'Project', ['space', '_count']],
  ['POST /api/projects', 'Project', [], { send: { name: 'New' } }],
  ['GET /api/projects/{projectId}', 'Project', ['space', 'tasks', 'documents']],
  ['PATCH /api/projects/{projectId}', 'Project', ['space'], { send: { name: 'New' } }],
  ['GET /api/labels', 'Label', ['_count']],
  ['POST /api/labels', 'Label', [], { send: { name: 'New' } }],
  ['PATCH /api/labels/{labelId}', 'Label', [], { send: { name: 'New' } }],
  ['GET /api/spaces', 'Space', ['projects', '_count']],
  ['POST /api/spaces', 'Space', [], { send: { name: 'New' } }],
  ['PATCH /api/spaces/{spaceId}', 'Space', [], { send: { name: 'New' } }],
  ['GET /api/documents', 'Document', ['space', 'project']],
  ['POST /api/documents', 'Document', [], { send: { title: 'New' } }],
  ['GET /api/documents/{documentId}', 'Document', ['space', 'project', 'tasks']],
  ['PATCH /api/documents/{documentId}', 'Document', [], { send: { content: 'New' } }],
  ['GET /api/schedule-preferences', 'Schedule preference'],
  ['POST /api/schedule-preferences', 'Schedule preference', [], { send: { name: 'New', windows: always } }],
  ['PATCH /api/schedule-preferences/{schedulePreferenceId}', 'Schedule preference', [], { send: { priority: 2 } }],
  ['GET /api/time-blocks', 'Time block', ['task']],
  ['GET /api/time-blocks/{blockId}', 'Time block', ['task']],
  ['PATCH /api/time-blocks/{blockId}', 'Time block', ['task'], { send: { status: 'cancelled' } }],
  ['GET /api/user', 'Profile'],
  ['PATCH /api/user', 'Profile', [], { send: { timezone: 'Europe/Berlin' } }],
  ['GET /api/notifications', 'Notification', [], { in: 'notifications' }],
] // prettier-ignore

describe('the page of the contract', () => {
  it('lists the 45 stable operations, and OpenAPI marks these and no others', async ({ app }) => {
    const document = (await app.inject('/api/openapi.json')).json<OpenAPIV3_1.Document>()
    const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Record<string, string>>).map(
        ([method, { operationId = '', 'x-stability': stability }]) => ({
          name: `${method.toUpperCase()} ${path}`,
          operationId,
          stability,
        }),
      ),
    )
    const marked = operations.filter(({ stability }) => stability === 'stable')

    expect(rows).toHaveLength(45)
    expect(rows.map(({ operation }) => operation).toSorted()).toEqual(
      marked.map(({ name }) => name).toSorted(),
    )
    expect(marked.map(({ operationId }) => operationId).toSorted()).toEqual(
      [...stableOperations].toSorted(),
    )
  })

  it.for(rows)('names the tests of $operation', ({ operation, file }) => {
    const tests = new URL(file, new URL('../../docs/api/contract.md', import.meta.url))

    expect(existsSync(tests)).toBe(true)
    expect(readFileSync(tests, 'utf8')).toContain(`describe('${operation}`)
  })
})

describe('a record has the fields of the contract and no others, whatever the user has added', () => {
  it.for(answers)('%s: %s', async ([operation, record, more = [], options], { ada, now }) => {
    const ids = await useAdditions(ada, now)
    const [method = '', path = ''] = operation.split(' ')
    const url = path.replace(/\{(\w+)\}/, (_, name: keyof typeof ids) => ids[name])
    const ask = { GET: ada.get, POST: ada.post, PATCH: ada.patch }[method] ?? ada.get

    const { body } = await ask(url, options?.send)

    const shown = (options?.in ? body[options.in] : body) as object | object[]
    const records = [shown].flat()
    expect(records.length).toBeGreaterThan(0)
    const fields = [...fieldsOf(record), ...more].toSorted()
    for (const each of records) expect(Object.keys(each).toSorted()).toEqual(fields)
  })

  it('a new checklist item and a new block', async ({ ada, now }) => {
    const { taskId } = await useAdditions(ada, now)
    const times = { startAt: '2026-03-05', endAt: '2026-03-05T01:00Z' }

    const item = await made(ada.post('/api/checklist-items', { taskId, title: 'New' }))
    const block = await made(ada.post('/api/time-blocks', { taskId, ...times }))

    expect(Object.keys(item).toSorted()).toEqual(fieldsOf('Checklist item').toSorted())
    expect(Object.keys(block).toSorted()).toEqual([...fieldsOf('Time block'), 'task'].toSorted())
  })

  it('space and project of a task', async ({ ada, now }) => {
    const { taskId } = await useAdditions(ada, now)

    const { body } = await ada.get(`/api/tasks/${taskId}`)

    expect(Object.keys(body.space)).toEqual(space)
    expect(Object.keys(body.project)).toEqual(project)
    expect(Object.keys(body.labels[0])).toEqual(project)
  })

  it('a run, its status, a batch and a notification', async ({ ada, now }) => {
    const { taskId } = await useAdditions(ada, now)

    expect(Object.keys((await ada.post('/api/planner')).body)).toEqual([
      'ok',
      'timezone',
      'tasksScheduled',
      'tasksAtRisk',
      'tasksUnscheduled',
      'tasksOversized',
      'atRiskTaskIds',
      'unscheduledTaskIds',
      'oversizedTaskIds',
    ])
    expect(Object.keys((await ada.get('/api/planner')).body)).toEqual([
      'pendingTasks',
      'unscheduledTasks',
      'scheduledBlocks',
    ])
    const batch = { action: 'complete', taskIds: [taskId] }
    expect(Object.keys((await ada.post('/api/tasks/batch', batch)).body)).toEqual([
      'affected',
      'requested',
      'invalid',
    ])
    const generated = (await ada.post('/api/notifications', { type: 'at_risk' })).body
    expect(Object.keys(generated)).toEqual(['generated', 'unreadCount'])
    expect(Object.keys((await ada.patch('/api/notifications')).body)).toEqual(['markedRead'])
  })
})

const length = (size: number) => 'x'.repeat(size)
const number = (size: number) => size
const windows = (size: number) => Array.from({ length: size }, () => always[0])

/** A field with the sizes that are just accepted, and those that are just refused. */
const limits: [string, object, string, (size: number) => unknown, number[], number[]][] = [
  ['/api/tasks', {}, 'title', length, [1, 500], [0, 501]],
  ['/api/tasks', { title: 'T' }, 'description', length, [0, 100_000], [100_001]],
  ['/api/tasks', { title: 'T' }, 'estimateMinutes', number, [0, 960], [-1, 961, 1.5]],
  ['/api/tasks', { title: 'T' }, 'minSessionMinutes', number, [1, 60], [0, 61]],
  ['/api/tasks', { title: 'T' }, 'maxSessionMinutes', number, [1, 480], [0, 481]],
  ['/api/tasks', { title: 'T' }, 'cooldownMinutes', number, [0, 2_147_483_647], [-1, 2_147_483_648]],
  ['/api/projects', {}, 'name', length, [1, 200], [0, 201]],
  ['/api/projects', { name: 'P' }, 'color', length, [50], [51]],
  ['/api/projects', { name: 'P' }, 'icon', length, [100], [101]],
  ['/api/spaces', {}, 'name', length, [1, 100], [0, 101]],
  ['/api/labels', {}, 'name', length, [1, 100], [0, 101]],
  ['/api/documents', {}, 'title', length, [1, 500], [0, 501]],
  ['/api/schedule-preferences', { windows: always }, 'name', length, [1, 100], [0, 101]],
  ['/api/schedule-preferences', { name: 'S' }, 'windows', windows, [1, 50], [0, 51]],
] // prettier-ignore

describe('a limit of the contract', () => {
  it.for(limits)('%s %o: %s', async ([url, given, field, value, good, bad], { ada }) => {
    for (const size of good) {
      expect(await ada.post(url, { ...given, [field]: value(size) })).toMatchObject({ status: 201 })
    }
    for (const size of bad) {
      expect(await ada.post(url, { ...given, [field]: value(size) })).toMatchObject({
        status: 400,
        body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
      })
    }
  })
})

describe('what may surprise', () => {
  const block = (taskId: string, startAt: string, endAt: string) => ({ taskId, startAt, endAt })

  it('overlapping blocks of a task count once', async ({ ada }) => {
    const { id } = await made(ada.post('/api/tasks', { title: 'T', estimateMinutes: 120 }))
    await ada.post('/api/time-blocks', block(id, '2026-03-04T09:00Z', '2026-03-04T10:00Z'))
    await ada.post('/api/time-blocks', block(id, '2026-03-04T09:30Z', '2026-03-04T10:30Z'))

    await ada.post('/api/planner')

    const { timeBlocks } = (await ada.get(`/api/tasks/${id}`)).body
    const planned = timeBlocks.filter(({ source }: { source: string }) => source === 'auto')
    expect(planned).toHaveLength(1)
    expect(Date.parse(planned[0].endAt) - Date.parse(planned[0].startAt)).toBe(30 * 60_000)
  })

  it('a task without an estimate and without blocks holds no other back', async ({ ada }) => {
    const first = await made(ada.post('/api/tasks', { title: 'First' }))
    const then = await made(ada.post('/api/tasks', { title: 'Then', estimateMinutes: 30 }))
    await ada.post(`/api/tasks/${then.id}/dependencies`, { dependsOnTaskId: first.id })

    expect((await ada.post('/api/planner')).body).toMatchObject({ tasksScheduled: 1 })
  })

  it('a locked task without blocks is planned once', async ({ ada }) => {
    const { id } = await made(ada.post('/api/tasks', { title: 'T', estimateMinutes: 30 }))
    await ada.patch(`/api/tasks/${id}`, { locked: true })

    expect((await ada.post('/api/planner')).body).toMatchObject({ tasksScheduled: 1 })
    expect((await ada.post('/api/planner')).body).toMatchObject({ tasksScheduled: 0 })
  })

  it('tasks of a completed or archived project are planned', async ({ ada }) => {
    const { id: projectId } = await made(ada.post('/api/projects', { name: 'P' }))
    await made(ada.post('/api/tasks', { title: 'T', projectId, estimateMinutes: 30 }))

    await ada.patch(`/api/projects/${projectId}`, { status: 'completed', archived: true })

    expect((await ada.post('/api/planner')).body).toMatchObject({ tasksScheduled: 1 })
  })

  it('a task that is opened again keeps completedAt and actualMinutes', async ({ ada }) => {
    const { id } = await made(ada.post('/api/tasks', { title: 'T', estimateMinutes: 30 }))
    await ada.post('/api/tasks/batch', { action: 'complete', taskIds: [id] })

    const { body } = await ada.patch(`/api/tasks/${id}`, { status: 'todo' })

    expect(body).toMatchObject({ actualMinutes: 30, completedAt: expect.any(String) })
  })

  it('a bad body of an unknown record is 400', async ({ ada }) => {
    for (const kind of ['tasks', 'projects', 'labels', 'spaces', 'documents']) {
      const name = ['tasks', 'documents'].includes(kind) ? 'title' : 'name'
      expect(await ada.patch(`/api/${kind}/${unknownId}`, { [name]: 5 })).toMatchObject({
        status: 400,
      })
    }
  })

  it.for([
    ['POST', '/api/planner?fromScratch=1'],
    ['GET', '/api/time-blocks?progress=1'],
    ['GET', '/api/documents?content=x'],
  ] as const)('%s %s is 400', async ([method, url], { ada }) => {
    const { status } = method === 'GET' ? await ada.get(url) : await ada.post(url)

    expect(status).toBe(400)
  })
})
