import type { Database } from '../../platform/db/database.ts'
import { newId } from '../../platform/db/new-id.ts'
import { becameStale, eventsOf, lastEvent } from '../../../test/events.ts'
import {
  caller,
  describe,
  expect,
  it as base,
  type Person,
  testApp,
  unknownId,
} from '../../../test/it.ts'

// The tests' clock is 2026-03-02T08:00Z; `later` is the same service 25 minutes after it.
const now = '2026-03-02T08:00:00.000Z'
const later = '2026-03-02T08:25:00.000Z'

const it = base.extend('later', { scope: 'file' }, ({ db }) => testApp(db, () => new Date(later)))

const as = (app: Parameters<typeof caller>[0], { key }: Person) =>
  caller(app, { authorization: `Bearer ${key}` })

const newTask = async (person: Person, task: object = {}) =>
  (await person.post('/api/tasks', { title: 'Sow', ...task })).body

type Made = { taskId?: string | null; start?: string; end?: string; locked?: boolean }

/** A block of the planner. */
async function addPlannedBlock(db: Database, { id: userId }: Person, made: Made = {}) {
  const { taskId = null, start = '09:00', end = '10:00', locked = false } = made
  const id = newId()
  await db.pool.query(
    `insert into time_blocks (user_id, id, task_id, title, source, start_at, end_at, locked)
     values ($1, $2, $3, 'Sow', 'auto', $4, $5, $6)`,
    [userId, id, taskId, at(start), at(end), locked],
  )
  return id
}

const at = (time: string) => (time.includes('T') ? time : `2026-03-02T${time}:00.000Z`)

const placeBlock = async (person: Person, taskId: string, start: string, end: string) =>
  (await person.post('/api/time-blocks', { taskId, startAt: at(start), endAt: at(end) })).body
    .id as string

const read = async (person: Person, id: string) =>
  (await person.get(`/api/time-blocks/${id}?progress=true`)).body

const act = (person: Pick<Person, 'post'>, id: string, action: string, body?: object) =>
  person.post(`/api/time-blocks/${id}/${action}`, body)

/** Reverts every part of the last change. */
async function revertLast(db: Database, person: Person) {
  const seq = await lastEvent(db, person)
  for (const { part } of await eventsOf(db, person, seq - 1)) {
    expect(await person.post(`/api/history/${seq}-${part}/revert`)).toMatchObject({ status: 200 })
  }
}

