// Ways to make a valid request slightly invalid, as real clients do.
import { type Document, fieldsOf, type Operation, resolve, type Schema } from '../kit/operations.ts'
import type { Random } from '../kit/random.ts'
import { odd, oddNumbers, oddTexts, raw } from './values.ts'

export type Draft = {
  path: Record<string, string>
  query: string[]
  headers: [string, string][]
  body?: Record<string, unknown>
  /** Sent instead of the body's JSON. */
  text?: string
  isOffRoute?: boolean
  expected?: number
}

type Way = (draft: Draft, random: Random, operation: Operation, document: Document) => void

/** Each way with its weight and its name. */
export const ways: [number, string, Way][] = [
  [48, 'fitting', () => {}],
  [16, 'one field odd', oddField],
  [4, 'one field missing', missingField],
  [5, 'fields of others', massAssignment],
  [4, 'raw numbers', rawNumber],
  [4, 'malformed', malformed],
  [0.6, 'deep', deep],
  [0.2, 'too large', tooLarge],
  [3, 'a key twice', keyTwice],
  [3, 'keys of the prototype', prototypeKeys],
  [3, 'content type', contentType],
  [4, 'odd query', oddQuery],
  [4, 'odd path', oddPath],
  [3, 'odd headers', oddHeaders],
]

function oddField(
  { body, query }: Draft,
  random: Random,
  operation: Operation,
  document: Document,
) {
  const [name, schema] = random.pickAny(fieldsOf(document, operation)) ?? []
  if (!body || !name || !schema) return void query.push(`x=${random.pick(oddTexts)}`)
  const inside = resolve(document, schema)
  const items = inside.items && resolve(document, inside.items)
  if (items?.properties && Array.isArray(body[name]) && random.chance(0.7)) {
    const [field] = random.pick(Object.entries(items.properties))
    const item = random.pickAny(body[name] as Record<string, unknown>[])
    if (item) item[field] = random.pick(odd)
  } else body[name] = random.chance(0.3) ? beyond(random, inside) : random.pick(odd)
}

/** A value just outside the limits of the schema. */
function beyond(random: Random, given: Schema): unknown {
  const schema = given.anyOf?.[0] ?? given
  const all = [
    ...(schema.maxLength === undefined
      ? []
      : ['a'.repeat(Math.min(schema.maxLength + 1, 900_000))]),
    ...(schema.minLength ? ['a'.repeat(schema.minLength - 1)] : []),
    ...(schema.maximum === undefined ? [] : [schema.maximum + 1]),
    ...(schema.minimum === undefined ? [] : [schema.minimum - 1]),
    ...(schema.maxItems === undefined
      ? []
      : [Array.from({ length: schema.maxItems + 1 }, () => schema.items?.enum?.[0] ?? 'x')]),
    ...(schema.enum ? [`${String(schema.enum[0])} `, String(schema.enum[0]).toUpperCase()] : []),
  ]
  return all.length > 0 ? random.pick(all) : random.pick(odd)
}

function missingField({ body }: Draft, random: Random) {
  const name = random.pickAny(Object.keys(body ?? {}))
  if (body && name) delete body[name]
}

function massAssignment({ body }: Draft, random: Random) {
  const elses = '00000000-0000-7000-8000-000000000001'
  if (!body) return
  for (const [name, value] of Object.entries({
    id: elses,
    userId: elses,
    user_id: elses,
    isDefault: true,
    is_default: true,
    isAdmin: true,
    role: 'admin',
    createdAt: '2000-01-01T00:00:00Z',
    updated_at: '2000-01-01',
    actualMinutes: 5,
    archivedAt: '2000-01-01T00:00:00Z',
    source: 'auto',
    type: 'x',
    defended: true,
    made_by_run: elses,
  })) {
    if (!(name in body) && random.chance(0.5)) body[name] = value
  }
}

function rawNumber(draft: Draft, random: Random, operation: Operation, document: Document) {
  const numbers = fieldsOf(document, operation).filter(([, schema]) =>
    JSON.stringify(schema).match(/"(integer|number)"/),
  )
  const [name] = random.pickAny(numbers.length > 0 ? numbers : fieldsOf(document, operation)) ?? []
  if (draft.body && name) draft.body[name] = raw(random.pick(oddNumbers))
}

function malformed(draft: Draft, random: Random) {
  const text = JSON.stringify(draft.body ?? {})
  draft.text = random.pick([
    text.slice(0, -1),
    `${text}}`,
    `${text},`,
    `\ufeff${text}`,
    text.replaceAll('"', "'"),
    '',
    ' ',
    'null',
    '[]',
    '"text"',
    '1',
    'NaN',
    '{"title":}',
    '{title:1}',
    '{"title":"\\ud800"}',
    '{"title":"\\u0000"}',
    `[${text}]`,
    `${text}${text}`,
    '{"a":1,}',
    '\u0000',
  ])
}

