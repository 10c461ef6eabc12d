// Someone else's ids, everywhere an id can go: made from the OpenAPI document, so that an operation
// added tomorrow is swept tomorrow.
import type { OpenAPIV3_1 } from 'openapi-types'
import type { App } from './it.ts'
import { describe, expect, it as base, signUp, testApp } from './it.ts'
import type { Database } from '../src/db/database.ts'

type Owner = Awaited<ReturnType<typeof owner>>
type Operation = { method: string; path: string; operation: OpenAPIV3_1.OperationObject }
type Position = { in: 'path' | 'query' | 'body'; name: string }
type Sent = { url: string; body?: Record<string, unknown> }

const mark = 'adas-secret'

/** A person with one of everything. */
async function owner(app: App, mark: string) {
  const person = await signUp(app)
  const made = async (url: string, body: object) => (await person.post(url, body)).body.id as string
  const soon = '2026-03-02T12:00:00Z'
  const spaceId = await made('/api/spaces', { name: mark })
  const projectId = await made('/api/projects', { name: mark, spaceId })
  const labelId = await made('/api/labels', { name: mark })
  const windows = [{ day: [1], start: '09:00', end: '10:00' }]
  const schedulePreferenceId = await made('/api/schedule-preferences', { name: mark, windows })
  const documentId = await made('/api/documents', {
    title: mark,
    content: mark,
    spaceId,
    projectId,
  })
  const other = await made('/api/tasks', { title: mark })
  const taskId = await made('/api/tasks', {
    title: mark,
    dueAt: soon,
    spaceId,
    projectId,
    schedulePreferenceId,
    labelIds: [labelId],
    parentTaskId: other,
  })
  const itemId = await made('/api/checklist-items', { taskId, title: mark })
  const startAt = '2026-03-02T09:00:00Z'
  const blockId = await made('/api/time-blocks', { taskId: other, startAt, endAt: soon })
  await person.post(`/api/tasks/${taskId}/dependencies`, { dependsOnTaskId: other })
  await person.post(`/api/tasks/${taskId}/documents`, { documentId })
  await person.post('/api/notifications', { type: 'at_risk' })
  const notificationId = (await person.get('/api/notifications')).body.notifications[0].id as string
  await person.post('/api/planner')
  const runId = (await person.get('/api/planner/runs')).body.runs[0].id as string
  const keyId = await made('/api/api-keys', { name: mark })
  const ids = {
    userId: person.id,
    spaceId,
    projectId,
    labelId,
    schedulePreferenceId,
    documentId,
    taskId,
    otherTaskId: other,
    itemId,
    blockId,
    notificationId,
    runId,
    keyId,
  }
  return { ...person, ids }
}

/** Which of one's own ids belongs at a position, for all positions but the one under test. */
function ownIdAt({ path }: Operation, { name }: Position, ids: Owner['ids']) {
  if (name === 'dependsOnTaskId' || name === 'parentTaskId') return ids.otherTaskId
  if (name === 'labelIds') return [ids.labelId]
  if (name === 'taskIds') return [ids.taskId]
  if (name === 'orderedIds') return [ids.blockId]
  if (name !== 'id') return ids[name as keyof Owner['ids']]
  const byPath: Record<string, string> = {
    tasks: ids.taskId,
    'checklist-items': ids.itemId,
    projects: ids.projectId,
    labels: ids.labelId,
    spaces: ids.spaceId,
    documents: ids.documentId,
    'schedule-preferences': ids.schedulePreferenceId,
    'time-blocks': ids.blockId,
    'api-keys': ids.keyId,
    admin: ids.userId,
    planner: ids.runId,
  }
  return byPath[path.split('/')[2] ?? '']
}

const isId = (name: string) => /^id$|Ids?$/.test(name)

function operationsOf(document: OpenAPIV3_1.Document): Operation[] {
  return Object.entries(document.paths ?? {})
    .filter(([path]) => path.startsWith('/api/') && !path.startsWith('/api/auth/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods ?? {}).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation: operation as OpenAPIV3_1.OperationObject,
      })),
    )
}

function positionsOf(document: OpenAPIV3_1.Document, { operation }: Operation): Position[] {
  const parameters = (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]
  const fields = fieldsOf(document, operation)
  return [
    ...parameters.map(({ in: place, name }) => ({ in: place as 'path' | 'query', name })),
    ...fields.map((name) => ({ in: 'body' as const, name })),
  ].filter(({ name }) => isId(name))
}