describe('POST /api/time-blocks/{id}/start', () => {
  it('200: begins now, keeps its length, stays the planner’s, and can be reverted', async ({
    ada,
    db,
  }) => {
    const task = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId: task.id })
    const before = await read(ada, id)
    await becameStale(db, ada)

    expect(await act(ada, id, 'start')).toMatchObject({
      status: 200,
      body: {
        id,
        status: 'in_progress',
        source: 'auto',
        startAt: now,
        endAt: at('09:00'),
        startedAt: now,
        completedAt: null,
        task: { id: task.id },
      },
    })
    expect(await becameStale(db, ada)).toBe(true)

    await revertLast(db, ada)
    expect(await read(ada, id)).toEqual({ ...before, updatedAt: expect.any(String) })
  })

  it('200: ends at the next block that the planner does not move', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId, start: '12:00', end: '13:00' })
    await addPlannedBlock(db, ada, { taskId, start: '08:40', end: '09:00', locked: true })
    await placeBlock(ada, taskId, '08:20', '08:30')

    expect((await act(ada, id, 'start')).body).toMatchObject({ startAt: now, endAt: at('08:20') })
  })

  it('200: cancels the planner’s blocks whose time it takes, and no others', async ({
    ada,
    db,
  }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId, start: '12:00', end: '13:00' })
    const inTheWay = await addPlannedBlock(db, ada, { taskId, start: '08:30', end: '09:30' })
    const after = await addPlannedBlock(db, ada, { taskId, start: '09:00', end: '09:30' })

    await act(ada, id, 'start')

    expect(await read(ada, inTheWay)).toMatchObject({ status: 'cancelled' })
    expect(await read(ada, after)).toMatchObject({ status: 'scheduled' })
  })

  it('200: begins at the whole minute', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId })
    const startedAt = '2026-03-02T08:30:05.000Z'
    const app = await testApp(db, () => new Date(startedAt))

    expect((await act(as(app, ada), id, 'start')).body).toMatchObject({
      startAt: at('08:30'),
      endAt: at('09:30'),
      startedAt,
    })
  })

  it.for([
    ['5 minutes late keeps its times', '09:05', '09:00', '09:30'],
    ['6 minutes late begins now', '09:06', '09:06', '09:36'],
  ] as const)('200: a block that starts %s', async ([, time, startAt, endAt], { ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId, end: '09:30' })
    const app = await testApp(db, () => new Date(at(time)))

    expect((await act(as(app, ada), id, 'start')).body).toMatchObject({
      startAt: at(startAt),
      endAt: at(endAt),
      startedAt: at(time),
    })
  })

  it('200: a block of less than 20 minutes begins now even if it is slightly late', async ({
    ada,
    db,
  }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId, end: '09:15' })
    const app = await testApp(db, () => new Date(at('09:02')))

    expect((await act(as(app, ada), id, 'start')).body).toMatchObject({
      startAt: at('09:02'),
      endAt: at('09:17'),
    })
  })

  it('200: stops the running block first', async ({ ada, db, later: app }) => {
    const [one, other] = [await newTask(ada), await newTask(ada)]
    const first = await addPlannedBlock(db, ada, { taskId: one.id })
    const second = await addPlannedBlock(db, ada, {
      taskId: other.id,
      start: '12:00',
      end: '13:00',
    })
    await act(ada, first, 'start')

    expect((await act(as(app, ada), second, 'start')).status).toBe(200)

    expect(await read(ada, first)).toMatchObject({
      status: 'completed',
      endAt: later,
      completedAt: later,
    })
    expect((await ada.get(`/api/tasks/${one.id}`)).body.actualMinutes).toBe(25)
    expect((await ada.get(`/api/tasks/${other.id}`)).body.actualMinutes).toBe(null)
  })

  it('200: only one block is running after concurrent starts', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const ids = await Promise.all(
      [10, 12, 14, 16, 18].map((hour) =>
        addPlannedBlock(db, ada, { taskId, start: `${hour}:00`, end: `${hour}:30` }),
      ),
    )

    const answers = await Promise.all(ids.map((id) => act(ada, id, 'start')))

    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    const blocks = await Promise.all(ids.map((id) => read(ada, id)))
    const running = blocks.filter(({ status }) => status === 'in_progress')
    expect(running).toHaveLength(1)
  })

  it.for(['in_progress', 'completed', 'cancelled'])(
    '409: a block that is %s',
    async (status, { ada, db }) => {
      const { id: taskId } = await newTask(ada)
      const id = await addPlannedBlock(db, ada, { taskId })
      await ada.patch(`/api/time-blocks/${id}`, { status })

      expect(await act(ada, id, 'start')).toEqual({
        status: 409,
        body: { error: 'Only a scheduled block can be started' },
      })
    },
  )

  it('409: a block without a task, or without five free minutes', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId, start: '12:00', end: '13:00' })
    const next = await placeBlock(ada, taskId, '08:04', '08:30')

    expect((await act(ada, await addPlannedBlock(db, ada), 'start')).status).toBe(409)
    expect((await act(ada, id, 'start')).status).toBe(409)
    expect(await read(ada, id)).toMatchObject({ status: 'scheduled', startAt: at('12:00') })
    await ada.patch(`/api/time-blocks/${next}`, { startAt: at('08:05') })
    expect((await act(ada, id, 'start')).body).toMatchObject({ endAt: at('08:05') })
  })
})

