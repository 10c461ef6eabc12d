// Every request of Grace with an id at any position: hers and Ada's, one at a time and all at once, in every
// format of an id.
import { type Document, type Operation, operationsOf } from '../kit/operations.ts'
import { acts } from './acts.ts'
import { adasMark } from './ids.ts'
import { adasKey, credentials, repeated } from './people.ts'
import {
  type Choice,
  type Ids,
  type Position,
  positionsOf,
  type Probe,
  request,
} from './request.ts'
import { type Variation, variations } from './variations.ts'

/** Quick-add recognises a name by its beginning. The whole mark in an answer would look like text of Ada's. */
const nameLikeAdas = adasMark.slice(0, 4)

const forms: Record<string, (id: string) => string> = {
  plain: (id) => id,
  upper: (id) => id.toUpperCase(),
  braced: (id) => `{${id}}`,
  dashless: (id) => id.replaceAll('-', ''),
}

/** Not the admin's lists, which are across users, and not the event stream, which is an act since it never ends. */
const isSwept = ({ name, path }: Operation) =>
  path.startsWith('/api/') &&
  !/^\/api\/(auth|admin\/jobs|events)\b/.test(path) &&
  name !== 'GET /api/admin/users'

/**
 * The operation, and variants of it whose bodies lead to other statements, such as a document without its text or a
 * task that is closed, or contain names that begin like Ada's.
 */
function withOtherBodies(operation: Operation): Operation[] {
  const { body, name } = operation
  if (!body) return [operation]
  const { content: _, ...withoutText } = body.example
  const others: Record<string, object[]> = {
    'PATCH /api/documents/{id}': [withoutText],
    'PATCH /api/tasks/{id}': [{ status: 'completed' }],
    // With this rule, its open occurrences no longer have a day.
    'PATCH /api/recurrences/{id}': [{ rule: 'FREQ=YEARLY', most: 1 }],
    'POST /api/quick-add': [
      { text: `Write #${nameLikeAdas}` },
      { text: `Write @${nameLikeAdas}` },
      { text: `Write #${nameLikeAdas} @${nameLikeAdas}`, dryRun: true },
    ],
  }
  const examples = (others[name] ?? []) as Record<string, unknown>[]
  return [operation, ...examples.map((example) => ({ ...operation, body: { ...body, example } }))]
}

export function probesOf(document: Document, ids: Ids): Probe[] {
  return [
    ...operationsOf(document)
      .filter(isSwept)
      .flatMap(withOtherBodies)
      .flatMap((operation) => probesOfOne(operation)),
    ...['/api/user', '/api/tasks'].map((url) => ({
      name: `GET ${url} of someone new`,
      operation: '',
      method: 'GET',
      url,
      headers: credentials.newcomer,
    })),
    ...[repeated.key, adasKey].map((key) => ({
      name: `POST ${repeated.url} with the Idempotency-Key ${key}`,
      operation: '',
      method: 'POST',
      url: repeated.url,
      body: repeated.body,
      headers: { ...credentials.key, 'idempotency-key': key },
    })),
    ...acts,
  ]

  function probesOfOne(operation: Operation): Probe[] {
    const positions = positionsOf(document, operation)
    const own = positions.map((position) => idsAt(position).own)
    const inPath = positions.filter((position) => position.in !== 'query')
    const varied = variations(document, operation)
    const references = positions.flatMap((each) => (each.in === 'body' ? [each.name] : []))
    const referencesBut = (name: string) => references.filter((other) => other !== name)
    const probe = (name: string, choices: Choice[], more: Variation = {}) =>
      request(operation, positions, choices, ids, name, more)
    return [
      probe('hers', []),
      ...varied.map((more) => probe(`hers, ${more.name}`, [], more)),
      ...positions.flatMap((position, at) =>
        (own[at] ?? []).flatMap((id) =>
          [{}, ...variationsAt(position)].map((more: Variation) =>
            probe(`her ${position.name} ${id} ${more.name ?? ''}`, [{ position, id }], more),
          ),
        ),
      ),
      ...(inPath.length === 2 ? pairs(inPath as [Position, Position]) : []).map((choices) =>
        probe(`her ${choices.map(({ id }) => id).join(' and ')}`, choices),
      ),
      ...positions.flatMap((position) =>
        Object.entries(forms).map(([form, write]) =>
          probe(`her ${form} ${position.name}`, [
            { position, id: write(idsAt(position).own[0] ?? '') },
          ]),
        ),
      ),
      // An admin may change any account.
      ...(operation.path.startsWith('/api/admin/') ? [] : others()),
    ]

    /** What is done to a list of records depends on the body, and to one record on the query. */
    function variationsAt({ in: place, isList }: Position) {
      if (place === 'path') return varied.filter(({ query }) => query)
      return isList ? varied.filter(({ body }) => body) : []
    }

    function others() {
      return [
        probe(
          'Ada’s everywhere',
          positions.map((position) => ({
            position,
            id: idsAt(position).adas[0] ?? '',
            isAlone: true,
          })),
        ),
        ...positions.flatMap((position) => [
          ...Object.entries(forms).map(([form, write]) =>
            probe(`Ada’s ${form} ${position.name}`, [
              { position, id: write(idsAt(position).adas[0] ?? '') },
            ]),
          ),
          ...[{}, ...varied.filter(({ query }) => query)].map(({ name = '', query }: Variation) =>
            probe(
              `Ada’s ${position.name} and no other reference ${name}`,
              [{ position, id: idsAt(position).adas[0] ?? '' }],
              { query, without: referencesBut(position.name) },
            ),
          ),
          ...[...ids].map(([table, { adas }]) =>
            probe(`Ada’s id in ${table} as ${position.name}`, [{ position, id: adas[0] ?? '' }]),
          ),
        ]),
      ]
    }
  }

  function pairs([one, other]: [Position, Position]): Choice[][] {
    return idsAt(one).own.flatMap((first) =>
      idsAt(other).own.map((second) => [
        { position: one, id: first },
        { position: other, id: second },
      ]),
    )
  }

  function idsAt({ table }: Position) {
    const found = ids.get(table)
    if (!found) throw new Error(`No rows in ${table}`)
    return found
  }
}
