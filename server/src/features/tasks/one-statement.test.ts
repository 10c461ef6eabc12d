// The most frequent requests cost one round trip: the credential is cached, and the rest is one statement.
import { describe, expect, it as base, newPerson, testApp } from '../../../test/it.ts'
import type { Database } from '../../platform/db/database.ts'

const it = base.extend('counted', async ({ db, now }) => {
  const names: string[] = []
  const query: Database['query'] = (statement) => {
    names.push(typeof statement === 'string' ? statement : statement.name)
    return db.query(statement)
  }
  const transaction = () => {
    throw new Error('A transaction is more than one statement')
  }
  const counting: Database = {
    ...db,
    query,
    transaction,
    as: (actor) => ({ ...db.as(actor), query, transaction }),
  }
  const person = await newPerson(await testApp(counting, () => now), db)
  await person.get('/api/user') // caches the credential
  names.length = 0
  return { names, person }
})

describe('one statement', () => {
  it('lists a page of tasks with all relations', async ({ counted: { names, person } }) => {
    expect((await person.get('/api/tasks?limit=50&page=2')).status).toBe(200)

    expect(names).toEqual(['tasks.list open'])
  })

  it('creates a task with labels, a space, a project and a parent', async ({ counted }) => {
    const { names, person } = counted
    const create = async (url: string, body: object) => (await person.post(url, body)).body.id
    const references = {
      spaceId: await create('/api/spaces', { name: 'Home' }),
      projectId: await create('/api/projects', { name: 'Garden' }),
      parentTaskId: await create('/api/tasks', { title: 'Spring' }),
      labelIds: [await create('/api/labels', { name: 'outside' })],
    }
    names.length = 0

    const { status, body } = await person.post('/api/tasks', { title: 'Sow', ...references })

    expect(status).toBe(201)
    expect(body).toMatchObject({ labels: [{ name: 'outside' }], project: { name: 'Garden' } })
    expect(names).toEqual(['tasks.insert-with-labels'])
  })

  it('gets and updates a task', async ({ counted: { names, person } }) => {
    const { body } = await person.post('/api/tasks', { title: 'Sow' })
    names.length = 0

    await person.get(`/api/tasks/${body.id}`)
    await person.patch(`/api/tasks/${body.id}`, { title: 'Reap', priority: 'high' })
    await person.patch(`/api/tasks/${body.id}`, { labelIds: [] })

    expect(names).toEqual(['tasks.find', 'tasks.update', 'tasks.update-with-labels'])
  })
})
