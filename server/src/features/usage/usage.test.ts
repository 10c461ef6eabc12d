import type { Usage } from '@daywright/contract'
import { describe, expect, it as base, newPerson, type Person, testApp } from '../../../test/it.ts'
import { limitsOf, readConfig } from '../../config.ts'
import { connect } from '../../platform/db/database.ts'
import { defaultLimits, type Limits } from '../../platform/db/usage.ts'
import { writeMorningSummary } from '../notifications/write-morning-summary.ts'
import { applyRetention } from '../../jobs/retention.queries.ts'
import { settleRecurrences } from '../recurrences/settle-recurrences.ts'
import { recountUsage } from './usage.queries.ts'

/** A service with lower limits. */
const withLimits = (limits: Partial<Limits>) =>
  base
    .extend('db', { scope: 'file' }, ({ url }, { onCleanup }) => {
      const db = connect(url, { limits: { ...defaultLimits, ...limits } })
      onCleanup(() => db.end())
      return db
    })
    .extend('app', { scope: 'file' }, ({ db, now }) => testApp(db, () => now))
    .extend('ada', ({ app, db }) => newPerson(app, db))

const it = base
const withLittleRoom = withLimits({
  tasks: 2,
  projects: 1,
  spaces: 1,
  labels: 1,
  documents: 1,
  checklistItems: 1,
  schedulePreferences: 1,
  timeBlocks: 1,
  dependencies: 1,
  documentLinks: 1,
  notifications: 1,
  textBytes: 1_000_000,
})
const withShortHistory = withLimits({ historyBytes: 1_000_000 })
const usageOf = async (person: Person) => {
  const usage = (await person.get('/api/usage')).body as Usage
  return Object.fromEntries(Object.entries(usage).map(([name, { used }]) => [name, used]))
}
const create = async (person: Person, path: string, body: object) => {
  const answer = await person.post(path, body)
  if (answer.status !== 201) throw new Error(JSON.stringify(answer))
  return answer.body as { id: string }
}
const deletionOf = async (person: Person, id: string) =>
  (await person.get(`/api/history?recordId=${id}&limit=1`)).body.events[0].id as string
const windows = [{ day: [1], start: '09:00', end: '10:00' }]

async function fill(person: Person) {
  const space = await create(person, '/api/spaces', { name: 'Work' })
  const project = await create(person, '/api/projects', { name: 'Site', description: 'About it' })
  const label = await create(person, '/api/labels', { name: 'home' })
  const task = await create(person, '/api/tasks', { title: 'Write', description: 'Wörter' })
  const other = await create(person, '/api/tasks', { title: 'Read', estimateMinutes: 60 })
  const document = await create(person, '/api/documents', { title: 'Brief', content: '# Goals' })
  const item = await create(person, '/api/checklist-items', { taskId: task.id, title: 'Begin' })
  const preference = await create(person, '/api/schedule-preferences', { name: 'Day', windows })
  const block = await create(person, '/api/time-blocks', {
    taskId: task.id,
    startAt: '2026-03-03T09:00:00Z',
    endAt: '2026-03-03T10:00:00Z',
  })
  await create(person, `/api/tasks/${task.id}/dependencies`, { dependsOnTaskId: other.id })
  await person.post(`/api/tasks/${task.id}/documents`, { documentId: document.id })
  return { space, project, label, task, other, document, item, preference, block }
}

const everything = {
  tasks: 2,
  projects: 1,
  spaces: 1,
  labels: 1,
  documents: 1,
  checklistItems: 1,
  schedulePreferences: 1,
  timeBlocks: 1,
  dependencies: 1,
  documentLinks: 1,
  textBytes: 8 + 7 + 7,
}

describe('the settings', () => {
  it('give every user the limits that the code has by default', () => {
    expect(limitsOf(readConfig({}))).toEqual(defaultLimits)
    expect(limitsOf(readConfig({ MAX_TASKS: '7', MAX_TEXT_MB: '2' }))).toMatchObject({
      tasks: 7,
      textBytes: 2_000_000,
    })
  })
})

