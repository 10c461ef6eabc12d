import * as contract from '@daywright/contract'
import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import type { CookieNames } from '../auth/cookies.ts'

/** Publishes at /api/openapi.json what the routes declare; nothing is documented twice. */
export async function publishOpenApi(app: FastifyInstance, { session }: CookieNames) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Daywright',
        version: '0.1.0',
        description:
          'A planner that stores your tasks and schedules them in your calendar. A request that is ' +
          'repeated with the same `Idempotency-Key` within 72 hours is carried out only once, and gets ' +
          'the stored response. If the stored responses of a user exceed the limit of the operator, the ' +
          'oldest are deleted; repeating their requests returns 409. Unknown fields and query parameters ' +
          'are ignored; with `Prefer: handling=strict` (RFC 7240) they are refused with 400. Operations ' +
          'with `x-stability: stable` do not change; others may gain fields.',
      },
      servers: [{ url: '/' }],
      tags,
      security: [{ apiKey: [] }, { session: [] }],
      components: {
        securitySchemes: {
          apiKey: { type: 'http', scheme: 'bearer' },
          session: { type: 'apiKey', in: 'cookie', name: session },
        },
      },
    },
    transform: (route) => {
      const method = String(route.route.method)
      const { schema, url } = jsonSchemaTransform({
        ...route,
        schema: withCommonErrors(route.schema, method, route.url),
      })
      const stable = contract.stableOperations.has(route.schema.operationId ?? '')
      const mark = stable && { 'x-stability': 'stable' }
      return { schema: { ...schema, ...tagsAndSecurity(route.url), ...mark }, url }
    },
    transformObject: (document) =>
      pruneSchemas(withExamples(jsonSchemaTransformObject(document) as OpenAPIV3_1.Document)),
  })
  let text: string | undefined
  app.get('/api/openapi.json', { schema: { hide: true } }, () => {
    text ??= JSON.stringify(app.swagger())
    return text
  })
}

/** In the order of the reference page. */
const tags = [
  ['tasks', 'Work items, their dependencies and their links to documents'],
  ['quick-add', 'Tasks from one line of text'],
  ['recurrences', 'Recurring work; each occurrence is a task'],
  ['checklist-items', 'The steps of a task'],
  ['projects', 'Groups of tasks and documents with a shared goal'],
  ['spaces', 'Areas such as work and home that hold tasks, projects and documents'],
  ['labels', 'Tags that any task can have, in any space'],
  ['documents', 'Notes, specifications, references and links'],
  ['schedule-preferences', 'The weekly windows in which work may be planned'],
  ['default-schedules', 'The schedule preferences of tasks that have none, by space and project'],
  ['time-blocks', 'Work on tasks, and events, in the calendar'],
  ['calendars', 'Calendars of other services that I subscribe to'],
  ['calendar-events', 'The events of those calendars'],
  ['feeds', 'My plan for calendar programs, at secret addresses; requires a session'],
  ['plan-calendars', 'My plan in calendars at CalDAV servers; requires a session'],
  ['connected-accounts', 'My accounts at Google and Microsoft; requires a session'],
  ['planner', 'The auto-scheduler'],
  ['notifications', 'Summaries and alerts'],
  ['changes', 'Events after a cursor, for polling'],
  ['events', 'Events as they happen, as a stream'],
  ['webhooks', 'Events sent to a URL'],
  ['history', 'Past changes and their actors; changes can be reverted'],
  ['settings', 'How Daywright plans, and what it does automatically'],
  ['usage', 'Current usage and limits'],
  ['user', 'My profile'],
  ['api-keys', 'Keys for scripts; requires a session'],
  ['auth', 'Signing up, in and out'],
  ['admin', 'The accounts and failed jobs of this instance; for admins'],
  ['health', 'Health checks for operators'],
].map(([name = '', description = '']) => ({ name, description }))

const isOpen = (url: string) => url.startsWith('/health/') || url.startsWith('/api/auth/')

/** Tags `/api/labels/:id` as `labels`, and marks paths that need no credentials. */
function tagsAndSecurity(url: string) {
  const [, first = '', second = ''] = url.split('/')
  return { tags: [first === 'api' ? second : first], ...(isOpen(url) && { security: [] }) }
}

const Headers = z.object({
  prefer: z
    .string()
    .optional()
    .meta({
      description:
        '`handling=strict`: an unknown field or query parameter is refused with 400 and named in ' +
        '`details`; the response has `Preference-Applied: handling=strict`',
      examples: ['handling=strict'],
    }),
})

const OnceHeaders = Headers.extend({
  'idempotency-key': z.string().min(1).max(255).optional().meta({
    description:
      'A repeated request with the same key is not carried out again; it gets the first response',
  }),
})

