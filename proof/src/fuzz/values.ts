// Values by their schema: valid ones, and edge cases.
import type { Document, Schema } from '../kit/operations.ts'
import { resolve } from '../kit/operations.ts'
import type { Random } from '../kit/random.ts'

/** Marks JSON that `JSON.stringify` would not write, such as `1e309`; `withRaw` inserts it verbatim. */
export const raw = (text: string) => `\u0001raw:${text}\u0001`
export const withRaw = (json: string) => json.replaceAll(/"\\u0001raw:(.*?)\\u0001"/g, '$1')

const words = [
  'Write the report',
  'é',
  'e\u0301',
  '😀',
  ' ',
  'ﷺ',
  '\u202e',
  '<b>',
  "'; --",
  '%',
  '\\',
  '{}',
  '0',
]
const zones = ['UTC', 'Australia/Sydney', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia']
const letters = 'abcdefghijklmnopqrstuvwxyz'.split('')

/** A valid value. `idOf` returns an existing id for a field name. */
export function drawValid(
  random: Random,
  document: Document,
  given: Schema,
  name: string,
  idOf: (name: string) => string,
): unknown {
  const schema = resolve(document, given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  if (schema.anyOf) return drawValid(random, document, random.pick(schema.anyOf), name, idOf)
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
  if (type === 'null') return null
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'integer' || type === 'number') return numberIn(random, schema, type)
  if (type === 'array') {
    const most = Math.min(schema.maxItems ?? 3, 3)
    const least = schema.minItems ?? 0
    const length = random.between(least, Math.max(least, most))
    const item = () => drawValid(random, document, schema.items ?? {}, name, idOf)
    return [...new Set(Array.from({ length }, item))]
  }
  if (type === 'object' || schema.properties) return drawValidObject(random, document, schema, idOf)
  return textFor(random, schema, name, idOf)
}

export function drawValidObject(
  random: Random,
  document: Document,
  schema: Schema,
  idOf: (name: string) => string,
) {
  const required = new Set(schema.required)
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!required.has(name) && random.chance(0.55)) continue
    made[name] = drawValid(random, document, property, name, idOf)
  }
  // The schema cannot express which fields depend on each other.
  if (typeof made.startAt === 'string') {
    const length = random.between(1, 24 * 60) * 60_000
    made.endAt = new Date(new Date(made.startAt).getTime() + length).toISOString()
  }
  if (typeof made.until === 'string') made.until = laterThanNow(random)
  if (typeof made.rule === 'string') {
    made.times = made.kind === 'times' ? 3 : null
    if (made.kind === 'times') made.leadDays = 0
    if (typeof made.dueTime === 'string')
      Object.assign(made, { startTime: '00:00', dueTime: '17:00' })
  } else if ('leadDays' in made) Object.assign(made, { leadDays: 0, times: null, dueTime: null })
  if (typeof made.start === 'string') made.end = random.pick(['12:00', '17:30', '23:59'])
  return made
}

function numberIn(random: Random, { minimum = -1e9, maximum = 1e9 }: Schema, type: string) {
  const near = [minimum, maximum, 0, 1, 30, 60].filter((n) => n >= minimum && n <= maximum)
  if (type === 'number') return random.pick([0, -0, 0.1 + 0.2, 1e-300, -1.5, 1e308, random.next()])
  return random.chance(0.5)
    ? random.pick(near)
    : random.between(minimum, Math.min(minimum + 1000, maximum))
}

