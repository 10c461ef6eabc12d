import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, Database, Db } from '../../platform/db/database.ts'
import { changesOf, eventsOf } from '../../../test/events.ts'
import { caller, describe, expect, it, type Person, testApp, unknownId } from '../../../test/it.ts'

// It is 08:00 on Monday, 2 March 2026, UTC; 19:00 in Sydney.

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const newTask = async (person: Person, task: object = {}) =>
  (await person.post('/api/tasks', { title: 'Write the report', ...task })).body.id

const newBlock = async (person: Person, taskId: string, startAt: string, endAt: string) =>
  (await person.post('/api/time-blocks', { taskId, startAt, endAt })).body.id

type Caller = Pick<Person, 'get' | 'post' | 'patch'>

const summarize = (person: Caller) => person.post('/api/notifications', { type: 'morning_summary' })

const alert = (person: Caller) => person.post('/api/notifications', { type: 'at_risk' })

const notificationsOf = async (person: Caller) =>
  (await person.get('/api/notifications')).body.notifications

/** A client of the same user at another time. */
async function at(time: string, db: Database, person: Person) {
  const app = await testApp(db, () => new Date(time))
  return caller(app, { authorization: `Bearer ${person.key}` })
}

/** A client of the same user. `act` runs before the statement with this number. */
async function withActBefore(
  db: Database,
  person: Person,
  number: number,
  act: () => Promise<unknown>,
) {
  let count = 0
  const countStatements = (inner: Db): Db => ({
    ...inner,
    query: async (statement) => {
      count += 1
      if (count === number) await act()
      return inner.query(statement)
    },
    transaction: (work) => inner.transaction((transaction) => work(countStatements(transaction))),
  })
  const counted = {
    ...db,
    ...countStatements(db),
    as: (actor: Actor) => countStatements(db.as(actor)),
  }
  const app = await testApp(counted, () => new Date('2026-03-02T08:00:00Z'))
  return caller(app, { authorization: `Bearer ${person.key}` })
}

const moments = [2, 3, 4, 5, 6] // the first statement looks up the credential

const twentyTimes = <Result>(act: () => Promise<Result>) =>
  Promise.all(Array.from({ length: 20 }, act))

describe('GET /api/notifications', () => {
  it('200: a new user has none', async ({ ada, grace }) => {
    await summarize(grace)

    expect(await ada.get('/api/notifications')).toEqual({
      status: 200,
      body: { notifications: [], unreadCount: 0 },
    })
  })

  it('200: the 50 newest, newest first; unreadCount includes all', async ({ ada, db }) => {
    let day = new Date('2026-03-02T08:00:00Z')
    const app = await testApp(db, () => day)
    const adaDaily = caller(app, { authorization: `Bearer ${ada.key}` })
    const dates: string[] = []
    for (let count = 0; count < 51; count += 1) {
      await summarize(adaDaily)
      dates.unshift(day.toISOString().slice(0, 10))
      day = new Date(day.getTime() + 86_400_000)
    }

    const { body } = await ada.get('/api/notifications')

    expect(body.unreadCount).toBe(51)
    expect(
      body.notifications.map(({ createdAt }: { createdAt: string }) => createdAt.slice(0, 10)),
    ).toEqual(dates.slice(0, 50))
  })

  it('200: the greatest id first if written at the same instant', async ({ ada }) => {
    for (let count = 0; count < 4; count += 1) {
      await newTask(ada, { dueAt: '2026-03-02T20:00:00Z' })
      await alert(ada)
    }

    const ids = (await notificationsOf(ada)).map(({ id }: { id: string }) => id)

    expect(ids).toHaveLength(4)
    expect(ids).toEqual(ids.toSorted().toReversed())
  })

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.get('/api/notifications')).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })
})

