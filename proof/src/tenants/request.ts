// One request of Grace with her own ids at every position, except for the chosen ones.
import type { Database } from '../../../server/src/platform/db/database.ts'
import { type Document, fieldsOf, type Operation, tableOfId } from '../kit/operations.ts'
import { hashOf } from './past.ts'
import { credentials, gracesMark } from './people.ts'
import type { Variation } from './variations.ts'

export type Probe = {
  name: string
  operation: string
  method: string
  url: string
  body?: object
  headers: Record<string, string>
  /** Work that is done instead of a request, such as an operator's command. */
  act?: (db: Database) => Promise<unknown>
}

/** The ids in each table: those of Grace's rows, and those that only Ada has. */
export type Ids = Map<string, { own: string[]; adas: string[] }>

export type Position = {
  in: 'path' | 'query' | 'body'
  name: string
  table: string
  isList: boolean
}
export type Choice = { position: Position; id: string; isAlone?: boolean }

export function request(
  operation: Operation,
  positions: Position[],
  choices: Choice[],
  ids: Ids,
  name: string,
  { query = {}, body = {}, without = [] }: Variation,
): Probe {
  let url = operation.path.replace('{hash}', hashOf(gracesMark))
  const search = new URLSearchParams(query)
  const sent: Record<string, unknown> = { ...operation.body?.example, ...body }
  for (const position of positions) {
    const { id: chosen, isAlone } = choices.find((choice) => choice.position === position) ?? {}
    const own = ids.get(position.table)?.own[0] ?? ''
    const id = chosen ?? own
    if (position.in === 'path') url = url.replace(`{${position.name}}`, encodeURIComponent(id))
    else if (position.in === 'query') {
      if (chosen !== undefined || query[position.name] === 'own') search.set(position.name, id)
    } else if (!without.includes(position.name)) {
      // In a list, an own id comes first: the list is refused as a whole, or its other ids are processed.
      sent[position.name] = position.isList ? [...new Set([isAlone ? id : own, id])] : id
    }
  }
  for (const field of without) delete sent[field]
  // A calendar of a connected account must be at its provider.
  if (sent.accountId !== undefined) sent.url = 'https://example.com/api/calendars/me/events'
  return {
    name: `${operation.name}: ${name}`,
    operation: operation.name,
    method: operation.method,
    url: search.size > 0 ? `${url}?${search.toString()}` : url,
    ...(operation.body && { body: sent }),
    headers: headersFor(operation),
  }
}

function headersFor({ path }: Operation): Record<string, string> {
  if (/^\/api\/(api-keys|feeds|plan-calendars|connected-accounts)\b/.test(path))
    return credentials.session
  return path.startsWith('/api/admin/') ? credentials.admin : credentials.key
}

export function positionsOf(document: Document, operation: Operation): Position[] {
  const places = [
    ...operation.parameters.map(({ in: place, name, schema }) => ({ in: place, name, schema })),
    ...fieldsOf(document, operation).map(([name, schema]) => ({ in: 'body', name, schema })),
  ]
  return places.flatMap(({ in: place, name, schema }) => {
    const table = place === 'header' ? undefined : tableOfId(operation, name)
    if (!table) return []
    return [{ in: place as Position['in'], name, table, isList: schema.type === 'array' }]
  })
}
