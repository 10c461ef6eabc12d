// Variations of a request besides its ids that lead to another statement.
import {
  type Document,
  fieldsOf,
  type Operation,
  type Parameter,
  resolve,
  tableOfId,
} from '../kit/operations.ts'
import { positionsOf } from './request.ts'

export type Variation = {
  name?: string
  query?: Record<string, string>
  body?: object
  without?: string[]
}

/**
 * Every subset of the query's parameters; every value of a choice in a body, and every two of them; the body
 * without ids.
 */
export function variations(document: Document, operation: Operation): Variation[] {
  const inQuery = operation.parameters.filter(
    ({ in: place, name }) => place === 'query' && name !== 'page' && name !== 'limit',
  )
  const fields = fieldsOf(document, operation)
  const without = positionsOf(document, operation).flatMap((each) =>
    each.in === 'body' ? [each.name] : [],
  )
  const asked = subsets(inQuery)
    .filter((set) => set.length > 0)
    .flatMap((set) => queries(operation, set))
    .map((query) => ({ name: JSON.stringify(query), query }))
  const choices = fields.map(([name, schema]) =>
    (resolve(document, schema).enum ?? []).map((value) => ({
      name: `${name} ${String(value)}`,
      body: { [name]: value },
    })),
  )
  const pairs = choices.flatMap((some, at) =>
    choices
      .slice(at + 1)
      .flat()
      .flatMap((other) =>
        some.map((one) => ({
          name: `${one.name}, ${other.name}`,
          body: { ...one.body, ...other.body },
        })),
      ),
  )
  return [
    ...asked,
    ...choices.flat(),
    ...pairs,
    ...(without.length > 1
      ? asked.map((each) => ({ ...each, name: `${each.name} with no reference`, without }))
      : []),
    ...(without.length > 1 ? [{ name: 'with no reference', without }] : []),
    ...(without.length > 1
      ? without.map((left) => ({ name: `without ${left}`, without: [left] }))
      : []),
    ...(others[operation.name] ?? []),
  ]
}

/** By operation: variations that the rules above do not generate. */
const others: Record<string, Variation[]> = {
  'POST /api/time-blocks': [
    { name: 'an event', without: ['taskId'], body: { type: 'event', title: 'Dentist' } },
  ],
}

const samples: Record<string, string | string[]> = {
  dueBefore: '2026-03-09T00:00:00Z',
  from: '2026-03-02T00:00:00Z',
  to: '2026-03-09T00:00:00Z',
  // The second is a cursor that only Ada's events have, after Grace's last one.
  since: ['5-0', '41-0'],
  before: '9-1',
}

/** All combinations of values: an own id, the first two values of a choice, or samples. */
function queries(operation: Operation, set: Parameter[]): Record<string, string>[] {
  const [first, ...rest] = set
  if (!first) return [{}]
  const values = tableOfId(operation, first.name)
    ? ['own']
    : first.schema.enum
      ? first.schema.enum.filter((_, at) => at < 2).map(String)
      : samplesOf(first)
  return queries(operation, rest).flatMap((query) =>
    values.map((value) => ({ [first.name]: value, ...query })),
  )
}

function samplesOf({ name, schema }: Parameter) {
  const values = [samples[name] ?? never(`No sample of ${name}`)].flat()
  return schema.format === 'date' ? values.map((value) => value.slice(0, 10)) : values
}

function subsets<Item>(items: readonly Item[]): Item[][] {
  const [first, ...rest] = items
  if (first === undefined) return [[]]
  return subsets(rest).flatMap((subset) => [subset, [first, ...subset]])
}

function never(message: string): never {
  throw new Error(message)
}