const bodyOf = ({ requestBody }: OpenAPIV3_1.OperationObject) =>
  (requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json']

const exampleOf = ({ operation }: Operation) => bodyOf(operation)?.example as object | undefined

function fieldsOf(document: OpenAPIV3_1.Document, operation: OpenAPIV3_1.OperationObject) {
  const { $ref = '' } = (bodyOf(operation)?.schema ?? {}) as { $ref?: string }
  const schema = document.components?.schemas?.[$ref.split('/').at(-1) ?? '']
  return Object.keys(schema?.properties ?? {})
}

/** A request with one's own ids at every position, and something else at one of them. */
function request(
  swept: Operation,
  positions: Position[],
  ids: Owner['ids'],
  example: object | undefined,
  replaced?: Position,
  id = '',
): Sent {
  let url = swept.path
  const query = new URLSearchParams()
  const body: Record<string, unknown> = { ...example }
  for (const position of positions) {
    const own = ownIdAt(swept, position, ids)
    const value = position === replaced ? (Array.isArray(own) ? [...own, id] : id) : own
    if (position.in === 'path') url = url.replace(`{${position.name}}`, String(value))
    else if (position.in === 'body') body[position.name] = value
    else if (position === replaced) query.set(position.name, id)
  }
  return { url: query.size > 0 ? `${url}?${query.toString()}` : url, ...(example && { body }) }
}

/** Everything in the database that is the user's, as text. */
async function everythingOf(db: Database, userId: string) {
  const { rows: tables } = await db.pool.query<{ name: string; key: string }>(
    `select table_schema || '.' || table_name as name, column_name as key
       from information_schema.columns
      where (column_name = 'user_id' and table_schema in ('public', 'auth'))
         or (column_name = 'id' and table_name = 'users')
      order by 1`,
  )
  const contents = await Promise.all(
    tables.map(async ({ name, key }) => {
      const { rows } = await db.pool.query<{ row: string }>(
        `select row::text as row from ${name} row where ${key} = $1 order by 1`,
        [userId],
      )
      return [name, rows.map(({ row }) => row)] as const
    }),
  )
  return Object.fromEntries(contents)
}

const it = base
  .extend('swept', { scope: 'file' }, ({ db, now }) => testApp(db, () => now))
  .extend('adas', { scope: 'file' }, ({ swept }) => owner(swept, mark))
  .extend('graces', { scope: 'file' }, async ({ swept, adas }) => {
    expect(adas.id).toBeTruthy() // the first account is the admin: not grace's
    return owner(swept, 'graces')
  })
  .extend('document', { scope: 'file' }, async ({ swept }) => {
    const { body } = await swept.inject('/api/openapi.json')
    return JSON.parse(body) as OpenAPIV3_1.Document
  })

describe('another’s ids', () => {
  it('find nothing and change nothing, at any position of any operation', async ({
    db,
    swept,
    adas,
    graces,
    document,
  }) => {
    const before = await everythingOf(db, adas.id)
    const faults: string[] = []
    let tried = 0

    for (const operation of operationsOf(document)) {
      const positions = positionsOf(document, operation)
      const example = exampleOf(operation)
      for (const position of positions) {
        for (const [kind, plain] of Object.entries(adas.ids)) {
          for (const id of [plain, plain.toUpperCase()]) {
            const sent = request(operation, positions, graces.ids, example, position, id)
            const { status, text } = await send(swept, operation.method, sent, graces.cookie)
            tried += 1
            if (!isNothing(operation, status, text) || text.includes(mark)) {
              faults.push(
                `${operation.method} ${sent.url} ${position.name} of ${kind}: ${status} ${text}`,
              )
            }
          }
        }
      }
    }

    expect(faults).toEqual([])
    expect(tried).toBeGreaterThan(1000)
    expect(await everythingOf(db, adas.id)).toEqual(before)
  })

  it('while one’s own are taken at every position, where nothing is deleted', async ({
    swept,
    graces,
    document,
  }) => {
    const refused: string[] = []

    for (const operation of operationsOf(document)) {
      if (operation.method === 'DELETE' || operation.path.includes('/admin/')) continue
      const positions = positionsOf(document, operation)
      const example = exampleOf(operation)
      const sent = request(operation, positions, graces.ids, example)
      const { status, text } = await send(swept, operation.method, sent, graces.cookie)
      // The dependency is there already the other way round, and the label's name is taken.
      if (status >= 400 && status !== 409) refused.push(`${operation.method} ${sent.url}: ${text}`)
    }

    expect(refused).toEqual([])
  })

  it('and an Idempotency-Key of one’s own is no one else’s', async ({ adas, graces }) => {
    const key = { 'idempotency-key': 'the-same' }

    const first = await adas.post('/api/spaces', { name: 'Mine' }, key)
    const second = await graces.post('/api/spaces', { name: 'Mine' }, key)

    expect(second.body.userId).toBe(graces.id)
    expect(second.body.id).not.toBe(first.body.id)
  })
})

/** 404, 400, an empty list; and a batch that says it skipped what is not the caller's. */
function isNothing({ path, method }: Operation, status: number, text: string) {
  if (status === 404 || status === 400) return true
  if (status !== 200) return false
  const body = JSON.parse(text) as { data?: unknown[]; invalid?: number } | unknown[]
  if (path === '/api/tasks/batch') return (body as { invalid: number }).invalid === 1
  const list = Array.isArray(body) ? body : body.data
  return method === 'GET' && list?.length === 0
}

async function send(app: App, method: string, { url, body }: Sent, cookie: string) {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { cookie, host: 'localhost', origin: 'http://localhost' },
    ...(body && { payload: body }),
  })
  return { status: response.statusCode, text: response.body }
}
