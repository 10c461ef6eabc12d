import { createHash } from 'node:crypto'
import { changesOf } from '../../../test/events.ts'
import { describe, expect, it, type Person, unknownId } from '../../../test/it.ts'

const isoUtcMilliseconds = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const newDocument = async (person: Person, document: object = {}) =>
  (await person.post('/api/documents', { title: 'Brief', ...document })).body

const newSpace = async (person: Person) =>
  (await person.post('/api/spaces', { name: 'Work', color: '#0EA5E9' })).body

const newProject = async (person: Person) =>
  (await person.post('/api/projects', { name: 'Website', color: '#84CC16' })).body

type Ordered = { id: string; sortOrder: number }

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1)

const byOrder = (one: Ordered, other: Ordered) =>
  one.sortOrder - other.sortOrder || byId(one, other)

/** Creates thirty records with two sort orders: a few would be in the order of their ids even without sorting. */
const thirtyOf = (url: string, person: Person, record: object): Promise<Ordered[]> =>
  Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const { id } = (await person.post(url, record)).body
      return (await person.patch(`${url}/${id}`, { sortOrder: index % 2 })).body
    }),
  )

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)

const scriptUrls = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
]

describe('GET /api/documents', () => {
  it('200: my documents in full, with their space and project', async ({ ada, grace }) => {
    const space = await newSpace(ada)
    const project = await newProject(ada)
    const placed = await newDocument(ada, { spaceId: space.id, projectId: project.id })
    const loose = await newDocument(ada)
    await newDocument(grace)

    const { status, body } = await ada.get('/api/documents')

    expect(status).toBe(200)
    expect(body.toSorted(byId)).toEqual(
      [
        {
          ...placed,
          space: { id: space.id, name: 'Work', color: '#0EA5E9' },
          project: { id: project.id, name: 'Website', color: '#84CC16' },
        },
        { ...loose, space: null, project: null },
      ].toSorted(byId),
    )
  })

  it('200: ordered by sortOrder, then by id', async ({ ada }) => {
    const documents = await thirtyOf('/api/documents', ada, { title: 'Brief' })

    const { body } = await ada.get('/api/documents')

    expect(idsOf(body)).toEqual(idsOf(documents.toSorted(byOrder)))
  })

  it('200: filters by space, by project, by both', async ({ ada }) => {
    const { id: spaceId } = await newSpace(ada)
    const { id: projectId } = await newProject(ada)
    const inSpace = await newDocument(ada, { spaceId })
    const inProject = await newDocument(ada, { projectId })
    const inBoth = await newDocument(ada, { spaceId, projectId })
    await newDocument(ada)
    const findIds = async (query: string) => idsOf((await ada.get(`/api/documents?${query}`)).body)

    expect(await findIds(`spaceId=${spaceId}`)).toEqual(idsOf([inSpace, inBoth].toSorted(byId)))
    expect(await findIds(`projectId=${projectId}`)).toEqual(
      idsOf([inProject, inBoth].toSorted(byId)),
    )
    expect(await findIds(`spaceId=${spaceId}&projectId=${projectId}`)).toEqual([inBoth.id])
  })

  it.for(['spaceId', 'projectId'] as const)(
    '200: empty if %s is unknown, malformed or another user’s',
    async (field, { ada, grace }) => {
      const graces = field === 'spaceId' ? await newSpace(grace) : await newProject(grace)
      await newDocument(grace, { [field]: graces.id })
      await newDocument(ada)

      for (const id of [unknownId, 'not-an-id', '', graces.id]) {
        expect(await ada.get(`/api/documents?${field}=${id}`)).toEqual({ status: 200, body: [] })
      }
    },
  )

  it('401: without a valid key', async ({ stranger }) => {
    expect(await stranger.get('/api/documents')).toEqual({
      status: 401,
      body: { error: 'Unauthorized' },
    })
  })
})

