import { caller, describe, expect, it, type Person, testApp } from '../../../test/it.ts'

const latest = async (person: Person) => (await person.get('/api/history?limit=1')).body.events[0]
const revert = (person: Person, id: string) => person.post(`/api/history/${id}/revert`)

describe('GET /api/history', () => {
  it('200: all events, the newest first, page by page', async ({ ada }) => {
    for (const name of ['a', 'b', 'c']) await ada.post('/api/labels', { name })

    const { body: first } = await ada.get('/api/history?limit=2')
    expect(first.events.map(({ id }: { id: string }) => id)).toEqual(['3-1', '2-1'])
    const { body: rest } = await ada.get(`/api/history?before=${first.next}`)
    expect(rest).toMatchObject({ events: [{ id: '1-1' }], next: null })
  })

  it('200: the events of one record', async ({ ada }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'a' })
    await ada.post('/api/labels', { name: 'b' })
    const { body } = await ada.get(`/api/history?recordId=${label.id}`)
    expect(body.events).toHaveLength(1)
  })
})

describe('a document', () => {
  it('200: is reverted to its former text, and then to the later one', async ({ ada }) => {
    const { body: document } = await ada.post('/api/documents', { title: 'Brief', content: 'One' })
    const path = `/api/documents/${document.id}`
    await ada.patch(path, { content: 'Two', title: 'Plan' })
    const change = await latest(ada)

    expect(await revert(ada, change.id)).toMatchObject({ status: 200 })
    expect((await ada.get(path)).body).toMatchObject({ content: 'One', title: 'Brief' })
    expect(await revert(ada, (await latest(ada)).id)).toMatchObject({ status: 200 })

    expect((await ada.get(path)).body).toMatchObject({ content: 'Two', title: 'Plan' })
    await ada.patch(path, { content: 'Three' })
    expect(await revert(ada, change.id)).toMatchObject({ status: 409 })
  })

  it('200: is restored with its text after its deletion', async ({ ada }) => {
    const content = '# Goals\n'.repeat(1000)
    const { body: document } = await ada.post('/api/documents', { title: 'Brief', content })
    await ada.delete(`/api/documents/${document.id}`)

    expect(await revert(ada, (await latest(ada)).id)).toMatchObject({ status: 200 })

    expect((await ada.get(`/api/documents/${document.id}`)).body).toMatchObject({
      ...document,
      updatedAt: expect.any(String),
    })
  })

  it('200: can be restored after its creation was reverted', async ({ ada }) => {
    const { body: document } = await ada.post('/api/documents', { title: 'Brief', content: 'One' })
    await revert(ada, (await latest(ada)).id)
    expect((await ada.get(`/api/documents/${document.id}`)).status).toBe(404)

    await revert(ada, (await latest(ada)).id)

    expect((await ada.get(`/api/documents/${document.id}`)).body.content).toBe('One')
  })
})