describe('POST /api/notifications of type morning_summary', () => {
  it('200: my day: its blocks and the tasks at risk', async ({ ada, grace }) => {
    const task = await newTask(ada)
    const second = await newBlock(ada, task, '2026-03-02T13:15:00Z', '2026-03-02T14:00:00Z')
    const first = await newBlock(ada, task, '2026-03-02T09:00:00Z', '2026-03-02T10:30:00Z')
    const risky = await newTask(ada, { title: 'Call home', dueAt: '2026-03-01T16:00:00Z' })
    await newTask(grace, { dueAt: '2026-03-01T16:00:00Z' })
    await newBlock(grace, await newTask(grace), '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z')

    expect(await summarize(ada)).toEqual({ status: 200, body: { generated: 1, unreadCount: 1 } })
    expect(await notificationsOf(ada)).toEqual([
      {
        id: expect.any(String),
        userId: ada.id,
        type: 'morning_summary',
        title: '2 blocks planned today, 1 task at risk',
        body: [
          '09:00–10:30 Write the report',
          '13:15–14:00 Write the report',
          'At risk: Call home, due Sun 1 Mar, 16:00',
        ].join('\n'),
        read: false,
        metadata: {
          date: '2026-03-02',
          blocks: 2,
          blockIds: [first, second],
          atRiskTaskIds: [risky],
        },
        createdAt: isoUtcMilliseconds,
      },
    ])
  })

  const due = '2026-03-04T12:00:00Z'
  const overdue = '2026-03-02T07:59:59.999Z'
  it.for([
    ['is overdue', { dueAt: overdue }, [], true],
    [
      'is overdue and planned',
      { dueAt: overdue },
      ['2026-03-02T09:00Z', '2026-03-02T10:00Z'],
      true,
    ],
    ['is overdue and not for the planner', { dueAt: overdue, autoSchedule: false }, [], true],
    ['is due just now', { dueAt: '2026-03-02T08:00:00Z' }, [], false],
    ['is due soon and not planned', { dueAt: '2026-03-02T12:00:00Z' }, [], false],
    ['is planned in time', { dueAt: due }, ['2026-03-04T11:00Z', '2026-03-04T12:00Z'], false],
    ['is planned to end late', { dueAt: due }, ['2026-03-04T11:00Z', '2026-03-04T12:01Z'], true],
    [
      'is planned after it is due',
      { dueAt: due },
      ['2026-03-09T11:00Z', '2026-03-09T12:00Z'],
      true,
    ],
    ['is planned without a due date', {}, ['2026-03-09T11:00Z', '2026-03-09T12:00Z'], false],
    ['is completed', { dueAt: overdue, status: 'completed' }, [], false],
    ['is cancelled', { dueAt: overdue, status: 'cancelled' }, [], false],
    ['is archived', { dueAt: overdue, status: 'archived' }, [], false],
    ['is in the backlog', { dueAt: overdue, status: 'backlog' }, [], true],
  ] as const)(
    '200: a task that %s is named only if it is at risk',
    async ([, task, span, isNamed], { ada }) => {
      const id = await newTask(ada, task)
      const [startAt, endAt] = span
      if (startAt && endAt) await newBlock(ada, id, startAt, endAt)

      await summarize(ada)

      const [{ title, metadata }] = await notificationsOf(ada)
      expect(metadata.atRiskTaskIds).toEqual(isNamed ? [id] : [])
      expect(title).toMatch(isNamed ? /, 1 task at risk$/ : /, 0 tasks at risk$/)
    },
  )

  it('200: a cancelled block after the due date puts nothing at risk', async ({ ada }) => {
    const id = await newTask(ada, { dueAt: due })
    const block = await newBlock(ada, id, '2026-03-05T11:00:00Z', '2026-03-05T12:00:00Z')
    await ada.patch(`/api/time-blocks/${block}`, { status: 'cancelled' })

    await summarize(ada)

    expect(await notificationsOf(ada)).toMatchObject([{ metadata: { atRiskTaskIds: [] } }])
  })

  it('200: the same tasks are at risk as in the run', async ({ ada }) => {
    await newTask(ada, { estimateMinutes: 960, dueAt: '2026-03-03T12:00:00Z' })
    await newTask(ada, { estimateMinutes: 30, dueAt: '2026-03-13T12:00:00Z' })
    const { body: run } = await ada.post('/api/planner')

    await summarize(ada)

    const [{ metadata }] = await notificationsOf(ada)
    expect(run.atRiskTaskIds).toHaveLength(1)
    expect(metadata.atRiskTaskIds).toEqual(run.atRiskTaskIds)
  })

  const windows = [{ day: [0, 1, 2, 3, 4, 5, 6], start: '10:00', end: '12:00' }]
  const leftOver = async (person: Person) => {
    const preference = await person.post('/api/schedule-preferences', { name: 'Two', windows })
    return newTask(person, {
      estimateMinutes: 960,
      autoSplit: false,
      schedulePreferenceId: preference.body.id,
      dueAt: '2026-03-05T08:00:00Z',
    })
  }

  it('200: names what does not fit before its due date, and overdue work that is not planned', async ({
    ada,
  }) => {
    const manual = await newTask(ada, { autoSchedule: false, dueAt: '2026-03-01T08:00:00Z' })
    const id = await leftOver(ada)
    const { body: run } = await ada.post('/api/planner')

    await summarize(ada)

    const [{ metadata }] = await notificationsOf(ada)
    expect(run.atRiskTaskIds).toEqual([id])
    expect(metadata.atRiskTaskIds).toEqual([manual, id])
  })

  it.for([
    ['its due date is moved out of the 14 days', { dueAt: '2026-03-16T08:00:01Z' }],
    ['it is planned by hand from then on', { autoSchedule: false }],
    ['it is completed', { status: 'completed' }],
    ['it has no estimate any more', { estimateMinutes: null }],
  ] as const)('200: work that does not fit is not named if %s', async ([, changes], { ada }) => {
    const id = await leftOver(ada)
    await ada.post('/api/planner')
    await ada.patch(`/api/tasks/${id}`, changes)

    await summarize(ada)

    expect(await notificationsOf(ada)).toMatchObject([{ metadata: { atRiskTaskIds: [] } }])
  })

  it('200: work that does not fit is not named once blocks by hand cover it', async ({ ada }) => {
    const id = await leftOver(ada)
    await ada.post('/api/planner')
    await newBlock(ada, id, '2026-03-02T12:00:00Z', '2026-03-03T03:59:00Z')
    await newBlock(ada, id, '2026-03-02T12:00:00Z', '2026-03-03T03:00:00Z')
    await summarize(ada)
    expect(await notificationsOf(ada)).toMatchObject([{ metadata: { atRiskTaskIds: [id] } }])

    await ada.patch(`/api/tasks/${id}`, { estimateMinutes: 959 })
    await ada.patch('/api/user', { timezone: 'Pacific/Niue' })

    await summarize(ada)
    expect((await notificationsOf(ada))[0]).toMatchObject({ metadata: { atRiskTaskIds: [] } })
  })

  it('200: counts every task at risk, and names the 100 that were due first', async ({
    ada,
    db,
  }) => {
    await db.pool.query(
      `insert into tasks (user_id, id, title, due_at)
       select $1, gen_random_uuid(), 'Task ' || number, timestamptz '2026-02-01' + number * interval '1 hour'
         from generate_series(1, 103) number`,
      [ada.id],
    )

    await summarize(ada)

    const [{ title, body, metadata }] = await notificationsOf(ada)
    expect(title).toBe('0 blocks planned today, 103 tasks at risk')
    expect(body.split('\n').slice(-2)).toEqual([
      'At risk: Task 100, due Thu 5 Feb, 04:00',
      'At risk: 3 more',
    ])
    expect(metadata.atRiskTaskIds).toHaveLength(100)
  })

  it('200: even on a day without blocks or risks', async ({ ada }) => {
    await summarize(ada)

    expect(await notificationsOf(ada)).toMatchObject([
      {
        title: '0 blocks planned today, 0 tasks at risk',
        body: 'Nothing is planned for today.',
        metadata: { date: '2026-03-02', blocks: 0 },
        createdAt: '2026-03-02T08:00:00.000Z',
      },
    ])
  })

  it('200: the blocks of my own day, and no cancelled ones', async ({ ada }) => {
    await ada.patch('/api/user', { timezone: 'Australia/Sydney' })
    const task = await newTask(ada)
    const midnight = await newBlock(ada, task, '2026-03-01T13:00:00Z', '2026-03-01T14:00:00Z')
    const last = await newBlock(ada, task, '2026-03-02T12:59:00Z', '2026-03-02T13:59:00Z')
    const cancelled = await newBlock(ada, task, '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z')
    await ada.patch(`/api/time-blocks/${cancelled}`, { status: 'cancelled' })
    await newBlock(ada, task, '2026-03-01T12:59:00Z', '2026-03-01T13:59:00Z') // yesterday
    await newBlock(ada, task, '2026-03-02T13:00:00Z', '2026-03-02T14:00:00Z') // tomorrow

    await summarize(ada)

    expect(await notificationsOf(ada)).toMatchObject([
      {
        body: '00:00–01:00 Write the report\n23:59–00:59 Write the report',
        metadata: { date: '2026-03-02', blocks: 2, blockIds: [midnight, last] },
      },
    ])
  })

  it('200: one summary per day, whether or not it was read', async ({ ada, db }) => {
    await summarize(ada)
    await ada.patch('/api/notifications')
    const adaTonight = await at('2026-03-02T23:59:59.999Z', db, ada)

    expect(await summarize(adaTonight)).toEqual({
      status: 200,
      body: { generated: 1, unreadCount: 0 },
    })
    expect(await notificationsOf(ada)).toHaveLength(1)
  })

  it('200: a day ends at midnight in the time zone of the user', async ({ ada, db }) => {
    await ada.patch('/api/user', { timezone: 'Australia/Sydney' })
    await summarize(ada)
    const adaBefore = await at('2026-03-02T12:59:59.999Z', db, ada)
    const adaAfter = await at('2026-03-02T13:00:00Z', db, ada)

    expect((await summarize(adaBefore)).body).toEqual({ generated: 1, unreadCount: 1 })
    expect((await summarize(adaAfter)).body).toEqual({ generated: 1, unreadCount: 2 })
    expect(await notificationsOf(ada)).toMatchObject([
      { metadata: { date: '2026-03-03' } },
      { metadata: { date: '2026-03-02' } },
    ])
  })

  it('200: uses Sydney time if the stored zone is invalid', async ({ ada, db }) => {
    await db.pool.query(`update users set timezone = 'Mars/Olympus' where id = $1`, [ada.id])
    const adaLate = await at('2026-03-02T13:00:00Z', db, ada)

    await summarize(adaLate)

    expect(await notificationsOf(ada)).toMatchObject([{ metadata: { date: '2026-03-03' } }])
  })

  it.for(moments)(
    '200: a block planned too late before statement %i is both among the blocks and at risk, or neither',
    async (number, { ada, db }) => {
      const taskId = await newTask(ada, { dueAt: '2026-03-02T09:30:00Z' })
      const plan = () => newBlock(ada, taskId, '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z')

      await summarize(await withActBefore(db, ada, number, plan))

      const [{ metadata }] = await notificationsOf(ada)
      expect(metadata.atRiskTaskIds).toHaveLength(metadata.blocks)
    },
  )

  it('200: one summary for concurrent requests', async ({ ada, grace }) => {
    const [answers] = await Promise.all([
      twentyTimes(() => summarize(ada)),
      twentyTimes(() => summarize(grace)),
    ])

    for (const answer of answers) {
      expect(answer).toEqual({ status: 200, body: { generated: 1, unreadCount: 1 } })
    }
    expect(await notificationsOf(ada)).toHaveLength(1)
    expect(await notificationsOf(grace)).toHaveLength(1)
  })
})