describe('POST /api/documents', () => {
  it('201: the whole document, with its defaults', async ({ ada }) => {
    expect(await ada.post('/api/documents', { title: 'Brief' })).toEqual({
      status: 201,
      body: {
        id: expect.any(String),
        userId: ada.id,
        spaceId: null,
        projectId: null,
        title: 'Brief',
        content: '',
        url: null,
        docType: 'note',
        sortOrder: 0,
        createdAt: isoUtcMilliseconds,
        updatedAt: isoUtcMilliseconds,
      },
    })
  })

  it('201: with every field', async ({ ada }) => {
    const document = {
      title: ' Brief ',
      content: '# Goals\r\n\n- ship “it” 🌱\n',
      url: 'https://example.com/brief?page=2#goals',
      docType: 'spec',
      spaceId: (await newSpace(ada)).id,
      projectId: (await newProject(ada)).id,
    }

    const { status, body } = await ada.post('/api/documents', document)

    expect(status).toBe(201)
    expect(body).toMatchObject(document)
    expect(body).not.toHaveProperty('space')
    expect(body).not.toHaveProperty('project')
  })

  it('201: with null fields', async ({ ada }) => {
    const nothing = { url: null, spaceId: null, projectId: null }

    expect(await ada.post('/api/documents', { title: 'Brief', ...nothing })).toMatchObject({
      status: 201,
      body: nothing,
    })
  })

  it('201: ignores read-only fields', async ({ ada, grace }) => {
    const { status, body } = await ada.post('/api/documents', {
      title: 'Brief',
      id: unknownId,
      userId: grace.id,
      sortOrder: 7,
      createdAt: '2000-01-01T00:00:00Z',
      mood: 'sunny',
    })

    expect(status).toBe(201)
    expect(body).toMatchObject({ userId: ada.id, sortOrder: 0 })
    expect(body.id).not.toBe(unknownId)
    expect(body.createdAt).not.toMatch(/^2000/)
    expect(body).not.toHaveProperty('mood')
  })

  it.for(['note', 'spec', 'reference', 'link'])('201: docType %s', async (docType, { ada }) => {
    expect(await newDocument(ada, { docType })).toMatchObject({ docType })
  })

  it.for([
    'http://localhost:3000',
    'mailto:ada@example.com',
    'ftp://example.com/brief.txt',
    'obsidian://open?vault=work',
    'https://example.com/?next=javascript:alert(1)',
  ])('201: any URL that runs no script: %s', async (url, { ada }) => {
    expect(await newDocument(ada, { url })).toMatchObject({ url })
  })

  it.for([
    ['title', 'missing', {}],
    ['title', 'null', { title: null }],
    ['title', 'empty', { title: '' }],
    ['title', 'of 501 characters', { title: 'x'.repeat(501) }],
    ['title', 'with U+0000', { title: 'nul\0' }],
    ['title', 'with half of a surrogate pair', { title: '\ud83c' }],
    ['content', 'null', { title: 'Brief', content: null }],
    ['content', 'a number', { title: 'Brief', content: 5 }],
    ['content', 'with U+0000', { title: 'Brief', content: 'nul\0' }],
    ['content', 'with half of a surrogate pair', { title: 'Brief', content: '\udf31' }],
    ['url', 'a word', { title: 'Brief', url: 'nope' }],
    ['url', 'relative', { title: 'Brief', url: '/brief' }],
    ['url', 'without a scheme', { title: 'Brief', url: 'example.com/brief' }],
    ['url', 'a number', { title: 'Brief', url: 5 }],
    ['url', 'of 10,001 characters', { title: 'Brief', url: `https://e.com/${'x'.repeat(9987)}` }],
    ['url', 'with U+0000', { title: 'Brief', url: 'https://example.com/nul\0' }],
    ['docType', 'unknown', { title: 'Brief', docType: 'pdf' }],
    ['docType', 'null', { title: 'Brief', docType: null }],
  ] as const)('400: %s %s', async ([field, , document], { ada }) => {
    expect(await ada.post('/api/documents', document)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it.for(['', ...scriptUrls])('400: url %o', async (url, { ada }) => {
    expect(await ada.post('/api/documents', { title: 'Brief', url })).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { url: expect.any(Array) } },
    })
  })

  it.for(['spaceId', 'projectId'] as const)(
    '400: %s unknown, malformed, of another type or another user’s',
    async (field, { ada, grace }) => {
      const graces = field === 'spaceId' ? await newSpace(grace) : await newProject(grace)

      for (const id of [unknownId, 'not-an-id', '', 5, true, {}, [], graces.id]) {
        expect(await ada.post('/api/documents', { title: 'Brief', [field]: id })).toEqual({
          status: 400,
          body: { error: `${field} not found`, field },
        })
      }
      expect((await ada.get('/api/documents')).body).toEqual([])
    },
  )

  it('413: a body over 4 MiB', async ({ ada }) => {
    const withoutContent = JSON.stringify({ title: 'Brief', content: '' }).length
    const content = 'x'.repeat(4 * 1024 * 1024 - withoutContent)

    const fitting = await ada.post('/api/documents', { title: 'Brief', content })
    const tooLarge = await ada.post('/api/documents', { title: 'Brief', content: `${content}x` })

    expect(fitting.status).toBe(201)
    expect(fitting.body.content === content).toBe(true)
    expect(tooLarge).toEqual({ status: 413, body: { error: expect.any(String) } })
  })
})

