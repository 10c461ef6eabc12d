// An edit that changes nothing appends no event, and so causes no webhook, history entry or new plan.
import type { Database } from '../src/platform/db/database.ts'
import { lastEvent } from './events.ts'
import { describe, expect, it, type Person } from './it.ts'
import { overtake } from './overtake.ts'

const windows = [{ day: [1, 2], start: '09:00', end: '17:00' }]

/** The path and body to create each resource, and more fields for an edit that sets all to their current value. */
const resources = {
  space: ['/api/spaces', { name: 'Home', color: '#112233', icon: 'star' }, { sortOrder: 0 }],
  project: ['/api/projects', { name: 'House', targetDate: '2026-04-01T00:00:00.000Z', priority: 2 }, { archived: false }],
  label: ['/api/labels', { name: 'errand', color: '#112233' }, {}],
  document: ['/api/documents', { title: 'Plan', content: 'Text', url: 'https://example.com/' }, { sortOrder: 0 }],
  recurrence: ['/api/recurrences', { kind: 'calendar', rule: 'FREQ=DAILY', startsOn: '2026-03-02', task: { title: 'Water' } }, {}],
  preference: ['/api/schedule-preferences', { name: 'Mornings', windows, priority: 3 }, {}],
} as const // prettier-ignore

const staleSince = async (db: Database, { id }: Person) => {
  const { rows } = await db.pool.query<{ stale_since: Date | null; due_at: Date }>(
    'select stale_since, due_at from user_state where user_id = $1',
    [id],
  )
  return rows
}

async function expectNothing(db: Database, me: Person, url: string, ...edits: object[]) {
  const before = [await lastEvent(db, me), await staleSince(db, me)]
  const answers = []
  for (const edit of edits) answers.push(await me.patch(url, edit))
  expect(answers.map(({ status }) => status)).toEqual(edits.map(() => 200))
  expect([await lastEvent(db, me), await staleSince(db, me)]).toEqual(before)
  return answers.map(({ body }) => body)
}

describe('an edit that changes nothing', () => {
  for (const [name, [url, given, more]] of Object.entries(resources)) {
    it(`of a ${name} returns the record, and writes nothing`, async ({ ada, db }) => {
      const { body: made } = await ada.post(url, given)
      await ada.post('/api/planner')

      const [same] = await expectNothing(db, ada, `${url}/${made.id}`, { ...given, ...more })

      expect(same).toMatchObject(made)
      const text = 'name' in given ? { name: 'Other' } : { title: 'Other' }
      const edit = 'task' in given ? { task: { title: 'Other' } } : text
      const { body: edited } = await ada.patch(`${url}/${made.id}`, edit)
      expect(Date.parse(edited.updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt))
    })
  }

  it.for([
    ['/api/labels', 'labels', 'name'],
    ['/api/spaces', 'spaces', 'name'],
    ['/api/projects', 'projects', 'name'],
    ['/api/documents', 'documents', 'title'],
  ] as const)(
    'of %s is compared with the row after concurrent changes',
    async (given, { ada, db }) => {
      const [url, table, field] = given
      const { body: made } = await ada.post(url, { [field]: 'One' })
      const text = `update ${table} set ${field} = 'Two' where user_id = $1 and id = $2`
      const events = await lastEvent(db, ada)

      const { body } = await overtake(db, { text, values: [ada.id, made.id] }, () =>
        ada.patch(`${url}/${made.id}`, { [field]: 'One' }),
      )

      expect(body[field]).toBe('One')
      expect(await lastEvent(db, ada)).toBe(events + 1)
    },
  )

  it('of a task changes at most updatedAt, as the contract says', async ({ ada, db }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'errand' })
    const { body: made } = await ada.post('/api/tasks', { title: 'Pay', labelIds: [label.id] })
    const url = `/api/tasks/${made.id}`

    const [empty, ...same] = await expectNothing(
      db, ada, url, {}, { title: 'Pay', dueAt: '' }, { labelIds: [label.id] }, { status: 'todo' },
    ) // prettier-ignore

    expect(empty).toEqual(made)
    for (const answer of same) {
      expect(answer).toEqual({ ...made, updatedAt: answer.updatedAt })
      expect(Date.parse(answer.updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt))
    }
    const events = await lastEvent(db, ada)
    await ada.delete(url)
    await ada.post('/api/tasks/batch', { action: 'archive', taskIds: [made.id] })
    expect(await ada.delete(url)).toMatchObject({ status: 200 })
    expect(await lastEvent(db, ada)).toBe(events + 1)
  })

  it('of a block or its position writes nothing', async ({ ada, db }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Pay' })
    const times = { startAt: '2026-03-03T09:00:00.000Z', endAt: '2026-03-03T10:00:00.000Z' }
    const { body: block } = await ada.post('/api/time-blocks', { taskId: task.id, ...times })
    const url = `/api/time-blocks/${block.id}`

    await expectNothing(db, ada, url, {}, times, {
      locked: false,
      status: 'scheduled',
      sortOrder: 0,
    })

    const events = await lastEvent(db, ada)
    const reordered = await ada.patch('/api/time-blocks/reorder', { orderedIds: [block.id] })
    expect(reordered.status).toBe(200)
    expect(await lastEvent(db, ada)).toBe(events)
    expect((await ada.get(url)).body.updatedAt).toBe(block.updatedAt)
  })

  it('of a checklist item, the profile or the settings writes nothing', async ({ ada, db }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Pay' })
    const { body: item } = await ada.post('/api/checklist-items', {
      taskId: task.id,
      title: 'Find it',
    })
    await ada.patch('/api/settings', { dailyRunAt: '06:00' })

    await expectNothing(db, ada, `/api/checklist-items/${item.id}`, {
      title: 'Find it',
      completed: false,
    })
    await expectNothing(db, ada, '/api/user', { displayName: 'Someone' })
    await expectNothing(db, ada, '/api/settings', { dailyRunAt: '06:00', quietHours: null })
  })

  it('409: a change that is already undone cannot be reverted', async ({ ada }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'one' })
    await ada.patch(`/api/labels/${label.id}`, { name: 'two' })
    const { body: history } = await ada.get(`/api/history?recordId=${label.id}`)
    await ada.patch(`/api/labels/${label.id}`, { name: 'one' })

    const answer = await ada.post(`/api/history/${history.events[0].id}/revert`)

    expect(answer).toMatchObject({ status: 409, body: { error: 'The record has changed since' } })
  })
})