describe('POST /api/time-blocks/{id}/stop', () => {
  it('200: ends now, adds the minutes to the task, and can be reverted', async ({
    ada,
    db,
    later: app,
  }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId })
    await act(ada, id, 'start')
    const running = await read(ada, id)

    expect(await act(as(app, ada), id, 'stop')).toMatchObject({
      status: 200,
      body: { status: 'completed', startAt: now, endAt: later, startedAt: now, completedAt: later },
    })
    expect((await ada.get(`/api/tasks/${taskId}`)).body.actualMinutes).toBe(25)

    await revertLast(db, ada)
    expect(await read(ada, id)).toEqual({ ...running, updatedAt: expect.any(String) })
    expect((await ada.get(`/api/tasks/${taskId}`)).body.actualMinutes).toBe(null)
  })

  it('200: the sum of minutes stays within 32 bits', async ({ ada, db, later: app }) => {
    const { id: taskId } = await newTask(ada)
    await ada.put(`/api/tasks/${taskId}/actual-minutes`, { actualMinutes: 2_147_483_640 })
    const id = await addPlannedBlock(db, ada, { taskId })
    await act(ada, id, 'start')

    expect((await act(as(app, ada), id, 'stop')).status).toBe(200)
    expect((await ada.get(`/api/tasks/${taskId}`)).body.actualMinutes).toBe(2_147_483_647)
  })

  it('200: the block lasts at least a minute', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId })
    await act(ada, id, 'start')

    expect((await act(ada, id, 'stop')).body).toMatchObject({ startAt: now, endAt: at('08:01') })
    expect((await ada.get(`/api/tasks/${taskId}`)).body.actualMinutes).toBe(1)
  })

  it.for([
    ['in the future', '2026-03-09T09:00:00Z', '2026-03-09T10:00:00Z'],
    ['days ago', '2026-02-20T09:00:00Z', '2026-02-20T10:00:00Z'],
  ] as const)(
    '200: a block %s that PATCH started gets its real times',
    async ([, start, end], { ada, db, later: app }) => {
      const id = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id, start, end })
      await ada.patch(`/api/time-blocks/${id}`, { status: 'in_progress' })

      expect((await act(as(app, ada), id, 'stop')).body).toMatchObject({
        startAt: now,
        endAt: later,
      })
    },
  )

  it('409: a block that is not running', async ({ ada, db }) => {
    const id = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id })

    expect(await act(ada, id, 'stop')).toEqual({
      status: 409,
      body: { error: 'Only a block in progress can be stopped' },
    })
  })
})

