// Every operation of the OpenAPI document with a valid request, to check what must hold for all of them,
// including operations added later.
import { createHash } from 'node:crypto'
import type { OpenAPIV3_1 } from 'openapi-types'
import { type App, signUp } from './it.ts'

export type Owner = Awaited<ReturnType<typeof owner>>
export type Operation = { method: string; path: string; operation: OpenAPIV3_1.OperationObject }
type Position = { in: 'path' | 'query' | 'body'; name: string }
type Sent = { url: string; body?: Record<string, unknown> }

/** Creates a user with one record of every kind. */
export async function owner(app: App, mark: string) {
  const person = await signUp(app)
  const create = async (url: string, body: object) =>
    (await person.post(url, body)).body.id as string
  const soon = '2026-03-02T12:00:00Z'
  const spaceId = await create('/api/spaces', { name: mark })
  const projectId = await create('/api/projects', { name: mark, spaceId })
  const labelId = await create('/api/labels', { name: mark })
  const windows = [{ day: [1], start: '09:00', end: '10:00' }]
  const schedulePreferenceId = await create('/api/schedule-preferences', { name: mark, windows })
  const documentId = await create('/api/documents', {
    title: mark,
    content: mark,
    spaceId,
    projectId,
  })
  const other = await create('/api/tasks', { title: mark })
  const taskId = await create('/api/tasks', {
    title: mark,
    dueAt: soon,
    spaceId,
    projectId,
    schedulePreferenceId,
    labelIds: [labelId],
    parentTaskId: other,
  })
  const itemId = await create('/api/checklist-items', { taskId, title: mark })
  const startAt = '2026-03-02T09:00:00Z'
  const blockId = await create('/api/time-blocks', { taskId: other, startAt, endAt: soon })
  await person.post(`/api/tasks/${taskId}/dependencies`, { dependsOnTaskId: other })
  await person.post(`/api/tasks/${taskId}/documents`, { documentId })
  await person.post('/api/notifications', { type: 'at_risk' })
  const notificationId = (await person.get('/api/notifications')).body.notifications[0].id as string
  await person.post('/api/planner')
  const runId = (await person.get('/api/planner/runs')).body.runs[0].id as string
  const keyId = await create('/api/api-keys', { name: mark })
  await person.patch(`/api/documents/${documentId}`, { title: `${mark} again` })
  const eventId = (await person.get('/api/history')).body.events[0].id as string
  const webhookId = await create('/api/webhooks', { url: 'https://example.com/hook' })
  const calendarId = await create('/api/calendars', {
    url: 'https://example.com/a.ics',
    name: mark,
  })
  const feedId = await create('/api/feeds', { name: mark })
  const planCalendarId = await create('/api/plan-calendars', {
    url: 'https://example.com/plan/',
    username: 'ada',
    password: 'secret',
    name: mark,
  })
  const recurrenceId = await create('/api/recurrences', {
    kind: 'calendar',
    rule: 'FREQ=WEEKLY;BYDAY=FR',
    startsOn: '2026-03-02',
    task: { title: mark },
  })
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
    webhookId,
    calendarId,
    feedId,
    planCalendarId,
    // Connecting an account needs its provider, so tests insert the account with this id.
    connectedAccountId: '00000000-0000-7000-8000-000000000019',
    recurrenceId,
    eventId,
    contentHash: createHash('sha256').update(mark).digest('hex'),
  }
  return { ...person, ids }
}

/** The user's own id for a position, for all positions except the one under test. */
function ownIdAt({ path }: Operation, { name }: Position, ids: Owner['ids']) {
  if (name === 'dependsOnTaskId' || name === 'parentTaskId') return ids.otherTaskId
  if (name === 'labelIds') return [ids.labelId]
  if (name === 'taskIds') return [ids.taskId]
  if (name === 'orderedIds' || name === 'blockIds') return [ids.blockId]
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
    webhooks: ids.webhookId,
    calendars: ids.calendarId,
    feeds: ids.feedId,
    'plan-calendars': ids.planCalendarId,
    'connected-accounts': ids.connectedAccountId,
    recurrences: ids.recurrenceId,
    history: ids.eventId,
  }
  return byPath[path.split('/')[2] ?? '']
}

const isId = (name: string) => /^id$|Ids?$/.test(name)

export function operationsOf(document: OpenAPIV3_1.Document): Operation[] {
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

export function positionsOf(document: OpenAPIV3_1.Document, { operation }: Operation): Position[] {
  const parameters = (operation.parameters ?? []) as OpenAPIV3_1.ParameterObject[]
  const fields = fieldsOf(document, operation)
  return [
    ...parameters.map(({ in: place, name }) => ({ in: place as 'path' | 'query', name })),
    ...fields.map((name) => ({ in: 'body' as const, name })),
  ].filter(({ name }) => isId(name))
}

const bodyOf = ({ requestBody }: OpenAPIV3_1.OperationObject) =>
  (requestBody as OpenAPIV3_1.RequestBodyObject | undefined)?.content['application/json']

export const exampleOf = ({ operation }: Operation) =>
  bodyOf(operation)?.example as object | undefined

function fieldsOf(document: OpenAPIV3_1.Document, operation: OpenAPIV3_1.OperationObject) {
  const { $ref = '' } = (bodyOf(operation)?.schema ?? {}) as { $ref?: string }
  const schema = document.components?.schemas?.[$ref.split('/').at(-1) ?? '']
  return Object.keys(schema?.properties ?? {})
}

/** A request with the user's own ids at every position; the position `replaced` has `id` instead. */
export function request(
  swept: Operation,
  positions: Position[],
  ids: Owner['ids'],
  example: object | undefined,
  replaced?: Position,
  id = '',
): Sent {
  let url = swept.path.replace('{hash}', ids.contentHash)
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

export async function send(app: App, method: string, { url, body }: Sent, cookie: string) {
  const response = await app.inject({
    method: method as 'GET',
    url,
    headers: { cookie, host: 'localhost', origin: 'http://localhost' },
    ...(body && { payload: body }),
  })
  return { status: response.statusCode, text: response.body }
}
