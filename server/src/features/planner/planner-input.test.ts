// What a run is told about tasks, blocks and settings. It is Monday 08:00 UTC.
import { gunzipSync } from 'node:zlib'
import { caller, describe, expect, it, type Person, testApp } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'

const create = async (person: Person, path: string, body: object) => {
  const answer = await person.post(path, body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return answer.body.id as string
}
const newTask = (person: Person, body: object = {}) =>
  create(person, '/api/tasks', { title: 'Write', estimateMinutes: 60, ...body })

/** Windows of one hour on every day. */
const windowsAt = (person: Person, hour: number) => {
  const clock = (at: number) => `${String(at).padStart(2, '0')}:00`
  const windows = [{ day: [0, 1, 2, 3, 4, 5, 6], start: clock(hour), end: clock(hour + 1) }]
  return create(person, '/api/schedule-preferences', { name: `At ${hour}`, windows })
}

const startOf = async (person: Person, taskId: string) => {
  const { body } = await person.get('/api/time-blocks?from=2026-03-02&to=2026-04-01')
  return body.find((block: { taskId: string }) => block.taskId === taskId)?.startAt.slice(11, 16)
}

const inputOf = async (db: Database, { id }: Person) => {
  const { rows } = await db.pool.query<{ input: Buffer }>(
    'select input from planner_runs where user_id = $1 order by id desc limit 1',
    [id],
  )
  return JSON.parse(gunzipSync(rows[0]?.input ?? '').toString())
}

describe('windows', () => {
  it('are those of the task, project, space or account, whichever is nearest', async ({ ada }) => {
    const [ofTask, ofProject, ofSpace, ofAccount] = [
      await windowsAt(ada, 11),
      await windowsAt(ada, 13),
      await windowsAt(ada, 15),
      await windowsAt(ada, 18),
    ]
    await ada.patch('/api/settings', { schedulePreferenceId: ofAccount })
    const spaceId = await create(ada, '/api/spaces', { name: 'Home' })
    await ada.put(`/api/spaces/${spaceId}/default-schedule`, { schedulePreferenceId: ofSpace })
    const projectId = await create(ada, '/api/projects', { name: 'Garden' })
    await ada.put(`/api/projects/${projectId}/default-schedule`, {
      schedulePreferenceId: ofProject,
    })
    const inSpace = await create(ada, '/api/projects', { name: 'House', spaceId })
    const own = { schedulePreferenceId: ofTask }
    const tasks = {
      '11:00': await newTask(ada, { ...own, projectId, spaceId }),
      '13:00': await newTask(ada, { projectId, spaceId }),
      '15:00': await newTask(ada, { projectId: inSpace }),
      '18:00': await newTask(ada),
    }

    await ada.post('/api/planner')

    for (const [start, task] of Object.entries(tasks)) {
      expect({ start: await startOf(ada, task) }).toEqual({ start })
    }
  })

  it('are the default ones if none are set', async ({ ada }) => {
    const task = await newTask(ada)

    await ada.post('/api/planner')

    expect(await startOf(ada, task)).toBe('09:00')
  })
})

describe('a task without an estimate', () => {
  it('is not planned, but named by the run and the preview', async ({ ada }) => {
    const taskId = await newTask(ada, { title: 'Think', estimateMinutes: null })
    await newTask(ada, { estimateMinutes: 0 })
    await newTask(ada, { estimateMinutes: null, autoSchedule: false })
    await newTask(ada, { estimateMinutes: null, status: 'completed' })
    const needsEstimate = [{ taskId, title: 'Think' }]

    expect((await ada.post('/api/planner/preview')).body).toMatchObject({ needsEstimate })
    const { body } = await ada.post('/api/planner')

    expect(body).not.toHaveProperty('needsEstimate')
    expect(await startOf(ada, taskId)).toBe(undefined)
    const { runs } = (await ada.get('/api/planner/runs')).body
    expect((await ada.get(`/api/planner/runs/${runs[0].id}`)).body).toMatchObject({ needsEstimate })
  })

  it('is planned with the length that the user assumes', async ({ ada }) => {
    await ada.patch('/api/settings', { assumedMinutes: 45 })
    await newTask(ada, { estimateMinutes: null })

    const { body } = await ada.post('/api/planner/preview')

    expect(body.blocks.added).toMatchObject([
      { startAt: '2026-03-02T09:00:00.000Z', endAt: '2026-03-02T09:45:00.000Z' },
    ])
    expect(body.needsEstimate).toEqual([])
  })
})

describe('the planner is told', () => {
  const today = { startAt: '2026-03-02T06:00:00Z', endAt: '2026-03-02T07:00:00Z' }

  it('the preferences for a day, without those that are off', async ({ ada, db }) => {
    await ada.post('/api/planner')
    expect(await inputOf(db, ada)).not.toMatchObject({ preferences: { bufferMinutes: 10 } })

    const lunch = { from: '11:30', to: '14:00', minutes: 45 }
    await ada.patch('/api/settings', { planning: { lunch, bufferMinutes: 10, focusHours: null } })
    await ada.post('/api/planner')

    expect((await inputOf(db, ada)).preferences).toEqual({ lunch, bufferMinutes: 10 })
  })

  it.for([
    ['lunch', { lunch: { from: '11:30', to: '14:00', minutes: 45 } }],
    ['the daily limit', { dailyLimitMinutes: 240 }],
  ] as const)('all blocks of the day, if %s counts them', async ([, planning], { ada, db }) => {
    const closed = await newTask(ada, { status: 'completed' })
    const block = await create(ada, '/api/time-blocks', { taskId: closed, ...today })
    const blocks = async () => {
      await ada.post('/api/planner')
      return (await inputOf(db, ada)).blocks.map(({ id }: { id: string }) => id)
    }

    expect(await blocks()).toEqual([])
    await ada.patch('/api/settings', { planning })
    expect(await blocks()).toEqual([block])
  })

  it('until when a block that was completed early is busy', async ({ ada, db }) => {
    const taskId = await newTask(ada)
    const running = { startAt: '2026-03-02T07:30:00Z', endAt: '2026-03-02T08:30:00Z' }
    const id = await create(ada, '/api/time-blocks', { taskId, ...running })
    const busyUntil = async (completedAt: string) => {
      await db.pool.query(
        `update time_blocks set status = 'completed', completed_at = $2 where id = $1`,
        [id, completedAt],
      )
      await ada.post('/api/planner')
      const [block] = (await inputOf(db, ada)).blocks
      return block.busyUntil && new Date(block.busyUntil).toISOString()
    }

    expect(await busyUntil('2026-03-02T07:50:00Z')).toBe('2026-03-02T07:50:00.000Z')
    expect(await busyUntil('2026-03-02T07:00:00Z')).toBe('2026-03-02T07:30:00.000Z')
    expect(await busyUntil('2026-03-02T08:30:00Z')).toBe(null)
  })

  it('how and when it explained its blocks before', async ({ ada, db, now }) => {
    await newTask(ada)
    await ada.post('/api/planner')
    const [block] = (await ada.get('/api/time-blocks?from=2026-03-02&to=2026-04-01')).body

    await ada.post('/api/planner')

    expect((await inputOf(db, ada)).blocks).toMatchObject([
      { id: block.id, explanation: block.explanation, plannedAt: now.getTime() },
    ])
  })
})

describe('an occurrence of recurring work', () => {
  const evenings = { name: 'Evenings', windows: [{ day: [0, 1, 2, 3, 4, 5, 6], start: '17:00', end: '21:00' }] } // prettier-ignore
  const habitOf = async (ada: Person, given: object = {}) =>
    create(ada, '/api/recurrences', {
      kind: 'times',
      rule: 'FREQ=WEEKLY',
      times: 3,
      startsOn: '2026-03-02',
      preferredTime: '18:00',
      task: {
        title: 'Gym',
        estimateMinutes: 60,
        schedulePreferenceId: await create(ada, '/api/schedule-preferences', evenings),
      },
      ...given,
    })
  const gymTimes = async (ada: Person) => {
    const { body } = await ada.get('/api/time-blocks?from=2026-03-02&to=2026-03-09')
    return body
      .filter(({ status }: { status: string }) => status !== 'cancelled')
      .map(({ startAt }: { startAt: string }) => startAt.slice(5, 16))
      .toSorted()
  }

  it('is planned before it lapses, on a day of its own, near the preferred time', async ({
    ada,
    db,
  }) => {
    const series = await habitOf(ada)
    await ada.post('/api/planner')

    expect(await gymTimes(ada)).toEqual(['03-02T18:00', '03-04T18:00', '03-06T18:00'])
    const { tasks } = await inputOf(db, ada)
    expect(tasks[0].recurring).toEqual({
      notAfter: tasks[0].dueAt,
      series,
      doneAt: null,
      preferredTime: '18:00',
    })
  })

  it('is not planned on a day on which another one was done', async ({ ada, db }) => {
    await habitOf(ada)
    const { body } = await ada.get('/api/tasks')
    const first = body.data.find(({ dueAt }: { dueAt: string }) => dueAt.startsWith('2026-03-04'))
    const second = body.data.find(({ dueAt }: { dueAt: string }) => dueAt.startsWith('2026-03-06'))
    await ada.patch(`/api/tasks/${second.id}`, { startAfter: '2026-03-02T00:00:00Z' })
    await ada.patch(`/api/tasks/${first.id}`, { status: 'completed' })
    const doneAt = '2026-03-02T07:00:00.000Z'
    await db.pool.query('update tasks set completed_at = $1 where user_id = $2 and id = $3', [
      doneAt,
      ada.id,
      first.id,
    ])
    await ada.post('/api/planner')

    const { tasks } = await inputOf(db, ada)
    expect(tasks[0].recurring.doneAt).toBe(Date.parse(doneAt))
    expect((await gymTimes(ada))[0]).toBe('03-03T18:00')
  })

  it('may share a day with others if the rule requires it', async ({ ada, db }) => {
    await habitOf(ada, { rule: 'FREQ=DAILY', times: 2 })
    await ada.post('/api/planner')

    const { tasks } = await inputOf(db, ada)
    expect(tasks[0].recurring).toMatchObject({ series: null, notAfter: expect.any(Number) })
    expect((await gymTimes(ada)).slice(0, 2)).toEqual(['03-02T17:00', '03-02T18:00'])
  })

  it('has no latest time if missed work is kept until it is done', async ({ ada, db }) => {
    await habitOf(ada, { missed: 'wait' })
    await ada.post('/api/planner')

    const { tasks } = await inputOf(db, ada)
    expect(tasks[0].recurring).toEqual({
      notAfter: null,
      series: null,
      doneAt: null,
      preferredTime: '18:00',
    })
  })

  it('moves if the preferred time changes', async ({ ada }) => {
    const series = await habitOf(ada)
    await ada.post('/api/planner')
    await ada.patch(`/api/recurrences/${series}`, { preferredTime: '19:30' })
    await ada.post('/api/planner')

    expect((await gymTimes(ada))[0]).toBe('03-02T19:30')
  })
})

describe('the bound of the last run', () => {
  it('is part of the input while only time has passed', async ({ ada, db }) => {
    const boundOf = async () => {
      await ada.post('/api/planner')
      return (await inputOf(db, ada)).previousBound
    }
    const task = await newTask(ada)
    expect(await boundOf()).toBe(null)
    const [{ bound, version }] = (await ada.get('/api/planner/runs')).body.runs
    expect(await boundOf()).toEqual({ ...bound, version })

    await ada.patch(`/api/tasks/${task}`, { estimateMinutes: 90 })
    expect(await boundOf()).toBe(null)
  })
})

describe('the tasks that have changed since the last run', () => {
  const planAndListChanged = async (person: Person, db: Database) => {
    await person.post('/api/planner')
    return (await inputOf(db, person)).changed
  }

  it('are unknown before the first run, and none after a run', async ({ ada, db }) => {
    await newTask(ada)

    expect(await planAndListChanged(ada, db)).toBe(null)
    expect(await planAndListChanged(ada, db)).toEqual([])
  })

  it('are those that were created, edited, closed, deleted or made to wait', async ({
    ada,
    db,
  }) => {
    const tasks = []
    for (let count = 0; count < 5; count += 1) tasks.push(await newTask(ada))
    const [edited, closed, deleted, waiting, other] = tasks
    await ada.post('/api/planner')
    await ada.patch(`/api/tasks/${edited}`, { priority: 'high' })
    await ada.patch(`/api/tasks/${closed}`, { status: 'completed' })
    await ada.delete(`/api/tasks/${deleted}?permanent=true`)
    await ada.post(`/api/tasks/${waiting}/dependencies`, { dependsOnTaskId: other })
    const created = await newTask(ada)

    const found = new Set(await planAndListChanged(ada, db))
    expect(found).toEqual(new Set([edited, closed, deleted, waiting, created]))
    expect(await planAndListChanged(ada, db)).toEqual([])
  })

  it('include those whose planned blocks were completed or missed', async ({ ada, db }) => {
    const task = await newTask(ada)
    await ada.post('/api/planner')
    const [block] = (await ada.get('/api/time-blocks?from=2026-03-02&to=2026-04-01')).body
    await ada.patch(`/api/time-blocks/${block.id}`, { status: 'completed' })
    expect(await planAndListChanged(ada, db)).toEqual([task])

    const missed = await newTask(ada)
    await ada.post('/api/planner')
    await db.pool.query(
      `update time_blocks set start_at = '2026-03-02T06:00Z', end_at = '2026-03-02T07:00Z'
        where user_id = $1 and task_id = $2 and status = 'scheduled'`,
      [ada.id, missed],
    )
    expect(await planAndListChanged(ada, db)).toEqual([missed])
  })

  it('include the occurrences of a recurrence, but not the recurrence', async ({ ada, db }) => {
    await newTask(ada)
    await ada.post('/api/planner')
    const recurrence = await create(ada, '/api/recurrences', {
      kind: 'calendar',
      rule: 'FREQ=WEEKLY',
      startsOn: '2026-03-06',
      task: { title: 'Report' },
    })
    const { occurrences } = (await ada.get(`/api/recurrences/${recurrence}/occurrences`)).body
    const made = occurrences.map(({ taskId }: { taskId: string | null }) => taskId).filter(Boolean)

    expect(made.length).toBeGreaterThan(0)
    expect(new Set(await planAndListChanged(ada, db))).toEqual(new Set(made))
  })

  it('are given to the planner with the times that cancelled, deleted or moved blocks freed', async ({
    ada,
    db,
  }) => {
    const tasks = []
    for (let count = 0; count < 4; count += 1) tasks.push(await newTask(ada))
    await ada.post('/api/planner')
    const blocks = (await ada.get('/api/time-blocks?from=2026-03-02&to=2026-04-01')).body
    const blockOf = (task?: string) =>
      blocks.find(({ taskId }: { taskId: string }) => taskId === task)
    const [closed, skipped, started] = tasks.map(blockOf)
    await ada.patch(`/api/tasks/${closed.taskId}?blocks=cancel`, { status: 'completed' })
    const until = '2026-03-04T00:00:00Z'
    await ada.post(`/api/time-blocks/${skipped.id}/skip`, { until })
    await ada.post(`/api/time-blocks/${started.id}/start`)

    await ada.post('/api/planner')

    expect((await inputOf(db, ada)).freed).toEqual(
      [closed, skipped, started].map(({ startAt, endAt }) => ({
        startAt: Date.parse(startAt),
        endAt: Date.parse(endAt),
      })),
    )
    await ada.post('/api/planner')
    expect((await inputOf(db, ada)).freed).toEqual([])
  })

  it('are given to the planner with the unused time of blocks that were stopped early', async ({
    ada,
    db,
    now,
  }) => {
    await newTask(ada)
    await ada.post('/api/planner')
    const [{ id }] = (await ada.get('/api/time-blocks?from=2026-03-02&to=2026-04-01')).body
    const { body: started } = await ada.post(`/api/time-blocks/${id}/start`)
    await ada.post('/api/planner')
    const app = await testApp(db, () => new Date(now.getTime() + 25 * 60_000))
    const later = caller(app, { authorization: `Bearer ${ada.key}` })
    const { body: stopped } = await later.post(`/api/time-blocks/${id}/stop`)

    await ada.post('/api/planner')

    expect(stopped.endAt < started.endAt).toBe(true)
    expect((await inputOf(db, ada)).freed).toEqual([
      { startAt: Date.parse(stopped.endAt), endAt: Date.parse(started.endAt) },
    ])
  })

  it('do not include those with only another title or label', async ({ ada, db }) => {
    const task = await newTask(ada)
    const label = await create(ada, '/api/labels', { name: 'home' })
    await ada.post('/api/planner')
    await ada.patch(`/api/tasks/${task}`, { title: 'Read', description: 'A book', sortOrder: 3 })
    await ada.patch(`/api/tasks/${task}`, { labelIds: [label] })
    await ada.delete(`/api/labels/${label}`)
    await create(ada, '/api/checklist-items', { taskId: task, title: 'Buy it' })

    expect(await planAndListChanged(ada, db)).toEqual([])
  })

  it.for([
    ['a setting', (ada: Person) => ada.patch('/api/settings', { assumedMinutes: 30 })],
    ['the time zone', (ada: Person) => ada.patch('/api/user', { timezone: 'Asia/Tokyo' })],
    [
      'a hand-placed block',
      async (ada: Person) => {
        const span = { startAt: '2026-03-05T06:00:00Z', endAt: '2026-03-05T07:00:00Z' }
        return ada.post('/api/time-blocks', { taskId: await newTask(ada), ...span })
      },
    ],
    [
      'windows',
      async (ada: Person) => {
        const windows = [{ day: [1], start: '10:00', end: '11:00' }]
        const id = await windowsAt(ada, 9)
        return ada.patch(`/api/schedule-preferences/${id}`, { windows })
      },
    ],
    [
      'a project',
      async (ada: Person) => {
        const id = await create(ada, '/api/projects', { name: 'Garden' })
        return ada.patch(`/api/projects/${id}`, { autoSchedule: false })
      },
    ],
    [
      'more than 200 things',
      async (ada: Person) => {
        for (let count = 0; count < 201; count += 1) await newTask(ada)
        return { status: 200 }
      },
    ],
  ] as const)('are unknown after a change of %s', async ([, change], { ada, db }) => {
    await ada.post('/api/planner')
    expect((await change(ada)).status).toBeLessThan(300)

    expect(await planAndListChanged(ada, db)).toBe(null)
  })

  it('are unknown if the events since then were deleted', async ({ ada, db }) => {
    await ada.post('/api/planner')
    await newTask(ada)
    await db.pool.query('delete from events where user_id = $1 and seq = 1', [ada.id])

    expect(await planAndListChanged(ada, db)).toBe(null)
  })

  it('include those that changed before a run that was undone', async ({ ada, db }) => {
    await newTask(ada)
    await ada.post('/api/planner')
    const task = await newTask(ada)
    await ada.post('/api/planner')
    const [{ id }] = (await ada.get('/api/planner/runs')).body.runs
    await ada.post(`/api/planner/runs/${id}/undo`)

    expect(await planAndListChanged(ada, db)).toEqual([task])
  })
})