describe('GET /api/documents/{id}', () => {
  it('200: the document with its space, its project and its tasks', async ({ ada }) => {
    const space = await newSpace(ada)
    const project = await newProject(ada)
    const document = await newDocument(ada, { spaceId: space.id, projectId: project.id })
    const tasks = [
      (await ada.post('/api/tasks', { title: 'Write', status: 'completed' })).body,
      (await ada.post('/api/tasks', { title: 'Read' })).body,
    ]
    for (const task of tasks) {
      await ada.post(`/api/tasks/${task.id}/documents`, { documentId: document.id })
    }

    expect(await ada.get(`/api/documents/${document.id}`)).toEqual({
      status: 200,
      body: {
        ...document,
        space: { id: space.id, name: 'Work', color: '#0EA5E9' },
        project: { id: project.id, name: 'Website', color: '#84CC16' },
        tasks: tasks.toSorted(byId).map(({ id, title, status }) => ({
          taskId: id,
          documentId: document.id,
          task: { id, title, status },
        })),
      },
    })
  })

  it('200: without a space, project or tasks', async ({ ada }) => {
    const document = await newDocument(ada)

    expect((await ada.get(`/api/documents/${document.id}`)).body).toEqual({
      ...document,
      space: null,
      project: null,
      tasks: [],
    })
  })
})

describe('PATCH /api/documents/{id}', () => {
  it('200: changes what was sent, keeps the rest, and moves updatedAt', async ({ ada }) => {
    const document = await newDocument(ada, { content: '# Goals', url: 'https://example.com' })

    const { status, body } = await ada.patch(`/api/documents/${document.id}`, { title: 'Plan' })

    expect(status).toBe(200)
    expect(body).toEqual({ ...document, title: 'Plan', updatedAt: isoUtcMilliseconds })
    expect(body.updatedAt > document.updatedAt).toBe(true)
  })

  it('200: every field that can change', async ({ ada }) => {
    const { id, userId, createdAt } = await newDocument(ada, { content: '# Goals' })
    const changes = {
      title: 'Plan',
      content: 'Instead',
      url: 'https://example.com/plan',
      docType: 'link',
      spaceId: (await newSpace(ada)).id,
      projectId: (await newProject(ada)).id,
      sortOrder: -1.5,
    }

    expect(await ada.patch(`/api/documents/${id}`, changes)).toEqual({
      status: 200,
      body: { ...changes, id, userId, createdAt, updatedAt: isoUtcMilliseconds },
    })
  })

  it('200: null clears its space, project and URL', async ({ ada }) => {
    const { id } = await newDocument(ada, {
      url: 'https://example.com',
      spaceId: (await newSpace(ada)).id,
      projectId: (await newProject(ada)).id,
    })
    const nothing = { url: null, spaceId: null, projectId: null }

    expect(await ada.patch(`/api/documents/${id}`, { ...nothing, content: '' })).toMatchObject({
      status: 200,
      body: { ...nothing, content: '' },
    })
  })

  it('200: ignores read-only fields', async ({ ada, grace }) => {
    const document = await newDocument(ada)

    const { body } = await ada.patch(`/api/documents/${document.id}`, {
      id: unknownId,
      userId: grace.id,
      createdAt: '2000-01-01T00:00:00Z',
      updatedAt: '2000-01-01T00:00:00Z',
      mood: 'sunny',
    })

    expect(body).toEqual({ ...document, updatedAt: body.updatedAt })
    expect(body.updatedAt).toBe(document.updatedAt)
  })

  it('200: a content of 2 MiB', async ({ ada }) => {
    const { id } = await newDocument(ada)
    const content = 'x'.repeat(2 * 1024 * 1024)

    const { status, body } = await ada.patch(`/api/documents/${id}`, { content })

    expect(status).toBe(200)
    expect(body.content === content).toBe(true)
  })

  it.for([
    ['title', 'null', { title: null }],
    ['title', 'empty', { title: '' }],
    ['title', 'of 501 characters', { title: 'x'.repeat(501) }],
    ['title', 'with U+0000', { title: '\0' }],
    ['content', 'null', { content: null }],
    ['content', 'with U+0000', { content: '\0' }],
    ['url', 'relative', { url: '/brief' }],
    ['docType', 'unknown', { docType: 'pdf' }],
    ['docType', 'null', { docType: null }],
    ['sortOrder', 'a text', { sortOrder: '1' }],
    ['sortOrder', 'null', { sortOrder: null }],
  ] as const)('400: %s %s', async ([field, , changes], { ada }) => {
    const { id } = await newDocument(ada)

    expect(await ada.patch(`/api/documents/${id}`, changes)).toEqual({
      status: 400,
      body: { error: 'Validation failed', details: { [field]: [expect.any(String)] } },
    })
  })

  it.for(scriptUrls)('400: a URL that runs script: %o', async (url, { ada }) => {
    const { id } = await newDocument(ada)

    expect(await ada.patch(`/api/documents/${id}`, { url })).toMatchObject({
      status: 400,
      body: { details: { url: [expect.any(String)] } },
    })
  })

  it.for(['spaceId', 'projectId'] as const)(
    '400: %s that is not mine; nothing is changed',
    async (field, { ada, grace }) => {
      const document = await newDocument(ada)
      const graces = field === 'spaceId' ? await newSpace(grace) : await newProject(grace)

      for (const id of [unknownId, 'not-an-id', '', 5, true, {}, [], graces.id]) {
        const changes = { title: 'Plan', [field]: id }
        expect(await ada.patch(`/api/documents/${document.id}`, changes)).toEqual({
          status: 400,
          body: { error: `${field} not found`, field },
        })
      }
      expect((await ada.get(`/api/documents/${document.id}`)).body).toMatchObject(document)
    },
  )
})