describe('GET /api/usage', () => {
  it('200: zero for a new user', async ({ ada }) => {
    const { status, body } = await ada.get('/api/usage')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      tasks: { used: 0, limit: 50_000 },
      textBytes: { used: 0, limit: 100_000_000 },
    })
  })

  it('200: counts my records, and not another user’s', async ({ ada, grace }) => {
    await fill(grace)

    await fill(ada)

    expect(await usageOf(ada)).toMatchObject(everything)
    expect((await usageOf(ada)).historyBytes).toBeGreaterThan(1000)
  })

  it('200: follows changes, deletions, cascades and reverts', async ({ ada, db, now }) => {
    const { task, other, document, project } = await fill(ada)
    await ada.post('/api/planner')
    const { rows: planned } = await db.pool.query<{ id: string }>(
      `select id from time_blocks where user_id = $1 and source = 'auto'`,
      [ada.id],
    )
    await ada.patch(`/api/time-blocks/${planned[0]?.id}`, {
      startAt: '2026-03-05T09:00:00Z',
      endAt: '2026-03-05T10:00:00Z',
    })
    await ada.patch(`/api/documents/${document.id}`, { content: 'Longer than before' })
    await ada.patch(`/api/projects/${project.id}`, { description: '' })
    const afterwards: Record<string, number>[] = [await usageOf(ada)]
    await ada.delete(`/api/tasks/${task.id}?permanent=true`)
    afterwards.push(await usageOf(ada))
    await ada.post(`/api/history/${await deletionOf(ada, task.id)}/revert`)
    afterwards.push(await usageOf(ada))
    await ada.delete(`/api/documents/${document.id}`)
    await ada.post('/api/tasks/batch', { action: 'delete', taskIds: [other.id] })
    afterwards.push(await usageOf(ada))

    expect(afterwards).toMatchObject([
      { ...everything, timeBlocks: 2, textBytes: 7 + 18 },
      { tasks: 1, checklistItems: 0, dependencies: 0, documentLinks: 0, textBytes: 18 },
      { tasks: 2, checklistItems: 1, dependencies: 1, documentLinks: 1, textBytes: 7 + 18 },
      { tasks: 2, documents: 0, documentLinks: 0, textBytes: 7 },
    ])

    const { historyBytes: _, ...counted } = await usageOf(ada)
    await recountUsage(db, ada.id)
    // Its default space was created by the test itself, without being counted.
    expect(await usageOf(ada)).toMatchObject({ ...counted, spaces: (counted.spaces ?? 0) + 1 })
    await applyRetention(db, ada.id, now)
    expect(await usageOf(ada)).toMatchObject({ ...counted, spaces: (counted.spaces ?? 0) + 1 })
  })
})