describe('POST /api/time-blocks/{id}/extend', () => {
  it('200: cancels the planner’s blocks in the way; locked and placed ones stay', async ({
    ada,
    db,
  }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId })
    const inTheWay = await addPlannedBlock(db, ada, { taskId, start: '10:00', end: '11:00' })
    const kept = [
      await addPlannedBlock(db, ada, { taskId, start: '10:00', end: '10:15', locked: true }),
      await placeBlock(ada, taskId, '10:05', '10:20'),
      await addPlannedBlock(db, ada, { taskId, start: '10:30', end: '11:00' }),
    ]

    expect(await act(ada, id, 'extend', { minutes: 30 })).toMatchObject({
      status: 200,
      body: { startAt: at('09:00'), endAt: at('10:30'), source: 'manual' },
    })
    const gone = await read(ada, inTheWay)
    expect(gone).toMatchObject({ status: 'cancelled', cancelReason: null })
    for (const other of kept) expect((await read(ada, other)).status).toBe('scheduled')

    await revertLast(db, ada)
    expect(await read(ada, id)).toMatchObject({ endAt: at('10:00'), source: 'auto' })
    expect(await read(ada, inTheWay)).toMatchObject({ status: 'scheduled', source: 'auto' })
  })

  it('200: does not cancel blocks of locked tasks and manual projects', async ({ ada, db }) => {
    const { body: project } = await ada.post('/api/projects', { name: 'P', autoSchedule: false })
    const locked = await newTask(ada)
    await ada.patch(`/api/tasks/${locked.id}`, { locked: true })
    const manual = await newTask(ada, { projectId: project.id })
    const id = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id })
    const kept = [
      await addPlannedBlock(db, ada, { taskId: locked.id, start: '10:00', end: '11:00' }),
      await addPlannedBlock(db, ada, { taskId: manual.id, start: '10:00', end: '11:00' }),
    ]

    await act(ada, id, 'extend', { minutes: 60 })

    for (const other of kept) expect((await read(ada, other)).status).toBe('scheduled')
  })

  it.for([4, 241, 7.5, '15', null])('400: by %o minutes', async (minutes, { ada, db }) => {
    const id = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id })

    expect(await act(ada, id, 'extend', { minutes })).toMatchObject({
      status: 400,
      body: { details: { minutes: [expect.any(String)] } },
    })
  })

  it('400: beyond 24 hours; 409: a completed block', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const long = { start: '2026-03-03T00:00:00Z', end: '2026-03-03T23:58:00Z' }
    const id = await addPlannedBlock(db, ada, { taskId, ...long })

    expect(await act(ada, id, 'extend', { minutes: 5 })).toMatchObject({ status: 400 })
    await ada.patch(`/api/time-blocks/${id}`, { status: 'completed' })
    expect(await act(ada, id, 'extend', { minutes: 5 })).toMatchObject({ status: 409 })
  })
})

describe('POST /api/time-blocks/{id}/skip', () => {
  const until = '2026-03-03T08:00:00.000Z'

  it('200: cancels the task’s blocks before `until`, and the task waits', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId })
    const before = await addPlannedBlock(db, ada, { taskId, start: '11:00', end: '12:00' })
    const kept = [
      await addPlannedBlock(db, ada, { taskId, start: until, end: '2026-03-03T09:00:00Z' }),
      await addPlannedBlock(db, ada, { taskId, start: '07:00', end: '07:30' }),
      await addPlannedBlock(db, ada, { taskId, start: '13:00', end: '14:00', locked: true }),
      await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id }),
      await placeBlock(ada, taskId, '15:00', '16:00'),
    ]

    expect(await act(ada, id, 'skip', { until })).toMatchObject({
      status: 200,
      body: { status: 'cancelled', cancelReason: 'skipped' },
    })
    expect(await read(ada, before)).toMatchObject({ status: 'cancelled', cancelReason: 'skipped' })
    for (const other of kept) expect((await read(ada, other)).status).toBe('scheduled')
    expect((await ada.get(`/api/tasks/${taskId}`)).body.startAfter).toBe(until)

    await revertLast(db, ada)
    expect((await read(ada, id)).status).toBe('scheduled')
    expect((await ada.get(`/api/tasks/${taskId}`)).body.startAfter).toBe(null)
  })

  it('200: keeps a later startAfter', async ({ ada }) => {
    const startAfter = '2026-03-09T00:00:00.000Z'
    const { id: taskId } = await newTask(ada, { startAfter })

    await act(ada, await placeBlock(ada, taskId, '09:00', '10:00'), 'skip', { until })

    expect((await ada.get(`/api/tasks/${taskId}`)).body.startAfter).toBe(startAfter)
  })

  it.for([now, '2020-01-01', 'tomorrow', null])('400: until %o', async (time, { ada, db }) => {
    const id = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id })

    expect(await act(ada, id, 'skip', { until: time })).toMatchObject({
      status: 400,
      body: { details: { until: [expect.any(String)] } },
    })
  })

  it('409: a running block, or one without a task', async ({ ada, db }) => {
    const id = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id })
    await act(ada, id, 'start')

    expect((await act(ada, id, 'skip', { until })).status).toBe(409)
    expect((await act(ada, await addPlannedBlock(db, ada), 'skip', { until })).status).toBe(409)
  })
})