describe('DELETE /api/documents/{id}', () => {
  it('200: deleted; the tasks it was linked to remain', async ({ ada }) => {
    const { id } = await newDocument(ada)
    const task = (await ada.post('/api/tasks', { title: 'Write' })).body
    await ada.post(`/api/tasks/${task.id}/documents`, { documentId: id })

    expect(await ada.delete(`/api/documents/${id}`)).toEqual({
      status: 200,
      body: { success: true },
    })
    expect((await ada.get(`/api/documents/${id}`)).status).toBe(404)
    expect(await ada.get(`/api/tasks/${task.id}`)).toMatchObject({
      status: 200,
      body: { documents: [] },
    })
  })
})

describe('GET, PATCH and DELETE of a document that is not mine', () => {
  it('404: whether unknown, malformed or another user’s', async ({ ada, grace }) => {
    const adas = await newDocument(ada)

    for (const id of [unknownId, 'not-an-id', '%00', adas.id]) {
      const notFound = { status: 404, body: { error: 'Document not found' } }
      expect(await grace.get(`/api/documents/${id}`)).toEqual(notFound)
      expect(await grace.patch(`/api/documents/${id}`, { title: 'mine' })).toEqual(notFound)
      expect(await grace.delete(`/api/documents/${id}`)).toEqual(notFound)
    }
    expect((await ada.get(`/api/documents/${adas.id}`)).body).toMatchObject(adas)
  })
})

