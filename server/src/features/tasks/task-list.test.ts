import { TaskPriority, TaskStatus } from '@daywright/contract'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

type Listed = {
  id: string
  title: string
  status: TaskStatus
  priority: TaskPriority
  dueAt: string | null
  sortOrder: number
  spaceId: string | null
  projectId: string | null
  labels: { id: string }[]
}

const newTask = async (person: Person, more: object = {}) =>
  (await person.post('/api/tasks', { title: 'Water the plants', ...more })).body

const list = async (person: Person, query: Record<string, string | number> = {}) =>
  (await person.get(`/api/tasks?${new URLSearchParams(asText(query)).toString()}`)).body

const asText = (query: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

const titles = ({ data }: { data: Listed[] }) => data.map(({ title }) => title)
const ids = (tasks: { id: string }[]) => tasks.map(({ id }) => id)

describe('GET /api/tasks', () => {
  it('200: each task with its related records, but no cancelled blocks', async ({ ada }) => {
    const space = (await ada.post('/api/spaces', { name: 'Garden' })).body
    const project = (await ada.post('/api/projects', { name: 'Spring' })).body
    const label = (await ada.post('/api/labels', { name: 'green', color: '#00ff00' })).body
    const task = await newTask(ada, {
      spaceId: space.id,
      projectId: project.id,
      labelIds: [label.id],
    })
    const item = (await ada.post('/api/checklist-items', { taskId: task.id, title: 'Roses' })).body
    const newBlock = async (startAt: string, endAt: string) =>
      (await ada.post('/api/time-blocks', { taskId: task.id, startAt, endAt })).body
    const later = await newBlock('2026-03-04T09:00:00Z', '2026-03-04T10:00:00Z')
    const sooner = await newBlock('2026-03-03T09:00:00Z', '2026-03-03T10:00:00Z')
    const cancelled = await newBlock('2026-03-05T09:00:00Z', '2026-03-05T10:00:00Z')
    await ada.patch(`/api/time-blocks/${cancelled.id}`, { status: 'cancelled' })
    const withoutTask = (block: object) => ({ ...block, task: undefined })

    expect(await ada.get('/api/tasks')).toEqual({
      status: 200,
      body: {
        data: [
          {
            ...task,
            space: { id: space.id, name: 'Garden', color: '#6B7280', icon: 'folder' },
            project: { id: project.id, name: 'Spring', color: '#6B7280' },
            labels: [{ id: label.id, name: 'green', color: '#00ff00' }],
            checklistItems: [item],
            timeBlocks: [withoutTask(sooner), withoutTask(later)],
          },
        ],
        pagination: { page: 1, limit: 50, total: 1, pages: 1 },
      },
    })
  })

  it('200: empty, without pages, for a user without tasks', async ({ ada, grace }) => {
    await newTask(grace)

    expect(await ada.get('/api/tasks')).toEqual({
      status: 200,
      body: { data: [], pagination: { page: 1, limit: 50, total: 0, pages: 0 } },
    })
  })

  it('200: in order of status, priority, due date, sortOrder', async ({ ada }) => {
    const inOrder: [title: string, task: object, sortOrder?: number][] = [
      ['backlog', { status: 'backlog', priority: 'none' }],
      ['todo, urgent', { priority: 'urgent' }],
      ['todo, high, due soon', { priority: 'high', dueAt: '2026-03-03T10:00:00+02:00' }],
      ['todo, high, due later', { priority: 'high', dueAt: '2026-03-03T09:00:00Z' }],
      ['todo, high, never due, moved up', { priority: 'high' }, -0.5],
      ['todo, high, never due', { priority: 'high' }],
      ['todo, high, never due, moved down', { priority: 'high' }, 0.5],
      ['todo, medium', { priority: 'medium', dueAt: '2026-03-01' }],
      ['todo, low', { priority: 'low' }, -10],
      ['todo, none', { dueAt: '2026-01-01' }, -20],
      ['in progress', { status: 'in_progress', priority: 'urgent' }],
      ['completed', { status: 'completed', priority: 'urgent' }],
      ['cancelled', { status: 'cancelled', priority: 'urgent' }],
      ['archived', { status: 'archived', priority: 'urgent' }],
    ]
    // Created in another order, so that neither age nor id can be what sorts them.
    for (const [title, task, sortOrder = 0] of shuffled(inOrder)) {
      const { id } = await newTask(ada, { title, ...task })
      await ada.patch(`/api/tasks/${id}`, { sortOrder })
    }

    expect(titles(await list(ada, { includeCompleted: 'true' }))).toEqual(
      inOrder.map(([title]) => title),
    )
  })

  it('200: equal tasks in order of id, so that pages neither repeat nor skip', async ({ ada }) => {
    const made = await Promise.all(Array.from({ length: 23 }, () => newTask(ada)))

    const pages: Listed[] = []
    for (const page of [1, 2, 3, 4, 5]) {
      pages.push(...(await list(ada, { page, limit: 5 })).data)
    }

    expect(ids(pages)).toEqual(ids(made).toSorted())
  })

  it('200: open tasks, unless includeCompleted or a status says otherwise', async ({ ada }) => {
    const all = TaskStatus.options
    for (const status of all) await newTask(ada, { title: status, status })
    const open = ['backlog', 'todo', 'in_progress']

    expect(titles(await list(ada))).toEqual(open)
    expect(titles(await list(ada, { includeCompleted: 'false' }))).toEqual(open)
    expect(titles(await list(ada, { includeCompleted: 'true' }))).toEqual(all)
    for (const status of all) {
      expect(titles(await list(ada, { status }))).toEqual([status])
      expect(titles(await list(ada, { status, includeCompleted: 'true' }))).toEqual([status])
      expect(titles(await list(ada, { status, includeCompleted: 'false' }))).toEqual([status])
    }
  })

  it('200: due at or before dueBefore; not without a due date', async ({ ada }) => {
    await newTask(ada, { title: 'before', dueAt: '2026-03-05T09:59:59.999Z' })
    await newTask(ada, { title: 'at', dueAt: '2026-03-05T10:00:00Z' })
    await newTask(ada, { title: 'after', dueAt: '2026-03-05T10:00:00.001Z' })
    await newTask(ada, { title: 'never' })

    for (const dueBefore of [
      '2026-03-05T10:00:00Z',
      '2026-03-05T10:00',
      '2026-03-05T12:00:00+02:00',
    ]) {
      expect(titles(await list(ada, { dueBefore }))).toEqual(['before', 'at'])
    }
    expect(titles(await list(ada, { dueBefore: '2026-03-05' }))).toEqual([])
  })

  it('200: empty if an id is unknown, malformed or another user’s', async ({ ada, grace }) => {
    const graces = {
      spaceId: (await grace.post('/api/spaces', { name: 'Garden' })).body.id,
      projectId: (await grace.post('/api/projects', { name: 'Spring' })).body.id,
      labelId: (await grace.post('/api/labels', { name: 'green' })).body.id,
    }
    const { labelId, ...places } = graces
    await newTask(grace, { ...places, labelIds: [labelId] })
    await newTask(ada)

    for (const [filter, others] of Object.entries(graces)) {
      for (const id of [others, unknownId, 'not-an-id', '']) {
        expect(await ada.get(`/api/tasks?${filter}=${id}`)).toEqual({
          status: 200,
          body: { data: [], pagination: { page: 1, limit: 50, total: 0, pages: 0 } },
        })
      }
    }
  })

  it('200: every combination of filters, in order and counted', async ({ ada }) => {
    const place = async (url: string, name: string) => (await ada.post(url, { name })).body.id
    const spaceId = await place('/api/spaces', 'Garden')
    const projectId = await place('/api/projects', 'Spring')
    const labelId = await place('/api/labels', 'green')
    const otherLabel = await place('/api/labels', 'red')
    const dues = [null, '2026-03-03T09:00:00.000Z', '2026-03-05T09:00:00.000Z']
    const tasks: Listed[] = []
    for (const status of TaskStatus.options) {
      for (const dueAt of dues) {
        for (let set = 0; set < 8; set += 1) {
          const priority = TaskPriority.options[tasks.length % 5]
          const made = await newTask(ada, {
            status,
            priority,
            dueAt,
            spaceId: set & 1 ? spaceId : null,
            projectId: set & 2 ? projectId : null,
            labelIds: set & 4 ? [labelId, otherLabel] : [otherLabel],
          })
          const moved = { sortOrder: (tasks.length * 7) % 3 }
          tasks.push((await ada.patch(`/api/tasks/${made.id}`, moved)).body)
        }
      }
    }
    const filters = [
      { spaceId },
      { projectId },
      { labelId },
      { dueBefore: '2026-03-03T09:00:00.000Z' },
    ]
    const statuses = [
      {},
      { includeCompleted: 'true' },
      ...TaskStatus.options.map((status) => ({ status })),
    ]

    for (const asked of statuses) {
      for (let set = 0; set < 16; set += 1) {
        const query: Filter = Object.assign({}, asked, ...filters.filter((_, n) => set & (1 << n)))
        const expected = tasks.filter((task) => matches(task, query)).toSorted(inListOrder)

        const { data, pagination } = await list(ada, { ...query, limit: 100 })

        const { length } = expected
        expect(ids(data), JSON.stringify(query)).toEqual(ids(expected).slice(0, 100))
        expect(pagination).toEqual({
          page: 1,
          limit: 100,
          total: length,
          pages: Math.ceil(length / 100),
        })
      }
    }
  })

  it('200: pages of 50, or of the size I ask for', async ({ ada }) => {
    const made = await Promise.all(Array.from({ length: 101 }, () => newTask(ada)))
    const inOrder = ids(made).toSorted()

    const pageOf = async (query: Record<string, number>) => {
      const { data, pagination } = await list(ada, query)
      return { ids: ids(data), pagination }
    }

    expect(await pageOf({})).toEqual({
      ids: inOrder.slice(0, 50),
      pagination: { page: 1, limit: 50, total: 101, pages: 3 },
    })
    expect(await pageOf({ page: 3 })).toEqual({
      ids: inOrder.slice(100),
      pagination: { page: 3, limit: 50, total: 101, pages: 3 },
    })
    expect(await pageOf({ limit: 100, page: 2 })).toEqual({
      ids: inOrder.slice(100),
      pagination: { page: 2, limit: 100, total: 101, pages: 2 },
    })
    expect(await pageOf({ limit: 1, page: 7 })).toEqual({
      ids: inOrder.slice(6, 7),
      pagination: { page: 7, limit: 1, total: 101, pages: 101 },
    })
  })

  it('200: a page past the last is empty, and has the total', async ({ ada }) => {
    await newTask(ada)

    for (const page of [2, 999_999_999]) {
      expect(await list(ada, { page, limit: 100 })).toEqual({
        data: [],
        pagination: { page, limit: 100, total: 1, pages: 1 },
      })
    }
  })

  it.for([
    ['page', '0'],
    ['page', '-1'],
    ['page', '1.5'],
    ['page', 'first'],
    ['page', ''],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1e1'],
    ['limit', 'all'],
    ['status', 'done'],
    ['status', ''],
    ['dueBefore', 'later'],
    ['dueBefore', '2024-02-30'],
    ['dueBefore', ''],
    ['includeCompleted', 'yes'],
  ] as const)('400: %s=%s', async ([field, value], { ada }) => {
    expect(await ada.get(`/api/tasks?${field}=${value}`)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it('400: a parameter sent twice', async ({ ada }) => {
    expect((await ada.get('/api/tasks?status=todo&status=backlog')).body).toEqual({
      error: 'Validation failed',
      details: { status: [expect.any(String)] },
    })
  })

  it('401: without a valid key, whatever the query', async ({ stranger }) => {
    for (const url of ['/api/tasks', '/api/tasks?page=0']) {
      expect(await stranger.get(url)).toEqual({ status: 401, body: { error: 'Unauthorized' } })
    }
  })
})

type Filter = {
  status?: TaskStatus
  includeCompleted?: 'true'
  spaceId?: string
  projectId?: string
  labelId?: string
  dueBefore?: string
}

const isOpen = ({ status }: Listed) => ['backlog', 'todo', 'in_progress'].includes(status)

const matches = (task: Listed, filter: Filter) =>
  (filter.status ? task.status === filter.status : filter.includeCompleted || isOpen(task)) &&
  (!filter.spaceId || task.spaceId === filter.spaceId) &&
  (!filter.projectId || task.projectId === filter.projectId) &&
  (!filter.labelId || task.labels.some(({ id }) => id === filter.labelId)) &&
  (!filter.dueBefore || (task.dueAt !== null && task.dueAt <= filter.dueBefore))

const statusRank = ({ status }: Listed) => TaskStatus.options.indexOf(status)
const priorityRank = ({ priority }: Listed) => TaskPriority.options.indexOf(priority)
const due = ({ dueAt }: Listed) => (dueAt ? Date.parse(dueAt) : Number.MAX_VALUE)

const inListOrder = (a: Listed, b: Listed) =>
  statusRank(a) - statusRank(b) ||
  priorityRank(b) - priorityRank(a) ||
  due(a) - due(b) ||
  a.sortOrder - b.sortOrder ||
  (a.id < b.id ? -1 : 1)

/** Every fifth item, cyclically: far from the order and from its reverse. */
const shuffled = <Item>(items: Item[]) =>
  items.map((_, n) => items[(n * 5 + 3) % items.length] as Item)