describe('POST /api/notifications of type at_risk', () => {
  const tonight = '2026-03-02T20:00:00Z'

  it('200: one alert for all tasks at risk, the earliest due first', async ({ ada, grace }) => {
    await ada.patch('/api/user', { timezone: 'Australia/Sydney' })
    const later = await newTask(ada, { title: 'Call home', dueAt: tonight })
    const sooner = await newTask(ada, { dueAt: '2026-03-02T09:30:00Z' })
    await newTask(grace, { dueAt: tonight })

    expect(await alert(ada)).toEqual({ status: 200, body: { generated: 2, unreadCount: 1 } })
    expect(await notificationsOf(ada)).toEqual([
      {
        id: expect.any(String),
        userId: ada.id,
        type: 'at_risk_deadline',
        title: '2 tasks are due within 24 hours and not planned',
        body: 'Write the report, due Mon 2 Mar, 20:30\nCall home, due Tue 3 Mar, 07:00',
        read: false,
        metadata: { count: 2, taskIds: [sooner, later] },
        createdAt: '2026-03-02T08:00:00.000Z',
      },
    ])
  })

  it('200: no alert if nothing is at risk', async ({ ada }) => {
    await newTask(ada)

    expect(await alert(ada)).toEqual({ status: 200, body: { generated: 0, unreadCount: 0 } })
    expect(await notificationsOf(ada)).toEqual([])
  })

  it.for([
    ['overdue', { dueAt: '2026-03-02T07:59:59.999Z' }, 0],
    ['due now', { dueAt: '2026-03-02T08:00:00Z' }, 1],
    ['due in 24 hours', { dueAt: '2026-03-03T08:00:00Z' }, 1],
    ['due a moment later', { dueAt: '2026-03-03T08:00:00.001Z' }, 0],
    ['without a due date', {}, 0],
    ['in the backlog', { dueAt: tonight, status: 'backlog' }, 1],
    ['in progress', { dueAt: tonight, status: 'in_progress' }, 1],
    ['not to be scheduled', { dueAt: tonight, autoSchedule: false }, 1],
    ['completed', { dueAt: tonight, status: 'completed' }, 0],
    ['cancelled', { dueAt: tonight, status: 'cancelled' }, 0],
    ['archived', { dueAt: tonight, status: 'archived' }, 0],
  ] as const)('200: a task that is %s: %o generates %i', async ([, task, generated], { ada }) => {
    await newTask(ada, task)

    expect((await alert(ada)).body).toEqual({ generated, unreadCount: generated })
  })

  it.for([
    ['scheduled', 'to come', '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z', 0],
    ['scheduled', 'running', '2026-03-02T07:30:00Z', '2026-03-02T08:00:00.001Z', 0],
    ['scheduled', 'after the due date', '2026-03-04T09:00:00Z', '2026-03-04T10:00:00Z', 0],
    ['scheduled', 'just over', '2026-03-02T07:00:00Z', '2026-03-02T08:00:00Z', 1],
    ['in_progress', 'running', '2026-03-02T07:30:00Z', '2026-03-02T08:30:00Z', 0],
    ['in_progress', 'just over', '2026-03-02T07:00:00Z', '2026-03-02T08:00:00Z', 1],
    ['completed', 'to come', '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z', 1],
    ['cancelled', 'to come', '2026-03-02T09:00:00Z', '2026-03-02T10:00:00Z', 1],
  ] as const)(
    '200: a task whose block is %s, %s (%s to %s) generates %i',
    async ([status, , startAt, endAt, generated], { ada }) => {
      const block = await newBlock(ada, await newTask(ada, { dueAt: tonight }), startAt, endAt)
      await ada.patch(`/api/time-blocks/${block}`, { status })

      expect((await alert(ada)).body).toMatchObject({ generated })
    },
  )

  it('200: only tasks that no alert named in the last six hours', async ({ ada, db }) => {
    const early = await newTask(ada, { dueAt: tonight })
    await alert(ada)
    await ada.patch('/api/notifications')
    const adaSoon = await at('2026-03-02T13:59:59.999Z', db, ada)
    const adaLater = await at('2026-03-02T14:00:00.001Z', db, ada)

    expect((await alert(adaSoon)).body).toEqual({ generated: 0, unreadCount: 0 })

    const late = await newTask(ada, { title: 'Call home', dueAt: tonight })
    expect((await alert(adaSoon)).body).toEqual({ generated: 1, unreadCount: 1 })
    expect((await alert(adaLater)).body).toEqual({ generated: 1, unreadCount: 2 })

    const taskIds = (await notificationsOf(ada)).map(
      ({ metadata }: { metadata: { taskIds: string[] } }) => metadata.taskIds,
    )
    expect(taskIds).toEqual([[early], [late], [early]])
  })

  it('200: a morning summary that names a task does not cover it', async ({ ada }) => {
    await newTask(ada, { dueAt: tonight })
    await summarize(ada)

    expect((await alert(ada)).body).toEqual({ generated: 1, unreadCount: 2 })
  })

  it('200: concurrent requests name each task once', async ({ ada }) => {
    await newTask(ada, { dueAt: tonight })
    await newTask(ada, { dueAt: tonight })

    const answers = await twentyTimes(() => alert(ada))

    const generated = answers.map(({ body }) => body.generated)
    expect(generated.filter((count) => count !== 0)).toEqual([2])
    expect(await notificationsOf(ada)).toHaveLength(1)
  })
})