/** Events name the text by its hash. */
const asInEvents = (document: { content: string }) => ({
  ...document,
  content: { hash: hashOf(document.content), length: Buffer.byteLength(document.content) },
})
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('GET /api/documents?content=excerpt', () => {
  it('200: the first 400 characters of each content', async ({ ada }) => {
    const long = 'é'.repeat(300) + 'x'.repeat(10_000)
    const { id } = await newDocument(ada, { content: long })
    const { id: spaceId } = await newSpace(ada)
    await newDocument(ada, { content: 'short', spaceId })

    const { body } = await ada.get('/api/documents?content=excerpt')
    const { body: inSpace } = await ada.get(`/api/documents?content=excerpt&spaceId=${spaceId}`)

    expect(body.map(({ content }: { content: string }) => content).toSorted()).toEqual(
      ['short', long.slice(0, 400)].toSorted(),
    )
    expect(inSpace).toMatchObject([{ content: 'short' }])
    expect((await ada.get('/api/documents?content=whole')).body).toEqual(
      (await ada.get('/api/documents')).body,
    )
    expect((await ada.get(`/api/documents/${id}`)).body.content).toBe(long)
  })

  it('400: another value', async ({ ada }) => {
    expect(await ada.get('/api/documents?content=none')).toMatchObject({
      status: 400,
      body: { details: { content: [expect.any(String)] } },
    })
  })
})

describe('GET /api/documents/{id}/versions/{hash}', () => {
  it('200: its current text and every former one, even after deletion', async ({ ada }) => {
    const { id } = await newDocument(ada, { content: 'First' })
    await ada.patch(`/api/documents/${id}`, { content: 'Sécond' })
    const version = (content: string) => ada.get(`/api/documents/${id}/versions/${hashOf(content)}`)

    const first = await version('First')
    const second = await version('Sécond')
    await ada.delete(`/api/documents/${id}`)

    expect(first).toEqual({
      status: 200,
      body: { hash: hashOf('First'), length: 5, content: 'First' },
    })
    expect(second).toMatchObject({ status: 200, body: { length: 7, content: 'Sécond' } })
    expect(await version('First')).toEqual(first)
    expect(await version('Sécond')).toEqual(second)
  })

  it('404: a text of another document, of another user, or an unknown one', async ({
    ada,
    grace,
  }) => {
    const { id } = await newDocument(ada, { content: 'Mine' })
    const { id: other } = await newDocument(ada, { content: 'Other' })
    await ada.patch(`/api/documents/${other}`, { content: 'Changed' })
    const notFound = { status: 404, body: { error: 'Version not found' } }

    for (const hash of [
      hashOf('Other'),
      hashOf('Nothing'),
      'x',
      '%00',
      hashOf('Mine').toUpperCase(),
    ]) {
      expect(await ada.get(`/api/documents/${id}/versions/${hash}`)).toEqual(notFound)
    }
    expect(await grace.get(`/api/documents/${id}/versions/${hashOf('Mine')}`)).toEqual(notFound)
    expect(await grace.get(`/api/documents/${other}/versions/${hashOf('Other')}`)).toEqual(notFound)
    expect((await ada.get(`/api/documents/x/versions/${hashOf('Mine')}`)).status).toBe(404)
  })
})

describe('events', () => {
  it('record a document from creation to deletion', async ({ ada, db }) => {
    const { body: task } = await ada.post('/api/tasks', { title: 'Sow' })
    const { body: made } = await ada.post('/api/documents', { title: 'Seeds' })
    const { body: changed } = await ada.patch(`/api/documents/${made.id}`, { content: 'Peas' })
    await ada.post(`/api/tasks/${task.id}/documents`, { documentId: made.id })
    await ada.delete(`/api/documents/${made.id}`)

    const link = { taskId: task.id, documentId: made.id }
    const [before, after] = [asInEvents(made), asInEvents(changed)]
    expect(await changesOf(db, ada, 1)).toEqual([
      ['document.created', null, before],
      ['document.updated', before, after],
      ['documentLink.created', null, link],
      ['document.deleted', { ...after, taskIds: [task.id] }, null],
    ])
  })

  it('stay small, however long the text is', async ({ ada, db }) => {
    const content = 'Wörter '.repeat(100_000)
    const { id } = await newDocument(ada, { content })

    for (const title of ['A', 'B', 'C']) await ada.patch(`/api/documents/${id}`, { title })

    const { rows } = await db.pool.query<{ bytes: number; text: string }>(
      'select bytes, before::text || after::text as text from events where user_id = $1 order by seq',
      [ada.id],
    )
    for (const { bytes, text } of rows.slice(1)) {
      expect(text.length).toBeLessThan(2000)
      expect(bytes).toBeGreaterThan(text.length / 2)
      expect(bytes).toBeLessThan(4000)
    }
    const { rows: kept } = await db.pool.query('select from texts where user_id = $1', [ada.id])
    expect(kept).toEqual([])
  })
})
