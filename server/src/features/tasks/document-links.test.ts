import { changesOf } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const newTask = async (person: Person, more: object = {}): Promise<string> =>
  (await person.post('/api/tasks', { title: 'Water the plants', ...more })).body.id

const newDocument = async (person: Person, title = 'How to water'): Promise<string> =>
  (await person.post('/api/documents', { title })).body.id

const link = (person: Person, task: string, documentId: unknown) =>
  person.post(`/api/tasks/${task}/documents`, { documentId })

const documentsOf = async (person: Person, task: string) =>
  (await person.get(`/api/tasks/${task}`)).body.documents

const tasksOf = async (person: Person, document: string) =>
  (await person.get(`/api/documents/${document}`)).body.tasks

describe('POST /api/tasks/{id}/documents', () => {
  it('201: the link, which the task and the document then show', async ({ ada }) => {
    const [task, document] = [await newTask(ada, { status: 'backlog' }), await newDocument(ada)]

    const { status, body } = await link(ada, task, document)

    expect(status).toBe(201)
    expect(body).toEqual({
      taskId: task,
      documentId: document,
      task: { id: task, title: 'Water the plants', status: 'backlog' },
    })
    expect(await documentsOf(ada, task)).toEqual([
      { id: document, title: 'How to water', docType: 'note', url: null },
    ])
    expect(await tasksOf(ada, document)).toEqual([body])
  })

  it('200: the same link again', async ({ ada }) => {
    const [task, document] = [await newTask(ada), await newDocument(ada)]
    const { body } = await link(ada, task, document)

    expect(await link(ada, task, document)).toEqual({ status: 200, body })
    expect(await link(ada, task, document.toUpperCase())).toEqual({ status: 200, body })
    expect(await documentsOf(ada, task)).toHaveLength(1)
  })

  it('201 once, then 200: the same link ten times concurrently', async ({ ada }) => {
    const [task, document] = [await newTask(ada), await newDocument(ada)]

    const answers = await Promise.all(Array.from({ length: 10 }, () => link(ada, task, document)))

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    expect(await documentsOf(ada, task)).toHaveLength(1)
  })

  it('201: many documents on a task, in their sortOrder', async ({ ada }) => {
    const task = await newTask(ada)
    for (const [title, sortOrder] of [
      ['second', 2],
      ['first', 1],
      ['third', 3],
    ] as const) {
      const document = await newDocument(ada, title)
      await ada.patch(`/api/documents/${document}`, { sortOrder })
      expect((await link(ada, task, document)).status).toBe(201)
    }

    expect(await documentsOf(ada, task)).toMatchObject([
      { title: 'first' },
      { title: 'second' },
      { title: 'third' },
    ])
  })

  it('201: a document on many tasks', async ({ ada }) => {
    const [one, other, document] = [await newTask(ada), await newTask(ada), await newDocument(ada)]

    expect((await link(ada, one, document)).status).toBe(201)
    expect((await link(ada, other, document)).status).toBe(201)
    expect(await tasksOf(ada, document)).toHaveLength(2)
  })

  it('400: a document that is not mine, and nothing is written', async ({ ada, grace }) => {
    const [task, graces] = [await newTask(ada), await newDocument(grace)]

    for (const id of [graces, unknownId, 'not-an-id', '']) {
      expect(await link(ada, task, id)).toEqual({
        status: 400,
        body: { error: 'documentId not found', field: 'documentId' },
      })
    }
    expect(await documentsOf(ada, task)).toEqual([])
    expect(await tasksOf(grace, graces)).toEqual([])
  })

  it.for([undefined, null, 5])('400: documentId %o', async (sent, { ada }) => {
    expect(await link(ada, await newTask(ada), sent)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { documentId: [expect.any(String)] } },
    })
  })

  it('404: a task that is not mine', async ({ ada, grace }) => {
    const [adas, graces] = [await newTask(ada), await newDocument(grace)]

    for (const id of [unknownId, 'not-an-id', adas]) {
      expect(await link(grace, id, graces)).toEqual({
        status: 404,
        body: { error: 'Task not found' },
      })
    }
    expect(await tasksOf(grace, graces)).toEqual([])
  })

  it('201 or 400: while the document is deleted', async ({ ada }) => {
    for (let round = 0; round < 30; round += 1) {
      const [task, document] = [await newTask(ada), await newDocument(ada)]

      const [linked, removal] = await Promise.all([
        link(ada, task, document),
        ada.delete(`/api/documents/${document}`),
      ])

      expect([201, 400]).toContain(linked.status)
      expect(removal.status).toBe(200)
      expect(await documentsOf(ada, task)).toEqual([])
    }
  })
})

describe('DELETE /api/tasks/{id}/documents/{documentId}', () => {
  it('200: deletes only the link', async ({ ada }) => {
    const [task, document, other] = [
      await newTask(ada),
      await newDocument(ada),
      await newDocument(ada),
    ]
    await link(ada, task, document)
    await link(ada, task, other)

    expect(await ada.delete(`/api/tasks/${task}/documents/${document}`)).toEqual({
      status: 200,
      body: { success: true },
    })
    expect(await documentsOf(ada, task)).toMatchObject([{ id: other }])
    expect(await tasksOf(ada, document)).toEqual([])
  })

  it('404: no such link of mine', async ({ ada, grace }) => {
    const [task, document, unlinked] = [
      await newTask(ada),
      await newDocument(ada),
      await newDocument(ada),
    ]
    await link(ada, task, document)

    for (const id of [unlinked, unknownId, 'not-an-id']) {
      expect((await ada.delete(`/api/tasks/${task}/documents/${id}`)).status).toBe(404)
    }
    for (const id of [unknownId, 'not-an-id']) {
      expect((await ada.delete(`/api/tasks/${id}/documents/${document}`)).status).toBe(404)
    }
    expect((await grace.delete(`/api/tasks/${task}/documents/${document}`)).status).toBe(404)
    expect(await documentsOf(ada, task)).toHaveLength(1)
  })
})

describe('Document links without a valid key', () => {
  it('401: before the record or the body is checked', async ({ stranger }) => {
    const unauthorized = { status: 401, body: { error: 'Unauthorized' } }
    const url = `/api/tasks/${unknownId}/documents`

    expect(await stranger.post(url, {})).toEqual(unauthorized)
    expect(await stranger.delete(`${url}/${unknownId}`)).toEqual(unauthorized)
  })
})

describe('events', () => {
  it('record the creation and deletion of a link once', async ({ ada, db }) => {
    const taskId = (await ada.post('/api/tasks', { title: 'Sow' })).body.id
    const documentId = (await ada.post('/api/documents', { title: 'Seeds' })).body.id
    await ada.post(`/api/tasks/${taskId}/documents`, { documentId })
    await ada.post(`/api/tasks/${taskId}/documents`, { documentId })
    await ada.delete(`/api/tasks/${taskId}/documents/${documentId}`)

    expect(await changesOf(db, ada, 2)).toEqual([
      ['documentLink.created', null, { taskId, documentId }],
      ['documentLink.deleted', { taskId, documentId }, null],
    ])
  })
})