describe('POST /api/notifications', () => {
  it.for(moments)(
    '200: unreadCount is right if another notification is written before statement %i',
    async (number, { ada, db }) => {
      await newTask(ada, { dueAt: '2026-03-02T18:00:00Z' })
      const others: ReturnType<typeof alert>[] = []
      const another = async () => {
        others.push(alert(ada))
        await Promise.race([...others, sleep(50)])
      }

      const mine = await summarize(await withActBefore(db, ada, number, another))

      const answers = [mine, ...(await Promise.all(others))]
      expect(new Set(answers.map(({ body }) => body.unreadCount))).toEqual(new Set([1, 2]))
    },
  )

  it.for([{}, { type: null }, { type: 5 }, { type: 'other' }, { type: 'at_risk_deadline' }])(
    '400: an unknown type: %o',
    async (body, { ada }) => {
      expect(await ada.post('/api/notifications', body)).toEqual({
        status: 400,
        body: { error: 'Validation failed', details: { type: [expect.any(String)] } },
      })
      expect(await notificationsOf(ada)).toEqual([])
    },
  )

  it('400: no body', async ({ ada }) => {
    expect(await ada.post('/api/notifications')).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { body: [expect.any(String)] } },
    })
  })
})

describe('PATCH /api/notifications', () => {
  it('200: marks all of mine as read, and counts the unread ones', async ({ ada, grace }) => {
    await newTask(ada, { dueAt: '2026-03-02T20:00:00Z' })
    await summarize(ada)
    await alert(ada)
    await summarize(grace)
    const [{ id: notificationId }] = await notificationsOf(ada)
    await ada.post('/api/notifications/read', { notificationId })

    expect(await ada.patch('/api/notifications')).toEqual({ status: 200, body: { markedRead: 1 } })
    expect((await ada.get('/api/notifications')).body).toMatchObject({
      notifications: [{ read: true }, { read: true }],
      unreadCount: 0,
    })
    expect((await grace.get('/api/notifications')).body).toMatchObject({ unreadCount: 1 })
  })

  it('200: marks all, even while another one is being written', async ({ ada, db }) => {
    await newTask(ada, { dueAt: '2026-03-02T18:00:00Z' })
    await summarize(ada)
    const marks: Promise<{ body: { markedRead: number } }>[] = []
    const markAll = async () => {
      marks.push(ada.patch('/api/notifications'))
      await Promise.race([...marks, sleep(50)])
    }

    const written = await alert(await withActBefore(db, ada, 7, markAll))

    const [marked] = await Promise.all(marks)
    expect([written.body.unreadCount, marked?.body.markedRead]).toEqual([2, 2])
  })

  it('200: with a JSON content type and no body', async ({ ada }) => {
    const json = { 'content-type': 'application/json' }

    expect(await ada.patch('/api/notifications', undefined, json)).toEqual({
      status: 200,
      body: { markedRead: 0 },
    })
  })
})

