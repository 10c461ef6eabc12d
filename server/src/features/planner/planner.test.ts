import { describe, expect, it, type Person } from '../../../test/it.ts'

// It is 08:00 on Monday, 2 March 2026, UTC.

const newTask = async (person: Person, task: object = {}) =>
  (await person.post('/api/tasks', { title: 'Write the report', ...task })).body.id

const newBlock = async (person: Person, taskId: string, startAt: string, endAt: string) =>
  (await person.post('/api/time-blocks', { taskId, startAt, endAt })).body.id

const later = ['2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z'] as const
const running = ['2026-03-02T07:30:00Z', '2026-03-02T08:30:00Z'] as const
const sinceYesterday = ['2026-03-01T08:00:00.001Z', '2026-03-02T08:00:00.001Z'] as const
const justOver = ['2026-03-02T07:00:00Z', '2026-03-02T08:00:00Z'] as const

describe('GET /api/planner', () => {
  it('200: zeros for a user without tasks or blocks', async ({ ada, grace }) => {
    await newBlock(grace, await newTask(grace), ...later)

    expect(await ada.get('/api/planner')).toEqual({
      status: 200,
      body: { pendingTasks: 0, unscheduledTasks: 0, scheduledBlocks: 0 },
    })
  })

  it.for([
    ['todo', true, { pendingTasks: 1, unscheduledTasks: 1 }],
    ['todo', false, { pendingTasks: 0, unscheduledTasks: 0 }],
    ['backlog', true, { pendingTasks: 0, unscheduledTasks: 1 }],
    ['backlog', false, { pendingTasks: 0, unscheduledTasks: 0 }],
    ['in_progress', true, { pendingTasks: 0, unscheduledTasks: 1 }],
    ['completed', true, { pendingTasks: 0, unscheduledTasks: 0 }],
    ['cancelled', true, { pendingTasks: 0, unscheduledTasks: 0 }],
    ['archived', true, { pendingTasks: 0, unscheduledTasks: 0 }],
  ] as const)(
    '200: a task that is %s, autoSchedule %s, counts as %o',
    async ([status, autoSchedule, counts], { ada }) => {
      await newTask(ada, { status, autoSchedule })

      expect((await ada.get('/api/planner')).body).toEqual({ ...counts, scheduledBlocks: 0 })
    },
  )

  it.for([
    ['scheduled', 'later', later, { unscheduledTasks: 0, scheduledBlocks: 1 }],
    ['scheduled', 'running', running, { unscheduledTasks: 0, scheduledBlocks: 1 }],
    ['scheduled', 'a day long', sinceYesterday, { unscheduledTasks: 0, scheduledBlocks: 1 }],
    ['scheduled', 'just over', justOver, { unscheduledTasks: 1, scheduledBlocks: 0 }],
    ['in_progress', 'running', running, { unscheduledTasks: 0, scheduledBlocks: 0 }],
    ['in_progress', 'just over', justOver, { unscheduledTasks: 1, scheduledBlocks: 0 }],
    ['completed', 'later', later, { unscheduledTasks: 1, scheduledBlocks: 0 }],
    ['cancelled', 'later', later, { unscheduledTasks: 1, scheduledBlocks: 0 }],
  ] as const)(
    '200: a block that is %s, %s, counts as %o',
    async ([status, , [startAt, endAt], counts], { ada }) => {
      const block = await newBlock(ada, await newTask(ada), startAt, endAt)
      await ada.patch(`/api/time-blocks/${block}`, { status })

      expect((await ada.get('/api/planner')).body).toEqual({ pendingTasks: 1, ...counts })
    },
  )

  it('200: one future block is enough for a task; every block counts', async ({ ada }) => {
    const planned = await newTask(ada)
    await newBlock(ada, planned, ...justOver)
    await newBlock(ada, planned, ...running)
    await newBlock(ada, planned, ...later)
    await newTask(ada)

    expect((await ada.get('/api/planner')).body).toEqual({
      pendingTasks: 2,
      unscheduledTasks: 1,
      scheduledBlocks: 2,
    })
  })

  it('200: the tasks of a manual project do not count', async ({ ada }) => {
    const { body: project } = await ada.post('/api/projects', {
      name: 'Garden',
      autoSchedule: false,
    })
    await newTask(ada, { projectId: project.id })

    expect((await ada.get('/api/planner')).body).toEqual({
      pendingTasks: 0,
      unscheduledTasks: 0,
      scheduledBlocks: 0,
    })
  })

  it('200: blocks of manual, finished and deleted tasks also count', async ({ ada }) => {
    const removed = await newTask(ada)
    await newBlock(ada, removed, ...later)
    await newBlock(ada, await newTask(ada, { autoSchedule: false }), ...later)
    await newBlock(ada, await newTask(ada, { status: 'completed' }), ...later)
    await ada.delete(`/api/tasks/${removed}?permanent=true`)

    expect((await ada.get('/api/planner')).body).toEqual({
      pendingTasks: 0,
      unscheduledTasks: 0,
      scheduledBlocks: 3,
    })
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.get('/api/planner')).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })
})