describe('an action on a block that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace, db }) => {
    const adas = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id })
    const bodies = { start: {}, stop: {}, extend: { minutes: 5 }, skip: { until: later } }

    for (const id of [unknownId, 'not-an-id', adas]) {
      for (const [action, body] of Object.entries(bodies)) {
        expect(await act(grace, id, action, body)).toEqual({
          status: 404,
          body: { error: 'Time block not found' },
        })
      }
    }
    expect(await read(ada, adas)).toMatchObject({ status: 'scheduled', startAt: at('09:00') })
  })

  it('200: a start with a repeated Idempotency-Key is done once', async ({ ada, db }) => {
    const id = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id })
    const headers = { 'idempotency-key': 'start-1' }
    const once = () => ada.post(`/api/time-blocks/${id}/start`, undefined, headers)

    const first = await once()

    expect(first.status).toBe(200)
    expect(await once()).toEqual(first)
  })
})

describe('PATCH of a status', () => {
  it('200: sets the times, and scheduled clears them', async ({ ada, db, later: app }) => {
    const id = await addPlannedBlock(db, ada, { taskId: (await newTask(ada)).id })
    const change = async (status: string) => {
      await as(app, ada).patch(`/api/time-blocks/${id}`, { status })
      return read(ada, id)
    }

    expect(await change('in_progress')).toMatchObject({ startedAt: later, startAt: at('09:00') })
    expect(await change('completed')).toMatchObject({ startedAt: later, completedAt: later })
    expect(await change('scheduled')).toMatchObject({ startedAt: null, completedAt: null })
  })

  it.for(['scheduled', 'in_progress', 'completed', 'cancelled'])(
    '200: after %s, an answer shows what became of a block only with progress=true',
    async (status, { ada, db }) => {
      const { id: taskId } = await newTask(ada)
      const id = await addPlannedBlock(db, ada, { taskId })
      await ada.patch(`/api/time-blocks/${id}?progress=true`, { status: 'in_progress' })
      const query = (progress?: string) => (progress ? `?progress=${progress}` : '')
      const shown = async (progress?: string) => {
        const made = { taskId, startAt: at('12:00'), endAt: at('13:00') }
        const event = { type: 'event', title: 'Dentist', startAt: at('14:00'), endAt: at('15:00') }
        const post = (body: object) => ada.post(`/api/time-blocks${query(progress)}`, body)
        const changed = await ada.patch(`/api/time-blocks/${id}${query(progress)}`, { status })
        const listed = (await ada.get(`/api/time-blocks${query(progress)}`)).body
        const page = (await ada.get(`/api/tasks${query(progress)}`)).body.data
        const task = (await ada.get(`/api/tasks/${taskId}${query(progress)}`)).body
        return [
          changed.body,
          (await post(made)).body,
          (await post(event)).body,
          (await ada.get(`/api/time-blocks/${id}${query(progress)}`)).body,
          ...listed,
          ...page.flatMap(({ timeBlocks }: { timeBlocks: object[] }) => timeBlocks),
          ...task.timeBlocks,
        ]
      }
      const fields = ['cancelReason', 'startedAt', 'completedAt']

      for (const progress of [undefined, 'false']) {
        for (const block of await shown(progress)) {
          expect(Object.keys(block).filter((name) => fields.includes(name))).toEqual([])
        }
      }
      for (const block of await shown('true')) {
        expect(Object.keys(block)).toEqual(expect.arrayContaining(fields))
      }
    },
  )

  it('400: progress is neither true nor false', async ({ ada, db }) => {
    const { id: taskId } = await newTask(ada)
    const id = await addPlannedBlock(db, ada, { taskId })

    for (const path of ['time-blocks', `time-blocks/${id}`, 'tasks', `tasks/${taskId}`]) {
      expect(await ada.get(`/api/${path}?progress=yes`)).toMatchObject({
        status: 400,
        body: { details: { progress: [expect.any(String)] } },
      })
    }
  })
})