function textFor(
  random: Random,
  { format, pattern, minLength = 0, maxLength = 200 }: Schema,
  name: string,
  idOf: (name: string) => string,
) {
  if (format === 'uuid') return idOf(name)
  if (format === 'date-time') return timestamp(random)
  if (format === 'date') return dayFor(random, name)
  if (name === 'rule') return random.pick(rules)
  if (format === 'email') return `${word(random, 12)}@example.com`
  if (format === 'uri') return random.pick(['https://example.com/brief', 'mailto:ada@example.com'])
  if (pattern?.includes('}-')) return cursor(random, name, idOf)
  if (pattern?.includes('a-zA-Z')) return random.pick(['task', 'label.updated', 'plannerRun'])
  if (name === 'url') return random.pick(['https://example.com/hook', 'http://[::1]:1/?q=%20'])
  if (pattern?.includes('#')) return `#${random.between(0, 0xffffff).toString(16).padStart(6, '0')}`
  if (pattern?.includes(':')) return random.pick(['00:00', '09:00', '11:59'])
  if (name === 'timezone') return random.pick(zones)
  if (random.chance(0.05)) return 'a'.repeat(Math.min(maxLength, 100_000))
  const made = random.chance(0.5) ? `${word(random, 10)} ${random.pick(words)}` : random.pick(words)
  return made.padEnd(minLength, 'a').slice(0, maxLength).toWellFormed()
}

const rules = [
  'FREQ=DAILY',
  'FREQ=DAILY',
  'FREQ=WEEKLY',
  'FREQ=MONTHLY;BYMONTHDAY=31',
  'FREQ=YEARLY',
]
const dayMs = 86_400_000

/** A day: the first of a recurrence is in the past, its last is far in the future, and other days are near. */
function dayFor(random: Random, name: string) {
  const days = { startsOn: random.between(-9, -3), endsOn: 400 }[name] ?? random.between(1, 4)
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)
}

/** A cursor in the user's events. */
const cursor = (random: Random, name: string, idOf: (name: string) => string) =>
  name === 'eventId' && random.chance(0.8)
    ? idOf(name)
    : random.pick(['0-0', '1-1', '2-1', `${random.between(0, 500)}-1`, '999999999999999-999999999'])

export const word = (random: Random, length: number) =>
  Array.from({ length }, () => random.pick(letters)).join('')

/** A timestamp, mostly near the current time, where there is data. */
export function timestamp(random: Random) {
  if (random.chance(0.1)) {
    return random.pick(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '1969-12-31T23:59:59Z'])
  }
  const at = Date.now() + random.between(-20, 40) * 43_200_000
  return new Date(at).toISOString()
}

const laterThanNow = (random: Random) =>
  new Date(Date.now() + random.between(1, 40) * 43_200_000).toISOString()

/** Unusual values; the schema decides whether each is valid. */
export const odd: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -1,
  1.5,
  2_147_483_648,
  -2_147_483_649,
  9_007_199_254_740_992,
  [],
  {},
  [[]],
  'null',
  'true',
  '1e3',
  'NaN',
  'a\u0000b',
  '\u0000',
  'b\u0000',
  '\ud800',
  'x\udc00y',
  'a'.repeat(501),
  'a'.repeat(100_001),
  '00000000-0000-0000-0000-000000000000',
  'not-an-id',
  '2024-02-30T00:00:00Z',
  '2026-03-02',
  'infinity',
  'now',
  '10000-01-01T00:00:00Z',
  '2026-03-02T24:00:00Z',
  '2026-03-02T08:00:00+99:99',
  'javascript:alert(1)',
  '24:00',
  '__proto__',
  { $gt: '' },
  { toString: null },
  Array.from({ length: 1001 }, () => 'x'),
]

export const oddNumbers = [
  '1e309',
  '-1e309',
  '1e400',
  '-0',
  '1E2',
  '0.1e1',
  '1e-400',
  '3e0',
  '12345678901234567890',
  '0.30000000000000004',
]

/** Unusual texts for a path or a query, inserted verbatim. */
export const oddTexts = [
  '%00',
  '%ED%A0%80',
  '%',
  '%zz',
  '%2e%2e%2f',
  '..',
  '%2F',
  '*',
  '[]',
  "'%20or%201=1--",
  '%E2%80%AE',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '0',
  '-1',
  '1e309',
  '%7B00000000-0000-0000-0000-000000000000%7D',
  '00000000000000000000000000000000',
  'a'.repeat(1000),
  'a'.repeat(1001),
  'a'.repeat(6000),
] as const
