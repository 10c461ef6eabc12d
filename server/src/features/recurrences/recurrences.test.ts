import { eventsOf } from '../../../test/events.ts'
import { describe, expect, it as base, type Person, testApp, unknownId } from '../../../test/it.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { settleRecurrences } from './settle-recurrences.ts'

// It is Monday, 2 March 2026, 08:00 UTC, which is the time zone of the users.
const start = Date.parse('2026-03-02T08:00:00Z')
let time = start
const it = base
  .extend('app', { scope: 'file' }, ({ db }) => testApp(db, () => new Date(time)))
  .extend('clock', { auto: true }, ({}, { onCleanup }) => {
    onCleanup(() => {
      time = start
    })
    return { set: (at: string) => (time = Date.parse(`${at}Z`)) }
  })

const url = '/api/recurrences'
const daily = {
  kind: 'calendar',
  rule: 'FREQ=DAILY',
  startsOn: '2026-03-02',
  task: { title: 'Water the plants' },
}
const every3 = { ...daily, kind: 'completion', rule: 'FREQ=DAILY;INTERVAL=3' }

const createRecurrence = async (person: Person, given: object) => {
  const { status, body } = await person.post(url, given)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id as string
}

const settle = (db: Database, { id }: Person) =>
  settleRecurrences(db.asSystemWithin({ key: id }), id, new Date(time))

/** A transaction that fails after this many statements, as if the process were killed. */
function dyingAfter(whole: Db, statements: number): Db {
  let left = statements
  const dying: Db = {
    ...whole,
    query: (statement) => {
      left -= 1
      if (left < 0) throw new Error('killed')
      return whole.query(statement)
    },
    transaction: (work) => work(dying),
  }
  return dying
}