function deep(draft: Draft, random: Random, operation: Operation, document: Document) {
  const depth = random.pick([200, 20_000])
  const name = random.pickAny(fieldsOf(document, operation))?.[0] ?? 'title'
  const inside = random.pick([
    '['.repeat(depth) + ']'.repeat(depth),
    '{"a":'.repeat(depth) + '1' + '}'.repeat(depth),
    // Not closed: parsing this ended Node 26.
    '{},['.repeat(depth),
  ])
  draft.text = `${JSON.stringify(draft.body ?? {}).slice(0, -1)}${Object.keys(draft.body ?? {}).length > 0 ? ',' : ''}"${name}":${inside}}`
}

/** Documents may have 4 MiB, everything else one. */
function tooLarge(draft: Draft, _random: Random, { path }: Operation) {
  if (!draft.body || path.startsWith('/api/auth/')) return
  const limit = path.startsWith('/api/documents') ? 4 : 1
  draft.text = JSON.stringify(draft.body).padEnd(limit * 1024 * 1024 + 1)
  draft.expected = 413
}

function keyTwice(draft: Draft, random: Random) {
  const { body } = draft
  const name = body && random.pickAny(Object.keys(body))
  if (!name) return
  const first = JSON.stringify(random.pick(odd.slice(0, 12)))
  draft.text = `{${JSON.stringify(name)}:${first},${JSON.stringify(body).slice(1)}`
}

/** Written as JSON text, since `__proto__` in an object literal would set the prototype. */
function prototypeKeys(draft: Draft, random: Random) {
  const fields = JSON.stringify({
    ...draft.body,
    title: 'polluted',
    name: 'polluted',
    type: 'at_risk',
    polluted: true,
  })
  const first = JSON.stringify(draft.body ?? {}).slice(0, -1)
  const comma = first.length > 1 ? ',' : ''
  const inside = random.pick([
    `"__proto__":${fields}`,
    `"constructor":{"prototype":${fields}}`,
    `"\\u005f_proto__":${fields}`,
    `"__proto__":null`,
    `"toString":1,"hasOwnProperty":2,"valueOf":3`,
  ])
  draft.text = `${random.chance(0.5) ? '{' : first + comma}${inside}}`
}

function contentType(draft: Draft, random: Random) {
  const type = random.pick([
    'text/plain',
    'application/json; charset=utf-8',
    'application/json;charset=latin1',
    'APPLICATION/JSON',
    'application/json, text/plain',
    'application/json ;',
    'application/jsonx',
    'application/vnd.api+json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    ';',
    'a/b/c',
    '',
  ])
  draft.headers.push(['content-type', type])
  if (draft.body === undefined && random.chance(0.5)) draft.text = '{}'
}

function oddQuery(draft: Draft, random: Random, { parameters }: Operation) {
  const names = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name)
  const name = random.pick([...names, ...names, 'x', '__proto__', 'constructor[prototype][a]'])
  const value = random.pick(oddTexts)
  draft.query.push(
    ...random.pick([
      [`${name}=${value}`],
      [`${name}=1`, `${name}=${value}`],
      [`${name}[]=${value}`],
      [`${name}[a]=${value}`],
      [name],
      [`=${value}`],
      ['&&&'],
      [`${name}=${'a'.repeat(8000)}`],
      Array.from({ length: 300 }, (_, at) => `${name}=${at}`),
      Array.from({ length: 1001 }, (_, at) => `k${at}=`),
    ]),
  )
}

function oddPath(draft: Draft, random: Random) {
  const [name] = Object.keys(draft.path)
  if (!name) return
  const value = random.pick([...oddTexts, '', '/', '//', '%2e', '?', 'reorder', 'batch'])
  draft.path[name] = value
  draft.isOffRoute = true
}

function oddHeaders(draft: Draft, random: Random) {
  draft.headers.push(
    ...random.pick<[string, string][]>([
      [['idempotency-key', 'a'.repeat(256)]],
      [['idempotency-key', 'a b']],
      [['idempotency-key', 'é']],
      [
        ['idempotency-key', 'same'],
        ['idempotency-key', 'other'],
      ],
      [['idempotency-key', `key-${random.between(1, 20)}`]],
      [['idempotency-key', '__proto__']],
      [['accept', 'text/html']],
      [['accept-encoding', 'gzip, br']],
      [['origin', 'https://elsewhere.example']],
      [['x-forwarded-for', '1.2.3.4, 5.6.7.8']],
      [['x-request-id', 'a'.repeat(300)]],
      [['cookie', 'daywright.session_token=%zz; a=b;;=']],
      [['authorization', 'Bearer dwk_nonsense']],
      [['if-match', '*']],
      [['expect', '100-continue']],
      [['content-encoding', 'gzip']],
      [['x-http-method-override', 'DELETE']],
    ]),
  )
}
