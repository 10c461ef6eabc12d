// Requests for an operation: valid ones, and ones that are invalid in one way.
import { type Document, type Operation, resolve, tableOfId } from '../kit/operations.ts'
import type { Sent } from './connection.ts'
import type { Random } from '../kit/random.ts'
import { drawValid, drawValidObject, timestamp, withRaw } from './values.ts'
import { type Draft, ways } from './ways.ts'

export type Request = Sent & {
  /** How it was made, for the report. */
  way: string
  /** Its body as a client would parse it, if it is JSON at all. */
  sentBody?: unknown
  /** The only correct status. */
  expected?: number
  /** Whether the connection may be cut before the response: the service stops reading a body that is too large. */
  mayBeCutOff?: boolean
  /** The path may no longer match a route. */
  isOffRoute?: boolean
}

type Wish = {
  random: Random
  document: Document
  operation: Operation
  credentials: [string, string][]
  idOf: (table: string) => string
  /** The name of the only way to use; any way if undefined. */
  way: string | undefined
  /** The minimum weight of a way, so that a planted fault need not wait for rare ones. */
  least: number
}

export function requestFor(wish: Wish): Request {
  const { random, document, operation, credentials, idOf, way, least } = wish
  const idAt = (name: string) => idOf(tableOfId(operation, name) ?? name)
  const draft: Draft = { path: {}, query: [], headers: [...credentials] }
  for (const { in: place, name, schema, required } of operation.parameters) {
    if (place === 'path') draft.path[name] = idAt(name)
    else if (place === 'query' && (required || random.chance(0.3))) {
      const value = drawValid(random, document, schema, name, idAt)
      draft.query.push(`${name}=${encodeURIComponent(String(value))}`)
    } else if (place === 'header' && random.chance(0.1)) {
      draft.headers.push([name, `key-${random.between(1, 50)}`])
    }
  }
  if (operation.path === '/api/time-blocks' && draft.query.length > 0) draft.query = range(random)
  if (operation.body) {
    draft.body = drawValidObject(random, document, resolve(document, operation.body.schema), idAt)
  }
  const chosen = ways.filter(([, name]) => name === (way ?? name))
  const [name, change] = random.weighed(
    chosen.map(([weight, ...rest]) => [Math.max(weight, least), rest] as const),
  )
  change(draft, random, operation, document)
  return { ...buildRequest(draft, operation), way: name }
}

function range(random: Random) {
  const from = timestamp(random)
  const to = new Date(new Date(from).getTime() + random.between(1, 61) * 86_400_000)
  return [`from=${from}`, ...(to.getUTCFullYear() < 10_000 ? [`to=${to.toISOString()}`] : [])]
}

function buildRequest(draft: Draft, { method, path }: Operation): Request {
  const target = Object.entries(draft.path).reduce(
    (text, [name, value]) => text.replace(`{${name}}`, value),
    path,
  )
  const text = draft.text ?? (draft.body && withRaw(JSON.stringify(draft.body)))
  const { headers } = draft
  if (text !== undefined && !headers.some(([name]) => name === 'content-type')) {
    headers.push(['content-type', 'application/json'])
  }
  return {
    way: '',
    method,
    target: draft.query.length > 0 ? `${target}?${draft.query.join('&')}` : target,
    headers: headers.filter(([, value]) => value !== ''),
    ...(text !== undefined && { body: text }),
    ...(draft.text === undefined &&
      text !== undefined && { sentBody: JSON.parse(text) as unknown }),
    ...(draft.isOffRoute && { isOffRoute: true }),
    ...(draft.expected && { expected: draft.expected, mayBeCutOff: true }),
  }
}