type Listed = { id: string; title: string; dueAt: string; startAfter: string; status: string }
const tasksOf = async (person: Person) => {
  const { body } = await person.get('/api/tasks?limit=100')
  return (body.data as Listed[]).toSorted((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
}
const daysOf = async (person: Person) =>
  (await tasksOf(person)).map(({ dueAt }) => dueAt.slice(5, 10))

const occurrencesOf = async (person: Person, id: string, query = '') =>
  (await person.get(`${url}/${id}/occurrences${query}`)).body as {
    occurrences: { day: string; nth: number; state: string; taskId: string | null }[]
    counts: object
  }
const statesOf = async (person: Person, id: string, query = '') =>
  (await occurrencesOf(person, id, query)).occurrences.map(
    ({ day, state }) => `${day.slice(5)} ${state}`,
  )

const none = { recurrence: null, occurrence: null }

const revertLast = async (person: Person, type: string) => {
  const { body } = await person.get('/api/history?limit=100')
  const event = (body.events as { id: string; type: string }[]).find((each) => each.type === type)!
  return person.post(`/api/history/${event.id}/revert`)
}

describe('POST /api/recurrences', () => {
  it('201: the recurrence, in words, and tasks for today and 15 days', async ({ ada }) => {
    const { status, body } = await ada.post(url, { ...daily, dueTime: '17:00', startTime: '09:00' })

    expect(status).toBe(201)
    expect(body).toMatchObject({
      words: 'every day',
      missed: 'wait',
      pausedAt: null,
      task: { priority: 'none' },
    })
    const tasks = await tasksOf(ada)
    expect(tasks).toHaveLength(16)
    expect(tasks[0]).toMatchObject({
      title: 'Water the plants',
      startAfter: '2026-03-02T09:00:00.000Z',
      dueAt: '2026-03-02T17:00:00.000Z',
    })
  })

  it('201: each task has the project, the labels and the checklist', async ({ ada }) => {
    const projectId = (await ada.post('/api/projects', { name: 'Home' })).body.id
    const labelId = (await ada.post('/api/labels', { name: 'plants' })).body.id

    await createRecurrence(ada, {
      ...every3,
      checklist: ['Kitchen', 'Balcony'],
      task: { title: 'Water', projectId, labelIds: [labelId, labelId.toUpperCase()] },
    })

    const [task] = await tasksOf(ada)
    expect((await ada.get(`/api/tasks/${task!.id}`)).body).toMatchObject({
      project: { id: projectId },
      labels: [{ name: 'plants' }],
      checklistItems: [{ title: 'Kitchen' }, { title: 'Balcony' }],
    })
  })

  it('201: one event for the recurrence, and one for its tasks', async ({ ada, db }) => {
    await createRecurrence(ada, every3)
    const events = await eventsOf(db, ada)
    expect(events.map(({ type }) => type)).toEqual(['recurrence.created', 'task.created'])
  })

  it.for<[string, object, string]>([
    ['rule', { rule: 'every friday' }, 'Must be a recurrence rule like FREQ=WEEKLY;BYDAY=FR'],
    ['rule', { rule: 'FREQ=DAILY;COUNT=3' }, 'Must not have COUNT or UNTIL: use most or endsOn'],
    [
      'rule',
      { rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;BYDAY=MO' },
      'Must have at least one day',
    ],
    ['times', { kind: 'times', rule: 'FREQ=WEEKLY' }, 'Is needed for the kind times'],
    ['times', { times: 3 }, 'Is only for the kind times'],
    ['dueTime', { startTime: '10:00', dueTime: '09:00' }, 'Must be after startTime'],
    ['endsOn', { endsOn: '2026-03-01' }, 'Must not be before startsOn'],
    ['startsOn', { startsOn: '2026-02-30' }, 'There is no such day'],
  ])('400: names the field that failed: %s of %j', async ([field, given, message], { ada }) => {
    const { status, body } = await ada.post(url, { ...daily, ...given })
    expect([status, body.details]).toEqual([400, { [field]: [message] }])
  })

  it('400: a reference to an unknown or another user’s record', async ({ ada, grace }) => {
    const spaceId = (await grace.post('/api/spaces', { name: 'Hers' })).body.id
    for (const task of [{ projectId: unknownId }, { spaceId }, { labelIds: [unknownId] }]) {
      const { status, body } = await ada.post(url, { ...daily, task: { title: 'A', ...task } })
      expect([status, body.field]).toEqual([400, Object.keys(task)[0]])
    }
    expect(await tasksOf(ada)).toEqual([])
  })

  it('409: there are 200 already', async ({ ada, db }) => {
    const id = await createRecurrence(ada, every3)
    await db.pool.query(
      `insert into recurrences (user_id, id, kind, rule, starts_on, start_time, lead_days, missed, task,
                                checklist, words, settled_to, zone)
       select user_id, gen_random_uuid(), kind, rule, starts_on, start_time, lead_days, missed, task,
              checklist, words, settled_to, zone
         from recurrences, generate_series(1, 199) where id = $1`,
      [id],
    )
    expect((await ada.post(url, every3)).status).toBe(409)
  })
})

describe('POST /api/recurrences/preview', () => {
  it('200: the next 20 occurrences and the words; nothing is stored', async ({ ada }) => {
    const given = { kind: 'calendar', rule: 'FREQ=MONTHLY;BYMONTHDAY=31', startsOn: '2026-01-01' }
    const { status, body } = await ada.post(`${url}/preview`, given)

    expect(status).toBe(200)
    expect(body.words).toBe('every month on the 31st (the last day of a shorter month)')
    expect(body.next).toHaveLength(20)
    expect(body.next.slice(0, 2).map(({ day }: { day: string }) => day)).toEqual([
      '2026-03-31',
      '2026-04-30',
    ])
    expect((await ada.get(url)).body).toEqual([])
  })
})

describe('the worker', () => {
  it('makes each occurrence once, however often and late it runs', async ({ ada, db, clock }) => {
    const id = await createRecurrence(ada, { ...daily, missed: 'lapse' })
    await Promise.all([settle(db, ada), settle(db, ada), settle(db, ada)])
    expect(await tasksOf(ada)).toHaveLength(16)

    clock.set('2026-03-03T00:30')
    await Promise.all([settle(db, ada), settle(db, ada)])
    expect(await daysOf(ada)).toHaveLength(16)
    expect((await daysOf(ada)).at(-1)).toBe('03-18')

    clock.set('2026-04-20T08:00')
    await settle(db, ada)
    expect((await daysOf(ada))[0]).toBe('04-20')
    expect(await tasksOf(ada)).toHaveLength(16)
    const { counts } = await occurrencesOf(ada, id)
    expect(counts).toEqual({ open: 16, done: 0, skipped: 0, missed: 49 })
  })

  it('changes all or nothing when it is killed, and makes nothing twice', async ({
    ada,
    db,
    clock,
  }) => {
    await createRecurrence(ada, { ...daily, missed: 'lapse' })
    clock.set('2026-03-05T08:00')
    const before = await tasksOf(ada)
    let kill = 0
    for (let isDead = true; isDead; kill += 1) {
      isDead = await db
        .as({ kind: 'system' })
        .transaction((whole) => settleRecurrences(dyingAfter(whole, kill), ada.id, new Date(time)))
        .then(
          () => false,
          () => true,
        )
      if (isDead) expect(await tasksOf(ada)).toEqual(before)
    }
    expect(kill).toBeGreaterThan(5)
    await settle(db, ada)
    const days = await daysOf(ada)
    expect(days).toHaveLength(16)
    expect(new Set(days).size).toBe(16)
  })

  it('lapse: cancels missed tasks, as the system; wait: keeps only the first one', async ({
    ada,
    grace,
    db,
    clock,
  }) => {
    const lapsing = await createRecurrence(ada, { ...daily, missed: 'lapse' })
    const waiting = await createRecurrence(grace, { ...daily, missed: 'wait' })
    clock.set('2026-03-04T08:00')
    await settle(db, ada)
    await settle(db, grace)

    const range = '?from=2026-03-02&to=2026-03-04'
    expect(await statesOf(ada, lapsing, range)).toEqual([
      '03-02 missed',
      '03-03 missed',
      '03-04 open',
    ])
    expect(await statesOf(grace, waiting, range)).toEqual([
      '03-02 open',
      '03-03 missed',
      '03-04 open',
    ])
    expect((await eventsOf(db, ada)).at(-1)).toMatchObject({ actor: { kind: 'system' } })
    // No further occurrence is made until the waiting one is done.
    expect((await daysOf(grace)).at(-1)).toBe('03-17')
    const [first] = await tasksOf(grace)
    await grace.patch(`/api/tasks/${first!.id}`, { status: 'completed' })
    await settle(db, grace)
    expect((await daysOf(grace)).at(-1)).toBe('03-19')
  })

  it('makes the next one from the day of completion', async ({ ada, db, clock }) => {
    await createRecurrence(ada, every3)
    expect(await daysOf(ada)).toEqual(['03-02'])
    clock.set('2026-03-05T10:00')
    const [task] = await tasksOf(ada)
    await ada.post('/api/tasks/batch', { action: 'complete', taskIds: [task!.id] })
    await settle(db, ada)
    await settle(db, ada)
    expect(await daysOf(ada)).toEqual(['03-08'])
  })

  it('does not make a deleted occurrence again, and recognises it when it is restored', async ({
    ada,
    db,
  }) => {
    const id = await createRecurrence(ada, daily)
    const [, second] = await tasksOf(ada)
    await ada.delete(`/api/tasks/${second!.id}?permanent=true`)
    await settle(db, ada)
    expect(await daysOf(ada)).not.toContain('03-03')
    expect(await statesOf(ada, id, '?from=2026-03-03&to=2026-03-03')).toEqual(['03-03 skipped'])

    expect((await revertLast(ada, 'task.deleted')).status).toBe(200)
    await settle(db, ada)
    const { occurrences } = await occurrencesOf(ada, id, '?from=2026-03-03&to=2026-03-03')
    expect(occurrences).toMatchObject([{ state: 'open', taskId: second!.id }])
  })

  it('makes tasks without references that no longer exist', async ({ ada, db, clock }) => {
    const spaceId = (await ada.post('/api/spaces', { name: 'Home' })).body.id
    const labelId = (await ada.post('/api/labels', { name: 'plants' })).body.id
    await createRecurrence(ada, {
      ...daily,
      missed: 'lapse',
      task: { title: 'Water', spaceId, labelIds: [labelId] },
    })
    await ada.delete(`/api/spaces/${spaceId}`)
    await ada.delete(`/api/labels/${labelId}`)
    clock.set('2026-03-04T08:00')
    await settle(db, ada)
    expect((await tasksOf(ada)).at(-1)).toMatchObject({ spaceId: null, labels: [] })
  })

  it('computes open occurrences again when the time zone changes', async ({ ada, db }) => {
    await createRecurrence(ada, { ...daily, dueTime: '09:00' })
    const [, , moved] = await tasksOf(ada)
    await ada.patch(`/api/tasks/${moved!.id}`, { dueAt: '2026-03-04T20:00:00Z' })
    await ada.patch('/api/user', { timezone: 'Asia/Tokyo' })
    await settle(db, ada)
    const due = (await tasksOf(ada)).map(({ dueAt }) => dueAt.slice(5, 16))
    // 09:00 in Tokyo is 00:00 UTC, so the task of 2 March is due at once. The edited task keeps its time.
    expect(due.slice(0, 4)).toEqual(['03-02T00:00', '03-03T00:00', '03-04T20:00', '03-05T00:00'])
  })
})

describe('PATCH /api/recurrences/{id}', () => {
  it('200: open occurrences follow, except edited ones', async ({ ada }) => {
    const id = await createRecurrence(ada, daily)
    const [, second] = await tasksOf(ada)
    await ada.patch(`/api/tasks/${second!.id}`, { title: 'Only mine' })

    const { body } = await ada.patch(`${url}/${id}`, {
      dueTime: '12:00',
      task: { title: 'Water all', priority: 'high' },
    })

    expect(body).toMatchObject({ dueTime: '12:00', task: { title: 'Water all', priority: 'high' } })
    const tasks = await tasksOf(ada)
    expect(tasks.slice(0, 3).map(({ title, dueAt }) => [title, dueAt.slice(8, 16)])).toEqual([
      ['Water all', '02T12:00'],
      ['Only mine', '03T23:59'],
      ['Water all', '04T12:00'],
    ])
    expect(tasks).toHaveLength(16)
  })

  it('200: with another rule, tasks move to its days and the rest is archived', async ({
    ada,
    db,
  }) => {
    const id = await createRecurrence(ada, daily)
    const before = await tasksOf(ada)
    await ada.patch(`${url}/${id}`, { rule: 'FREQ=WEEKLY;BYDAY=FR' })

    expect(await daysOf(ada)).toEqual(['03-06', '03-13'])
    const ids = before.map((task) => task.id)
    expect((await tasksOf(ada)).every((task) => ids.includes(task.id))).toBe(true)
    await settle(db, ada)
    expect(await daysOf(ada)).toEqual(['03-06', '03-13'])
    await ada.patch(`${url}/${id}`, { rule: 'FREQ=DAILY' })
    expect(await daysOf(ada)).toHaveLength(16)
    expect((await ada.get(url)).body).toHaveLength(1)
  })

  it('200: a skipped occurrence stays skipped', async ({ ada }) => {
    const id = await createRecurrence(ada, { ...daily, rule: 'FREQ=WEEKLY;BYDAY=FR' })
    await ada.post(`${url}/${id}/skip`, { day: '2026-03-06' })
    await ada.patch(`${url}/${id}`, { rule: 'FREQ=WEEKLY;BYDAY=WE,FR' })
    expect(await daysOf(ada)).toEqual(['03-04', '03-11', '03-13'])
  })

  it('200: a revert restores the days', async ({ ada }) => {
    const id = await createRecurrence(ada, { ...daily, rule: 'FREQ=WEEKLY;BYDAY=FR' })
    await ada.patch(`${url}/${id}`, { rule: 'FREQ=WEEKLY;BYDAY=MO', dueTime: '10:00' })
    expect(await daysOf(ada)).toEqual(['03-02', '03-09', '03-16'])
    expect((await revertLast(ada, 'recurrence.updated')).status).toBe(200)
    expect(await daysOf(ada)).toEqual(['03-06', '03-13'])
  })

  it('400: invalid changes; 404: another user’s recurrence', async ({ ada, grace }) => {
    const id = await createRecurrence(ada, daily)
    expect((await ada.patch(`${url}/${id}`, {})).status).toBe(400)
    expect((await ada.patch(`${url}/${id}`, { endsOn: '2026-01-01' })).status).toBe(400)
    expect((await grace.patch(`${url}/${id}`, { leadDays: 1 })).status).toBe(404)
  })
})

describe('POST /api/recurrences/{id}/split', () => {
  it('201: another recurrence follows, without duplicates', async ({ ada, db }) => {
    const id = await createRecurrence(ada, daily)
    const done = (await tasksOf(ada)).find(({ dueAt }) => dueAt.startsWith('2026-03-06'))!
    await ada.patch(`/api/tasks/${done.id}`, { title: 'Mine' })
    await ada.post(`${url}/${id}/skip`, { day: '2026-03-07' })

    const { status, body } = await ada.post(`${url}/${id}/split`, {
      from: '2026-03-05',
      dueTime: '18:00',
      task: { title: 'In the evening' },
    })

    expect([status, body.follows, body.startsOn]).toEqual([201, id, '2026-03-05'])
    await settle(db, ada)
    const tasks = await tasksOf(ada)
    expect(tasks.slice(0, 6).map(({ title, dueAt }) => `${dueAt.slice(8, 16)} ${title}`)).toEqual([
      '02T23:59 Water the plants',
      '03T23:59 Water the plants',
      '04T23:59 Water the plants',
      '05T18:00 In the evening',
      '06T23:59 Mine',
      '08T18:00 In the evening',
    ])
    expect(tasks).toHaveLength(15)
    expect((await ada.get(`${url}/${id}`)).body.endsOn).toBe('2026-03-04')
  })

  it('201: reverting both events, newest first, restores the series', async ({ ada, db }) => {
    const id = await createRecurrence(ada, daily)
    await ada.post(`${url}/${id}/skip`, { day: '2026-03-07' })
    const before = await daysOf(ada)
    await ada.post(`${url}/${id}/split`, { from: '2026-03-05', rule: 'FREQ=WEEKLY' })
    const { body } = await ada.get('/api/history?limit=100')
    const of = (type: string) =>
      (body.events as { id: string; type: string }[]).find((each) => each.type === type)!.id
    expect((await ada.post(`/api/history/${of('recurrence.created')}/revert`)).status).toBe(200)
    expect((await ada.post(`/api/history/${of('recurrence.updated')}/revert`)).status).toBe(200)
    await settle(db, ada)
    expect(await daysOf(ada)).toEqual(before)
  })

  it('400: from the first day, or from a day within a period', async ({ ada }) => {
    const id = await createRecurrence(ada, daily)
    expect((await ada.post(`${url}/${id}/split`, { from: '2026-03-02' })).status).toBe(400)
    const gym = await createRecurrence(ada, {
      ...daily,
      kind: 'times',
      rule: 'FREQ=WEEKLY',
      times: 3,
    })
    expect((await ada.post(`${url}/${gym}/split`, { from: '2026-03-11' })).status).toBe(400)
    expect((await ada.post(`${url}/${gym}/split`, { from: '2026-03-09' })).status).toBe(201)
  })
})

describe('skipping', () => {
  it('archives the task, and unskipping opens it again', async ({ ada, db }) => {
    const id = await createRecurrence(ada, daily)
    const { status, body } = await ada.post(`${url}/${id}/skip`, { day: '2026-03-03' })
    expect([status, body.state]).toEqual([200, 'skipped'])
    await settle(db, ada)
    expect(await daysOf(ada)).not.toContain('03-03')

    expect((await ada.post(`${url}/${id}/unskip`, { day: '2026-03-03' })).body.state).toBe('open')
    await ada.post(`${url}/${id}/skip`, { day: '2026-03-03' })
    expect((await revertLast(ada, 'task.updated')).status).toBe(200)
    expect(await daysOf(ada)).toContain('03-03')
  })

  it('is possible before the task exists', async ({ ada, db, clock }) => {
    const id = await createRecurrence(ada, { ...daily, missed: 'lapse' })
    expect((await ada.post(`${url}/${id}/skip`, { day: '2026-04-01' })).body.state).toBe('skipped')
    clock.set('2026-03-31T08:00')
    await settle(db, ada)
    expect((await daysOf(ada)).slice(0, 2)).toEqual(['03-31', '04-02'])
  })

  it('404: a day that the recurrence does not have', async ({ ada, grace }) => {
    const id = await createRecurrence(ada, { ...daily, rule: 'FREQ=WEEKLY;BYDAY=FR' })
    expect((await ada.post(`${url}/${id}/skip`, { day: '2026-03-05' })).status).toBe(404)
    expect((await ada.post(`${url}/${id}/skip`, { day: '2026-02-27' })).status).toBe(404)
    expect((await ada.post(`${url}/${id}/unskip`, { day: '2026-06-05' })).status).toBe(404)
    expect((await grace.post(`${url}/${id}/skip`, { day: '2026-03-06' })).status).toBe(404)
  })
})

describe('pausing', () => {
  it('neither creates nor cancels tasks, and days without a task do not count as missed', async ({
    ada,
    db,
    clock,
  }) => {
    const id = await createRecurrence(ada, { ...daily, missed: 'lapse' })
    expect((await ada.post(`${url}/${id}/pause`)).body.pausedAt).toBe('2026-03-02T08:00:00.000Z')
    clock.set('2026-03-20T08:00')
    await settle(db, ada)
    expect(await daysOf(ada)).toHaveLength(16)

    const { body } = await ada.post(`${url}/${id}/resume`)
    expect(body.pausedAt).toBeNull()
    expect((await daysOf(ada)).slice(0, 1)).toEqual(['03-20'])
    expect((await occurrencesOf(ada, id)).counts).toMatchObject({ missed: 16, open: 16 })
    expect((await revertLast(ada, 'recurrence.updated')).status).toBe(200)
    expect((await ada.get(`${url}/${id}`)).body.pausedAt).not.toBeNull()
  })
})

describe('DELETE /api/recurrences/{id}', () => {
  it('200: archives open occurrences; a revert restores all of it', async ({ ada, db }) => {
    const id = await createRecurrence(ada, daily)
    const [first, second] = await tasksOf(ada)
    await ada.patch(`/api/tasks/${first!.id}`, { status: 'completed' })
    await ada.delete(`/api/tasks/${second!.id}`)
    expect((await ada.delete(`${url}/${id}`)).status).toBe(200)
    await settle(db, ada)
    expect(await tasksOf(ada)).toEqual([])
    expect((await ada.get(`${url}/${id}`)).status).toBe(404)
    expect((await ada.delete(`${url}/${id}`)).status).toBe(404)

    expect((await revertLast(ada, 'recurrence.deleted')).status).toBe(200)
    await settle(db, ada)
    expect((await daysOf(ada)).slice(0, 2)).toEqual(['03-04', '03-05'])
    expect(await tasksOf(ada)).toHaveLength(14)
  })

  it('200: with open=keep the occurrences stay as plain tasks', async ({ ada, db }) => {
    const id = await createRecurrence(ada, daily)
    expect((await ada.delete(`${url}/${id}?open=keep`)).status).toBe(200)
    await settle(db, ada)
    const tasks = await tasksOf(ada)
    expect(tasks).toHaveLength(16)
    expect((await ada.get(`/api/tasks/${tasks[0]!.id}/recurrence`)).body).toEqual(none)
  })

  it('200: reverting the creation deletes it', async ({ ada }) => {
    await createRecurrence(ada, daily)
    expect((await revertLast(ada, 'recurrence.created')).status).toBe(200)
    expect((await ada.get(url)).body).toEqual([])
    expect(await tasksOf(ada)).toEqual([])
  })
})

describe('GET /api/recurrences/coming', () => {
  const coming = async (person: Person, from: string, to: string) => {
    const { status, body } = await person.get(`${url}/coming?from=${from}&to=${to}`)
    expect(status, JSON.stringify(body)).toBe(200)
    return (body as { title: string; dueAt: string }[]).map(
      ({ title, dueAt }) => `${title} ${dueAt.slice(5, 10)}`,
    )
  }
  const weekly = { ...daily, rule: 'FREQ=WEEKLY;BYDAY=MO', task: { title: 'Report' } }

  it('200: the occurrences of all recurrences that have no task yet, by due date', async ({
    ada,
    grace,
  }) => {
    await createRecurrence(ada, weekly)
    await createRecurrence(ada, { ...daily, most: 20 })
    await createRecurrence(ada, every3)
    await createRecurrence(grace, weekly)
    const paused = await createRecurrence(ada, weekly)
    await ada.post(`${url}/${paused}/pause`)

    // Tasks exist until 17 March; the daily recurrence has four more occurrences.
    expect(await coming(ada, '2026-03-10', '2026-03-24')).toEqual([
      'Water the plants 03-18',
      'Water the plants 03-19',
      'Water the plants 03-20',
      'Water the plants 03-21',
      'Report 03-23',
    ])
    expect(await coming(ada, '2026-03-20', '2026-03-20')).toEqual(['Water the plants 03-20'])
  })

  it('200: without an occurrence that was skipped before it had a task', async ({ ada }) => {
    const id = await createRecurrence(ada, weekly)
    await ada.post(`${url}/${id}/skip`, { day: '2026-03-23' })
    expect(await coming(ada, '2026-03-18', '2026-03-31')).toEqual(['Report 03-30'])
  })

  it('400: a range that is reversed, too long or too far away', async ({ ada }) => {
    for (const range of [
      'from=2026-03-03&to=2026-03-02',
      'from=2026-03-02&to=2026-05-04',
      'from=2027-03-01&to=2027-03-04',
      'from=2026-03-02',
    ]) {
      expect((await ada.get(`${url}/coming?${range}`)).status).toBe(400)
    }
  })
})

describe('GET /api/recurrences/{id}/occurrences', () => {
  it('200: done, open and coming occurrences, with counts', async ({ ada }) => {
    const id = await createRecurrence(ada, { ...daily, rule: 'FREQ=WEEKLY;BYDAY=FR' })
    const [first] = await tasksOf(ada)
    await ada.patch(`/api/tasks/${first!.id}`, { status: 'completed' })
    const { occurrences, counts } = await occurrencesOf(ada, id, '?from=2026-03-01&to=2026-03-28')
    expect(occurrences.map(({ day, state }) => [day, state])).toEqual([
      ['2026-03-06', 'done'],
      ['2026-03-13', 'open'],
      ['2026-03-20', 'coming'],
      ['2026-03-27', 'coming'],
    ])
    expect(counts).toEqual({ open: 1, done: 1, skipped: 0, missed: 0 })
  })

  it('400: a range that is too long, or too far away', async ({ ada }) => {
    const path = `${url}/${await createRecurrence(ada, daily)}/occurrences`
    expect((await ada.get(`${path}?from=2026-01-01&to=2027-06-01`)).status).toBe(400)
    expect((await ada.get(`${path}?from=2099-01-01`)).status).toBe(400)
    expect((await ada.get(`${path}?from=2026-03-09&to=2026-03-01`)).status).toBe(400)
  })
})

describe('/api/tasks/{id}/recurrence', () => {
  it('200: the recurrence, and which occurrence the task is', async ({ ada, grace }) => {
    const id = await createRecurrence(ada, daily)
    const [first] = await tasksOf(ada)
    const path = `/api/tasks/${first!.id}/recurrence`
    expect((await ada.get(path)).body).toMatchObject({
      recurrence: { id },
      occurrence: { day: '2026-03-02', nth: 1, state: 'open' },
    })
    expect((await grace.get(path)).status).toBe(404)
  })

  it('201: a task becomes the first occurrence of a new recurrence', async ({ ada, db }) => {
    const task = (
      await ada.post('/api/tasks', {
        title: 'Call',
        priority: 'high',
        dueAt: '2026-03-03T10:00:00Z',
      })
    ).body
    const path = `/api/tasks/${task.id}/recurrence`
    const rule = { kind: 'calendar', rule: 'FREQ=WEEKLY;BYDAY=TU', startsOn: '2026-03-02' }
    const { status, body } = await ada.post(path, rule)

    expect([status, body.task.priority, body.words]).toEqual([201, 'high', 'every Tuesday'])
    await settle(db, ada)
    const tasks = await tasksOf(ada)
    expect(tasks.map(({ id, dueAt }) => [id === task.id, dueAt.slice(5, 16)])).toEqual([
      [true, '03-03T10:00'],
      [false, '03-10T23:59'],
      [false, '03-17T23:59'],
    ])
    expect((await ada.post(path, rule)).status).toBe(409)
    await ada.delete(`${url}/${body.id}?open=keep`)
    expect((await ada.post(path, rule)).status).toBe(201)
  })

  it('201: a task without a due date gets the times of the first occurrence', async ({ ada }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Call' })
    const rule = { kind: 'calendar', rule: 'FREQ=WEEKLY;BYDAY=TU', startsOn: '2026-03-02' }
    await ada.post(`/api/tasks/${task.id}/recurrence`, rule)
    expect((await ada.get(`/api/tasks/${task.id}`)).body).toMatchObject({
      startAfter: '2026-03-03T00:00:00.000Z',
      dueAt: '2026-03-03T23:59:00.000Z',
    })
  })

  it('201: after a revert the task stays, but no longer recurs', async ({ ada }) => {
    const task = (await ada.post('/api/tasks', { title: 'Call', dueAt: '2026-03-03T10:00:00Z' }))
      .body
    const path = `/api/tasks/${task.id}/recurrence`
    const rule = { kind: 'calendar', rule: 'FREQ=WEEKLY;BYDAY=TU', startsOn: '2026-03-02' }
    await ada.post(path, rule)

    expect((await revertLast(ada, 'recurrence.created')).status).toBe(200)
    expect(await tasksOf(ada)).toMatchObject([{ id: task.id, status: 'todo' }])
    expect((await ada.get(path)).body).toEqual(none)
  })
})