/** Adds the error responses that every operation shares. */
function withCommonErrors(schema: FastifySchema, method: string, url: string): FastifySchema {
  if (schema.hide || url.startsWith('/health/')) return schema
  const isOnce = ['POST', 'PUT', 'PATCH'].includes(method) && !isOpen(url)
  const statuses = [
    429,
    503,
    ...(isOpen(url) ? [] : [401, 403]),
    // A body is read and checked even where the operation needs none.
    ...(method === 'GET' ? [] : [400, 413, 415]),
    ...(isOnce ? [409, 422] : []),
  ]
  const common = Object.fromEntries(statuses.map((status) => [status, contract.ErrorBody]))
  return {
    ...schema,
    response: { ...common, ...(schema.response as object) },
    ...(!isOpen(url) && { headers: isOnce ? OnceHeaders : Headers }),
  }
}

type Schema = { $ref?: string; examples?: unknown[]; items?: Schema; type?: string }
type Media = { schema?: Schema; example?: unknown }
type Content = { description?: string; content?: Record<string, Media> }

const meanings: Record<string, string> = {
  200: 'Done',
  201: 'Created',
  400: 'Invalid request; see `error` and `details`',
  401: 'No valid API key or session',
  403: 'The key may not do this, another site sent the request, or a limit is reached',
  404: 'Not found, or not yours',
  409: 'Conflict with the current state',
  413: 'The request body is too large',
  415: 'The request body is not JSON',
  422: 'The request cannot be carried out, or its Idempotency-Key was used for another one',
  429: 'Too many requests; retry after `Retry-After` seconds',
  503: 'Temporarily unavailable; retry after `Retry-After` seconds',
}
const errorExamples: Record<string, object> = {
  400: { error: 'Validation failed', details: { title: ['Too small: expected string'] } },
  401: { error: 'Unauthorized' },
  403: { error: 'Insufficient scope' },
  409: { error: 'Label name already in use' },
  413: { error: 'Request body is too large' },
  415: { error: 'Unsupported Media Type' },
  422: { error: 'Idempotency-Key was used for another request' },
  429: { error: 'Too many requests' },
  503: { error: 'Service unavailable' },
}

/** Adds the schema's example to every body and response, and a description to every status. */
function withExamples(document: OpenAPIV3_1.Document) {
  const exampleOf = (schema: Schema | undefined): unknown => {
    if (schema?.$ref) return examples.get(nameOf(schema.$ref).replace(/Input$/, ''))
    return schema?.items ? [exampleOf(schema.items)] : schema?.examples?.[0]
  }
  const fill = ({ content }: Content, example?: object) => {
    for (const media of Object.values(content ?? {})) {
      media.example = example ?? exampleOf(media.schema)
    }
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path ?? {}) as OpenAPIV3_1.OperationObject[]) {
      if (operation.requestBody) fill(operation.requestBody as Content)
      for (const [status, answer] of Object.entries(operation.responses ?? {})) {
        fill(answer as Content, errorExamples[status])
        Object.assign(answer, { description: meanings[status] ?? 'Response' })
      }
    }
  }
  return document
}

const nameOf = (reference: string) => reference.slice('#/components/schemas/'.length)

// Zod omits the examples of transformed schemas.
const examples = new Map(
  Object.values(contract).flatMap((schema) => {
    const { id, examples: given } = (schema instanceof z.ZodType && schema.meta()) || {}
    return id ? [[id, (given as unknown[] | undefined)?.[0]] as const] : []
  }),
)

/**
 * Every schema is generated twice, for input and for output. Removes the unreferenced one and gives the
 * other the plain name.
 */
function pruneSchemas(document: OpenAPIV3_1.Document) {
  const schemas = document.components?.schemas ?? {}
  const used = new Set<string>()
  const visit = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name])
    }
  }
  visit(document.paths)
  const plain = (name: string) => {
    const short = name.replace(/Input$/, '')
    return used.has(short) ? name : short
  }
  const kept = Object.entries(schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => [plain(name), schema])
  const whole = {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(kept) },
  }
  return JSON.parse(
    JSON.stringify(whole, (key, value: unknown) => {
      if (key === '$ref') return `#/components/schemas/${plain(nameOf(String(value)))}`
      // The nil UUID is how the server handles a malformed id, not a default that callers should see.
      if (key === 'default' && value === contract.nilUuid) return undefined
      return withoutDefaults(value)
    }),
  ) as OpenAPIV3_1.Document
}

/** A response leaves out a field that has its default, so such a field is not required. */
function withoutDefaults(value: unknown) {
  const { properties, required } = (value ?? {}) as OpenAPIV3_1.NonArraySchemaObject
  if (!properties || !Array.isArray(required)) return value
  const hasDefault = (name: string) => 'default' in (properties[name] ?? {})
  return { ...(value as object), required: required.filter((name) => !hasDefault(name)) }
}