describe('a limit', () => {
  const it = withLittleRoom

  it('stops the occurrences of recurrences until there is room', async ({ ada, db, now }) => {
    const rule = { kind: 'calendar', rule: 'FREQ=MONTHLY', startsOn: '2026-03-02', missed: 'pile' }
    const daily = { ...rule, rule: 'FREQ=DAILY', task: { title: 'Water the plants' } }
    expect((await ada.post('/api/recurrences', daily)).status).toBe(403)
    await ada.post('/api/recurrences', { ...rule, task: { title: 'Pay the rent' } })
    const { body: other } = await ada.post('/api/tasks', { title: 'Other' })
    const tomorrow = new Date(now.getTime() + 86_400_000)
    const system = db.asSystemWithin({ key: ada.id })

    expect(await settleRecurrences(system, ada.id, tomorrow)).toBe(false)
    expect(await usageOf(ada)).toMatchObject({ tasks: 2 })
    const { rows } = await db.pool.query(
      'select recurrences_at as at from user_state where user_id = $1',
      [ada.id],
    )
    expect(rows).toEqual([{ at: new Date(tomorrow.getTime() + 3_600_000) }])

    await ada.delete(`/api/tasks/${other.id}?permanent=true`)
    expect(await settleRecurrences(system, ada.id, tomorrow)).toBe(true)
    expect(await usageOf(ada)).toMatchObject({ tasks: 2 })
  })

  it('403: names the limit and writes nothing; existing records can be changed and deleted', async ({
    ada,
  }) => {
    const { task, other, document, label } = await fill(ada)
    const before = await usageOf(ada)
    const { body: history } = await ada.get('/api/history?limit=1')
    const block = { startAt: '2026-03-04T09:00:00Z', endAt: '2026-03-04T10:00:00Z' }
    const refused = [
      await ada.post('/api/tasks', { title: 'One more' }),
      await ada.post('/api/projects', { name: 'One more' }),
      await ada.post('/api/spaces', { name: 'One more' }),
      await ada.post('/api/labels', { name: 'one more' }),
      await ada.post('/api/documents', { title: 'One more' }),
      await ada.post('/api/checklist-items', { taskId: task.id, title: 'One more' }),
      await ada.post('/api/schedule-preferences', { name: 'One more', windows }),
      await ada.post('/api/time-blocks', { taskId: task.id, ...block }),
      await ada.post(`/api/tasks/${other.id}/documents`, { documentId: document.id }),
    ]

    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    expect(refused[0]?.body).toEqual({
      error:
        'You have reached the limit of 2 tasks. Delete what you no longer need, or ask your operator for more.',
    })
    expect(await usageOf(ada)).toEqual(before)
    expect((await ada.get('/api/history?limit=1')).body).toEqual(history)

    expect((await ada.patch(`/api/tasks/${task.id}`, { title: 'Changed' })).status).toBe(200)
    expect((await ada.delete(`/api/labels/${label.id}`)).status).toBe(200)
    expect((await ada.post('/api/labels', { name: 'another' })).status).toBe(201)
    expect((await ada.post('/api/planner')).status).toBe(200)
  })

  it('403: counts the text of documents and descriptions together', async ({ ada }) => {
    const { document, task } = await fill(ada)
    const content = 'x'.repeat(950_000)
    expect((await ada.patch(`/api/documents/${document.id}`, { content })).status).toBe(200)

    const refused = await ada.patch(`/api/tasks/${task.id}`, { description: 'y'.repeat(60_000) })

    expect(refused).toEqual({
      status: 403,
      body: { error: expect.stringContaining('the limit of 1 MB of text') },
    })
    const less = { content: 'x'.repeat(900_000) }
    expect((await ada.patch(`/api/documents/${document.id}`, less)).status).toBe(200)
  })

  it('403: concurrent requests cannot exceed it', async ({ ada }) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        ada.post('/api/tasks', { title: `Task ${number}` }),
      ),
    )

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect((await usageOf(ada)).tasks).toBe(2)
  })

  it('403: also applies to reverting a deletion, which changes nothing', async ({ ada }) => {
    const { task } = await fill(ada)
    await ada.delete(`/api/tasks/${task.id}?permanent=true`)
    const id = await deletionOf(ada, task.id)
    await create(ada, '/api/tasks', { title: 'In its place' })

    expect((await ada.post(`/api/history/${id}/revert`)).status).toBe(403)

    expect(await usageOf(ada)).toMatchObject({ tasks: 2, checklistItems: 0 })
  })

  it('403: of notifications does not count an existing one again', async ({ ada, db }) => {
    await create(ada, '/api/tasks', { title: 'Write', dueAt: '2026-03-02T20:00:00Z' })
    const summary = { type: 'morning_summary' }
    expect((await ada.post('/api/notifications', summary)).status).toBe(200)

    const refused = await ada.post('/api/notifications', { type: 'at_risk' })

    expect(refused).toEqual({
      status: 403,
      body: {
        error:
          'You have reached the limit of 1 notifications. Mark them as read: read notifications are ' +
          'deleted 30 days after they were written.',
      },
    })
    expect((await ada.post('/api/notifications', summary)).status).toBe(200)
    expect((await ada.patch('/api/notifications')).body).toEqual({ markedRead: 1 })
    expect(await usageOf(ada)).toMatchObject({ notifications: 1 })
    await recountUsage(db, ada.id)
    expect(await usageOf(ada)).toMatchObject({ notifications: 1 })
  })

  it('never refuses what Daywright writes automatically', async ({ ada, db, now }) => {
    await ada.post('/api/notifications', { type: 'morning_summary' })

    await writeMorningSummary(db, ada.id, new Date(now.getTime() + 86_400_000))

    expect(await usageOf(ada)).toMatchObject({ notifications: 2 })
  })

  it('403: leaves the Idempotency-Key reusable', async ({ ada }) => {
    await fill(ada)
    const key = { 'idempotency-key': 'once' }
    expect((await ada.post('/api/labels', { name: 'b' }, key)).status).toBe(403)
    const { body: labels } = await ada.get('/api/labels')
    await ada.delete(`/api/labels/${labels[0].id}`)

    expect((await ada.post('/api/labels', { name: 'b' }, key)).status).toBe(201)
  })
})

describe('the history', () => {
  const it = withShortHistory

  it('drops its oldest events, and the texts that only they refer to, when it is too large', async ({
    ada,
    db,
    now,
  }) => {
    const document = await create(ada, '/api/documents', { title: 'Brief', content: 'first' })
    for (let count = 0; count < 12; count += 1) {
      const content = String(count).repeat(100_000)
      await ada.patch(`/api/documents/${document.id}`, { content })
    }
    await db.pool.query(
      `update user_state set due_at = now() + interval '1 day' where user_id = $1`,
      [ada.id],
    )
    await create(ada, '/api/labels', { name: 'one more change' })
    const { rows } = await db.pool.query<{ isDue: boolean }>(
      'select due_at <= now() as "isDue" from user_state where user_id = $1',
      [ada.id],
    )
    expect(rows).toEqual([{ isDue: true }])

    await applyRetention(db, ada.id, now, { isHistoryFull: true })

    const { body } = await ada.get('/api/changes')
    expect(body.resyncRequired).toBe(true)
    const { historyBytes = 0, textBytes } = await usageOf(ada)
    expect(historyBytes).toBeGreaterThan(500_000)
    expect(historyBytes).toBeLessThan(850_000)
    expect(textBytes).toBe(200_000)
    const [oldest] = body.events
    const version = (state: { content: { hash: string } }) =>
      ada.get(`/api/documents/${document.id}/versions/${state.content.hash}`)
    expect((await version(oldest.before)).status).toBe(200)
    const { rows: kept } = await db.pool.query<{ gone: number }>(
      'select count(*) as gone from texts where user_id = $1',
      [ada.id],
    )
    expect(kept[0]?.gone).toBe(body.events.length - 1)
  })
})