describe('POST /api/notifications/read', () => {
  it('200: marks this one as read, and it stays read', async ({ ada }) => {
    await newTask(ada, { dueAt: '2026-03-02T20:00:00Z' })
    await summarize(ada)
    await alert(ada)
    const [{ id: notificationId }, other] = await notificationsOf(ada)

    for (const time of ['first', 'second']) {
      expect(await ada.post('/api/notifications/read', { notificationId }), time).toEqual({
        status: 200,
        body: { success: true },
      })
      expect((await ada.get('/api/notifications')).body).toMatchObject({
        notifications: [
          { id: notificationId, read: true },
          { id: other.id, read: false },
        ],
        unreadCount: 1,
      })
    }
  })

  it.for([{}, { notificationId: null }, { notificationId: 5 }, { notificationId: 'not-an-id' }])(
    '400: a malformed id: %o',
    async (body, { ada }) => {
      expect(await ada.post('/api/notifications/read', body)).toEqual({
        status: 400,
        body: { error: 'Validation failed', details: { notificationId: [expect.any(String)] } },
      })
    },
  )

  it('404: whether unknown or another user’s', async ({ ada, grace }) => {
    await summarize(ada)
    const [{ id: adas }] = await notificationsOf(ada)

    for (const notificationId of [unknownId, adas]) {
      expect(await grace.post('/api/notifications/read', { notificationId })).toEqual({
        status: 404,
        body: { error: 'Notification not found' },
      })
    }
    expect(await notificationsOf(ada)).toMatchObject([{ read: false }])
  })
})