describe('POST /api/history/{id}/revert', () => {
  it('200: reverts a change', async ({ ada }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Write', priority: 'low' })
    await ada.patch(`/api/tasks/${task.id}`, { title: 'Rewrite', dueAt: '2026-03-06T16:00:00Z' })
    const change = await latest(ada)
    await ada.patch(`/api/tasks/${task.id}`, { priority: 'high' }) // changes another field

    expect(await revert(ada, change.id)).toMatchObject({
      status: 200,
      body: { reverted: change.id, type: 'task.updated', recordId: task.id },
    })
    const { body: now } = await ada.get(`/api/tasks/${task.id}`)
    expect(now).toMatchObject({ title: 'Write', dueAt: null, priority: 'high' })
    expect(await latest(ada)).toMatchObject({
      type: 'task.updated',
      after: { title: 'Write' },
      actor: { reverts: change.id },
    })
  })

  it('200: also reverts what the service changed with it', async ({ ada, db }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 30 })
    await ada.post('/api/planner')
    const { rows } = await db.pool.query<{ id: string }>(
      'select id from time_blocks where user_id = $1',
      [ada.id],
    )
    const block = `/api/time-blocks/${rows[0]?.id}`
    const { body: planned } = await ada.get(block)
    await ada.patch(block, { startAt: '2026-03-06T16:00:00Z', endAt: '2026-03-06T16:30:00Z' })
    expect((await ada.get(block)).body.source).toBe('manual')
    expect(await revert(ada, (await latest(ada)).id)).toMatchObject({ status: 200 })
    const { startAt, endAt, source } = planned
    expect((await ada.get(block)).body).toMatchObject({ startAt, endAt, source: 'auto' })
    expect(source).toBe('auto')

    await ada.patch(`/api/tasks/${task.id}`, { status: 'completed' })
    expect(await revert(ada, (await latest(ada)).id)).toMatchObject({ status: 200 })
    expect((await ada.get(`/api/tasks/${task.id}`)).body).toMatchObject({
      status: task.status,
      actualMinutes: null,
    })
  })

  it('409: a change that cannot be reverted', async ({ ada }) => {
    const { body: parent } = await ada.post('/api/tasks', { title: 'Parent' })
    const { body: task } = await ada.post('/api/tasks', { title: 'Sub', parentTaskId: parent.id })
    await ada.delete(`/api/tasks/${parent.id}?permanent=true`)
    const { body } = await ada.get(`/api/history?recordId=${task.id}&limit=1`)
    expect(body.events[0]).toMatchObject({ type: 'task.updated', after: { parentTaskId: null } })

    expect(await revert(ada, body.events[0].id)).toMatchObject({
      status: 409,
      body: { error: 'This change cannot be reverted' },
    })
  })

  it('409: a field that has changed again since', async ({ ada }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'One' })
    await ada.patch(`/api/tasks/${task.id}`, { title: 'Two' })
    const change = await latest(ada)
    await ada.patch(`/api/tasks/${task.id}`, { title: 'Three' })

    expect(await revert(ada, change.id)).toMatchObject({ status: 409 })
    expect((await ada.get(`/api/tasks/${task.id}`)).body.title).toBe('Three')
  })

  it('200: deletes a created record, unless it was changed', async ({ ada }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'One' })
    const made = await latest(ada)
    expect(await revert(ada, made.id)).toMatchObject({ status: 200 })
    expect(await ada.get(`/api/tasks/${task.id}`)).toMatchObject({ status: 404 })
    expect(await revert(ada, made.id)).toMatchObject({ status: 409 })

    const { body: label } = await ada.post('/api/labels', { name: 'a' })
    const labelled = await latest(ada)
    await ada.patch(`/api/labels/${label.id}`, { name: 'b' })
    expect(await revert(ada, labelled.id)).toMatchObject({ status: 409 })
  })

  it('200: restores a task with everything that was deleted with it', async ({ ada }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'kept' })
    const { body: lost } = await ada.post('/api/labels', { name: 'lost' })
    const { body: space } = await ada.post('/api/spaces', { name: 'Home' })
    const { body: document } = await ada.post('/api/documents', { title: 'Plan' })
    const { body: other } = await ada.post('/api/tasks', { title: 'First' })
    const { body: task } = await ada.post('/api/tasks', {
      title: 'Then',
      spaceId: space.id,
      estimateMinutes: 30,
      labelIds: [label.id, lost.id],
    })
    await ada.post('/api/checklist-items', { taskId: task.id, title: 'Step' })
    await ada.post(`/api/tasks/${task.id}/dependencies`, { dependsOnTaskId: other.id })
    await ada.post(`/api/tasks/${task.id}/documents`, { documentId: document.id })
    const { body: before } = await ada.get(`/api/tasks/${task.id}`)
    await ada.delete(`/api/tasks/${task.id}?permanent=true`)
    const { body: history } = await ada.get('/api/history?limit=10')
    const deleted = history.events.find(({ type }: { type: string }) => type === 'task.deleted')
    await ada.delete(`/api/labels/${lost.id}`)

    expect(await revert(ada, deleted.id)).toMatchObject({ status: 200 })
    const { body: after } = await ada.get(`/api/tasks/${task.id}`)
    expect(after).toEqual({
      ...before,
      labels: [expect.objectContaining({ id: label.id })],
      updatedAt: expect.any(String),
    })
    const { body: links } = await ada.get(`/api/tasks/${task.id}/dependencies`)
    expect(links.blockedBy).toHaveLength(1)
    expect(await revert(ada, deleted.id)).toMatchObject({ status: 409 })
  })

  it('200: returns a cancelled block to its restored task; 409: while the task is deleted', async ({
    ada,
  }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 30 })
    await ada.post('/api/planner')
    const { body: planned } = await ada.get('/api/time-blocks?from=2026-03-02&to=2026-03-10')
    await ada.delete(`/api/tasks/${task.id}?permanent=true&blocks=cancel`)
    const { body: history } = await ada.get('/api/history?limit=10')
    const idOf = (type: string) =>
      history.events.find((event: { type: string }) => event.type === type).id

    expect(await revert(ada, idOf('timeBlock.updated'))).toMatchObject({ status: 409 })
    await revert(ada, idOf('task.deleted'))
    expect(await revert(ada, idOf('timeBlock.updated'))).toMatchObject({ status: 200 })

    const { body: block } = await ada.get(`/api/time-blocks/${planned[0].id}`)
    expect(block).toMatchObject({ status: 'scheduled', source: 'auto', taskId: task.id })
  })

  it('200: restores a label on the tasks that had it and still exist', async ({ ada }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'home' })
    const { body: other } = await ada.post('/api/labels', { name: 'work' })
    const labelIds = [label.id]
    const { body: task } = await ada.post('/api/tasks', { title: 'Stays', labelIds })
    const { body: gone } = await ada.post('/api/tasks', { title: 'Goes', labelIds })
    await ada.delete(`/api/labels/${label.id}`)
    const deleted = await latest(ada)
    await ada.delete(`/api/tasks/${gone.id}?permanent=true`)
    await ada.patch(`/api/tasks/${task.id}`, { labelIds: [other.id] })

    expect(await revert(ada, deleted.id)).toMatchObject({ status: 200 })

    const { body: found } = await ada.get(`/api/tasks/${task.id}`)
    const names = found.labels.map(({ name }: { name: string }) => name)
    expect(names.toSorted()).toEqual(['home', 'work'])
  })

  it('409: a label whose name is in use again', async ({ ada }) => {
    const { body: label } = await ada.post('/api/labels', { name: 'home' })
    await ada.delete(`/api/labels/${label.id}`)
    const deleted = await latest(ada)
    await ada.post('/api/labels', { name: 'home' })
    expect(await revert(ada, deleted.id)).toMatchObject({ status: 409 })
  })

  it('409: a document whose space was deleted', async ({ ada }) => {
    const { body: space } = await ada.post('/api/spaces', { name: 'Home' })
    const { body: document } = await ada.post('/api/documents', { title: 'x', spaceId: space.id })
    await ada.delete(`/api/documents/${document.id}`)
    const deleted = await latest(ada)
    await ada.delete(`/api/spaces/${space.id}`)
    expect(await revert(ada, deleted.id)).toMatchObject({
      status: 409,
      body: { error: 'A record it refers to no longer exists' },
    })
  })

  it('403: a planner run, with a key without the planner scope', async ({ ada, db }) => {
    await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 60 })
    await ada.post('/api/planner')
    const { body } = await ada.get('/api/history')
    const { id } = body.events.find(({ type }: { type: string }) => type === 'plannerRun.applied')
    // Another app, since this one has the key's scopes cached.
    const other = await testApp(db, () => new Date('2026-03-02T09:00:00Z'))
    const script = caller(other, { authorization: `Bearer ${ada.key}` })
    await db.pool.query(`update api_keys set scopes = '{read,write}' where user_id = $1`, [ada.id])

    expect(await script.post(`/api/history/${id}/revert`)).toEqual({
      status: 403,
      body: { error: 'Insufficient scope' },
    })
    await db.pool.query(`update api_keys set scopes = '{write,planner}' where user_id = $1`, [
      ada.id,
    ])
    const planner = await testApp(db, () => new Date('2026-03-02T09:00:00Z'))
    const answer = await caller(planner, { authorization: `Bearer ${ada.key}` }).post(
      `/api/history/${id}/revert`,
    )
    expect(answer.status).toBe(200)
  })

  it('200: undoes a planner run', async ({ ada }) => {
    await ada.post('/api/tasks', { title: 'Write', estimateMinutes: 60 })
    await ada.post('/api/planner')
    expect(await revert(ada, (await latest(ada)).id)).toMatchObject({ status: 200 })
    expect((await ada.get('/api/planner')).body.scheduledBlocks).toBe(0)
  })

  it('404: another user’s event, or an unknown one', async ({ ada, grace }) => {
    await ada.post('/api/labels', { name: 'a' })
    expect(await revert(grace, (await latest(ada)).id)).toMatchObject({ status: 404 })
    expect(await revert(ada, 'nonsense')).toMatchObject({ status: 404 })
  })
})
