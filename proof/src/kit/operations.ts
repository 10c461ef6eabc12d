// The operations of the service, from its own OpenAPI document, so that new operations are included in the
// harnesses automatically.
import type { OpenAPIV3_1 } from 'openapi-types'

export type Schema = {
  $ref?: string
  type?: string | string[]
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}
export type Parameter = {
  in: 'path' | 'query' | 'header'
  name: string
  schema: Schema
  required?: boolean
}
export type Operation = {
  /** `PATCH /api/labels/{id}` */
  name: string
  method: string
  path: string
  parameters: Parameter[]
  body?: { schema: Schema; example: Record<string, unknown> }
  /** The schema of each response, by status. */
  answers: Record<string, Schema | undefined>
}
export type Document = OpenAPIV3_1.Document

export const operationsOf = (document: Document): Operation[] =>
  Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods ?? {}).map(([method, found]) => {
      const operation = found as OpenAPIV3_1.OperationObject
      const body = mediaOf(operation.requestBody)
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        parameters: (operation.parameters ?? []) as Parameter[],
        ...(body && { body: body as Required<Operation>['body'] }),
        answers: Object.fromEntries(
          Object.entries(operation.responses ?? {}).map(([status, answer]) => [
            status,
            mediaOf(answer)?.schema,
          ]),
        ),
      }
    }),
  )

const mediaOf = (part: unknown) =>
  (part as { content?: Record<string, { schema: Schema; example: unknown }> } | undefined)
    ?.content?.['application/json']

/** Resolves a reference to a schema. */
export function resolve(document: Document, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name ? (document.components?.schemas?.[name] as Schema) : schema
}

export const fieldsOf = (document: Document, { body }: Operation) =>
  Object.entries(body ? (resolve(document, body.schema).properties ?? {}) : {})

/** The table that the ids in this field refer to; undefined if the field is not an id. */
export function tableOfId({ path }: Operation, name: string) {
  if (!/^id$|Ids?$/.test(name)) return undefined
  if (name !== 'id') {
    const table = tables[name]
    if (!table) throw new Error(`Which table's ids are ${name} of ${path}?`)
    return table
  }
  const [, , resource = '', inside = ''] = path.split('/')
  if (resource === 'admin') return inside
  return others[resource] ?? resource.replaceAll('-', '_')
}

const others: Record<string, string> = { planner: 'planner_runs', history: 'events' }
const tables: Record<string, string> = {
  spaceId: 'spaces',
  projectId: 'projects',
  labelId: 'labels',
  labelIds: 'labels',
  taskId: 'tasks',
  taskIds: 'tasks',
  parentTaskId: 'tasks',
  dependsOnTaskId: 'tasks',
  documentId: 'documents',
  schedulePreferenceId: 'schedule_preferences',
  orderedIds: 'time_blocks',
  notificationId: 'notifications',
  eventId: 'events',
  accountId: 'connected_accounts',
  recordId: 'labels',
  blockIds: 'time_blocks',
}