describe('events', () => {
  it('record a notification when it is written and when it is read, once', async ({ ada, db }) => {
    await ada.post('/api/notifications', { type: 'morning_summary' })
    await ada.post('/api/notifications', { type: 'morning_summary' })
    const { body } = await ada.get('/api/notifications')
    const [unread] = body.notifications
    await ada.post('/api/notifications/read', { notificationId: unread.id })
    await ada.post('/api/notifications/read', { notificationId: unread.id })
    await ada.patch('/api/notifications', {})

    expect(await changesOf(db, ada)).toEqual([
      ['notification.created', null, unread],
      ['notification.updated', unread, { ...unread, read: true }],
    ])
  })

  it('record all that are read together in one change', async ({ ada, db }) => {
    await ada.post('/api/tasks', { title: 'Sow', dueAt: '2026-03-02T12:00:00Z' })
    await ada.post('/api/notifications', { type: 'morning_summary' })
    await ada.post('/api/notifications', { type: 'at_risk' })
    await ada.patch('/api/notifications', {})

    expect(await eventsOf(db, ada, 3)).toMatchObject([
      { seq: 4, part: 1, type: 'notification.updated', after: { read: true } },
      { seq: 4, part: 2, type: 'notification.updated', after: { read: true } },
    ])
  })
})
